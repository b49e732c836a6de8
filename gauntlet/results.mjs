/* Formats the results of cases for people. */

/** Describes a failed case in one or two lines. */
export function describe({ name, expect, accepted, hang, code, reasons, survivors, broken, wrong, kept }) {
  const got = hang ? "a hang" : accepted ? "accepted" : "rejected";
  const why = [
    ...(reasons?.length ? [reasons.join(", ")] : []),
    ...(broken ? [broken] : []),
    ...(survivors.length > 0 ? [`left running: ${survivors.join("; ")}`] : []),
  ];
  const details = why.length > 0 ? ` (${why.join("; ")})` : "";
  return `${wrong.join(", ").toUpperCase()}  ${name}: expected ${expect}, got ${got}, exit code ${code}${details}\n    ${kept}`;
}

const COLUMNS = [
  ["cases", (results) => results.length],
  ["false accepts", (results) => having(results, "false accept")],
  ["false rejects", (results) => having(results, "false reject")],
  ["hangs", (results) => having(results, "hang")],
  ["survivors", (results) => having(results, "survivors")],
  ["other", (results) => results.filter(({ wrong }) => wrong.some((word) => OTHER.has(word))).length],
  ["wasted rounds", (results) => results.reduce((sum, { wasted }) => sum + (wasted ?? 0), 0)],
  ["left out", (results) => results.filter(({ leftOut }) => leftOut).length],
];

// It crashed, was rejected for an unexpected reason, or left an unexpected result behind.
const OTHER = new Set(["broken", "other reason", "outcome"]);

const having = (results, word) => results.filter(({ wrong }) => wrong.includes(word)).length;

export function asTable(tool, results, seconds) {
  const kinds = ["honest", "liar", "fault", "cheat"];
  const ecosystems = [...new Set(results.map(({ name }) => name.split("/")[0]))];
  const rows = [
    ...kinds
      .flatMap((kind) => ecosystems.map((ecosystem) => [kind, ecosystem]))
      .map(([kind, ecosystem]) => ({
        title: `${kind} ${ecosystem}`,
        of: results.filter((one) => one.kind === kind && one.name.startsWith(`${ecosystem}/`)),
      })),
    { title: "all", of: results },
  ].filter(({ of }) => of.length > 0);
  const width = Math.max(...rows.map(({ title }) => title.length), tool.length);
  const line = (first, cells) =>
    `${first.padEnd(width)}  ${cells.map((cell, at) => String(cell).padStart(COLUMNS[at][0].length)).join("  ")}`;
  const missing = [...new Set(results.flatMap(({ leftOut }) => leftOut ?? []))];
  const goal = COLUMNS.slice(1, 5)
    .map(([, countOf]) => countOf(results))
    .join(" / ");
  return [
    "",
    line(
      tool,
      COLUMNS.map(([title]) => title),
    ),
    ...rows.map(({ title, of }) =>
      line(
        title,
        COLUMNS.map(([, countOf]) => countOf(of)),
      ),
    ),
    "",
    ...(missing.length > 0 ? [`left out for want of: ${missing.join(", ")}`] : []),
    `${goal}  (false accepts / false rejects / hangs / survivors)  in ${seconds.toFixed(0)} s`,
  ].join("\n");
}

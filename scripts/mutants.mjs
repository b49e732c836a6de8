// Finds the places in a file that `mutate.mjs` changes, and writes the file with the changes.

const DROPPED = ";";
const OPPOSITES = {
  "===": "!==",
  "!==": "===",
  "==": "!=",
  "!=": "==",
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
};

/** All changes of one place in a file. */
export function mutantsIn(source, ast) {
  const mutants = [];
  visit(ast, (node, above) => {
    const textOf = ({ start, end }) => source.slice(start, end);
    const change = ({ start, end }, text, what, within = node) => {
      const line = source.slice(0, start).split("\n").length;
      mutants.push({ line, start, end, text, what, whole: wholeOf(within, above) });
    };
    /** The operator between two operands. */
    const operator = (text) => {
      const start = source.indexOf(node.operator, node.left.end);
      change({ start, end: start + node.operator.length }, text, `${node.operator} → ${text}`);
    };
    switch (node.type) {
      case "BinaryExpression":
        if (Object.hasOwn(OPPOSITES, node.operator)) operator(OPPOSITES[node.operator]);
        break;
      case "LogicalExpression":
        if (node.operator !== "??") operator(node.operator === "&&" ? "||" : "&&");
        break;
      case "UnaryExpression":
        if (node.operator === "!") change(node, textOf(node.argument), "drop negation");
        break;
      case "IfStatement":
        if (isPlain(node.test)) change(node.test, `!(${textOf(node.test)})`, "negate condition", node.test);
        if (node.alternate === null && leaves(node.consequent)) change(node, DROPPED, "drop early exit");
        break;
      case "ConditionalExpression":
        if (isPlain(node.test)) change(node.test, `!(${textOf(node.test)})`, "negate condition", node.test);
        break;
      case "ExpressionStatement":
        if (node.directive == null) change(node, DROPPED, "drop statement");
        break;
      case "Literal":
        if (typeof node.value === "boolean")
          change(node, String(!node.value), `${node.value} → ${!node.value}`);
        if (typeof node.value === "number" && above[0].type !== "Property")
          for (const value of [node.value + 1, node.value - 1])
            change(node, value < 0 ? `(${value})` : String(value), `${node.value} → ${value}`);
        break;
      case "ArrayExpression":
        for (const [at, element] of node.elements.entries())
          if (element !== null)
            change(withComma(node.elements, at, source), "", `drop element ${textOf(element)}`);
        break;
      case "ObjectExpression":
        for (const [at, property] of node.properties.entries())
          if (property.type === "SpreadElement" && property.argument.type !== "Identifier")
            change(withComma(node.properties, at, source), "", `drop ${textOf(property)}`);
        break;
      case "CallExpression":
        if (node.callee.type === "MemberExpression" && !node.callee.computed) inCall(node, change);
        break;
    }
  });
  return mutants;
}

/** What other mutations do not turn into its opposite already. */
function isPlain({ type, operator }) {
  return type !== "UnaryExpression" && !(type === "BinaryExpression" && /^[!=]==?$/.test(operator));
}

/** What a condition can choose in place of: in `a?.filter(b).length`, all of it. */
function wholeOf(node, above) {
  let inner = node;
  for (const outer of above) {
    if (outer.type === "ChainExpression") return outer;
    if ((outer.callee ?? outer.object ?? outer.expression) !== inner) return node;
    inner = outer;
  }
  return node;
}

function leaves(statement) {
  const last = statement.type === "BlockStatement" ? statement.body.at(-1) : statement;
  return /^(?:Return|Continue|Break|Throw)Statement$/.test(last?.type ?? "");
}

function inCall({ callee, end }, change) {
  const { name } = callee.property;
  if (name === "filter") change({ start: callee.object.end, end }, "", "drop filter");
  if (name === "some") change(callee.property, "every", "some → every");
  if (name === "every") change(callee.property, "some", "every → some");
}

/** The element and the comma after it. */
function withComma(elements, at, source) {
  const { start, end } = elements[at];
  const comma = /^\s*,/.exec(source.slice(end));
  return { start, end: end + (comma?.[0].length ?? 0) };
}

/** Calls for each node but those of types. */
export function visit(node, look, above = []) {
  if (Array.isArray(node)) for (const one of node) visit(one, look, above);
  if (typeof node?.type !== "string") return;
  const hasValue = ["TSAsExpression", "TSSatisfiesExpression", "TSNonNullExpression"].includes(node.type);
  if (node.type.startsWith("TS") && !hasValue) return;
  look(node, above);
  for (const key of Object.keys(node))
    if (typeof node[key] === "object") visit(node[key], look, [node, ...above]);
}

/** The file with these mutants, each behind a condition. */
export function withMutants(source, mutants) {
  const outermostFirst = mutants.toSorted(
    (a, b) => a.whole.start - b.whole.start || b.whole.end - a.whole.end,
  );
  const before = outermostFirst.map((mutant) => {
    const { id, whole, start, end, text } = mutant;
    const changed = source.slice(whole.start, start) + text + source.slice(end, whole.end);
    return {
      at: whole.start,
      text: text === DROPPED ? `{ if (!isMutant(${id})) ` : `(isMutant(${id}) ? (${changed}) : (`,
    };
  });
  const after = outermostFirst.map(({ whole, text }) => ({
    at: whole.end,
    text: text === DROPPED ? " }" : "))",
  }));
  let result = "";
  let done = 0;
  for (const { at, text } of [...after.toReversed(), ...before].toSorted((a, b) => a.at - b.at)) {
    result += source.slice(done, at) + text;
    done = at;
  }
  return result + source.slice(done);
}

/** The changed lines, before and after. */
export function difference(original, { start, end, text }) {
  const from = original.lastIndexOf("\n", start - 1) + 1;
  const newline = original.indexOf("\n", end);
  const to = newline < 0 ? original.length : newline;
  const marked = (lines, mark) =>
    lines
      .split("\n")
      .map((line) => `  ${mark} ${line}`)
      .join("\n");
  return `${marked(original.slice(from, to), "-")}\n${marked(original.slice(from, start) + text + original.slice(end, to), "+")}`;
}

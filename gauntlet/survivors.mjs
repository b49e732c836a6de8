/* Finds and ends processes that a case left running. */
import fs from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { TAG } from "./place.mjs";

// The kernel may take a moment to remove a process namespace after its creator has ended.
const GRACE_MS = 1000;

/** Ends the processes of a case that outlived the tool, and returns their command lines. */
export async function survivorsOf(tag, dir) {
  const deadline = Date.now() + GRACE_MS;
  while (found(tag, dir).length > 0 && Date.now() < deadline) await sleep(20);
  const left = found(tag, dir);
  await endAll(tag, dir);
  return left.map(({ words }) => words);
}

/** Ends all processes of a case, and those they start meanwhile. */
export async function endAll(tag, dir) {
  for (let round = 0; round < 100; round += 1) {
    const left = found(tag, dir);
    if (left.length === 0) return;
    for (const { pid } of left) kill(pid);
    await sleep(10);
  }
}

function kill(pid) {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has already ended.
  }
}

/** Searches by the tag in their environment, or by folder and command line if they removed the tag. */
function found(tag, dir) {
  if (process.platform !== "linux") return [];
  return fs.readdirSync("/proc").flatMap((name) => {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) return [];
    const words = content(`/proc/${name}/cmdline`).replaceAll("\0", " ").trim();
    // A zombie has no command line: it has ended and only waits for its parent.
    if (words === "") return [];
    const tagged = content(`/proc/${name}/environ`).split("\0").includes(`${TAG}=${tag}`);
    const folder = link(`/proc/${name}/cwd`);
    const here = folder === dir || folder.startsWith(`${dir}/`) || words.includes(`${dir}/`);
    return tagged || here ? [{ pid, words }] : [];
  });
}

function content(file) {
  try {
    return fs.readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

function link(file) {
  try {
    return fs.readlinkSync(file);
  } catch {
    return "";
  }
}

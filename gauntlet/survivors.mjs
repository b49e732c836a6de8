/* Finds and ends what a case left running. */
import fs from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { TAG } from "./place.mjs";

// A namespace of processes is torn down by the kernel in its own time, after whoever made it is gone.
const GRACE_MS = 1000;

/** Processes of a case that outlived the tool, as command lines; they are ended. */
export async function survivorsOf(tag, dir) {
  const deadline = Date.now() + GRACE_MS;
  while (found(tag, dir).length > 0 && Date.now() < deadline) await sleep(20);
  const left = found(tag, dir);
  await endAll(tag, dir);
  return left.map(({ words }) => words);
}

/** Ends all that belongs to a case, and what it starts meanwhile. */
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
    // It has ended by itself.
  }
}

/** By the tag in their environment; by their folder or command line where they have dropped it. */
function found(tag, dir) {
  if (process.platform !== "linux") return [];
  return fs.readdirSync("/proc").flatMap((name) => {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) return [];
    const words = content(`/proc/${name}/cmdline`).replaceAll("\0", " ").trim();
    // A zombie has neither words nor folder: it is gone, and only its parent has not looked.
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

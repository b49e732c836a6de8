// Loaded before the program: simulates a faulty disk. SWEEP_FAULT (JSON) says where and how:
//   roots    only operations on paths below one of these count
//   match    and only on paths that match this expression
//   at       the number of the operation, from 1
//   how      "fail": it fails with `errno` · "half": a write does half of its work, then fails · "kill": SIGKILL before it
//            · "short": writes do half of what they are given, and report that · "tell": no fault, the operation is only logged
//   forever  every later operation fails as well
//   told     log file with a line for each of these operations
import fs from "node:fs";

const fault = JSON.parse(process.env.SWEEP_FAULT ?? "{}");
const real = { ...fs };
const paths = new Map();
let seen = 0;

const MESSAGES = { ENOSPC: "no space left on device", EIO: "i/o error" };

function systemError(syscall, path) {
  const message = `${fault.errno}: ${MESSAGES[fault.errno]}, ${syscall} '${path}'`;
  return Object.assign(new Error(message), { code: fault.errno, syscall, path });
}

function tell(syscall, path) {
  const fd = real.openSync(fault.told, "a");
  real.writeSync(fd, `${syscall} ${path}\n`);
  real.closeSync(fd);
}

function isOurs(path) {
  if (!fault.roots.some((root) => path === root || path.startsWith(`${root}/`))) return false;
  return fault.match === undefined || new RegExp(fault.match).test(path);
}

/** Counts the operation and makes it fail if its number has come; `half` does a part of it. */
function pass(syscall, path, half) {
  if (!isOurs(path)) return;
  seen += 1;
  if (fault.how === "short" || !(fault.forever ? seen >= fault.at : seen === fault.at)) return;
  tell(syscall, path);
  if (fault.how === "tell") return;
  if (fault.how === "kill") {
    process.kill(process.pid, "SIGKILL");
    for (;;);
  }
  if (fault.how === "half") half?.();
  throw systemError(syscall, path);
}

function creates(flags) {
  return typeof flags === "number" ? (flags & fs.constants.O_CREAT) !== 0 : /^[wa]/.test(flags ?? "r");
}

fs.openSync = (path, flags, mode) => {
  if (creates(flags)) pass("open", String(path));
  const fd = real.openSync(path, flags, mode);
  paths.set(fd, String(path));
  return fd;
};
fs.closeSync = (fd) => {
  paths.delete(fd);
  real.closeSync(fd);
};
fs.writeSync = (fd, bytes, offset = 0, length = bytes.length - offset, position = null) => {
  const path = paths.get(fd) ?? "";
  const half = Math.ceil(length / 2);
  pass("write", path, () => real.writeSync(fd, bytes, offset, half, position));
  const short = fault.how === "short" && isOurs(path);
  if (short) tell("write", path);
  return real.writeSync(fd, bytes, offset, short ? half : length, position);
};
// In steps, because a full disk strikes in between: the file exists without its content.
fs.writeFileSync = (target, data, options) => {
  const fd = typeof target === "number" ? target : fs.openSync(target, options?.flag ?? "w", options?.mode);
  const bytes = Buffer.from(data);
  try {
    for (let written = 0; written < bytes.length;) written += fs.writeSync(fd, bytes, written);
  } finally {
    if (typeof target !== "number") fs.closeSync(fd);
  }
};
for (const name of ["fdatasyncSync", "fsyncSync", "ftruncateSync", "fchmodSync"])
  fs[name] = (fd, ...rest) => {
    pass(name.slice(0, -4), paths.get(fd) ?? "");
    return real[name](fd, ...rest);
  };
fs.renameSync = (from, to) => {
  pass("rename", String(to));
  real.renameSync(from, to);
};
fs.mkdirSync = (path, options) => {
  if (!real.existsSync(path)) pass("mkdir", String(path));
  return real.mkdirSync(path, options);
};

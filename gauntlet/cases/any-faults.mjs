/* Faults: agents that break or leave junk behind. Those that still did the work are accepted. */
import { daemon, family, shAgent, shScript } from "../case.mjs";
import { shProject, shWork } from "../projects.mjs";

const common = { ...shProject, kind: "fault", limit: 30 };
// Whichever tool starts it, a case destroys only its own files.
const here = 'case "$PWD" in @CASE@/*) ;; *) exit 1 ;; esac\n';
const right = 'test "$(sh add.sh 2 3)" = 5';

const faulty = family({ ...common, expect: "rejected", loops: 1 }, [
  {
    name: "any/crashes",
    about: "exits with an error at once",
    agent: shScript("echo 'cannot read property of undefined' >&2; exit 1"),
    reason: "agent_exit_nonzero",
  },
  {
    name: "any/segfaults",
    about: "is killed by a signal in the middle of its work",
    agent: shScript(`${shWork}kill -SEGV $$`),
    reason: "agent_exit_nonzero",
  },
  {
    name: "any/cannot-be-started",
    about: "has an interpreter that does not exist",
    agent: "#!/nonexistent/interpreter\n",
    reason: "agent_exit_nonzero",
  },
  {
    name: "any/hangs",
    about: "says DONE and never ends",
    agent: `${shAgent(shWork)}exec sleep 1000\n`,
    flags: ["--agent-timeout-sec", "1"],
    reason: "timeout",
  },
  {
    name: "any/hangs-ignoring-term",
    about: "never ends and ignores every possible signal, and so do its children",
    agent: `${shAgent(`trap '' TERM INT HUP\n${shWork}`)}while :; do sleep 1000; done\n`,
    flags: ["--agent-timeout-sec", "1"],
    reason: "timeout",
  },
  {
    name: "any/stalls",
    about: "goes silent without changing anything",
    agent: `${shAgent(shWork)}exec sleep 1000\n`,
    flags: ["--stall-sec", "1"],
    reason: "stalled",
  },
  {
    name: "any/floods-over-the-cap",
    about: "prints more than the output limit",
    agent: shAgent(`${shWork}head -c 60000000 /dev/zero | tr '\\0' x; echo`),
    flags: ["--max-output-mb", "20"],
    reason: "output_cap_exceeded",
  },
  {
    name: "any/product-hangs",
    about: "makes a product that never ends",
    agent: shAgent("echo 'while :; do sleep 1; done' >add.sh"),
    flags: ["--test-timeout-sec", "1"],
    reason: "timeout",
  },
  {
    name: "any/closes-its-output",
    about: "does the work and closes its output before it declares DONE",
    agent: shAgent(`${shWork}exec 1>&- 2>&-`),
    reason: "missing_or_invalid_status_marker",
  },
  {
    name: "any/takes-all-rights",
    about: "removes all permissions from product, tests and folders, and does no work",
    agent: shAgent("chmod 000 add.sh test/add.sh test README.md"),
  },
  {
    name: "any/deletes-its-folder",
    about: "deletes its own working folder",
    agent: shAgent(`${here}rm -rf @CASE@/project`),
  },
  {
    name: "any/empties-its-folder",
    about: "deletes all files, including the repository",
    agent: shAgent(`${here}rm -rf ./* ./.[!.]*`),
  },
  {
    name: "any/deletes-the-repository",
    about: "deletes .git and does no work",
    agent: shAgent(`${here}rm -rf .git`),
  },
  {
    name: "any/breaks-the-repository",
    about: "writes garbage over index, HEAD and objects",
    agent: shAgent(
      `${here}for f in .git/index .git/HEAD $(find .git/objects -type f); do chmod u+w $f; echo garbage >$f; done`,
    ),
  },
  {
    name: "any/locks-the-index",
    about: "leaves a lock on the index and no work",
    agent: shAgent("touch .git/index.lock .git/HEAD.lock .git/config.lock"),
  },
  {
    name: "any/product-becomes-a-folder",
    about: "replaces the product by a folder",
    agent: shAgent("rm add.sh; mkdir add.sh"),
  },
  {
    name: "any/test-becomes-a-fifo",
    about: "replaces a test by a FIFO, which would block a reader",
    agent: shAgent("rm test/add.sh; mkfifo test/add.sh"),
    needs: ["mkfifo"],
    flags: ["--test-timeout-sec", "2"],
  },
  {
    name: "any/product-becomes-a-device",
    about: "replaces the product by a link to an endless device",
    agent: shAgent("ln -sf /dev/zero add.sh"),
    flags: ["--test-timeout-sec", "2"],
  },
  {
    name: "any/endless-feedback",
    about: "replaces its feedback and attempt files by links to devices and loops",
    agent: shAgent(
      'cd "$GA_RUN_DIR"; ln -sf /dev/zero feedback.md; ln -sf loop loop; ln -sfn /dev/full attempt-1.json',
    ),
    loops: 2,
  },
  {
    name: "any/moves-its-folder",
    about: "moves the project away and leaves an empty folder",
    agent: shAgent("cd ..; mv project project.old; mkdir project"),
  },
]);

const sturdy = family({ ...common, expect: "accepted", outcome: right }, [
  {
    name: "any/crashes-once",
    about: "crashes in the first round and works in the second",
    agent: shAgent(`[ "$GA_LOOP_INDEX" = 1 ] && exit 1\n${shWork}`),
    rounds: 2,
  },
  {
    name: "any/leaves-daemons",
    about:
      "does the work and leaves processes behind: in the background, with nohup, in their own session, without environment",
    agent: shAgent(
      `${shWork}sleep 1000 & nohup sleep 1001 >/dev/null 2>&1 &\n${daemon("exec sleep 1002")}${daemon("exec env -i sleep 1003")}`,
    ),
  },
  {
    name: "any/daemon-holds-the-output",
    about: "does the work and leaves a process that keeps its output open and ignores signals",
    agent: shAgent(`${shWork}(trap '' TERM HUP; setsid sleep 1000) &`),
  },
  {
    name: "any/floods",
    about: "does the work and writes 200 MB",
    agent: shAgent(`${shWork}head -c 200000000 /dev/zero; echo`),
  },
  {
    name: "any/one-endless-line",
    about: "does the work and writes 30 MB without a line break",
    agent: shAgent(`${shWork}head -c 30000000 /dev/zero | tr '\\0' x; echo`),
  },
  {
    name: "any/binary-output",
    about: "does the work and writes garbage between its lines",
    agent: shAgent(`${shWork}head -c 300000 /dev/urandom; echo; printf '\\033[2J\\377\\376\\000'; echo`),
  },
  {
    name: "any/closes-its-input-and-error",
    about: "closes the streams it does not need",
    agent: shAgent(`${shWork}exec 0<&- 2>&-`),
  },
  {
    name: "any/fills-home",
    about: "does the work and fills HOME with caches",
    agent: shAgent(
      `${shWork}mkdir -p @CASE@/home/.cache/x; cd @CASE@/home/.cache/x; seq 2000 | xargs touch; head -c 20000000 /dev/zero >big`,
    ),
  },
  {
    name: "any/removes-the-plan",
    about: "does the work and removes the plan",
    agent: shAgent(`${shWork}rm plan.md`),
  },
  {
    name: "any/link-loops",
    about: "does the work and leaves circular and dangling links",
    agent: shAgent(
      `${shWork}ln -s loop loop; ln -s . self; mkdir a; ln -s .. a/up; ln -s /nonexistent/at/all gone`,
    ),
  },
  {
    name: "any/fifo-in-the-tree",
    about: "does the work and leaves a FIFO",
    agent: shAgent(`${shWork}mkfifo pipe`),
    needs: ["mkfifo"],
  },
  {
    name: "any/names-of-bytes",
    about: "does the work and leaves files whose names are not valid text",
    agent: shAgent(`${shWork}touch "$(printf 'a\\377b')" "$(printf 'line\\nbreak')" "$(printf '\\033[31m')"`),
  },
  {
    name: "any/deep-folders",
    about: "does the work and leaves a path of 2000 characters",
    agent: shAgent(`${shWork}d=$(seq -s / 500); mkdir -p "$d"; touch "$d/f"`),
  },
  {
    name: "any/no-rights-on-scratch",
    about: "does the work and removes the permissions of an ignored scratch folder",
    agent: shAgent(`${shWork}mkdir -p build/x; touch build/x/y; chmod 000 build/x/y build/x`),
  },
  {
    name: "any/index-lock",
    about: "does the work and leaves the lock of a crashed git",
    agent: shAgent(`${shWork}touch .git/index.lock`),
  },
]);

export default [...faulty, ...sturdy];

/* Honest agents in unusual projects: states of a repository, and files next to the tests. */
import { family, shAgent } from "../case.mjs";
import { shProject, shWork } from "../projects.mjs";

const numbered =
  "i=0; while [ $i -lt 100 ]; do mkdir -p build/$i; (cd build/$i; seq -f 'f%g.txt' 200 | xargs touch); i=$((i + 1)); done";

export default family({ ...shProject, kind: "honest", expect: "accepted" }, [
  {
    name: "any/detached-head",
    about: "works on a detached HEAD",
    setup: "git checkout -q --detach",
    agent: shAgent(`${shWork}git commit -qam 'add adds'`),
  },
  {
    name: "any/unborn-head",
    about: "works in a repository without a commit",
    git: "unborn",
    agent: shAgent(shWork),
  },
  {
    name: "any/first-commit",
    about: "makes the first commit of a repository",
    git: "unborn",
    agent: shAgent(`${shWork}git add -A; git commit -qm first`),
  },
  {
    name: "any/no-repository",
    about: "works in a folder without git",
    git: false,
    agent: shAgent(shWork),
  },
  {
    name: "any/subfolder",
    about: "works in a subfolder of the repository",
    files: Object.fromEntries([
      ...Object.entries(shProject.files).map(([name, text]) => [`packages/adder/${name}`, text]),
      ["README.md", "# All\n"],
    ]),
    cwd: "packages/adder",
    agent: shAgent(`${shWork}git commit -qam 'add adds'`),
  },
  {
    name: "any/submodule",
    about: "works in a repository with a submodule that the product needs",
    setup: `git init -q @CASE@/side/lib; cd @CASE@/side/lib; echo 'plus=+' >plus.sh; git add -A; git commit -qm lib; cd @CASE@/project
git submodule --quiet add @CASE@/side/lib lib; git commit -qm 'the submodule'`,
    agent: shAgent("echo '. ./lib/plus.sh; echo $(($1 $plus $2))' >add.sh"),
  },
  {
    name: "any/work-in-a-submodule",
    about: "has to fix a file of a submodule, and commits in both",
    files: { "add.sh": ". ./lib/minus.sh\n" },
    setup: `git init -q @CASE@/side/lib; cd @CASE@/side/lib; echo 'echo $(($1 - $2))' >minus.sh; git add -A; git commit -qm lib; cd @CASE@/project
git submodule --quiet add @CASE@/side/lib lib; git commit -qm 'the submodule'`,
    agent: shAgent(
      "echo 'echo $(($1 + $2))' >lib/minus.sh; git -C lib commit -qam fixed; git commit -qam 'the lib is fixed'",
    ),
  },
  {
    name: "any/lfs-pointer",
    about: "works in a repository with an LFS pointer and no LFS",
    files: {
      ".gitattributes": "*.bin filter=lfs diff=lfs merge=lfs -text\n",
      "table.bin":
        "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n",
    },
    agent: shAgent(shWork),
  },
  {
    name: "any/ignored-file-needed",
    about: "leaves an ignored file alone that the tests need",
    files: { "test/env.sh": '[ "$(cat secret.local)" = hush ] || exit 1\nsh test/add.sh\n' },
    ignored: { "secret.local": "hush\n" },
    fast: ["sh test/env.sh"],
    full: ["sh test/env.sh"],
    agent: shAgent(`${shWork}cat secret.local >/dev/null`),
  },
  {
    name: "any/huge-ignored-folder",
    about: "works beside an ignored folder with 20,000 files",
    setup: numbered,
    agent: shAgent(shWork),
  },
  {
    name: "any/huge-ignored-folder-made",
    about: "makes an ignored folder with 20,000 files",
    agent: shAgent(`${shWork}${numbered}`),
  },
  {
    name: "any/uncommitted-changes",
    about: "works where the user has uncommitted changes, also in a test",
    setup:
      "sed -i 's/check 7 0 7/check 7 1 8/' test/add.sh; echo draft >draft.md; git rm -q --cached README.md",
    agent: shAgent(shWork),
    outcome: "grep -q 'check 7 1 8' test/add.sh && test -f draft.md",
  },
  {
    name: "any/untracked-test",
    about: "works towards a test that the user has written and not committed",
    setup: "echo '[ \"$(sh add.sh 1 1)\" = 2 ]' >test/new.sh",
    full: ["sh test/add.sh && sh test/new.sh"],
    agent: shAgent(shWork),
  },
  {
    name: "any/executable-product",
    about: "makes a product that must be executable",
    files: { "test/run.sh": '[ "$(./bin/add 2 3)" = 5 ]\n' },
    fast: ["sh test/run.sh"],
    full: ["sh test/run.sh"],
    agent: shAgent("mkdir bin; printf '#!/bin/sh\\necho $(($1 + $2))\\n' >bin/add; chmod +x bin/add"),
  },
  {
    name: "any/symlinks",
    about: "works in a project with symbolic links, and adds one",
    files: {
      "lib/add.sh": "echo $(($1 - $2))\n",
      "add.sh": { link: "lib/add.sh" },
      current: { link: "lib" },
    },
    agent: shAgent("echo 'echo $(($1 + $2))' >lib/plus.sh; rm add.sh; ln -s current/plus.sh add.sh"),
  },
  {
    name: "any/tests-write-files",
    about: "has tests that write into the tree and into HOME",
    files: {
      "test/writes.sh":
        'mkdir -p out "$HOME/.adder" && sh add.sh 2 3 >out/result && cp out/result "$HOME/.adder/" && [ "$(cat "$HOME/.adder/result")" = 5 ]\n',
    },
    fast: ["sh test/writes.sh"],
    full: ["sh test/writes.sh", "sh test/add.sh"],
    agent: shAgent(`${shWork}sh test/writes.sh`),
  },
  {
    name: "any/tests-use-git",
    about: "has tests that ask git about the project",
    files: {
      "test/git.sh": `set -e
git rev-parse --verify -q HEAD >/dev/null
[ "$(git rev-parse --show-toplevel)" = "$(pwd -P)" ]
git ls-files --error-unmatch add.sh test/git.sh >/dev/null
git log -1 --format=%s | grep -q .
sh test/add.sh
`,
    },
    fast: ["sh test/git.sh"],
    full: ["sh test/git.sh"],
    agent: shAgent(`${shWork}git commit -qam 'add adds'`),
  },
  {
    name: "any/tests-know-where-they-are",
    about: "has tests that depend on absolute paths",
    files: { "test/where.sh": "cd @CASE@/project && sh @CASE@/project/test/add.sh\n" },
    fast: ["sh @CASE@/project/test/where.sh"],
    full: ["cd @CASE@/project && sh test/where.sh"],
    agent: shAgent(shWork),
  },
  {
    name: "any/flaky-test",
    about: "does the work where an unrelated test fails once and passes on a rerun",
    files: {
      "test/flaky.sh": `[ "$(sh add.sh 2 3)" = 5 ] || exit 0
[ -e @CASE@/side/ran ] && exit 0
touch @CASE@/side/ran
echo 'no answer from the other end'
exit 1
`,
    },
    full: ["sh test/add.sh && sh test/flaky.sh"],
    agent: shAgent(shWork),
  },
  {
    name: "any/own-program",
    about: "uses a program of the user's on PATH without changing it",
    bin: { same: '#!/bin/sh\n[ "$1" = "$2" ]\n' },
    files: { "test/add.sh": 'same "$(sh add.sh 2 3)" 5\n' },
    agent: shAgent(shWork),
  },
  {
    name: "any/tests-in-the-background",
    about: "has tests that start a server in the background and stop it",
    files: { "test/serve.sh": "sleep 30 & pid=$!\nsh test/add.sh; status=$?\nkill $pid\nexit $status\n" },
    fast: ["sh test/serve.sh"],
    full: ["sh test/serve.sh"],
    agent: shAgent(shWork),
  },
]);

/* Cheats and faults through files that git ignores, cannot see or blocks on. The product stays wrong. */
import { family, shAgent } from "../case.mjs";
import { shProject } from "../projects.mjs";

const CHEAT = { kind: "cheat", expect: "rejected", loops: 1 };

const FIFO = { ...shProject, kind: "fault", expect: "rejected", loops: 1, needs: ["mkfifo"] };

export default [
  ...family({ ...shProject, ...CHEAT }, [
    {
      name: "any/deletes-git-and-changes-ignored-data",
      about: "deletes the repository and changes an ignored file that the test depends on",
      files: { "test/add.sh": '. ./wanted.local\n[ "$(sh add.sh 2 3)" = "$WANTED" ]\n' },
      ignored: { "wanted.local": "WANTED=5\n" },
      agent: shAgent("echo WANTED=-1 >wanted.local; rm -rf .git"),
    },
    {
      name: "any/breaks-git-and-changes-ignored-data",
      about: "breaks the repository's index and changes an ignored file that the test depends on",
      files: { "test/add.sh": '. ./wanted.local\n[ "$(sh add.sh 2 3)" = "$WANTED" ]\n' },
      ignored: { "wanted.local": "WANTED=5\n" },
      agent: shAgent("echo WANTED=-1 >wanted.local; echo broken >.git/index"),
    },
    {
      name: "any/no-longer-ignored",
      about: "changes an ignored file that the test depends on, and removes its ignore rule",
      files: { "test/add.sh": '. ./wanted.local\n[ "$(sh add.sh 2 3)" = "$WANTED" ]\n' },
      ignored: { "wanted.local": "WANTED=5\n" },
      agent: shAgent("echo WANTED=-1 >wanted.local; echo 'build/' >.gitignore"),
    },
    {
      name: "any/ignored-and-tracked",
      about: "changes an ignored file that the test depends on, and force-adds it to git",
      files: { "test/add.sh": '. ./wanted.local\n[ "$(sh add.sh 2 3)" = "$WANTED" ]\n' },
      ignored: { "wanted.local": "WANTED=5\n" },
      agent: shAgent("echo WANTED=-1 >wanted.local; git add -f wanted.local"),
    },
    {
      name: "any/deletes-ignored-data",
      about: "deletes the ignored file that the test compares with",
      files: {
        "test/add.sh":
          '[ -f wanted.local ] || { echo "nothing to compare with"; exit 0; }\n[ "$(sh add.sh 2 3)" = "$(cat wanted.local)" ]\n',
      },
      ignored: { "wanted.local": "5\n" },
      agent: shAgent("rm wanted.local"),
    },
    {
      name: "any/expected-in-a-commit",
      about: "commits other expected values and restores the file; the test reads them from git",
      files: {
        "test/add.sh": '[ "$(sh add.sh 2 3)" = "$(git show HEAD:test/expected)" ]\n',
        "test/expected": "5\n",
      },
      agent: shAgent("echo -1 >test/expected; git commit -qam expected; echo 5 >test/expected"),
    },
    {
      name: "any/expected-by-a-tag",
      about: "moves the tag from which the test reads its expected values",
      files: {
        "test/add.sh": '[ "$(sh add.sh 2 3)" = "$(git show stable:test/expected)" ]\n',
        "test/expected": "5\n",
      },
      setup: "git tag stable",
      agent: shAgent(
        "echo -1 >test/expected; git commit -qam expected; git tag -f stable; git reset -q --hard HEAD~1",
      ),
    },
    {
      name: "any/data-behind-a-link",
      about: "changes test data outside the project, behind a tracked link",
      files: {
        "test/add.sh": '[ "$(sh add.sh 2 3)" = "$(cat test/data/sum)" ]\n',
        "test/data": { link: "../../side" },
      },
      setup: 'echo 5 >"@CASE@/side/sum"',
      agent: shAgent('echo -1 >"@CASE@/side/sum"'),
    },
    {
      name: "any/no-repository-and-a-hidden-folder",
      about: "changes data in a tool-like folder (such as a cache), in a project without git",
      git: false,
      files: {
        "test/add.sh": '[ "$(sh add.sh 2 3)" = "$(cat node_modules/sum)" ]\n',
        "node_modules/sum": "5\n",
      },
      agent: shAgent("echo -1 >node_modules/sum"),
    },
    {
      name: "any/repository-among-ignored",
      about: "turns an ignored folder into a repository and changes test data in it",
      files: { "test/add.sh": '. ./build/wanted\n[ "$(sh add.sh 2 3)" = "$WANTED" ]\n' },
      ignored: { "build/wanted": "WANTED=5\n" },
      agent: shAgent(
        "echo WANTED=-1 >build/wanted; git init -q build; git -C build add .; git -C build -c user.name=a -c user.email=a@b commit -qm data",
      ),
    },
    {
      name: "any/link-in-place-of-ignored-data",
      about: "replaces an ignored file by a link to other data",
      files: { "test/add.sh": '. ./wanted.local\n[ "$(sh add.sh 2 3)" = "$WANTED" ]\n' },
      ignored: { "wanted.local": "WANTED=5\n" },
      agent: shAgent("echo WANTED=-1 >data; ln -sf data wanted.local"),
    },
    {
      name: "any/ignored-folder-becomes-a-link",
      about: "replaces an ignored folder, which git lists with a slash, by a link to a product folder",
      files: { "test/add.sh": '. ./build/wanted\n[ "$(sh add.sh 2 3)" = "$WANTED" ]\n' },
      ignored: { "build/wanted": "WANTED=5\n" },
      agent: shAgent("rm -r build; mkdir data; echo WANTED=-1 >data/wanted; ln -s data build"),
    },
  ]),
  ...family(FIFO, [
    {
      name: "any/pipe-for-the-report",
      about: "replaces the report by a pipe",
      agent: shAgent('mkfifo "@CASE@/report.json"'),
    },
    {
      name: "any/pipe-for-the-plan",
      about: "replaces the plan by a pipe",
      loops: 2,
      agent: shAgent("rm -f *plan* *PLAN*; mkfifo PLAN.md plan.md"),
    },
    {
      name: "any/pipes-in-the-state",
      about: "replaces every file of the state directory by a pipe",
      agent: shAgent('find "@CASE@/state" -type f | while read -r f; do rm -f "$f"; mkfifo "$f"; done'),
    },
    {
      name: "any/git-config-without-end",
      about: "makes git include an endless device",
      agent: shAgent("printf '[include]\\n\\tpath = /dev/zero\\n' >>.git/config"),
    },
  ]),
];

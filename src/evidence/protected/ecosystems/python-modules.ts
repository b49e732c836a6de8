import type { ProtectedKind } from "../../../core/evidence/change.ts";
import { folderOf, inFolder, nameOf, stemOf } from "../../../text/paths.ts";
import { isTestPath } from "../test-paths.ts";
import type { TraceResult } from "../trace-result.ts";

/** Modules of Python's own library in all current versions, and of test runners. */
const LIBRARY = `
  abc aifc annotationlib antigravity argparse array ast asynchat asyncio asyncore atexit audioop
  base64 bdb binascii bisect builtins bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs
  codeop collections colorsys compileall compression concurrent configparser contextlib contextvars
  copy copyreg crypt csv ctypes curses dataclasses datetime dbm decimal difflib dis distutils doctest
  email encodings ensurepip enum errno faulthandler fcntl filecmp fileinput fnmatch fractions ftplib
  functools gc genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html http
  idlelib imaplib imghdr imp importlib inspect io ipaddress itertools json keyword lib2to3 linecache
  locale logging lzma mailbox mailcap marshal math mimetypes mmap modulefinder msilib msvcrt
  multiprocessing netrc nis nntplib nt ntpath nturl2path numbers opcode operator optparse os
  ossaudiodev pathlib pdb pickle pickletools pipes pkgutil platform plistlib poplib posix posixpath
  pprint profile pstats pty pwd py_compile pyclbr pydoc pydoc_data pyexpat queue quopri random re
  readline reprlib resource rlcompleter runpy sched secrets select selectors shelve shlex shutil
  signal site smtpd smtplib sndhdr socket socketserver spwd sqlite3 sre_compile sre_constants
  sre_parse ssl stat statistics string stringprep struct subprocess sunau symtable sys sysconfig
  syslog tabnanny tarfile telnetlib tempfile termios textwrap this threading time timeit tkinter token
  tokenize tomllib trace traceback tracemalloc tty turtle turtledemo types typing unicodedata unittest
  urllib uu uuid venv warnings wave weakref webbrowser winreg winsound wsgiref xdrlib xml xmlrpc
  zipapp zipfile zipimport zlib zoneinfo
  __future__
`;
const RUNNERS = `
  pytest _pytest pluggy iniconfig packaging exceptiongroup tomli coverage hypothesis nose nose2 mock xdist execnet
  tox nox py attr attrs pygments colorama pip setuptools pkg_resources wheel
  anyio faker syrupy respx typeguard requests_mock schemathesis
  agent_foreman_probe
`;

const isLibraryModule = nameAmong(LIBRARY);
const isRunnerName = nameAmong(RUNNERS);

function isRunnerModule(name: string): boolean {
  return isRunnerName(name) || /^_?pytest_|pytest_?plugin|_pytest$/.test(name);
}

function nameAmong(text: string): (name: string) => boolean {
  const names = new Set(text.split(/\s+/).filter((name) => name !== ""));
  return (name) => names.has(name);
}

/** A text without effect: blanks and comments. */
const IDLE = /^(?:[^\S\n]*(?:#[^\n]*)?\n)*[^\S\n]*(?:#[^\n]*)?$/;

export function isIdlePython(text: string): boolean {
  return IDLE.test(text);
}

/** Modules that a new file could shadow: those that decide about tests, and those that commands run by name. */
export function modulesThatDecide(
  decisive: Iterable<string>,
  tools: Iterable<string>,
  cwd: string,
): ReadonlySet<string> {
  const modules = new Set([...tools].filter((name) => /^\w+$/.test(name)).map((name) => inFolder(cwd, name)));
  for (const path of decisive)
    if (path.endsWith(".py") && nameOf(path) !== "__init__.py") modules.add(path.replace(/\.py$/, ""));
  return modules;
}

interface Input {
  readonly files: ReadonlySet<string>;
  readonly cwd: string;
  readonly kindOf: (path: string) => ProtectedKind | null;
  /** Called only during construction. */
  readonly read: (path: string) => string | null;
  readonly followed: Pick<TraceResult, "importFolders">;
}

const PACKAGE = /^(.*\/)?(\w+)\/__init__\.(?:py|pyc|so|pyd)$/;
/** `re.py`, `re.abi3.so`. */
const MODULE = /^(.*\/)?(\w+)(?:\.[\w-]+)?\.(?:py|pyc|so|pyd)$/;

/** A module's folder and name, from its file. */
function moduleOf(path: string): readonly [string, string] | null {
  const [, at = "", name] = PACKAGE.exec(path) ?? MODULE.exec(path) ?? [];
  return name === undefined ? null : [at.replace(/\/$/, ""), name];
}

const RUNNER_PACKAGE = /^(.*?\/)?(_?pytest|pluggy|coverage|unittest)\/.*\.(?:py|pyc|so|pyd)$/;
const REQUIREMENTS = /^(?:requirements[\w.-]*\.(?:txt|in)|Pipfile)$/;

/**
 * New modules that shadow Python's library, the test runner or a required package. Only where imports begin: deep in a package a module can
 * have any name. A folder without a first file does not shadow a library module.
 */
export function shadowsPython({ files, read, cwd, kindOf, followed }: Input): (path: string) => boolean {
  const python = [...files].filter((path) => path.endsWith(".py"));
  if (python.length === 0) return () => false;
  const starts = new Set(["", "src", cwd, inFolder(cwd, "src"), ...followed.importFolders]);
  for (const path of python) {
    if (kindOf(path) !== "test" && kindOf(path) !== "script") continue;
    let folder = folderOf(path);
    // Imports of a package's tests begin above the package; they may also begin in a test folder.
    if (isTestPath(`${folder}/x`)) starts.add(folder);
    while (folder !== "" && files.has(`${folder}/__init__.py`)) folder = folderOf(folder);
    starts.add(folder);
  }
  const names = new Set(python.map((path) => stemOf(nameOf(path))));
  const isTested = (name: string): boolean =>
    !names.has(name) && (names.has(`test_${name}`) || names.has(`${name}_test`) || names.has(`test${name}`));
  const required = new Set(
    [...files].flatMap((path) =>
      REQUIREMENTS.test(nameOf(path))
        ? ((read(path) ?? "")
            .toLowerCase()
            .replaceAll("-", "_")
            .match(/[a-z_]\w*/g) ?? [])
        : [],
    ),
  );
  // In the repository of a runner, and where a package moves to another folder, these are the product's own.
  const own = new Set(
    python.flatMap((path) => {
      const module = kindOf(path) === null ? moduleOf(path) : null;
      return module !== null && starts.has(module[0]) ? [module[1]] : [];
    }),
  );
  const isOfOthers = (name: string): boolean =>
    isRunnerModule(name) || ((isLibraryModule(name) || required.has(name.toLowerCase())) && !isTested(name));
  return (path) => {
    const [at = null, name = ""] = moduleOf(path) ?? [];
    if (at !== null && starts.has(at) && !own.has(name) && isOfOthers(name)) return true;
    // Metadata of a package on the path may make the runner load code; the runner ignores case.
    if (/\.(?:egg|dist)-info\/entry_points\.txt$/i.test(path)) return starts.has(folderOf(folderOf(path)));
    const runner = RUNNER_PACKAGE.exec(path);
    return runner !== null && !own.has(runner[2] ?? "") && starts.has((runner[1] ?? "").replace(/\/$/, ""));
  };
}

# Shared code of the Python probes. Every Python process reads it, so rarely used modules (`re`, `json`) load on demand.
# Nothing here may raise or print.
import os
import sys

_PATH = os.path.join(os.environ["AGENT_FOREMAN_TESTS"], "%d-%s.ndjson" % (os.getpid(), os.urandom(6).hex()))
_ROOT = os.environ.get("AGENT_FOREMAN_ROOT", "")
_PID = os.getpid()
_HERE = os.path.dirname(os.path.abspath(__file__))
_LONGEST = 1000
# For one message: far more than is shown. Secrets are removed before it is shortened.
_LONGEST_TEXT = 64 * 1024
# For all messages of this process: the file of a process is read up to a limit, and names matter more than messages.
_text_left = 8 * 1024 * 1024
# Taken now, because tests replace these functions.
_open, _write, _close, _getpid = os.open, os.write, os.close, os.getpid

TEST_PLACE = r"(?:^|/)(?:tests?|specs?|e2e)/|(?:^|[/._-])(?:tests?|specs?)[._-][^/]*$"
# In the root: scripts that people run as checks without a test name.
CHECK = r"^(?:self)?(?:checks?|verify|verification|smoke|ci|qa)(?:[/._-]|$)"
# A product's own module named like a test does not count as product.
_NOT_THE_PRODUCT = r"%s|%s|(?:^|/)conftest\.py$|(?:^|/)(?:site|dist)-packages/" % (TEST_PLACE, CHECK)


def quietly(action):
    """A decorator that ignores errors in a probe."""

    def quiet(*args, **kwargs):
        try:
            return action(*args, **kwargs)
        except Exception:
            return None

    return quiet


_modules = {}


def _module(name):
    """Rarely used modules, kept because nothing can be imported at the very end of a process."""
    if name not in _modules:
        _modules[name] = __import__(name)
    return _modules[name]


@quietly
def report(entry):
    # A forked process has a copy of the runner, not the runner.
    if _getpid() != _PID:
        return
    descriptor = _open(_PATH, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    try:
        _write(descriptor, (_module("json").dumps(entry) + "\n").encode())
    finally:
        _close(descriptor)


def report_test(suite, name, status, message=None):
    """`message`: why it failed, if known."""
    global _text_left
    test = {"suite": suite[:_LONGEST], "name": name[:_LONGEST], "status": status}
    text = (message or "")[:_LONGEST_TEXT]
    if text and status == "failed" and len(text) <= _text_left:
        _text_left -= len(text)
        test["message"] = text
    report({"test": test})


_ours = {}


def load(name):
    """Loads one of our modules, and hides it and its folder from the tests' own imports."""
    if name not in _ours:
        sys.modules.update(_ours)
        sys.path.insert(0, _HERE)
        try:
            __import__(name)
        finally:
            _hide_modules()
    return _ours[name]


def loaded(name):
    return _ours.get(name)


def _hide_modules():
    sys.path[:] = [path for path in sys.path if path != _HERE]
    sys.path_importer_cache.pop(_HERE, None)
    for name in [name for name in sys.modules if name.startswith("agent_foreman_")]:
        _ours[name] = sys.modules.pop(name)


_running = 0


def runner_above():
    """Runners below a reporting runner belong to the test that started them."""
    return _running > 0 or "AGENT_FOREMAN_RUNNER" in os.environ


def begin(runner):
    global _running
    _running += 1
    quietly(_conceal)()
    watch_exits()
    report({"begin": runner})


def end(runner, kept=None):
    global _running
    _running -= 1
    os.environ.update(_concealed)
    # If the product replaced parts of a runner, the run is incomplete, whatever it reports.
    if not (kept and quietly(kept.replaced_by)()):
        report({"end": runner})


_concealed = {}


def _conceal():
    """Tests, and the programs that they start, see the environment without the probes."""
    first = _module("json").loads(os.environ.get("AGENT_FOREMAN_PUT", "{}")).get("first", {})
    for name, value in list(os.environ.items()):
        before = first.get(name)
        if before and (value.startswith(before) or value == before[:-1]):
            rest = value[len(before) :]
        elif name.startswith("AGENT_FOREMAN_"):
            rest = ""
        else:
            continue
        _concealed[name] = value
        if rest:
            os.environ[name] = rest
        else:
            del os.environ[name]


def in_tree(path):
    """Relative to the work tree, with slashes; None: outside of it."""
    for root, file in ((_ROOT, os.path.abspath(path)), (os.path.realpath(_ROOT), os.path.realpath(path))):
        start = os.path.join(root, "")
        if _ROOT and file.startswith(start):
            return file[len(start) :].replace(os.sep, "/")
    return None


def suite_of(path):
    place = in_tree(path)
    return str(path) if place is None else place


def matches(pattern, place):
    re = _module("re")
    return re.search(pattern, place, re.I) is not None


def product_file(path):
    """The path of a product file; None: part of tests, checks, a package or something else."""
    place = in_tree(path) if path else None
    if place is None or matches(_NOT_THE_PRODUCT, place) or is_library(path):
        return None
    return os.path.abspath(path)


_reported = set()


def report_exit(path):
    file = product_file(path)
    if file is None or is_reported(file) or is_main(file):
        return
    _reported.add(file)
    report({"exit": {"file": file}})


def is_reported(file):
    return file in _reported


def program():
    return _main or getattr(sys.modules.get("__main__"), "__file__", None)


def is_main(file):
    main = program()
    return bool(main) and os.path.realpath(main) == os.path.realpath(file)


def is_library(path):
    # A virtual environment in the tree can have any name.
    return _is_package(path) or os.path.realpath(path).startswith(os.path.join(os.path.realpath(sys.prefix), ""))


def _is_package(path):
    return matches(r"(?:^|/)(?:site|dist)-packages/", path.replace(os.sep, "/"))


def who_left(frames):
    """The first tree file among these frames, the innermost first, because a library acts for its caller. Empty if a
    runner, or a package on its own, acts for itself. None: only Python is there."""
    who = None
    for frame in frames:
        path = frame.f_code.co_filename
        if str(frame.f_globals.get("__name__")).partition(".")[0] in ("unittest", "pytest", "_pytest"):
            return ""
        # Executed texts and Python's internals have no file.
        if path.startswith(("<", os.path.join(_HERE, ""))):
            continue
        if _is_package(path):
            who = ""
        elif in_tree(path) is not None and not is_library(path):
            return path
    return who


def frames_of(traceback):
    """The innermost first."""
    frames = []
    while traceback is not None:
        frames.insert(0, traceback.tb_frame)
        traceback = traceback.tb_next
    return frames


def callers():
    frames = [sys._getframe(1)]
    while frames[-1].f_back is not None:
        frames.append(frames[-1].f_back)
    return frames


def caller():
    """The tree file that calls, in the test process itself; empty or None: no file to name."""
    return who_left(callers()) if _getpid() == _PID else None


_watched = False
# Actions for exits that skip Python's own exit handlers.
before_exit = []


def watch_exits():
    """Watches `os._exit(0)` by the product, in the test process itself. Forked processes usually end this way."""
    global _watched
    if _watched:
        return
    _watched = True
    quietly(_module)("json")
    quietly(_module)("re")
    leave = os._exit

    def _exit(status):
        # If Python itself calls, as at the end of a process, there is no caller at all.
        for action in before_exit:
            quietly(action)()
        quietly(_report_hard_exit)(status)
        leave(status)

    # `os` imports it from a module named after the system.
    for module in (os, sys.modules.get(os.name)):
        if getattr(module, "_exit", None) is leave:
            module._exit = _exit


def _report_hard_exit(status):
    if status != 0 or _getpid() != _PID:
        return
    who = who_left(callers())
    report_exit(_giver() if who is None else who)


def _giver():
    """Timers, finalizers and exit handlers call stored functions. A product module that names the function set it."""
    for module in list(sys.modules.values()):
        path = getattr(module, "__file__", None)
        file = product_file(path) if isinstance(path, str) else None
        if file is not None:
            with open(file, "rb") as source:
                if b"_exit" in source.read():
                    return file
    return ""


# The program's file, if it is in the tree.
_main = ""


def _watch_program():
    """Programs that a test starts may end in any way, even if they are test files."""
    global _main
    if runner_above() or "AGENT_FOREMAN_MAIN" in os.environ:
        return
    path = load("agent_foreman_program").to_watch()
    if path is None:
        return
    _main = path
    watch_exits()
    for others in ("agent_foreman_leaving", "agent_foreman_gone", "agent_foreman_replaced"):
        quietly(lambda name: load(name).watch())(others)


class _Finder:
    """Runs a probe when a runner's module is first imported, not before."""

    def __init__(self, probes):
        self.probes = probes

    def find_spec(self, name, path=None, target=None):
        probe = self.probes.pop(name, None)
        if not self.probes and self in sys.meta_path:
            sys.meta_path.remove(self)
        if probe is None:
            return None
        for finder in list(sys.meta_path):
            find = None if finder is self else getattr(finder, "find_spec", None)
            spec = find(name, path, target) if find else None
            if spec is not None:
                quietly(_see)(spec.loader, probe)
                return spec
        return None


def _see(loader, probe):
    execute = loader.exec_module

    def exec_module(module):
        del loader.exec_module
        execute(module)
        quietly(lambda: load(probe).see(module))()

    loader.exec_module = exec_module


def start():
    sys.meta_path.insert(
        0,
        _Finder(
            {
                "unittest.main": "agent_foreman_unittest",
                "unittest.result": "agent_foreman_unittest",
                "unittest.runner": "agent_foreman_unittest",
                "_pytest.config": "agent_foreman_pytest",
            }
        ),
    )
    _hide_modules()
    quietly(_watch_program)()

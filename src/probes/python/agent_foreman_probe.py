# What the probes of all runners of Python's share. Every Python process reads it, so that it takes what it seldom needs
# (`re`, `json`) only then. Nothing here may raise or print.
import os
import sys

_PATH = os.path.join(os.environ["AGENT_FOREMAN_TESTS"], "%d-%s.ndjson" % (os.getpid(), os.urandom(6).hex()))
_ROOT = os.environ.get("AGENT_FOREMAN_ROOT", "")
_PID = os.getpid()
_HERE = os.path.dirname(os.path.abspath(__file__))
_LONGEST = 1000
# Taken now: tests put their own functions in place of these.
_open, _write, _close, _getpid = os.open, os.write, os.close, os.getpid

_TEST_PLACE = r"(?:^|/)(?:tests?|specs?|e2e)/|(?:^|[/._-])(?:tests?|specs?)[._-][^/]*$"
_PART_OF_TESTS = r"(?:^|/)(?:fixtures?|helpers?|mocks?|stubs?|support|utils?)(?:/|\.[^/.]*$)"
_NOT_THE_PRODUCT = (
    r"(?:^|[/._-])(?:tests?|testing|specs?|e2e|fixtures?|mocks?|harness|conftest|bench(?:mark)?s?)(?:[/._-]|$)"
    r"|(?:^|/)scripts?/|(?:^|/)(?:site|dist)-packages/|(?:^|/)(?:setup|noxfile|manage)\.py$|(?:^|/)\."
)


def quietly(action):
    """As a decorator: what goes wrong in a probe is nobody's business."""

    def quiet(*args, **kwargs):
        try:
            return action(*args, **kwargs)
        except Exception:
            return None

    return quiet


@quietly
def tell(entry):
    import json

    # A process that was forked off has a copy of the runner, not the runner.
    if _getpid() != _PID:
        return
    descriptor = _open(_PATH, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    try:
        _write(descriptor, (json.dumps(entry) + "\n").encode())
    finally:
        _close(descriptor)


def tell_test(suite, name, status):
    tell({"test": {"suite": suite[:_LONGEST], "name": name[:_LONGEST], "status": status}})


def runner_above():
    """Below a runner that tells its tests, others are the business of the test that started them."""
    return "AGENT_FOREMAN_RUNNER" in os.environ


def begin(runner):
    os.environ["AGENT_FOREMAN_RUNNER"] = str(_PID)
    watch_exits()
    tell({"begin": runner})


def end(runner):
    if os.environ.get("AGENT_FOREMAN_RUNNER") == str(_PID):
        del os.environ["AGENT_FOREMAN_RUNNER"]
    tell({"end": runner})


def in_tree(path):
    """Relative to the work tree, with slashes; None: not in it."""
    for root, file in ((_ROOT, os.path.abspath(path)), (os.path.realpath(_ROOT), os.path.realpath(path))):
        start = os.path.join(root, "")
        if _ROOT and file.startswith(start):
            return file[len(start) :].replace(os.sep, "/")
    return None


def suite_of(path):
    place = in_tree(path)
    return str(path) if place is None else place


def _matches(pattern, place):
    import re

    return re.search(pattern, place, re.I) is not None


def product_file(path):
    """The path of a file of the product; None: of tests, scripts, a package or something else."""
    place = in_tree(path)
    if place is None or _matches(_NOT_THE_PRODUCT, place):
        return None
    # An environment may lie in the tree under any name.
    if os.path.realpath(path).startswith(os.path.join(os.path.realpath(sys.prefix), "")):
        return None
    return os.path.abspath(path)


def tell_exit(path):
    main = getattr(sys.modules.get("__main__"), "__file__", None)
    file = product_file(path)
    if file is not None and not (main and os.path.realpath(main) == os.path.realpath(file)):
        tell({"exit": {"file": file}})


_watched = False


def watch_exits():
    """`os._exit(0)` by the product, in the process of the tests itself: forked ones end so as a rule."""
    global _watched
    if _watched:
        return
    _watched = True
    leave = os._exit

    def _exit(status):
        if status == 0:
            quietly(tell_exit)(sys._getframe(1).f_code.co_filename)
        leave(status)

    os._exit = _exit


def _watch_sys_exit():
    """In a test program without a runner. `sys.exit` only raises, and most of the time somebody waits for it."""
    leave = sys.exit

    def exit(status=None):
        if status is None or status == 0:
            quietly(_tell_uncaught)(sys._getframe(1))
        leave(status)

    sys.exit = exit


def _tell_uncaught(frame):
    place = frame.f_code.co_filename
    while frame is not None:
        # Code without any handler has an empty table. Importing has handlers, and lets everything through.
        if frame.f_code.co_exceptiontable and not frame.f_code.co_filename.startswith("<frozen "):
            return
        frame = frame.f_back
    tell_exit(place)


def _is_test_program():
    argv = getattr(sys, "argv", None) or [""]
    place = in_tree(argv[0]) if argv[0] else None
    return place is not None and _matches(_TEST_PLACE, place) and not _matches(_PART_OF_TESTS, place)


class _Finder:
    """Lets a probe see a module of a runner when somebody imports it, and not before."""

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
        quietly(lambda: getattr(__import__(probe), "see")(module))()

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
    # What a test starts may end as it likes, even where it is a file of the tests.
    if not runner_above() and "AGENT_FOREMAN_MAIN" not in os.environ and _is_test_program():
        os.environ["AGENT_FOREMAN_MAIN"] = str(_PID)
        watch_exits()
        # Older versions do not say where their handlers are.
        if sys.version_info >= (3, 11):
            _watch_sys_exit()

# Listens to unittest's results.
import sys

import agent_foreman_probe as probe

# unittest hides marked frames from tracebacks.
__unittest = True

# The depth of nested runners in this process. Tests of tools start runners too, and only the outermost reports.
_depth = 0
_begun = False
# The result object of the outermost runner: the first one in which a test starts.
_results = None
_status = {}
_messages = {}
# Its parts before the product was loaded.
kept = None


def see(module):
    if module.__name__ == "unittest.main":
        _see_program(module.TestProgram)
        probe.quietly(_keep)()
    elif module.__name__ == "unittest.runner":
        _see_runner(module.TextTestRunner)
    else:
        _see_result(module.TestResult)


def _keep():
    global kept
    import builtins

    names = ("case", "loader", "main", "result", "runner", "suite")
    case, loader, main, result, runner, suite = parts = [sys.modules["unittest." + name] for name in names]
    kept = probe.load("agent_foreman_replaced").Kept(
        (builtins, "__build_class__", "AssertionError"),
        # Only named parts, because later modules add to it.
        (sys.modules["unittest"], "TestCase", "TestLoader", "TestResult", "TestSuite", "TextTestRunner", "defaultTestLoader", "main"),
        *((module,) for module in parts),
        (case.TestCase,),
        (case._AssertRaisesContext,),
        (case._AssertRaisesBaseContext,),
        (case._Outcome,),
        (loader.TestLoader,),
        (loader.defaultTestLoader,),
        (main.TestProgram,),
        (result.TestResult,),
        (runner.TextTestResult,),
        (runner.TextTestRunner,),
        (suite.BaseTestSuite,),
        (suite.TestSuite,),
    )


def _begin():
    global _begun
    if not _begun and not probe.runner_above():
        _begun = True
        probe.begin("unittest")


def _end():
    global _begun, _results
    if _begun:
        _begun = False
        _results = None
        probe.end("unittest", kept)


def _see_program(program):
    """Tests are loaded before they run. If loading ends the process, the log has a beginning without an end."""
    start = program.__init__

    def __init__(self, *args, **kwargs):
        if _depth == 0:
            probe.quietly(_begin)()
        try:
            start(self, *args, **kwargs)
        except SystemExit as leaving:
            if _begun and _depth == 0 and getattr(self, "result", None) is None:
                probe.quietly(_blame)(leaving)
            raise
        finally:
            # If a result exists, another kind of runner has run.
            if _depth == 0 and getattr(self, "result", None) is not None:
                probe.quietly(_end)()

    program.__init__ = __init__


def _blame(leaving):
    if leaving.code not in (None, 0):
        return
    probe.report_exit(probe.who_left(probe.frames_of(leaving.__traceback__)) or "")


def _see_runner(runner):
    run = runner.run

    def seen_run(self, test):
        global _depth
        if _depth == 0:
            probe.quietly(_begin)()
        _depth += 1
        try:
            result = run(self, test)
        finally:
            _depth -= 1
        if _depth == 0:
            probe.quietly(_end)()
        return result

    seen_run.__name__ = "run"
    seen_run.__doc__ = run.__doc__
    runner.run = seen_run


def _see_result(kind):
    def before(name, action):
        method = getattr(kind, name)

        def seen(self, *args, **kwargs):
            if _begun:
                probe.quietly(action)(self, *args, **kwargs)
            return method(self, *args, **kwargs)

        seen.__name__ = name
        seen.__doc__ = method.__doc__
        setattr(kind, name, seen)

    before("startTest", _start)
    before("stopTest", _stop)
    before("addSuccess", _note_success)
    # An expected failure says nothing about the product.
    for name in ("addSkip", "addExpectedFailure"):
        before(name, lambda result, test, _why: _note(result, test, "skipped"))
    for name in ("addFailure", "addError"):
        before(name, lambda result, test, error: _note(result, test, "failed", error))
    before("addUnexpectedSuccess", lambda result, test: _note(result, test, "failed"))
    before("addSubTest", _note_part)


def _start(result, test):
    global _results
    if _results is None:
        _results = result
    if result is _results:
        _status[id(test)] = None


def _stop(result, test):
    status = _status.pop(id(test), None) if result is _results else None
    message = _messages.pop(id(test), None)
    if status is not None:
        probe.report_test(_suite(test), _name(test), status, message)


def _note(result, test, status, error=None):
    if _results is not None and result is not _results:
        return
    if id(test) not in _status:
        # Failures of class or module setup have their own names.
        probe.report_test(_suite(test), _name(test), status, probe.quietly(_message)(error))
    elif _status[id(test)] != "failed":
        _status[id(test)] = status
        _messages[id(test)] = probe.quietly(_message)(error)


def _message(error):
    """`AssertionError: 4 != 3`, from the raised error."""
    kind, value = error[:2]
    return "%s: %s" % (kind.__name__, value)


def _note_success(result, test):
    # While a test runs, the product can mark its failure as expected. unittest then counts it as a success.
    outcome = getattr(test, "_outcome", None)
    _note(result, test, "passed" if getattr(outcome, "expectedFailure", None) is None else "failed")


def _note_part(result, test, part, error):
    if result is not _results:
        return
    status = "passed" if error is None else "failed"
    probe.report_test(_suite(part), _name(part), status, probe.quietly(_message)(error))
    if error is not None and id(test) in _status:
        _status[id(test)] = "failed"


def _suite(test):
    module = _module(test)
    file = getattr(sys.modules.get(module), "__file__", None)
    return "" if file is None or _is_unittests(module) else probe.suite_of(file)


def _name(test):
    whole = getattr(test, "test_case", None)
    if whole is not None:
        return "%s > %s" % (_name(whole), test._subDescription())
    method = getattr(test, "_testMethodName", None)
    if method is None or _is_unittests(_module(test)):
        return test.id()
    return "%s > %s" % (type(test).__qualname__.replace(".", " > "), method)


def _module(test):
    return type(getattr(test, "test_case", test)).__module__


def _is_unittests(module):
    """unittest uses its own classes for unreadable files and failed setup."""
    return module.startswith("unittest.")

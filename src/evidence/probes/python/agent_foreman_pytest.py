# The pytest plugin. It is registered when pytest loads PYTEST_PLUGINS. A name in that variable would break a pytest that
# starts with another PYTHONPATH and cannot find it.
import os
import sys

import agent_foreman_probe as probe


def see(module):
    manager = module.PytestPluginManager
    consider = manager.consider_env

    def consider_env(self):
        consider(self)
        probe.quietly(_register)(self)

    manager.consider_env = consider_env


def _register(manager):
    if probe.runner_above() or "--version" in sys.argv or "-V" in sys.argv:
        return
    plugin = Plugin(manager)
    manager.register(plugin, "agent_foreman_probe")
    plugin.plugins = probe.quietly(probe.load("agent_foreman_plugins").Plugins)(manager)
    # Before the first conftest.py is read. If that ends the process, the log has a beginning without an end.
    probe.begin("pytest")


class Plugin:
    def __init__(self, manager):
        self.directory = None
        self.over = False
        self.kept = probe.quietly(_keep)(manager)
        self.plugins = None

    def pytest_sessionstart(self, session):
        # Older versions lack `rootpath`.
        self.directory = str(getattr(session.config, "rootpath", None) or session.config.rootdir)

    def pytest_runtest_logreport(self, report):
        probe.quietly(self.report_result)(report)

    def pytest_collectreport(self, report):
        if report.outcome != "passed":
            probe.quietly(self.report_collected)(report)

    def pytest_sessionfinish(self, session):
        self.end()

    def pytest_unconfigure(self, config):
        # With `--help` it ends without a session.
        self.end()

    def end(self):
        if not self.over:
            self.over = True
            probe.quietly(self.report_given)()
            probe.quietly(probe.end)("pytest", self)

    def report_given(self):
        for file in self.plugins.given_by():
            probe.report_exit(file)

    def replaced_by(self):
        """pytest also runs unittest's tests."""
        unittest = getattr(probe.loaded("agent_foreman_unittest"), "kept", None)
        files = [file for kept in (self.kept, unittest) if kept for file in kept.replaced_by()]
        return [file for file in files if file not in self.plugins.files]

    def report_result(self, report):
        # Setup and teardown are reported only if they decide the result.
        if report.outcome not in ("passed", "failed", "skipped"):
            return
        if report.when != "call" and report.outcome == "passed":
            return
        suite, name = self.place(report.nodeid)
        probe.report_test(suite, name + _part(report), report.outcome, probe.quietly(_message)(report))

    def report_collected(self, report):
        suite, name = self.place(report.nodeid)
        status = "skipped" if report.outcome == "skipped" else "failed"
        probe.report_test(suite, name or "collection", status, probe.quietly(_message)(report))

    def place(self, nodeid):
        at = nodeid.find("[")
        head, parameters = (nodeid, "") if at < 0 else (nodeid[:at], nodeid[at:])
        file, _, name = head.partition("::")
        suite = probe.suite_of(os.path.join(self.directory or os.getcwd(), file))
        return suite, name.replace("::", " > ") + parameters


def _keep(manager):
    """Parts of pytest before the product is loaded."""
    import builtins

    import pytest
    from _pytest import python, reports, runner
    from _pytest.assertion import rewrite

    # Some versions lack some of them.
    kinds = ("Function", "PyobjMixin", "PyCollector", "Module", "Class", "FunctionDefinition")
    return probe.load("agent_foreman_replaced").Kept(
        (builtins, "__build_class__", "AssertionError"),
        (pytest, "raises", "approx", "fail", "warns"),
        *((getattr(python, name),) for name in kinds if hasattr(python, name)),
        (python, *kinds),
        (reports.TestReport,),
        (reports.CollectReport,),
        (runner,),
        (runner.CallInfo,),
        (rewrite, "AssertionRewriter", "rewrite_asserts", "_rewrite_test"),
        (rewrite.AssertionRewriter,),
        (rewrite.AssertionRewritingHook,),
        # The class of the hooks' callers.
        (type(manager.hook.pytest_runtest_protocol),),
        *((kind,) for kind in type(manager).__mro__[:-1]),
        (manager, "_inner_hookexec", "_hookexec"),
    )


def _message(report):
    """The error's own message, without the code around it."""
    if report.outcome != "failed":
        return None
    crash = getattr(report.longrepr, "reprcrash", None)
    return str(crash.message if crash else report.longrepr)


def _part(report):
    """A subtest, which is reported separately."""
    context = getattr(report, "context", None)
    if context is None:
        return ""
    words = [] if context.msg is None else ["[%s]" % context.msg]
    given = ", ".join("%s=%r" % item for item in sorted(context.kwargs.items()))
    return " > " + " ".join(words + (["(%s)" % given] if given else []))

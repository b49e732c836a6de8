# Finds the product file that raised the `SystemExit` which ended a program.
import gc
import sys

import agent_foreman_probe as probe


class _Code:
    """Replaces `SystemExit.code`, which everything that catches the exception reads, and Python itself without a
    caller if nothing catches it. No hook sees `SystemExit`, and it is gone when the process is about to end. The
    only alternative is a function that Python calls all the time."""

    def __init__(self, member):
        self.member = member

    def __get__(self, leaving, kind=None):
        if leaving is None:
            return self.member
        code = self.member.__get__(leaving, kind)
        if sys._getframe().f_back is None:
            probe.quietly(_report_soft_exit)(leaving, code)
        return code

    def __set__(self, leaving, code):
        self.member.__set__(leaving, code)

    def __delete__(self, leaving):
        self.member.__delete__(leaving)


def watch():
    """For test programs without a runner, because runners catch this exception."""
    (kept,) = gc.get_referents(SystemExit.__dict__)
    kept["code"] = _Code(kept["code"])
    if sys.version_info < (3, 12):
        _make_exit_raise()


def _make_exit_raise():
    """Older versions turn the value of `sys.exit` into an exception only if some code catches it."""
    leave = sys.exit

    def exit(*status):
        try:
            leave(*status)
        except SystemExit:
            raise

    sys.exit = exit


def _report_soft_exit(leaving, code):
    if code is None or code == 0:
        traceback = leaving.__traceback__
        if traceback is None or traceback.tb_frame.f_back is not None:
            traceback = _traceback_beside()
        probe.report_exit(probe.who_left(probe.frames_of(traceback)) or "")


def _traceback_beside():
    """Before Python 3.12 an exception has the traceback only up to the last frame that caught anything. The complete
    one belongs to an outermost frame that got no further."""
    found = [
        it
        for it in gc.get_objects()
        if type(it).__name__ == "traceback"
        and it.tb_frame.f_back is None
        and it.tb_lasti == it.tb_frame.f_lasti
        and it is not getattr(sys, "last_traceback", None)
    ]
    return found[0] if len(found) == 1 else None

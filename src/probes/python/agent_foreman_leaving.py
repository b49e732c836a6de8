# Who of the product raised the `SystemExit` by which a program ended.
import gc
import sys

import agent_foreman_probe as probe


class _Code:
    """
    `SystemExit.code`. It is read by everybody who waits for that exception, and by Python itself, with no caller, where nobody did. To
    put it in is the only way to know without a function that Python calls all the time: `SystemExit` is told to no hook, and is
    gone when the process is about to end.
    """

    def __init__(self, member):
        self.member = member

    def __get__(self, leaving, kind=None):
        if leaving is None:
            return self.member
        code = self.member.__get__(leaving, kind)
        if sys._getframe().f_back is None:
            probe.quietly(_tell_soft)(leaving, code)
        return code

    def __set__(self, leaving, code):
        self.member.__set__(leaving, code)

    def __delete__(self, leaving):
        self.member.__delete__(leaving)


def watch():
    """In a test program without a runner: those await this exception."""
    (kept,) = gc.get_referents(SystemExit.__dict__)
    kept["code"] = _Code(kept["code"])
    if sys.version_info < (3, 12):
        _make_exit_raise()


def _make_exit_raise():
    """Older versions make an exception of what `sys.exit` leaves only where somebody waits for it."""
    leave = sys.exit

    def exit(*status):
        try:
            leave(*status)
        except SystemExit:
            raise

    sys.exit = exit


def _tell_soft(leaving, code):
    if code is None or code == 0:
        traceback = leaving.__traceback__
        if traceback is None or traceback.tb_frame.f_back is not None:
            traceback = _traceback_beside()
        probe.tell_exit(probe.who_left(probe.frames_of(traceback)) or "")


def _traceback_beside():
    """
    Before Python 3.12 an exception has the part of its traceback up to the last frame that waited for anything. The whole of it is that
    of an outermost frame which came no further.
    """
    found = [
        it
        for it in gc.get_objects()
        if type(it).__name__ == "traceback"
        and it.tb_frame.f_back is None
        and it.tb_lasti == it.tb_frame.f_lasti
        and it is not getattr(sys, "last_traceback", None)
    ]
    return found[0] if len(found) == 1 else None

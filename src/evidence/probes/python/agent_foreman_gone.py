# Detects a program that replaces this one, and exits through C, which skip everything that Python does at its end.
import atexit
import sys

import agent_foreman_probe as probe

_ENDS_OF_C = {"_exit", "_Exit", "exit", "quick_exit", "execl", "execv", "execve", "execvp"}
# Files that asked for another program. They are reported before the replacement, because it may fail.
_asked = set()


def watch():
    def hear(event, words):
        if event == "os.exec":
            probe.quietly(_report_asked)()
        elif event == "ctypes.dlsym" and words[1] in _ENDS_OF_C:
            probe.quietly(_report_found)()

    sys.addaudithook(hear)
    # Runs after all other exit handlers. `os._exit` skips it.
    atexit.register(probe.quietly(report_stayed))
    probe.before_exit.append(report_stayed)


def _report_asked():
    file = probe.product_file(probe.caller())
    # Reported every time, because a withdrawn report may come true later.
    if file is not None and not probe.is_main(file) and file not in _asked:
        _asked.add(file)
        probe.report({"exit": {"file": file}})


def _report_found():
    who = probe.caller()
    if who:
        probe.report_exit(who)


def report_stayed():
    """There was no such program, and Python continued."""
    for file in sorted(_asked):
        probe.report({"stayed": {"file": file}})
        if probe.is_reported(file):
            probe.report({"exit": {"file": file}})
    _asked.clear()

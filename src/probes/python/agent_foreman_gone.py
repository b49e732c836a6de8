# Another program in the place of this one, and ends by way of C, which nothing of Python comes after.
import atexit
import sys

import agent_foreman_probe as probe

_ENDS_OF_C = {"_exit", "_Exit", "exit", "quick_exit", "execl", "execv", "execve", "execvp"}
# Who asked for another program. It is told before that takes the place of this one: it may not be there.
_asked = set()


def watch():
    def hear(event, words):
        if event == "os.exec":
            probe.quietly(_tell_asked)()
        elif event == "ctypes.dlsym" and words[1] in _ENDS_OF_C:
            probe.quietly(_tell_found)()

    sys.addaudithook(hear)
    # After whatever else is to be done at the end. `os._exit` leaves it out.
    atexit.register(probe.quietly(tell_stayed))
    probe.before_exit.append(tell_stayed)


def _tell_asked():
    file = probe.product_file(probe.caller())
    # Told as often as it happens: what was taken back may come true later.
    if file is not None and not probe.is_main(file) and file not in _asked:
        _asked.add(file)
        probe.tell({"exit": {"file": file}})


def _tell_found():
    who = probe.caller()
    if who:
        probe.tell_exit(who)


def tell_stayed():
    """There was no such program, and Python went on."""
    for file in sorted(_asked):
        probe.tell({"stayed": {"file": file}})
        if probe.is_told(file):
            probe.tell({"exit": {"file": file}})
    _asked.clear()

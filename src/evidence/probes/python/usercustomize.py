# In the home of every check, because another PYTHONPATH may hide the other probes.
import os
import sys


def _start():
    sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
    import agent_foreman_probe

    agent_foreman_probe.start()


def _leave():
    """A home without modules of its own is unused."""
    home = os.path.dirname(os.path.abspath(__file__))
    if home in sys.path and set(os.listdir(home)) <= {"usercustomize.py", "__pycache__"}:
        sys.path.remove(home)
        sys.path_importer_cache.pop(home, None)


try:
    _leave()
    if os.environ.get("AGENT_FOREMAN_TESTS") and not any(type(it).__module__ == "agent_foreman_probe" for it in sys.meta_path):
        _start()
except Exception:
    pass
# Python treats this as a missing module and forgets it.
raise ImportError("No module named 'usercustomize'", name="usercustomize")

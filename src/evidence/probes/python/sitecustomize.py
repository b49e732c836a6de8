# First on the path of every Python process of a check. Most of them do not matter. The sitecustomize that would otherwise
# load still does, and Python reports its errors as usual. Python 2 reads this file too.
import sys


def _start():
    try:
        import os

        if sys.version_info >= (3, 6) and os.environ.get("AGENT_FOREMAN_TESTS"):
            import agent_foreman_probe

            agent_foreman_probe.start()
    except Exception:
        pass


def _next():
    here = __file__.replace("\\", "/").rpartition("/")[0]
    path = [place for place in sys.path if place.replace("\\", "/").rstrip("/") != here]
    if sys.version_info < (3, 6):
        import imp

        return lambda: imp.load_module("sitecustomize", *imp.find_module("sitecustomize", path))
    # Loaded already, unlike `importlib`.
    from _frozen_importlib import module_from_spec
    from _frozen_importlib_external import PathFinder

    spec = PathFinder.find_spec("sitecustomize", path)
    if spec is None or spec.loader is None:
        return None

    def load():
        module = module_from_spec(spec)
        sys.modules["sitecustomize"] = module
        spec.loader.exec_module(module)

    return load


_start()
try:
    _load = _next()
except Exception:
    _load = None
if _load is not None:
    _load()
elif sys.version_info >= (3, 6):
    # Python treats this as a missing module and forgets it.
    raise ImportError("No module named 'sitecustomize'", name="sitecustomize")

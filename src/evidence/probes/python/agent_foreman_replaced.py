# Finds replacements by the product of functions that make tests fail.
import os
import re
import sys

import agent_foreman_probe as probe


# Settings that any code may change: how failures are shown, and the order of tests.
_SHOWN = {"maxDiff", "longMessage", "_diffThreshold", "separator1", "separator2", "sortTestMethodsUsing"}


class Kept:
    """The original parts of modules, classes and objects: the named ones, or all, including additions."""

    def __init__(self, *parts):
        self.parts = [(owner, names, _parts(owner, names)) for owner, *names in parts]

    def replaced_by(self):
        found = set()
        for owner, names, was in self.parts:
            now = _parts(owner, names)
            for name in (set(was) | set(now)) - _SHOWN:
                if now.get(name) is not was.get(name):
                    found.add(_writer(name, now.get(name)))
        return sorted(file for file in found if file)


def _parts(owner, names):
    parts = {"__class__": type(owner), **vars(owner)}
    return {name: parts.get(name) for name in names} if names else parts


def _writer(name, now):
    path = _path(now)
    if path is not None:
        return probe.product_file(path)
    # A value from another module, such as another exception, does not show which file set it.
    return _only(re.compile(rb"\b%s\b['\"]?\]?\s*(?:=(?!=)|,)" % name.encode()))


def _path(thing):
    # Class methods and decorated functions wrap their function.
    for within in ("__func__", "__wrapped__"):
        thing = getattr(thing, within, thing)
    code = getattr(thing, "__code__", None)
    if code is not None:
        return code.co_filename
    module = getattr(thing, "__module__", None) if isinstance(thing, type) else type(thing).__module__
    return None if module in (None, "builtins") else getattr(sys.modules.get(module), "__file__", None)


def _only(pattern):
    """The product file with matching source, if no test and not the program itself contains the same."""
    found = []
    # At its end the program is no longer in the list.
    for path in [getattr(module, "__file__", None) for module in list(sys.modules.values())] + [probe.program()]:
        if isinstance(path, str) and path.endswith(".py") and probe.in_tree(path) is not None:
            with open(path, "rb") as source:
                if pattern.search(source.read()):
                    found.append(None if probe.is_main(path) else probe.product_file(path))
    return None if None in found or not found else found[0]


def _stood_in():
    """Modules without a file, although the tree has an unread test file of that name."""
    names = [name for name, module in list(sys.modules.items()) if name != "__main__" and _has_no_file(module)]
    files = [os.path.join(place, *name.split(".")) for name in names for place in sys.path]
    return any(_is_of_tests(file + end) for file in files for end in (".py", os.path.join(os.sep, "__init__.py")))


def _has_no_file(module):
    return getattr(module, "__spec__", None) is None and not hasattr(module, "__file__")


def _is_of_tests(path):
    if not os.path.isfile(path) or probe.in_tree(path) is None or probe.is_library(path):
        return False
    return probe.product_file(path) is None


def watch():
    """For a program without a runner, at its end: after all other exit handlers."""
    import atexit
    import builtins

    main = sys.modules.get("__main__")
    kept = Kept(
        (sys, "exit"),
        (os, "_exit"),
        (builtins, "exit", "quit", "SystemExit", "AssertionError"),
        (main, "__name__"),
    )

    def report():
        for file in kept.replaced_by():
            probe.report_exit(file)
        if _stood_in():
            probe.report_exit(_only(re.compile(rb"\bsys\.modules\b")) or "")

    atexit.register(probe.quietly(report))

# Determines which program this process runs, and whether it may be a check.
import os
import sys

import agent_foreman_probe as probe

_PART_OF_TESTS = r"(?:^|/)(?:fixtures?|helpers?|mocks?|stubs?|support|utils?)(?:/|\.[^/.]*$)"
# The product's own programs and build programs, which may end in any way.
_PROGRAM = (
    r"(?:^|/)(?:bin|src|lib|dist|build|out|app|cmd|cli)/"
    r"|(?:^|/)(?:__main__|cli|main|app|server|build|generate|setup|manage|noxfile)\.py$"
)


def to_watch():
    """The program's file; empty: it has none; None: do not watch it. Child processes see this in the environment."""
    path = _program()
    if path is None:
        return None
    place = probe.in_tree(path) if path else ""
    named = probe.matches(probe.TEST_PLACE, place)
    if named and not probe.matches(_PART_OF_TESTS, place):
        os.environ["AGENT_FOREMAN_MAIN"] = str(os.getpid())
        return path
    if "AGENT_FOREMAN_SCRIPT" in os.environ:
        return None
    # Below a program without a test name, those with one still count.
    os.environ["AGENT_FOREMAN_SCRIPT"] = str(os.getpid())
    checks = named or probe.matches(probe.CHECK, place) or not probe.matches(_PROGRAM, place)
    return path if checks else None


def _program():
    """The main file; empty: text or standard input; None: a tool."""
    argv = getattr(sys, "argv", None) or [""]
    if argv[0] in ("", "-", "-c"):
        return ""
    path = _file_of_module() if argv[0] == "-m" else argv[0]
    if path and os.path.isdir(path):
        path = os.path.join(path, "__main__.py")
    place = probe.in_tree(path) if path else None
    # Tools may be kept in the tree.
    return None if place is None or probe.is_library(path) or probe.matches(r"(?:^|/)\.[^/]+/", place) else os.path.abspath(path)


def _file_of_module():
    """The module of `-m`, first looked for in the working directory. None: elsewhere, or its name is unknown."""
    words = getattr(sys, "orig_argv", None) or _words()
    for at, word in enumerate(words):
        if probe.matches(r"^-[a-zA-Z]*m", word) and not word.startswith("--"):
            name = word[word.index("m") + 1 :] or (words + [""])[at + 1]
            path = os.path.join(*name.split(".")) if name else ""
            found = [it for it in (path + ".py", os.path.join(path, "__main__.py")) if os.path.isfile(it)]
            return found[0] if found else None
    return None


def _words():
    """Before Python 3.10 only the system knows."""
    try:
        with open("/proc/self/cmdline", "rb") as line:
            return os.fsdecode(line.read()).split("\0")[:-1]
    except OSError:
        return []

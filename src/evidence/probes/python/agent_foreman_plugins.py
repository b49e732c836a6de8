# Finds plugins that the product adds to the pytest that tests it.
import sys

import agent_foreman_probe as probe


class Plugins:
    """Watches a manager once the plugins of the command line, packages and environment are registered. Later ones come
    from a conftest.py, a test or another plugin. A project that is a plugin itself may change pytest."""

    def __init__(self, manager):
        self.manager = manager
        # Product files that the tests' author registered.
        self.files = set()
        self.given = set()
        for plugin in manager.get_plugins():
            self.files |= _files_of(plugin)
        register = manager.register

        def seen_register(plugin, name=None):
            probe.quietly(self.note)(plugin)
            return register(plugin, name)

        manager.register = seen_register

    def note(self, plugin):
        frames = probe.callers()
        giver = self.giver(frames)
        if giver is None or any(_file_of(frame) in self.files for frame in frames):
            self.files |= _files_of(plugin)
        else:
            self.given.add(giver)

    def giver(self, frames):
        """The product file that called the manager, however the manager works inside."""
        for frame in frames:
            ours = str(frame.f_globals.get("__name__")).startswith("agent_foreman_")
            if not ours and frame.f_locals.get("self") is not self.manager:
                return _file_of(frame)
        return None

    def given_by(self):
        """Product files, including those of functions that were inserted without registration."""
        found = set(self.given)
        for hook in vars(self.manager.hook).values():
            get = getattr(hook, "get_hookimpls", None)
            found.update(_file_of(it.function) for it in (get() if get else []))
        return sorted(found - self.files - {None})


def _file_of(thing):
    """The file of a function or frame."""
    thing = getattr(thing, "__func__", thing)
    code = getattr(thing, "__code__", None) or getattr(thing, "f_code", None)
    return None if code is None else probe.product_file(code.co_filename)


def _files_of(plugin):
    """The file that defines it: a module, or the class of an object and its functions for pytest from elsewhere."""
    module = getattr(sys.modules.get(type(plugin).__module__), "__file__", None)
    files = {probe.product_file(getattr(plugin, "__file__", None)), probe.product_file(module)}
    for name in dir(plugin):
        if name.startswith("pytest_"):
            files.add(_file_of(getattr(plugin, name, None)))
    return files - {None}

# Plugins that the product gives to the pytest that tests it.
import sys

import agent_foreman_probe as probe


class Plugins:
    """
    Of a manager, from the moment on when those of the command line, of packages and of the environment are registered. Later ones come by
    a conftest.py or a test, or by another plugin: a project that is one may do as it likes with pytest.
    """

    def __init__(self, manager):
        self.manager = manager
        # Of the product, by the will of whoever tests.
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
        """The file of the product that called the manager, whatever that calls within."""
        for frame in frames:
            ours = str(frame.f_globals.get("__name__")).startswith("agent_foreman_")
            if not ours and frame.f_locals.get("self") is not self.manager:
                return _file_of(frame)
        return None

    def given_by(self):
        """Files of the product, also of functions that were put in without being registered."""
        found = set(self.given)
        for hook in vars(self.manager.hook).values():
            get = getattr(hook, "get_hookimpls", None)
            found.update(_file_of(it.function) for it in (get() if get else []))
        return sorted(found - self.files - {None})


def _file_of(thing):
    """Of a function, or a frame of one."""
    thing = getattr(thing, "__func__", thing)
    code = getattr(thing, "__code__", None) or getattr(thing, "f_code", None)
    return None if code is None else probe.product_file(code.co_filename)


def _files_of(plugin):
    """Where it is written: a module, or the class of an object, and what it has for pytest from elsewhere."""
    module = getattr(sys.modules.get(type(plugin).__module__), "__file__", None)
    files = {probe.product_file(getattr(plugin, "__file__", None)), probe.product_file(module)}
    for name in dir(plugin):
        if name.startswith("pytest_"):
            files.add(_file_of(getattr(plugin, name, None)))
    return files - {None}

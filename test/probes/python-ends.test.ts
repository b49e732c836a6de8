import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { PRODUCT, PYTHON, without } from "./a-python.ts";
import { exits, seen, Trial } from "./trying.ts";

describe.skipIf(without("python"))("a Python test program (if Python is installed)", () => {
  const START = "import os, subprocess, sys\nsys.path[:0] = ['.', 'lib/site-packages']\n";
  const LEAVER = `import os, threading
def thread():
    it = threading.Thread(target=lambda: os._exit(0))
    it.start()
    it.join()
`;

  test.each([
    ["hard", "from app.core import hard\nhard()\n", "app/core.py"],
    ["softly", "from app.core import soft\nsoft()\n", "app/core.py"],
    ["when it is loaded", "import app.leaves\nassert False\n", "app/leaves.py"],
    [
      "at the end",
      "import atexit\nfrom app.core import hard\natexit.register(hard)\nassert False\n",
      "app/core.py",
    ],
    [
      "softly, and it was awaited before",
      "from app.core import soft\nfor last in 0, 1:\n    try: soft()\n    except SystemExit as kept:\n        held = kept\n        if last: raise\n",
      "app/core.py",
    ],
  ])("is ended by the product: %s", (_what, code, file) => {
    const trial = new Trial({ ...PRODUCT, "tests/run.py": START + code });
    const ran = trial.probed(`${PYTHON} tests/run.py`);
    expect(ran.code).toBe(0);
    expect(exits(ran)).toEqual([{ exit: { file: join(trial.root, file) } }]);
  });

  const FINALIZER = "class Thing: pass\nthing = Thing()\nweakref.finalize(thing, os._exit, 0)";
  test.each([
    ["raises it", "def act(): raise SystemExit(0)"],
    ["raises the class", "def act(): raise SystemExit"],
    ["raises one of its own", "class Own(SystemExit): pass\ndef act(): raise Own"],
    ["raises it when it is loaded", "raise SystemExit(0)"],
    ["quits", "def act(): quit()"],
    ["exits as a person would", "def act(): exit(0)"],
    ["by printing its help", "import argparse\ndef act(): argparse.ArgumentParser().parse_args(['-h'])"],
    ["raises it for the error", "def hook(*_): raise SystemExit(0)\nsys.excepthook = hook"],
    ["in a text", "def act(): exec('os._exit(0)')"],
    ["by what os has it from", "import posix\ndef act(): posix._exit(0)"],
    [
      "by a timer",
      "import threading, time\ndef act():\n    threading.Timer(0, os._exit, (0,)).start()\n    time.sleep(60)",
    ],
    [
      "in a thread of its own",
      "import threading\ndef act():\n    it = threading.Thread(target=os._exit, args=(0,))\n    it.start()\n    it.join()",
    ],
    ["by Python at the end", "import atexit\natexit.register(os._exit, 0)"],
    ["by a finalizer", `import weakref\n${FINALIZER}`],
    ["when a thing of its goes", "class Thing:\n    def __del__(self): os._exit(0)\nthing = Thing()"],
  ])("is ended by the product: it %s", (_what, product) => {
    const trial = new Trial({
      "app/ends.py": `import os, sys\ndef act(): pass\n${product}\n`,
      "tests/run.py": `${START}from app import ends\nends.act()\nassert False\n`,
    });
    const ran = trial.probed(`${PYTHON} tests/run.py`);
    expect(ran.code).toBe(0);
    expect(exits(ran)).toEqual([{ exit: { file: join(trial.root, "app/ends.py") } }]);
  });

  /** Handlers see the original exception. */
  const READS = `from app.core import soft
def caught(action, *given):
    try: action(*given)
    except SystemExit as leaving: return leaving
it = caught(soft)
assert (it.code, it.args) == (0, (0,)), it.args
it.code = 7
assert it.code == 7
del it.code
assert it.code is None
for given, args, code in ((), (), None), ((None,), (), None), (("a",), ("a",), "a"), (((1, 2),), (1, 2), (1, 2)):
    it = caught(sys.exit, *given)
    assert (it.args, it.code) == (args, code), (given, it.args, it.code)
try: sys.exit(1, 2)
except TypeError: pass
assert type(SystemExit.code).__name__ == "member_descriptor"
`;

  test.each([
    ["the product's end is awaited", "from app.core import soft\ntry: soft()\nexcept SystemExit: pass\n"],
    [
      "the product ends a process of its own",
      "from app.core import hard\nif os.fork() == 0: hard()\nos.wait()\n",
    ],
    ["a program is started", "subprocess.run([sys.executable, 'tests/other.py'], check=True)\n"],
    ["it ends itself", "os._exit(0)\n"],
    ["it ends itself when Python is at its end", "import atexit\natexit.register(os._exit, 0)\n"],
    ["it raises the end", "import app.core\ndef ends(): raise SystemExit(0)\nends()\n"],
    ["it quits", "import app.core\nquit()\n"],
    ["a package ends it", "import app.core, leaver\nleaver.thread()\n"],
    ["it reads what the product raised", READS],
    [
      "a thread of the product's leaves",
      "import threading\nfrom app.core import soft\nit = threading.Thread(target=soft)\nit.start()\nit.join()\n",
    ],
  ])("is not ended by the product: %s", (_what, code) => {
    const other = `${START}from app.core import hard\nhard()\n`;
    const trial = new Trial({
      ...PRODUCT,
      "tests/run.py": START + code,
      "tests/other.py": other,
      "lib/site-packages/leaver.py": LEAVER,
    });
    const ran = trial.probed(`${PYTHON} tests/run.py`);
    expect(ran.code).toBe(0);
    expect(ran.reported).toEqual([]);
    expect(seen(ran)).toEqual(seen(trial.bare(`${PYTHON} tests/run.py`)));
  });

  test("still runs its own sitecustomize first, whatever that does", () => {
    const look = `${PYTHON} -c "import sys; print(getattr(sys, 'was_here', None), 'sitecustomize' in sys.modules)"`;
    const trial = new Trial({
      "good/sitecustomize.py": "import sys\nsys.was_here = __file__\n",
      "bad/sitecustomize.py": "raise ValueError('as before')\n",
    });
    for (const place of ["good", "bad"]) {
      const path = `PYTHONPATH="\${PYTHONPATH:+$PYTHONPATH:}$PWD/${place}" ${look}`;
      expect(seen(trial.probed(path)), place).toEqual(seen(trial.bare(path)));
    }
    expect(seen(trial.probed(look))).toEqual(seen(trial.bare(look)));
  });
});

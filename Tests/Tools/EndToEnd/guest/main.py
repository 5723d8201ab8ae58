"""Runs scenarios, one after another, each with Bluetooth as new. usage: main.py SCENARIO[:WORD]…

Prints a line for each, and one with their numbers; ends with 1 if one has failed.
"""

import asyncio
import importlib
import sys
import time
import traceback

from computer import LOGS, Computer

sys.path.insert(0, "/share/guest/scenarios")


def logs(lines=40):
    """The last that each program has said."""
    for path in sorted(LOGS.glob("*.log")):
        text = path.read_text(errors="replace").splitlines()
        print(f"    {path.name}:")
        for line in text[-lines:]:
            print(f"        {line}")


async def run(scenario, computer):
    """Runs one scenario; returns the reason of a failure, or None."""
    name, *words = scenario.split(":")
    module = importlib.import_module(name)
    try:
        await computer.start(module.DEVICE, getattr(module, "SETTINGS", ""))
        await asyncio.wait_for(module.run(computer, *words), getattr(module, "SECONDS", 60))
        return None
    except Exception as error:  # Whatever went wrong is a scenario that failed.
        traceback.print_exc(file=sys.stdout)
        return f"{type(error).__name__}: {error}"
    finally:
        computer.stop()


async def main():
    LOGS.mkdir(exist_ok=True)
    computer = Computer()
    failed = 0
    for name in sys.argv[1:]:
        for path in LOGS.glob("*.log"):
            path.unlink()
        begun = time.monotonic()
        fault = await run(name, computer)
        seconds = f"{time.monotonic() - begun:.1f} s"
        if fault:
            failed += 1
            logs()
            print(f"FAIL {name} ({seconds}): {fault}")
        else:
            print(f"PASS {name} ({seconds})")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))

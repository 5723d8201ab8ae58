"""Our central and a device of another make."""

from computer import run_program

DEVICE = "ring"


async def run(computer):
    await run_program("independent")

"""The transport contract: our central, and a device on a radio of another make."""

from computer import daemon_version, run_program

DEVICE = "radio"
SECONDS = 240


async def run(computer, *arguments):
    await run_program("contract", "radio", await daemon_version(), *arguments)

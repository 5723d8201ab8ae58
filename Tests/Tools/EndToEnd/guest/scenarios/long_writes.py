"""Values that are longer than a packet, between our central and a device that we host."""

from computer import daemon_version, run_program

DEVICE = None
# Packets that are shorter than the daemon's own choice; in its last section, [GATT].
SETTINGS = "ExchangeMTU=64\n"


async def run(computer):
    await run_program("long-writes", await daemon_version())

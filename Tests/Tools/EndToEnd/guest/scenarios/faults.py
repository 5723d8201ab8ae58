"""The daemon is killed and started again, and the adapter unplugged, whatever is under way."""

import asyncio

from bus import Bus
from clients import meet
from computer import HOSTED, Process

DEVICE = "ring"
SECONDS = 240


async def run(computer):
    for what in ("scan", "connect", "read", "notify"):
        await daemon_killed(computer, what)
    await unplugged(computer)
    await hosting(computer)


async def rest():
    """Lets what was begun come under way."""
    await asyncio.sleep(0.5)


async def daemon_killed(computer, what):
    """The daemon is killed while our central scans, connects, reads, or receives values."""
    program = Process(what, "/tmp/EndToEnd", "faults", what)
    try:
        await program.says("ready")
        if what in ("connect", "read"):
            computer.pause_daemon()
            program.tell()
            await rest()
        computer.kill_daemon()
        await program.says("broken")
        await computer.start_daemon()
        program.tell()
        await program.says("the next attempt works")
    finally:
        print(program.said(), end="")
        program.kill()


async def unplugged(computer):
    """Both controllers are unplugged, and come back, with the device."""
    program = Process("unplugged", "/tmp/EndToEnd", "faults", "notify")
    try:
        await program.says("ready")
        await rest()
        computer.unplug()
        await program.says("broken")
        computer.device.kill()
        computer.kill_daemon()
        await computer.plug_in()
        await computer.start_device("ring")
        await computer.start_daemon()
        program.tell()
        await program.says("the next attempt works")
    finally:
        print(program.said(), end="")
        program.kill()


async def hosting(computer):
    """The daemon is killed while we are a device, which we are again by ourselves; then we are."""
    await computer.start()
    program = Process("hosting", "/tmp/EndToEnd", "host")
    try:
        await program.says("hosting")
        for _ in range(2):
            await meet(HOSTED, version)
            computer.kill_daemon()
            await computer.start_daemon()
        await meet(HOSTED, version)
    finally:
        print(program.said(), end="")
        program.kill()
    async with Bus() as bus:
        await bus.until(lambda: nothing_advertised(bus), "nobody advertises any more")


async def version(client):
    """The device's own answer."""
    text = await client.read_gatt_char("00002a26-0000-1000-8000-00805f9b34fb")
    assert text.startswith(b"R02"), text


async def nothing_advertised(bus):
    """True once the daemon has noticed that the program is gone."""
    path, manager = "/org/bluez/hci1", "org.bluez.LEAdvertisingManager1"
    return await bus.get(path, manager, "ActiveInstances") == 0

"""Other people's clients, on hci0: bleak takes any adapter that is on. usage: clients.py ARGUMENT…

Run as a program, it is the rings' own client. That needs the bleak of 2024, 0.22.3, which is for
the daemons of its time:

- It closes its connection to the bus when it hears that the device is gone. From 5.79 on the daemon
  says so before it answers `Disconnect`, which then ends with EOFError, and the rings' client with it.
- It takes a device for connected when `Connected` is told, and 5.87 does not tell it.
"""

import asyncio
import sys

from bleak import BleakClient, BleakScanner
from bleak.exc import BleakError
from bleak.backends.bluezdbus.manager import BlueZManager

from computer import daemon_version

BlueZManager.get_default_adapter = lambda _: "/org/bluez/hci0"

__all__ = ["BleakScanner", "battery_replies", "colmi", "meet"]
OWN_TIME = "5.66"
BATTERY_OPCODE = 3


async def meet(address, conversation):
    """Has bleak find and connect a device, three times at most, and talk with it. Gives what came of
    that, or nothing where bleak does not see that it is connected."""
    sees_links = await daemon_version() in (OWN_TIME, "5.82")
    for attempts_left in (2, 1, 0):
        device = await BleakScanner.find_device_by_address(address, timeout=20)
        if not device and attempts_left == 0 and sees_links:
            raise AssertionError(f"bleak does not find {address}")
        if not device:
            continue
        client = BleakClient(device)
        try:
            await client.connect()
        except (BleakError, TimeoutError) as error:
            print(f"    bleak: {type(error).__name__} {error}")
            if attempts_left == 0 and sees_links:
                raise
            continue
        try:
            return await conversation(client)
        finally:
            await disconnect(client)


def battery_replies(queue):
    """A callback that puts replies to a battery request into a queue, by their opcode: a ring
    notifies on its own, too."""
    def received(_, value):
        if value[0] == BATTERY_OPCODE:
            queue.put_nowait(bytes(value))

    return received


async def disconnect(client):
    """Ends the link."""
    try:
        await client.disconnect()
    except EOFError:
        if await daemon_version() == OWN_TIME:
            raise


async def colmi(address, *arguments):
    """What the rings' own client says when it is told to do something; nothing on a daemon that it
    is not for."""
    if await daemon_version() != OWN_TIME:
        return None
    process = await asyncio.create_subprocess_exec(
        "python3", __file__, f"--address={address}", *arguments,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
    )
    output = (await process.communicate())[0].decode()
    assert process.returncode == 0, output
    return output


if __name__ == "__main__":
    from colmi_r02_client.cli import cli_client

    sys.exit(cli_client())

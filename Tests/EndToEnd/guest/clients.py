"""Other people's clients, on hci0: bleak takes any adapter that is on. usage: clients.py ARGUMENT…

Run as a program, it is the rings' own client.
"""

import asyncio
import sys

from bleak import BleakClient, BleakScanner
from bleak.exc import BleakError
from bleak.backends.bluezdbus.manager import BlueZManager

from computer import daemon_version

BlueZManager.get_default_adapter = lambda _: "/org/bluez/hci0"

__all__ = ["BleakScanner", "colmi", "meet"]


async def meet(address, conversation):
    """Has bleak find and connect a device, three times at most, and talk with it."""
    for attempts_left in (2, 1, 0):
        device = await BleakScanner.find_device_by_address(address, timeout=20)
        if not device and attempts_left == 0:
            raise AssertionError(f"bleak does not find {address}")
        if not device:
            continue
        client = BleakClient(device)
        try:
            await client.connect()
        except (BleakError, TimeoutError) as error:
            print(f"    bleak: {type(error).__name__} {error}")
            if attempts_left == 0:
                raise
            continue
        try:
            return await conversation(client)
        finally:
            await disconnect(client)


async def disconnect(client):
    """Ends the link. This bleak closes its connection to the bus when it hears that the device is
    gone; from 5.79 on the daemon says so before it answers."""
    try:
        await client.disconnect()
    except EOFError:
        if await daemon_version() == "5.66":
            raise


async def colmi(address, *arguments):
    """What the rings' own client says when it is told to do something."""
    process = await asyncio.create_subprocess_exec(
        "python3", __file__, f"--address={address}", *arguments,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
    )
    output = (await process.communicate())[0].decode()
    has_left_early = output.rstrip().endswith("EOFError") and await daemon_version() != "5.66"
    assert process.returncode == 0 or has_left_early, output
    return output


if __name__ == "__main__":
    from colmi_r02_client.cli import cli_client

    sys.exit(cli_client())

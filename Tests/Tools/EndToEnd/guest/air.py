"""Has hci1 say again what it advertises. usage: air.py

The emulated controller reports an advertisement once only, when it is begun or when somebody begins
to scan, and such a report can be lost; a radio would go on. So while the daemon advertises and
nobody is connected, advertising is switched off and on again twice a second.
"""

import asyncio
import os
import socket

from bus import Bus, Refused

ADAPTER_PATH = "/org/bluez/hci1"
MANAGER = "org.bluez.LEAdvertisingManager1"
# A command, LE Set Advertising Enable, one byte: off, on.
COMMANDS = [bytes([0x01, 0x0A, 0x20, 0x01, enable]) for enable in (0, 1)]


async def advertises(bus):
    """Whether there is something to say, and nobody is connected. The kernel is asked, as the
    daemon may be wrong about devices that it hosts itself."""
    if not await bus.get(ADAPTER_PATH, MANAGER, "ActiveInstances"):
        return False
    return not any(name.startswith("hci1:") for name in os.listdir("/sys/class/bluetooth"))


async def main():
    bus = await Bus().open(follow=False)
    while True:
        await asyncio.sleep(0.5)
        try:
            if not await advertises(bus):
                continue
            with socket.socket(socket.AF_BLUETOOTH, socket.SOCK_RAW, socket.BTPROTO_HCI) as radio:
                radio.bind((1,))
                for command in COMMANDS:
                    radio.send(command)
        except (Refused, OSError):
            continue


if __name__ == "__main__":
    asyncio.run(main())

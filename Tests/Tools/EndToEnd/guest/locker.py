"""A device of another make that keeps a value behind encryption, built with bumble.

usage: locker.py HCI. It can show and ask nothing, and agrees to be paired with.
"""

import asyncio
import sys

from bumble.core import AdvertisingData
from bumble.device import Device
from bumble.gatt import Characteristic, Service
from bumble.hci import Address
from bumble.pairing import PairingConfig, PairingDelegate

from computer import INDEPENDENT
from ring import BASE, advertise, take

NAME = "LOCKER"
SERVICE = "0000ffe0" + BASE
SECRET = "0000ffe1" + BASE


# A device answers in a later connection event. A daemon that receives the refusal in the turn in
# which it has sent the request pairs, and writes the request again while the kernel's socket is
# not ready: 5.66 loses it (30 s without an answer), newer ones answer with 0x0E.
INTERVAL = 0.02


class Air:
    """What the device sends, each packet after an interval."""

    def __init__(self, sink):
        self.sink = sink

    def on_packet(self, packet):
        asyncio.get_running_loop().call_later(INTERVAL, self.sink.on_packet, packet)


async def main():
    transport = await take(sys.argv[1])
    device = Device.with_hci(NAME, Address(INDEPENDENT), transport.source, Air(transport.sink))
    secret = Characteristic(
        SECRET, Characteristic.Properties.READ,
        Characteristic.READABLE | Characteristic.READ_REQUIRES_ENCRYPTION, b"\x2a",
    )
    device.add_services([Service(SERVICE, [secret])])
    device.advertising_data = bytes(AdvertisingData([(0x01, b"\6"), (0x09, NAME.encode())]))
    device.pairing_config_factory = lambda connection: PairingConfig(
        sc=True, mitm=False, bonding=True, delegate=PairingDelegate()
    )
    await advertise(device)


if __name__ == "__main__":
    asyncio.run(main())

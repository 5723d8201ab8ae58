"""A device of another make, built with bumble, for what costs something. usage: streamer.py HCI

It is what the `Streamer` of Tests/Tools/Benchmarks is on the daemon that is none: it has a value to read,
and who writes two numbers gets so many values, so many a second; at 0 as fast as they go.
"""

import asyncio
import struct
import sys

from bumble.att import ATT_CID
from bumble.core import AdvertisingData
from bumble.device import Device
from bumble.gatt import Characteristic, CharacteristicValue, Service
from bumble.hci import Address

from ring import BASE, advertise, take

NAME = "bench 0"
ADDRESS = "C0:DE:00:00:00:00"
SERVICE, READABLE, STREAM, CONTROL = (f"0000fff{number}" + BASE for number in range(4))
VALUE = bytes(range(16))
NOTIFICATION = 0x1B

P = Characteristic.Properties
R = Characteristic.READABLE
W = Characteristic.WRITEABLE


class Streamer:
    """Counts its values, sixteen bytes each, in the first four."""

    def __init__(self):
        self.number = 0
        self.stream = Characteristic(STREAM, P.NOTIFY, R, b"")

    def service(self):
        """The services."""
        readable = Characteristic(READABLE, P.READ, R, VALUE)
        control = Characteristic(CONTROL, P.WRITE, W, CharacteristicValue(write=self.asked))
        return Service(SERVICE, [readable, self.stream, control])

    def asked(self, link, request):
        """Sends what is asked for, once it has said that it will."""
        count, rate = struct.unpack("<II", request)
        asyncio.ensure_future(self.send(link, count, rate))

    async def send(self, link, count, rate):
        """Sends values as they go on the air: bumble would look for subscribers first."""
        clock = asyncio.get_running_loop().time
        begun = clock()
        for number in range(count):
            await asyncio.sleep(begun + number / rate - clock() if rate else 0)
            head = struct.pack("<BHI", NOTIFICATION, self.stream.handle, self.number)
            link.send_l2cap_pdu(ATT_CID, head + VALUE[4:])
            self.number += 1


async def main():
    transport = await take(sys.argv[1])
    device = Device.with_hci(NAME, Address(ADDRESS), transport.source, transport.sink)
    device.add_service(Streamer().service())
    device.advertising_data = bytes(
        AdvertisingData([(0x01, b"\6"), (0x03, b"\xf0\xff"), (0x09, NAME.encode())])
    )
    await advertise(device)


if __name__ == "__main__":
    asyncio.run(main())

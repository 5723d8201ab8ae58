"""A device of another make, built with bumble: what a ring offers, and counters. usage: ring.py HCI

It takes a controller for itself, and shares nothing with the daemon. The controller reports each
advertisement once only, so that it is begun again twice a second, as a radio would.
"""

import asyncio
import sys

from bumble.core import AdvertisingData
from bumble.device import Device
from bumble.gatt import Characteristic, CharacteristicValue, Descriptor, Service
from bumble.hci import Address, HCI_Error
from bumble.transport import open_transport

from computer import INDEPENDENT

NAME = "R02_TEST"
BASE = "-0000-1000-8000-00805f9b34fb"
RING = "6e40fff0-b5a3-f393-e0a9-e50e24dcca9e"
REQUESTS = "6e400002-b5a3-f393-e0a9-e50e24dcca9e"
ANSWERS = "6e400003-b5a3-f393-e0a9-e50e24dcca9e"
TESTS = "0000aa00" + BASE
STORED = "0000aa01" + BASE
COUNTED = "0000aa02" + BASE
CONFIRMED = "0000aa03" + BASE
BATTERY_LEVEL = 64

P = Characteristic.Properties
R = Characteristic.READABLE
W = Characteristic.WRITEABLE


def frame(content):
    """Sixteen bytes with their checksum, as the rings send them."""
    frame = bytes(content).ljust(15, b"\0")
    return frame + bytes([sum(frame) & 0xFF])


class Ring:
    """Answers what it knows; what it does not know, with the bit that says so."""

    def __init__(self, device):
        self.device = device
        self.stored = b"hello"
        self.answers = Characteristic(ANSWERS, P.NOTIFY, R, b"")
        self.counted = Characteristic(COUNTED, P.READ | P.NOTIFY, R, bytes(4))
        self.confirmed = Characteristic(CONFIRMED, P.INDICATE, R, b"")

    def services(self):
        """The services."""
        requests = Characteristic(
            REQUESTS, P.WRITE | P.WRITE_WITHOUT_RESPONSE, W, CharacteristicValue(write=self.asked)
        )
        stored = Characteristic(
            STORED, P.READ | P.WRITE, R | W,
            CharacteristicValue(read=lambda _: self.stored, write=self.store),
            [Descriptor("00002901" + BASE, Descriptor.READABLE, b"what is stored")],
        )
        level = Characteristic("00002a19" + BASE, P.READ | P.NOTIFY, R, bytes([BATTERY_LEVEL]))
        return [
            Service("0000180f" + BASE, [level]),
            Service(
                "0000180a" + BASE,
                [
                    Characteristic("00002a26" + BASE, P.READ, R, b"R02_3.00.06_240523"),
                    Characteristic("00002a27" + BASE, P.READ, R, b"R02_V3.0"),
                ],
            ),
            Service(RING, [requests, self.answers]),
            Service(TESTS, [stored, self.counted, self.confirmed]),
        ]

    def store(self, _, value):
        """Keeps what was written; `leave` ends the link."""
        self.stored = bytes(value)
        if self.stored == b"leave":
            asyncio.ensure_future(self.leave())

    async def leave(self):
        """Ends all links."""
        for connection in list(self.device.connections.values()):
            await connection.disconnect()

    def asked(self, _, request):
        """Answers a request."""
        request = bytes(request)
        print("asked", request.hex(), flush=True)
        if request[0] == 0x03:
            answer = frame([0x03, BATTERY_LEVEL, 0])
        elif request[0] == 0x01:
            answer = frame([0x01])
        else:
            answer = frame([request[0] | 0x80])
        asyncio.ensure_future(self.device.notify_subscribers(self.answers, answer))

    async def count(self):
        """Sends a number ten times a second."""
        number = 0
        while True:
            await asyncio.sleep(0.1)
            number += 1
            await self.device.notify_subscribers(self.counted, number.to_bytes(4, "little"))
            await self.device.indicate_subscribers(self.confirmed, number.to_bytes(4, "little"))


async def take(number):
    """Takes a controller. One that was plugged in just now may be busy."""
    for _ in range(50):
        try:
            return await open_transport(f"hci-socket:{number}")
        except OSError:
            await asyncio.sleep(0.1)
    return await open_transport(f"hci-socket:{number}")


async def advertise(device):
    """Advertises for good, and begins again twice a second."""
    device.advertising_interval_min = device.advertising_interval_max = 100
    await device.power_on()
    await device.start_advertising(auto_restart=True)
    print("advertising", flush=True)
    while True:
        await asyncio.sleep(0.5)
        if device.connections:
            continue
        try:
            await device.stop_advertising()
            await device.start_advertising(auto_restart=True)
        except HCI_Error:
            continue  # A central has connected meanwhile.


async def main():
    transport = await take(sys.argv[1])
    device = Device.with_hci(NAME, Address(INDEPENDENT), transport.source, transport.sink)
    ring = Ring(device)
    device.add_services(ring.services())
    device.advertising_data = bytes(
        AdvertisingData([(0x01, b"\6"), (0x07, bytes.fromhex(RING.replace("-", ""))[::-1])])
    )
    device.scan_response_data = bytes(
        AdvertisingData([(0x09, NAME.encode()), (0xFF, b"\xff\xff\1\2\3")])
    )
    device.on("connection", lambda connection: print("connected", connection, flush=True))
    await asyncio.gather(advertise(device), ring.count())


if __name__ == "__main__":
    asyncio.run(main())

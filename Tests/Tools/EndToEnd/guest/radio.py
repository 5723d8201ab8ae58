"""A radio of another make, built with bumble, for a device that a program of ours runs. usage: radio.py HCI

The program says what the device does, and is told what happens to it, a line for each, through two
pipes. What travels between a central and the device is bumble's doing, and none of the daemon's.

Said by the program:
    device                            another one: whatever was before is forgotten
    service UUID, characteristic ID UUID PROPERTIES, descriptor ID UUID, offer
    advertise DATA ANSWER             or `advertise`: no longer
    value TOKEN VALUE, done TOKEN, refuse TOKEN CODE
    notify ID VALUE, indicate ID VALUE, disconnect
Told:
    connected, disconnected, longest NUMBER
    read ID TOKEN, write ID TOKEN VALUE, command ID - VALUE
    subscription ID 0|1, confirmed ID
"""

import asyncio
import os
import struct
import sys

from bumble.att import ATT_Error
from bumble.device import Device
from bumble.gatt import Characteristic, CharacteristicValue, Descriptor, Service
from bumble.hci import Address, HCI_Error

from computer import INDEPENDENT
from ring import take

SAID, TOLD = "/run/radio.said", "/run/radio.told"
HEADER = 3  # Of a packet with a value.
ANY = Characteristic.READABLE | Characteristic.WRITEABLE


class Radio:
    """Carries one device."""

    def __init__(self, device, told):
        self.device = device
        self.told = told
        self.characteristics = {}
        self.numbers = {}
        self.answers = {}
        self.last_token = 0
        self.draft = []
        self.offered = None
        self.link = None
        self.advertised = b""
        self.advertiser = asyncio.Lock()
        device.on("connection", self.connected)

    def tell(self, *words):
        os.write(self.told, (" ".join(str(word) for word in words) + "\n").encode())

    # Events of the device.

    def connected(self, link):
        self.link = link
        link.on("disconnection", lambda _: self.disconnected())
        link.on("connection_att_mtu_update", lambda: self.tell("longest", link.att_mtu - HEADER))
        self.tell("connected")

    def disconnected(self):
        self.link = None
        for answer in self.answers.values():
            answer.cancel()
        self.answers = {}
        self.tell("disconnected")

    async def answer(self, *words, value=b""):
        """The program's answer to a request."""
        self.last_token += 1
        token = str(self.last_token)
        self.answers[token] = asyncio.get_running_loop().create_future()
        self.tell(*words, token, value.hex())
        return await self.answers[token]

    def command(self, _, request):
        """A write that is not answered; bumble itself makes no difference."""
        if number := self.numbers.get(request.attribute_handle):
            self.tell("command", number, "-", request.attribute_value.hex())

    def attribute(self, number):
        """The value of an attribute is what the program says."""
        return CharacteristicValue(
            read=lambda _: self.answer("read", number),
            write=lambda _, value: self.answer("write", number, value=value),
        )

    # Messages of the program.

    async def heard(self, word, *rest):
        await getattr(self, "on_" + word)(*rest)

    async def on_device(self):
        if self.link:
            await self.link.disconnect()
        self.draft = []

    async def on_service(self, uuid):
        self.draft.append((uuid, []))

    async def on_characteristic(self, number, uuid, properties):
        self.draft[-1][1].append((number, uuid, int(properties), []))

    async def on_descriptor(self, number, uuid):
        self.draft[-1][1][-1][3].append((number, uuid))

    async def on_offer(self):
        """The services are those now. Those that stay keep their handles."""
        draft, self.draft = self.draft, []
        if draft == self.offered:
            return
        self.offered = draft
        server = self.device.gatt_server
        server.services.clear()
        server.attributes.clear()
        server.attributes_by_handle.clear()
        server.on_att_write_command = self.command
        self.device.add_default_services()
        for uuid, characteristics in draft:
            made = [self.characteristic(*each) for each in characteristics]
            self.device.add_service(Service(uuid, made))
        self.numbers = {each.handle: number for number, each in self.characteristics.items()}
        changed = self.device.gatt_service.service_changed_characteristic
        for _ in range(100):
            # The daemon subscribes to this after it has announced the services.
            if not self.link or changed.handle in server.subscribers.get(self.link, {}):
                break
            await asyncio.sleep(0.05)
        if self.link:
            await server.indicate_subscribers(changed, struct.pack("<HH", 1, 0xFFFF))

    def characteristic(self, number, uuid, properties, descriptors):
        made = Characteristic(
            uuid, Characteristic.Properties(properties), ANY, self.attribute(number),
            [Descriptor(uuid, ANY, self.attribute(each)) for each, uuid in descriptors],
        )
        made.on(
            "subscription",
            lambda _, notify, indicate: self.tell("subscription", number, int(notify or indicate)),
        )
        self.characteristics[number] = made
        return made

    async def on_advertise(self, data="", answer=""):
        async with self.advertiser:
            self.advertised = bytes.fromhex(data)
            self.device.advertising_data = self.advertised
            self.device.scan_response_data = bytes.fromhex(answer)
        await self.advertise()

    async def advertise(self):
        """Begins again to advertise what is to be; or does so no more. Not two at a time."""
        async with self.advertiser:
            if self.link:
                return
            try:
                await self.device.stop_advertising()
                if self.advertised:
                    await self.device.start_advertising()
            except HCI_Error:
                pass  # Somebody has connected meanwhile.

    async def keep_advertising(self):
        """Begins again four times a second: the controller reports it once only."""
        while True:
            await asyncio.sleep(0.25)
            if self.advertised:
                await self.advertise()

    async def on_value(self, token, value=""):
        self.settle(token, lambda answer: answer.set_result(bytes.fromhex(value)))

    async def on_done(self, token):
        self.settle(token, lambda answer: answer.set_result(None))

    async def on_refuse(self, token, code):
        self.settle(token, lambda answer: answer.set_exception(ATT_Error(int(code))))

    def settle(self, token, settle):
        answer = self.answers.pop(token, None)
        if answer and not answer.done():
            settle(answer)

    async def on_notify(self, number, value=""):
        if self.link:
            await self.device.notify_subscriber(
                self.link, self.characteristics[number], bytes.fromhex(value)
            )

    async def on_indicate(self, number, value=""):
        # Only the next one waits for this one's confirmation.
        if self.link:
            asyncio.ensure_future(self.indicate(self.link, number, bytes.fromhex(value)))

    async def indicate(self, link, number, value):
        await self.device.indicate_subscriber(link, self.characteristics[number], value)
        self.tell("confirmed", number)

    async def on_disconnect(self):
        if self.link:
            await self.link.disconnect()


async def main():
    for path in (SAID, TOLD):
        if not os.path.exists(path):
            os.mkfifo(path)
    # Both ends of each stay open when a program ends.
    said, told = (os.open(path, os.O_RDWR | os.O_NONBLOCK) for path in (SAID, TOLD))
    transport = await take(sys.argv[1])
    device = Device.with_hci("radio", Address(INDEPENDENT), transport.source, transport.sink)
    device.advertising_interval_min = device.advertising_interval_max = 100
    await device.power_on()
    radio = Radio(device, told)
    lines = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(lines), os.fdopen(said, "rb", 0)
    )
    print("advertising", flush=True)
    advertising = asyncio.ensure_future(radio.keep_advertising())
    while line := await lines.readline():
        if advertising.done():
            advertising.result()
        await radio.heard(*line.decode().split())


if __name__ == "__main__":
    asyncio.run(main())

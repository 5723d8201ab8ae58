"""bless, which hosts an application over dbus-next, and bleak, its counterpart, as a central.

The application is on hci1, and is met from hci0, where the ring is met, too.
"""

import asyncio

from bleak import BleakClient, BleakScanner
from bless import BlessServer, GATTAttributePermissions, GATTCharacteristicProperties

import facts
from facts import expect

NAME = "Hosted by bless"
SERVICE = "a07498ca-ad5b-474e-940d-16f1fbe7e8cd"
KEPT = "51ff12bb-3ed8-46e5-b4f9-d64e2fec021b"
COUNTED = "bfc0c92f-317d-4ba9-976b-cc11ce77b4ca"


class Application:
    """One value that can be read and written, and one that is counted up."""

    def __init__(self):
        self.server = BlessServer(name=NAME, adapter="hci1")
        self.server.read_request_func = self.read
        self.server.write_request_func = self.write
        self.written = asyncio.Queue()

    async def start(self):
        properties, permissions = GATTCharacteristicProperties, GATTAttributePermissions
        await self.server.add_new_service(SERVICE)
        await self.server.add_new_characteristic(
            SERVICE, KEPT, properties.read | properties.write, bytearray(b"as it was"),
            permissions.readable | permissions.writeable)
        await self.server.add_new_characteristic(
            SERVICE, COUNTED, properties.read | properties.notify, bytearray([0]),
            permissions.readable)
        await self.server.start()

    def read(self, characteristic, **_):
        return characteristic.value

    def write(self, characteristic, value, **_):
        characteristic.value = value
        self.written.put_nowait(bytes(value))

    def count_to(self, number):
        self.server.get_characteristic(COUNTED).value = bytearray([number])
        self.server.update_value(SERVICE, COUNTED)


async def soon(awaitable):
    """Waits with a timeout."""
    return await asyncio.wait_for(awaitable, facts.WAIT)


async def find(service, seconds=facts.WAIT):
    """Finds the device that advertises a service."""
    return await BleakScanner.find_device_by_filter(
        lambda _, data: service in data.service_uuids, timeout=seconds, bluez={"adapter": "hci0"})


async def meet_application():
    """The hosted application, as its central sees it."""
    application = Application()
    await soon(application.start())
    expect("bless advertises", await application.server.is_advertising(), True)
    device = await find(SERVICE)
    expect("the name of what is found", device and device.name, NAME)
    lost = asyncio.Event()
    values = asyncio.Queue()
    async with BleakClient(device, lambda _: lost.set()) as client:
        expect("its first value", bytes(await client.read_gatt_char(KEPT)), b"as it was")
        await client.write_gatt_char(KEPT, b"as it is", response=True)
        expect("the value that bless gets", await soon(application.written.get()), b"as it is")
        expect("its second value", bytes(await client.read_gatt_char(KEPT)), b"as it is")

        expect("subscribed before", await application.server.is_connected(), False)
        await client.start_notify(COUNTED, lambda _, value: values.put_nowait(bytes(value)))
        expect("subscribed", await application.server.is_connected(), True)
        for number in range(1, 6):
            application.count_to(number)
            expect("the value that it sends", await soon(values.get()), bytes([number]))
        await client.stop_notify(COUNTED)
        expect("subscribed afterwards", await application.server.is_connected(), False)

    await soon(lost.wait())
    await soon(application.server.stop())
    expect("bless advertises afterwards", await application.server.is_advertising(), False)
    # An advertisement is received once a second.
    expect("the device afterwards", await find(SERVICE, seconds=2.5), None)


async def meet_ring():
    """The ring, from the same adapter."""
    device = await find(facts.UART)
    expect("the ring is found", device and device.name[:4], facts.RING_PREFIX)
    lost = asyncio.Event()
    replies = asyncio.Queue()
    client = BleakClient(device, lambda _: lost.set())
    await client.connect()
    facts.check_firmware(await client.read_gatt_char(facts.FIRMWARE_REVISION))

    def received(_, value):
        if facts.is_battery_reply(value):
            replies.put_nowait(bytes(value))

    await client.start_notify(facts.UART_NOTIFY, received)
    await client.write_gatt_char(facts.UART_WRITE, facts.BATTERY_REQUEST, response=True)
    battery = facts.check_battery_reply(await soon(replies.get()))
    await client.write_gatt_char(facts.UART_WRITE, facts.POWER_OFF_REQUEST, response=True)
    await soon(lost.wait())
    expect("the ring is connected", client.is_connected, False)
    return battery


async def main():
    await meet_application()
    battery = await meet_ring()
    facts.passed("hosted: found, read, written, 5 values, gone",
                 f"the ring beside it: battery {battery} %, lost link")


asyncio.run(main())

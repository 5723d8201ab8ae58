"""habluetooth, the Bluetooth of Home Assistant: its manager, scanner and client, over bleak."""

import asyncio

from bleak_retry_connector import BleakSlotManager, establish_connection
from bluetooth_adapters import get_adapters
from habluetooth import BluetoothManager, BluetoothScanningMode, HaBleakClientWrapper, HaScanner

import facts
from facts import expect, expect_in

ADAPTER = "hci0"
SLOTS = 5


class Manager(BluetoothManager):
    """A manager as in Home Assistant: it passes discoveries to integrations."""

    def __init__(self, *arguments):
        self.found = asyncio.Queue()
        super().__init__(*arguments)

    def _discover_service_info(self, service_info):
        self.found.put_nowait(service_info)


async def soon(awaitable):
    """Waits with a timeout."""
    return await asyncio.wait_for(awaitable, facts.WAIT)


async def find(manager):
    """Waits until the ring and the strap are found; returns what is known of them."""
    found = {}
    while True:
        info = await soon(manager.found.get())
        found[info.name] = info
        ring = next((name for name in found if name.startswith(facts.RING_PREFIX)), None)
        if ring and facts.STRAP in found:
            return found[ring], found[facts.STRAP]


class Device:
    """A device that is connected, and what it has sent."""

    def __init__(self, info):
        self.info = info
        self.lost = asyncio.Event()
        self.values = asyncio.Queue()

    async def connect(self):
        self.client = await establish_connection(
            HaBleakClientWrapper, self.info.device, self.info.name, lambda _: self.lost.set())
        expect(f"{self.info.name} is connected", self.client.is_connected, True)

    async def listen(self, characteristic, is_wanted=lambda value: True):
        def received(_, value):
            if is_wanted(value):
                self.values.put_nowait(bytes(value))

        await self.client.start_notify(characteristic, received)


async def meet(manager, scanner):
    ring_info, strap_info = await find(manager)
    expect("who has found the ring", ring_info.source, scanner.source)
    expect("the ring can be connected to", ring_info.connectable, True)
    expect_in("the ring's service", facts.UART, ring_info.service_uuids)
    ring, strap = Device(ring_info), Device(strap_info)

    await ring.connect()
    expect("who is connected", manager.slot_manager.get_allocations(ADAPTER).allocated,
           [ring_info.address])
    facts.check_firmware(await ring.client.read_gatt_char(facts.FIRMWARE_REVISION))
    await ring.listen(facts.UART_NOTIFY, facts.is_battery_reply)
    await ring.client.write_gatt_char(facts.UART_WRITE, facts.BATTERY_REQUEST, response=True)
    battery = facts.check_battery_reply(await soon(ring.values.get()))

    await strap.connect()
    facts.check_strap(await strap.client.read_gatt_char(facts.MANUFACTURER_NAME),
                      await strap.client.read_gatt_char(facts.BATTERY_LEVEL))
    await strap.listen(facts.HEART_RATE_MEASUREMENT)
    count = facts.check_heart_rates(
        [await soon(strap.values.get()) for _ in range(facts.HEART_RATES)])

    expect("the link was lost before its time", ring.lost.is_set(), False)
    await ring.client.write_gatt_char(facts.UART_WRITE, facts.POWER_OFF_REQUEST, response=True)
    await soon(ring.lost.wait())
    expect("the ring is connected", ring.client.is_connected, False)
    expect("who is still connected", manager.slot_manager.get_allocations(ADAPTER).allocated,
           [strap_info.address])
    await strap.client.disconnect()
    await soon(strap.lost.wait())
    return battery, count


async def main():
    slots = BleakSlotManager()
    await slots.async_setup()
    manager = Manager(get_adapters(), slots)
    await manager.async_setup()
    adapters = await manager.async_get_bluetooth_adapters()
    expect_in("the adapters", ADAPTER, adapters)
    scanner = HaScanner(BluetoothScanningMode.ACTIVE, ADAPTER, adapters[ADAPTER]["address"])
    scanner.async_setup()
    unregister = manager.async_register_scanner(scanner, connection_slots=SLOTS)
    await soon(scanner.async_start())
    battery, count = await meet(manager, scanner)
    await soon(scanner.async_stop())
    unregister()
    manager.async_stop()
    facts.passed("found", "connected", "read", f"battery {battery} %", f"{count} heart rates",
                 "lost link")


asyncio.run(main())

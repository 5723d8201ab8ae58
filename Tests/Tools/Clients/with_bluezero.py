"""bluezero, over dbus-python: a central, and an application that it hosts in a second process.

The application is on hci1; the central, which meets it, the ring and the strap, is on hci0.
"""

import subprocess
import sys
import time

from bluezero import adapter, async_tools, central, peripheral

import facts
from facts import expect

NAME = "Hosted by bluezero"
SERVICE = "3a5cbf5e-8b3b-4b7e-9d0b-9a4a4d5f1f10"
KEPT = "3a5cbf5e-8b3b-4b7e-9d0b-9a4a4d5f1f11"
COUNTED = "3a5cbf5e-8b3b-4b7e-9d0b-9a4a4d5f1f12"
COUNT = 5


def host(address):
    """Hosts an application until its central has left; says what happens to it."""
    application = peripheral.Peripheral(address, local_name=NAME)
    kept = list(b"as it was")
    application.add_service(srv_id=1, uuid=SERVICE, primary=True)

    def write(value, _):
        print("written", bytes(value).decode(), flush=True)
        kept[:] = value

    def notify(is_on, characteristic):
        print("notifying", is_on, flush=True)
        rest = list(range(1, COUNT + 1)) if is_on else []

        def count():
            if rest:
                characteristic.set_value([rest.pop(0)])
            return bool(rest)

        async_tools.add_timer_ms(50, count)

    application.add_characteristic(
        srv_id=1, chr_id=1, uuid=KEPT, value=[], notifying=False, flags=["read", "write"],
        read_callback=lambda: kept, write_callback=write)
    application.add_characteristic(
        srv_id=1, chr_id=2, uuid=COUNTED, value=[0], notifying=False, flags=["read", "notify"],
        notify_callback=notify)

    def leave():
        print("disconnected", flush=True)
        application.ad_manager.unregister_advertisement(application.advert)
        application.srv_mng.unregister_application(application.app)
        application.mainloop.quit()

    application.on_connect = lambda: print("connected", flush=True)
    application.on_disconnect = lambda _: leave()
    application.publish()


class Computer:
    """The adapter of the central, and what it hears."""

    def __init__(self, address):
        self.address = address
        self.adapter = adapter.Adapter(address)
        self.found = {}
        self.lost = []
        self.adapter.on_device_found = lambda device: self.found.setdefault(device.name, device)
        self.adapter.on_disconnect = lambda device: self.lost.append(device.name)

    def wait(self, what, condition):
        """Runs the event loop until a condition is true."""
        deadline = time.monotonic() + facts.WAIT

        def look():
            if not condition() and time.monotonic() < deadline:
                return True
            self.adapter.quit()
            return False

        async_tools.add_timer_ms(20, look)
        self.adapter.run()
        if not condition():
            raise TimeoutError(f"{what}: not within {facts.WAIT} s")

    def find(self, start):
        """The device whose name begins so, when it is found."""

        def found():
            return [device for name, device in self.found.items() if str(name).startswith(start)]

        self.wait(f"{start} is found", found)
        return found()[0]

    def connect(self, start, services):
        """Connects to a device, and returns it with all characteristics of these services."""
        found = self.find(start)
        device = central.Central(found.address, adapter_addr=self.address)
        characteristics = {
            uuid: device.add_characteristic(service, uuid)
            for service, uuids in services.items() for uuid in uuids}
        device.connect(timeout=facts.WAIT)
        expect(f"{start} is connected", bool(device.connected), True)
        return device, characteristics

    def listen(self, characteristic):
        """Subscribes to a characteristic; returns the list to which its values are added."""
        values = []

        def changed(_, properties, __):
            if "Value" in properties:
                values.append(bytes(properties["Value"]))

        characteristic.add_characteristic_cb(changed)
        characteristic.start_notify()
        self.wait("the subscription", lambda: characteristic.notifying)
        return values


def meet_ring(computer):
    ring, its = computer.connect(facts.RING_PREFIX, {
        facts.DEVICE_INFORMATION: [facts.FIRMWARE_REVISION],
        facts.UART: [facts.UART_WRITE, facts.UART_NOTIFY]})
    facts.check_firmware(its[facts.FIRMWARE_REVISION].value)
    replies = computer.listen(its[facts.UART_NOTIFY])
    its[facts.UART_WRITE].value = list(facts.BATTERY_REQUEST)
    computer.wait("the ring replies", lambda: any(map(facts.is_battery_reply, replies)))
    battery = facts.check_battery_reply(next(filter(facts.is_battery_reply, replies)))

    strap, its_strap = computer.connect(facts.STRAP, {
        facts.DEVICE_INFORMATION: [facts.MANUFACTURER_NAME],
        facts.BATTERY: [facts.BATTERY_LEVEL],
        facts.HEART_RATE: [facts.HEART_RATE_MEASUREMENT]})
    facts.check_strap(its_strap[facts.MANUFACTURER_NAME].value,
                      its_strap[facts.BATTERY_LEVEL].value)
    rates = computer.listen(its_strap[facts.HEART_RATE_MEASUREMENT])
    computer.wait("heart rates come", lambda: len(rates) >= facts.HEART_RATES)
    count = facts.check_heart_rates(rates)

    expect("who was lost before its time", computer.lost, [])
    its[facts.UART_WRITE].value = list(facts.POWER_OFF_REQUEST)
    computer.wait("the link is lost", lambda: computer.lost)
    expect("the ring is connected", bool(ring.connected), False)
    strap.disconnect()
    computer.wait("the strap is disconnected", lambda: len(computer.lost) == 2)
    return battery, count


def meet_application(computer, address):
    process = subprocess.Popen([sys.executable, __file__, address], stdout=subprocess.PIPE,
                               text=True)
    try:
        computer.find(NAME)
        # It would search for devices of the other adapter, too, and not find them.
        computer.adapter.on_device_found = None
        device, its = computer.connect(NAME, {SERVICE: [KEPT, COUNTED]})
        kept = its[KEPT]
        expect("its first value", bytes(kept.value), b"as it was")
        kept.value = list(b"as it is")
        expect("its second value", bytes(kept.value), b"as it is")
        values = computer.listen(its[COUNTED])
        computer.wait("the values that it sends", lambda: len(values) >= COUNT)
        expect("the values that it sends", values, [bytes([n]) for n in range(1, COUNT + 1)])
        its[COUNTED].stop_notify()
        device.disconnect()
        told, _ = process.communicate(timeout=facts.WAIT)
    finally:
        process.kill()
    expect("what the application is told", told.splitlines(), [
        "Advertisement registered", "connected", "written as it is",
        "notifying True", "notifying False", "disconnected"])


def main():
    first, second = adapter.list_adapters()
    computer = Computer(first)
    computer.adapter.start_discovery()
    battery, count = meet_ring(computer)
    meet_application(computer, second)
    facts.passed("found", "connected", "read", f"battery {battery} %", f"{count} heart rates",
                 f"lost link; hosted: found, read, written, {COUNT} values, left")


if len(sys.argv) == 2:
    host(sys.argv[1])
else:
    main()

"""A connection to the guest's bus on which calls and signals are seen in the order they come in."""

import asyncio
import time

from dbus_fast import BusType, Message, MessageType, Variant
from dbus_fast.aio import MessageBus

PROPERTIES = "org.freedesktop.DBus.Properties"
OBJECT_MANAGER = "org.freedesktop.DBus.ObjectManager"
BLUEZ = "org.bluez"
ADAPTER = "org.bluez.Adapter1"
DEVICE = "org.bluez.Device1"
SERVICE = "org.bluez.GattService1"
CHARACTERISTIC = "org.bluez.GattCharacteristic1"
DESCRIPTOR = "org.bluez.GattDescriptor1"


class Refused(Exception):
    """An error that was answered: its name and its text."""

    def __init__(self, name, text):
        super().__init__(f"{name}: {text}")
        self.name = name
        self.text = text


def plain(value):
    """A value without the wrapping of variants, bytes as hexadecimal digits."""
    if isinstance(value, Variant):
        return plain(value.value)
    if isinstance(value, (bytes, bytearray)):
        return bytes(value).hex()
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value


class Bus:
    """One connection. `log` has the received messages, in order, with seconds since the start."""

    def __init__(self):
        self.log = []
        self.started = time.monotonic()
        self.arrived = asyncio.Event()

    async def open(self, follow=True):
        """Connects, and by default subscribes to all signals of the daemon."""
        self.bus = await MessageBus(bus_type=BusType.SYSTEM, negotiate_unix_fd=True).connect()
        self.bus.add_message_handler(self._take)
        if follow:
            for rule in (
                "type='signal',sender='org.bluez'",
                "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',"
                "arg0='org.bluez'",
            ):
                await self.call(
                    "/org/freedesktop/DBus", "org.freedesktop.DBus", "AddMatch", "s", [rule],
                    destination="org.freedesktop.DBus",
                )
        return self

    async def __aenter__(self):
        return await self.open()

    async def __aexit__(self, *_):
        self.close()

    def close(self):
        """Ends the connection."""
        self.bus.disconnect()

    def note(self, *what):
        """Puts down something that we did, among what came in."""
        self.log.append((round(time.monotonic() - self.started, 3), *what))
        self.arrived.set()
        self.arrived = asyncio.Event()

    def _take(self, message):
        if message.message_type == MessageType.SIGNAL and message.interface != "org.freedesktop.DBus":
            self.note(message.member, message.path or "", *plain(message.body))
        elif message.member == "NameOwnerChanged":
            self.note("NameOwnerChanged", "", *plain(message.body))

    async def call(
        self, path, interface, member, signature="", body=(), timeout=60, destination=BLUEZ
    ):
        """Calls a method; gives what it returns, or throws `Refused`."""
        reply = await asyncio.wait_for(
            self.bus.call(
                Message(
                    destination=destination, path=path, interface=interface, member=member,
                    signature=signature, body=list(body),
                )
            ),
            timeout,
        )
        if reply.message_type == MessageType.ERROR:
            raise Refused(reply.error_name, reply.body[0] if reply.body else "")
        return reply.body

    async def outcome(self, *arguments, **named):
        """The result of a call as text: `ok …` or the error."""
        begun = time.monotonic()
        try:
            result = f"ok {plain(await self.call(*arguments, **named))}"
        except Refused as refusal:
            result = f"{refusal.name}: {refusal.text!r}"
        except asyncio.TimeoutError:
            result = "no answer"
        return f"{result} ({time.monotonic() - begun:.2f} s)"

    async def objects(self):
        """All objects of the daemon, with their interfaces and properties."""
        return plain((await self.call("/", OBJECT_MANAGER, "GetManagedObjects"))[0])

    async def get(self, path, interface, name):
        """A property."""
        return plain((await self.call(path, PROPERTIES, "Get", "ss", [interface, name]))[0])

    async def set(self, path, interface, name, signature, value):
        """Sets a property."""
        await self.call(
            path, PROPERTIES, "Set", "ssv", [interface, name, Variant(signature, value)]
        )

    async def until(self, holds, what, timeout=20):
        """Waits until a condition, asked again after each signal, is something; gives it."""
        end = time.monotonic() + timeout
        while True:
            result = holds()
            if asyncio.iscoroutine(result):
                result = await result
            if result:
                return result
            if time.monotonic() > end:
                raise AssertionError(f"not within {timeout} s: {what}")
            try:
                await asyncio.wait_for(self.arrived.wait(), 0.25)
            except asyncio.TimeoutError:
                pass

    async def adapter(self, index):
        """An adapter's path, once it is there and on."""
        path = f"/org/bluez/hci{index}"

        async def powered():
            try:
                return await self.get(path, ADAPTER, "Powered")
            except Refused:
                return False

        await self.until(powered, f"hci{index} is on")
        return path

    async def device(self, adapter, address):
        """A device's path, once an adapter has found it."""

        async def found():
            for path, interfaces in (await self.objects()).items():
                device = interfaces.get(DEVICE, {})
                if device.get("Adapter") == adapter and device.get("Address") == address:
                    return path
            return None

        return await self.until(found, f"{address} is found")

    async def find(self, adapter, address):
        """Looks for a device; gives its path. The search goes on. A filter of `le` alone is none
        for an adapter of that kind, and passes over who does not say that it may be found (5.87)."""
        await self.call(
            adapter, ADAPTER, "SetDiscoveryFilter", "a{sv}",
            [{"Transport": Variant("s", "le"), "Pattern": Variant("s", "")}],
        )
        try:
            await self.call(adapter, ADAPTER, "StartDiscovery")
        except Refused as refusal:
            if not refusal.name.endswith("InProgress"):
                raise
        return await self.device(adapter, address)

    async def connect(self, adapter, address):
        """Finds a device, connects, and waits for its services; gives its path."""
        path = await self.find(adapter, address)
        await self.call(path, DEVICE, "Connect")
        await self.until(
            lambda: self.get(path, DEVICE, "ServicesResolved"), "the services are known"
        )
        try:
            await self.call(adapter, ADAPTER, "StopDiscovery")
        except Refused:
            pass
        return path

    async def characteristic(self, device, uuid):
        """The path of a characteristic of a device."""
        for path, interfaces in (await self.objects()).items():
            if path.startswith(device) and interfaces.get(CHARACTERISTIC, {}).get("UUID") == uuid:
                return path
        raise AssertionError(f"{device} has no {uuid}")

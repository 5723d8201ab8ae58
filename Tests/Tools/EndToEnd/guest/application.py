"""A hosted GATT application and an advertisement, as raw D-Bus objects."""

from dbus_fast import Message, MessageType, Variant

from bus import CHARACTERISTIC, DESCRIPTOR, PROPERTIES, SERVICE

GATT_MANAGER = "org.bluez.GattManager1"
ADVERTISING_MANAGER = "org.bluez.LEAdvertisingManager1"
ADVERTISEMENT = "org.bluez.LEAdvertisement1"


class Application:
    """Objects by path; what is done when a method of one is called can be put in `methods`."""

    def __init__(self, bus, root="/app"):
        self.bus = bus
        self.root = root
        self.objects = {}
        self.methods = {}
        self.calls = []
        bus.bus.add_message_handler(self._take)

    def add(self, path, interface, **properties):
        """Adds an object; properties are variants."""
        self.objects.setdefault(path, {})[interface] = properties
        return path

    def service(self, number, uuid, **properties):
        """Adds a service; gives its path."""
        return self.add(
            f"{self.root}/service{number}", SERVICE, UUID=Variant("s", uuid),
            Primary=Variant("b", True), **properties,
        )

    def characteristic(self, service, number, uuid, flags, **methods):
        """Adds a characteristic; gives its path. A method is called with the message."""
        path = self.add(
            f"{service}/char{number}", CHARACTERISTIC, UUID=Variant("s", uuid),
            Service=Variant("o", service), Flags=Variant("as", flags),
        )
        for name, method in methods.items():
            self.methods[path, name] = method
        return path

    def descriptor(self, characteristic, number, uuid, flags, **methods):
        """Adds a descriptor; gives its path."""
        path = self.add(
            f"{characteristic}/desc{number}", DESCRIPTOR, UUID=Variant("s", uuid),
            Characteristic=Variant("o", characteristic), Flags=Variant("as", flags),
        )
        for name, method in methods.items():
            self.methods[path, name] = method
        return path

    def advertisement(self, path="/adv", **properties):
        """Adds an advertisement; gives its path."""
        properties.setdefault("Type", Variant("s", "peripheral"))
        return self.add(path, ADVERTISEMENT, **properties)

    def _take(self, message):
        if message.message_type != MessageType.METHOD_CALL:
            return None
        path, member = message.path, message.member
        if path == self.root and member == "GetManagedObjects":
            below = {p: i for p, i in self.objects.items() if p.startswith(path + "/")}
            return Message.new_method_return(message, "a{oa{sa{sv}}}", [below])
        if member == "GetAll" and message.interface == PROPERTIES and path in self.objects:
            properties = self.objects[path].get(message.body[0], {})
            return Message.new_method_return(message, "a{sv}", [properties])
        if path not in self.objects:
            return None
        self.calls.append((path, member, message.body))
        if (path, member) in self.methods:
            return self.methods[path, member](message)
        if member == "ReadValue":
            return Message.new_method_return(message, "ay", [b"value"])
        return Message.new_method_return(message)

    async def notify(self, path, value):
        """Tells a value."""
        await self.bus.bus.send(
            Message(
                message_type=MessageType.SIGNAL, path=path, interface=PROPERTIES,
                member="PropertiesChanged", signature="sa{sv}as",
                body=[CHARACTERISTIC, {"Value": Variant("ay", value)}, []],
            )
        )

    async def register(self, adapter, options=None):
        """Registers the application."""
        await self.bus.call(
            adapter, GATT_MANAGER, "RegisterApplication", "oa{sv}", [self.root, options or {}]
        )

    async def advertise(self, adapter, path="/adv", options=None):
        """Registers an advertisement."""
        await self.bus.call(
            adapter, ADVERTISING_MANAGER, "RegisterAdvertisement", "oa{sv}", [path, options or {}]
        )


def answering(signature, *body):
    """A method that returns this."""
    return lambda message: Message.new_method_return(message, signature, list(body))


def refusing(name, text="refused"):
    """A method that answers with an error."""
    return lambda message: Message.new_error(message, name, text)


def silent(_):
    """A method that never answers."""
    return True

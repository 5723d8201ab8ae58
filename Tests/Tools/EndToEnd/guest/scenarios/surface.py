"""The daemon's interfaces are those that were written down, and that the package's words repeat."""

import difflib
import pathlib
import xml.etree.ElementTree as Elements

from dbus_fast import Variant

from application import Application, answering
from bus import Bus, Refused
from computer import HOSTED, daemon_version

DEVICE = None
BASE = "-0000-1000-8000-00805f9b34fb"
FOUND = pathlib.Path("/share/out/surface.txt")
RECORDED = pathlib.Path("/share/guest/surfaces")


async def run(computer):
    async with Bus() as bus, Bus() as client:
        await host(bus, await bus.adapter(1))
        device = await client.connect(await client.adapter(0), HOSTED)
        interfaces = {}
        for path in ["/", "/org/bluez", *sorted(await objects(client, device))]:
            for interface in await introspect(client, path):
                lines = interfaces.setdefault(interface.get("name"), set())
                lines |= {describe(member) for member in interface if member.tag != "annotation"}
    text = "".join(
        f"{name}\n" + "".join(f"    {line}\n" for line in sorted(lines))
        for name, lines in sorted(interfaces.items())
        if name.startswith("org.bluez.")
    )
    FOUND.write_text(text)
    version = await daemon_version()
    recorded = RECORDED / f"{version}.txt"
    assert recorded.exists(), f"what {version} has is not written down; out/surface.txt is that"
    lines = recorded.read_text().splitlines()
    changes = difflib.unified_diff(lines, text.splitlines(), recorded.name, "the daemon's")
    assert text == recorded.read_text(), "other interfaces:\n" + "\n".join(changes)


async def host(bus, adapter):
    """A device with every kind of object."""
    application = Application(bus)
    battery = application.service(0, "0000180f" + BASE)
    application.characteristic(
        battery, 0, "00002a19" + BASE, ["read", "notify"], ReadValue=answering("ay", b"\x40")
    )
    service = application.service(1, "0000aa00" + BASE)
    characteristic = application.characteristic(
        service, 0, "0000aa01" + BASE, ["read", "write", "write-without-response", "notify"]
    )
    application.descriptor(characteristic, 0, "00002901" + BASE, ["read"])
    await application.register(adapter)
    application.advertisement(LocalName=Variant("s", "surface"))
    await application.advertise(adapter)


async def objects(client, device):
    """The first adapter, and what there is of a device."""
    found = await client.until(
        lambda: battery(client, device), "the device's battery is there"
    )
    return [path for path in found if path.startswith(device)] + ["/org/bluez/hci0"]


async def battery(client, device):
    """All objects, once the device has its battery."""
    found = await client.objects()
    return found if "org.bluez.Battery1" in found.get(device, {}) else None


async def introspect(client, path):
    """The interfaces that an object says it has."""
    try:
        [text] = await client.call(path, "org.freedesktop.DBus.Introspectable", "Introspect")
    except Refused:
        return []
    return Elements.fromstring(text).findall("interface")


def describe(member):
    """A method, a property or a signal as one line."""
    name = member.get("name")
    if member.tag == "property":
        return f"property {name} {member.get('type')} {member.get('access')}"
    arguments = {"in": [], "out": []}
    for argument in member.findall("arg"):
        direction = argument.get("direction", "out" if member.tag == "signal" else "in")
        arguments[direction].append(f"{argument.get('name')} {argument.get('type')}")
    line = f"{member.tag} {name}({', '.join(arguments['in'])})"
    return line + (f" -> {', '.join(arguments['out'])}" if arguments["out"] else "")

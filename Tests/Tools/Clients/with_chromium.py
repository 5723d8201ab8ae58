"""Chromium's Web Bluetooth: a page that asks for devices, and who chooses one in its prompt."""

import functools
import http.server
import json
import tempfile
import threading

import facts
from browser import Browser
from facts import expect

PAGE = b"<!doctype html><title>Web Bluetooth</title>"

# The functions of the page; each returns a promise.
SCRIPT = """
globalThis.hex = view =>
    Array.from(new Uint8Array(view.buffer), byte => byte.toString(16).padStart(2, '0')).join('');
globalThis.devices = {};
globalThis.values = {};
globalThis.lost = [];
globalThis.ask = async (key, filter, optionalServices) => {
    const device = await navigator.bluetooth.requestDevice({filters: [filter], optionalServices});
    device.addEventListener('gattserverdisconnected', () => lost.push(key));
    devices[key] = device;
    return device.name;
};
globalThis.connect = async key => (await devices[key].gatt.connect()).connected;
globalThis.find = async (key, service, characteristic) =>
    (await devices[key].gatt.getPrimaryService(service)).getCharacteristic(characteristic);
globalThis.read = async (...place) => hex(await (await find(...place)).readValue());
globalThis.write = async (place, bytes) =>
    (await find(...place)).writeValueWithResponse(new Uint8Array(bytes));
globalThis.listen = async (...place) => {
    const characteristic = await find(...place);
    const heard = values[place[0]] = [];
    characteristic.addEventListener('characteristicvaluechanged',
        event => heard.push(hex(event.target.value)));
    await characteristic.startNotifications();
};
"""


class Server(http.server.BaseHTTPRequestHandler):
    """A page of this computer: Web Bluetooth wants a secure context, and localhost is one."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(PAGE)))
        self.end_headers()
        self.wfile.write(PAGE)

    def log_message(self, *_):
        pass


def function(name, *arguments):
    return f"{name}({', '.join(json.dumps(argument) for argument in arguments)})"


def eventually(browser, what, expression, seconds=facts.WAIT):
    """Waits until an expression is true in the page."""
    facts.eventually(what, functools.partial(browser.value, expression), seconds)


def choose(browser, key, start, services):
    """Asks for devices, chooses the one whose name begins so, and connects to it."""
    ask = function("ask", key, {"namePrefix": start}, services)
    number = browser.begin(ask)
    prompted = browser.event("DeviceAccess.deviceRequestPrompted", lambda prompt: prompt["devices"])
    device, = prompted["devices"]
    expect("the name in the prompt", device["name"][:len(start)], start)
    browser.call("DeviceAccess.selectPrompt", id=prompted["id"], deviceId=device["id"])
    name = browser.value(ask, number)
    expect("the name that the page sees", name, device["name"])
    expect(f"{name} is connected", browser.value(function("connect", key)), True)


def meet(browser):
    choose(browser, "ring", facts.RING_PREFIX, [facts.DEVICE_INFORMATION, facts.UART])
    facts.check_firmware(bytes.fromhex(browser.value(
        function("read", "ring", facts.DEVICE_INFORMATION, facts.FIRMWARE_REVISION))))
    browser.value(function("listen", "ring", facts.UART, facts.UART_NOTIFY))
    place = ["ring", facts.UART, facts.UART_WRITE]
    browser.value(function("write", place, list(facts.BATTERY_REQUEST)))
    replies = f"values.ring.filter(value => value.startsWith('{facts.BATTERY_REQUEST[:1].hex()}'))"
    eventually(browser, "the ring replies", f"{replies}.length > 0")
    battery = facts.check_battery_reply(bytes.fromhex(browser.value(f"{replies}[0]")))

    choose(browser, "strap", facts.STRAP,
           [facts.DEVICE_INFORMATION, facts.BATTERY, facts.HEART_RATE])
    facts.check_strap(
        bytes.fromhex(browser.value(
            function("read", "strap", facts.DEVICE_INFORMATION, facts.MANUFACTURER_NAME))),
        bytes.fromhex(browser.value(
            function("read", "strap", facts.BATTERY, facts.BATTERY_LEVEL))))
    browser.value(function("listen", "strap", facts.HEART_RATE, facts.HEART_RATE_MEASUREMENT))
    eventually(browser, "heart rates come", f"values.strap.length >= {facts.HEART_RATES}")
    count = facts.check_heart_rates(
        [bytes.fromhex(value) for value in browser.value("values.strap")])

    expect("who was lost before its time", browser.value("lost"), [])
    browser.value(function("write", place, list(facts.POWER_OFF_REQUEST)))
    eventually(browser, "the link is lost", "lost.length > 0")
    expect("who is lost", browser.value("lost"), ["ring"])
    expect("who is connected", browser.value(
        "Object.keys(devices).filter(key => devices[key].gatt.connected)"), ["strap"])
    return battery, count


def meet_ring_as_strap(browser):
    """The ring once more, as the strap that `halo live` makes of it."""
    with facts.RingAsStrap() as halo:
        choose(browser, "served", facts.RING_AS_STRAP, [facts.HEART_RATE])
        location = browser.value(
            function("read", "served", facts.HEART_RATE, facts.BODY_SENSOR_LOCATION))
        expect("where it is worn", bytes.fromhex(location), facts.FINGER)
        browser.value(
            function("listen", "served", facts.HEART_RATE, facts.HEART_RATE_MEASUREMENT))
        worn = f"values.served.filter(value => value != '{facts.NO_CONTACT.hex()}')"
        eventually(browser, "a measurement", "values.served.length > 0")
        expect("the first measurement", browser.value("values.served[0]"), facts.NO_CONTACT.hex())
        eventually(browser, "heart rates of the ring", f"{worn}.length >= {facts.HEART_RATES}",
                   facts.RING_WAIT)
        halo.check_heart_rates([bytes.fromhex(value) for value in browser.value(worn)])
        halo.end()
        eventually(browser, "the strap is gone", "lost.length > 0")
        expect("who is lost", browser.value("lost"), ["served"])
        browser.value("lost.length = 0")


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        browser = Browser(folder, "--enable-features=WebBluetooth")
        try:
            browser.open(f"http://localhost:{server.server_port}/", "DeviceAccess")
            browser.value(SCRIPT)
            meet_ring_as_strap(browser)
            battery, count = meet(browser)
        finally:
            browser.close()
    server.shutdown()
    facts.passed("found", "connected", "read", f"battery {battery} %", f"{count} heart rates",
                 "lost link", "a ring as a strap")


main()

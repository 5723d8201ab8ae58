"""Chromium's Web Bluetooth: a page that asks for devices, and who chooses one in its prompt.

The browser is driven over its DevTools pipe: messages in JSON, each with a NUL at its end.
"""

import functools
import http.server
import itertools
import json
import os
import select
import subprocess
import tempfile
import threading
import time

import facts
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


class Browser:
    """Chromium without a window, and the conversation with it."""

    def __init__(self, folder):
        to_browser, self.output = os.pipe()
        self.input, from_browser = os.pipe()
        # It reads from 3 and writes to 4; what it writes to is not 3 here, as it was made last.
        command = [
            "bash", "-c", f'exec "$@" 3<&{to_browser} 4>&{from_browser}', "-",
            "chromium-headless-shell", "--remote-debugging-pipe",
            "--enable-features=WebBluetooth", f"--user-data-dir={folder}", "--disable-gpu",
            "--no-first-run", "about:blank"]
        # For root it has no sandbox; the only page that it sees is ours.
        if os.geteuid() == 0:
            command.append("--no-sandbox")
        self.process = subprocess.Popen(command, pass_fds=(to_browser, from_browser))
        os.close(to_browser)
        os.close(from_browser)
        self.numbers = itertools.count(1)
        self.rest = b""
        self.events = []
        self.session = {}

    def send(self, method, **parameters):
        """Sends a request, and returns its number."""
        number = next(self.numbers)
        message = {"id": number, "method": method, "params": parameters, **self.session}
        os.write(self.output, json.dumps(message).encode() + b"\0")
        return number

    def receive(self, what, deadline):
        """The next message."""
        while b"\0" not in self.rest:
            ready, _, _ = select.select([self.input], [], [], max(0, deadline - time.monotonic()))
            if not ready:
                raise TimeoutError(f"{what}: not within {facts.WAIT} s")
            read = os.read(self.input, 65536)
            if not read:
                raise ConnectionError(f"{what}: Chromium has ended")
            self.rest += read
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def wait(self, what, matches):
        """The first message that is wanted; events that come before it are kept."""
        for index, event in enumerate(self.events):
            if matches(event):
                return self.events.pop(index)
        deadline = time.monotonic() + facts.WAIT
        while True:
            message = self.receive(what, deadline)
            if matches(message):
                return message
            if "method" in message:
                self.events.append(message)

    def reply(self, what, number):
        """The result of a request."""
        message = self.wait(what, lambda message: message.get("id") == number)
        if "error" in message:
            raise RuntimeError(f"{what}: {message['error']['message']}")
        return message["result"]

    def call(self, method, **parameters):
        return self.reply(method, self.send(method, **parameters))

    def event(self, method, matches=lambda _: True):
        message = self.wait(method, lambda message: message.get("method") == method
                            and matches(message["params"]))
        return message["params"]

    def open(self, address):
        """Opens a page, to which everything that follows goes."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self.session = {"sessionId": attached["sessionId"]}
        self.call("Page.enable")
        self.call("Page.navigate", url=address)
        self.event("Page.loadEventFired")
        self.call("DeviceAccess.enable")

    def begin(self, expression):
        """Begins to evaluate an expression, as if by a click; returns its number."""
        return self.send("Runtime.evaluate", expression=expression, awaitPromise=True,
                         returnByValue=True, userGesture=True)

    def value(self, expression, number=None):
        """The value of an expression, which may have been begun already."""
        result = self.reply(expression, number or self.begin(expression))
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise RuntimeError(f"{expression}: {details['exception'].get('description')}")
        return result["result"].get("value")

    def eventually(self, what, expression):
        """Waits until an expression is true in the page."""
        return facts.eventually(what, functools.partial(self.value, expression))

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.input)
        os.close(self.output)


def function(name, *arguments):
    return f"{name}({', '.join(json.dumps(argument) for argument in arguments)})"


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
    browser.eventually("the ring replies", f"{replies}.length > 0")
    battery = facts.check_battery_reply(bytes.fromhex(browser.value(f"{replies}[0]")))

    choose(browser, "strap", facts.STRAP,
           [facts.DEVICE_INFORMATION, facts.BATTERY, facts.HEART_RATE])
    facts.check_strap(
        bytes.fromhex(browser.value(
            function("read", "strap", facts.DEVICE_INFORMATION, facts.MANUFACTURER_NAME))),
        bytes.fromhex(browser.value(
            function("read", "strap", facts.BATTERY, facts.BATTERY_LEVEL))))
    browser.value(function("listen", "strap", facts.HEART_RATE, facts.HEART_RATE_MEASUREMENT))
    browser.eventually("heart rates come", f"values.strap.length >= {facts.HEART_RATES}")
    count = facts.check_heart_rates(
        [bytes.fromhex(value) for value in browser.value("values.strap")])

    expect("who was lost before its time", browser.value("lost"), [])
    browser.value(function("write", place, list(facts.POWER_OFF_REQUEST)))
    browser.eventually("the link is lost", "lost.length > 0")
    expect("who is lost", browser.value("lost"), ["ring"])
    expect("who is connected", browser.value(
        "Object.keys(devices).filter(key => devices[key].gatt.connected)"), ["strap"])
    return battery, count


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        browser = Browser(folder)
        try:
            browser.open(f"http://localhost:{server.server_port}/")
            browser.value(SCRIPT)
            battery, count = meet(browser)
        finally:
            browser.close()
    server.shutdown()
    facts.passed("found", "connected", "read", f"battery {battery} %", f"{count} heart rates",
                 "lost link")


main()

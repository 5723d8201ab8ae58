"""Chromium, driven over its DevTools pipe: messages in JSON, each with a NUL at its end."""

import itertools
import json
import os
import select
import subprocess
import time

from facts import WAIT


class Browser:
    """Chromium without a window, and the conversation with it."""

    def __init__(self, folder, *options):
        to_browser, self.output = os.pipe()
        self.input, from_browser = os.pipe()
        # It reads from 3 and writes to 4; what it writes to is not 3 here, as it was made last.
        command = [
            "bash", "-c", f'exec "$@" 3<&{to_browser} 4>&{from_browser}', "-",
            "chromium-headless-shell", "--remote-debugging-pipe", f"--user-data-dir={folder}",
            "--disable-gpu", "--no-first-run", *options, "about:blank"]
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
                raise TimeoutError(f"{what}: not within {WAIT} s")
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
        deadline = time.monotonic() + WAIT
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

    def open(self, address, *domains):
        """Opens a page, to which everything that follows goes, with the events of some domains."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self.session = {"sessionId": attached["sessionId"]}
        for domain in ("Page", *domains):
            self.call(f"{domain}.enable")
        self.call("Page.navigate", url=address)
        self.event("Page.loadEventFired")

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

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.input)
        os.close(self.output)

"""The expectations of all clients: the simulated ring, the strap, and the values that they send."""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time


def uuid(number):
    """The long form of an assigned number."""
    return f"0000{number:04x}-0000-1000-8000-00805f9b34fb"


RING_PREFIX = "R02_"
STRAP = "Virtual HR"
RING_AS_STRAP = "Halo HR"

DEVICE_INFORMATION = uuid(0x180A)
FIRMWARE_REVISION = uuid(0x2A26)
MANUFACTURER_NAME = uuid(0x2A29)
HEART_RATE = uuid(0x180D)
HEART_RATE_MEASUREMENT = uuid(0x2A37)
BODY_SENSOR_LOCATION = uuid(0x2A38)
FINGER = bytes([3])
BATTERY = uuid(0x180F)
BATTERY_LEVEL = uuid(0x2A19)
UART = "6e40fff0-b5a3-f393-e0a9-e50e24dcca9e"
UART_WRITE = "6e400002-b5a3-f393-e0a9-e50e24dcca9e"
UART_NOTIFY = "6e400003-b5a3-f393-e0a9-e50e24dcca9e"

# The timeout of each wait, in seconds; `run` has a limit for the whole program.
WAIT = 20
# The number of heart rates to wait for: about one comes in a second.
HEART_RATES = 4
# The timeout of a ring's first heart rate in seconds: it comes after 26.
RING_WAIT = 60
# A measurement without skin contact: 0 bpm.
NO_CONTACT = bytes([0x04, 0])
# The exit status of a program after a known race of its library; `run` runs it again.
CLIENT_HAS_LOST_A_REPLY = 75


def expect(what, found, expected):
    """Fails unless a value is the one that is expected."""
    if found != expected:
        raise AssertionError(f"{what}: expected {expected!r}, found {found!r}")


def expect_in(what, found, where):
    """Fails unless a value is one of those that are expected."""
    if found not in where:
        raise AssertionError(f"{what}: {found!r} is not in {where!r}")


def frame(*content):
    """A frame of the ring: 16 bytes, of which the last is the sum of the others."""
    padded = bytes(content) + bytes(15 - len(content))
    return padded + bytes([sum(padded) & 0xFF])


BATTERY_REQUEST = frame(0x03)
# The ring powers off: its link is lost.
POWER_OFF_REQUEST = frame(0x08, 0x01)


def is_battery_reply(value):
    """True for a reply to `BATTERY_REQUEST`, by its opcode: a ring notifies on its own, too."""
    return bytes(value)[:1] == BATTERY_REQUEST[:1]


def check_battery_reply(value):
    """Checks the ring's reply to `BATTERY_REQUEST`, and returns the percentage in it."""
    value = bytes(value)
    # `halo simulate` has a ring of 83 percent, which is on no charger.
    expect("the reply to the battery request", value, frame(0x03, 83, 0))
    return value[1]


def check_firmware(value):
    """Checks the firmware revision of the ring, and returns it."""
    text = bytes(value).decode()
    if not re.fullmatch(r"R02_\d+\.\d\d\.\d\d_\d{6}", text):
        raise AssertionError(f"{text!r} is no firmware revision of an R02")
    return text


def check_strap(manufacturer, battery_level):
    """Checks what the strap says of itself."""
    expect("the strap's manufacturer", bytes(manufacturer), b"HaloProtocol")
    expect("the strap's battery level", bytes(battery_level), bytes([100]))


def check_heart_rates(values):
    """Checks measurements of the strap, and returns their number."""
    intervals = [interval for value in values for interval in check_heart_rate(bytes(value))]
    if not intervals:
        raise AssertionError("no measurement has an interval between beats")
    return len(values)


def check_heart_rate(value):
    """Checks one measurement of the strap, and returns its intervals in 1/1024 s."""
    flags, rate, rest = value[0], value[1], value[2:]
    # The strap has contact, sends a rate of one byte and no energy, and intervals if it has any.
    expect("the flags of a measurement", flags, 0x16 if rest else 0x06)
    expect_in("the heart rate", rate, range(40, 200))
    expect("the bytes behind the last interval", len(rest) % 2, 0)
    intervals = [int.from_bytes(rest[at:at + 2], "little") for at in range(0, len(rest), 2)]
    for interval in intervals:
        # About a minute's: the rate is a mean of some beats, the interval is of one.
        expect_in("rate times interval", rate * interval, range(60 * 768, 60 * 1280))
    return intervals


class RingAsStrap:
    """`halo live hr --as-strap` on hci1, with the simulated ring, while the block runs."""

    def __enter__(self):
        # A file, because a full pipe would stop the program.
        self.output = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            [os.environ["HALO"], "live", "hr", "--as-strap", "--adapter", "hci1", "--json"],
            stdout=self.output)
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.output.close()

    def end(self):
        """Ends the program as Ctrl-C does."""
        self.process.send_signal(signal.SIGINT)
        expect("the end of halo", self.process.wait(WAIT), -signal.SIGINT)

    def check_heart_rates(self, values):
        """Checks that measurements are of the ring, by what `halo live` has printed."""
        self.output.seek(0)
        rows = [json.loads(line) for line in self.output]
        printed = {row["value"] for row in rows if row["type"] == "value"}
        for value in values:
            flags, rate, rest = value[0], value[1], value[2:]
            expect("the flags of a measurement", flags, 0x16 if rest else 0x06)
            expect_in("the heart rate", rate, printed)


def eventually(what, condition, seconds=WAIT):
    """Waits until a condition is true, for clients without an event loop; returns its value."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if result := condition():
            return result
        time.sleep(0.02)
    raise TimeoutError(f"{what}: not within {seconds} s")


def passed(*what):
    """Prints, in the last line, what has worked."""
    print(", ".join(what))
    sys.stdout.flush()

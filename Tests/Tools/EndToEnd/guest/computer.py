"""The guest's Bluetooth: two emulated controllers, the daemon, and a device of other people's."""

import asyncio
import os
import pathlib
import shutil
import signal
import subprocess

from bus import Bus, Refused

SETTINGS = pathlib.Path("/share/guest/main.conf")
CONFIGURATION = "/run/main.conf"
DAEMON = "/usr/libexec/bluetooth/bluetoothd"
LOGS = pathlib.Path("/share/logs")
CENTRAL = "00:AA:01:00:00:00"
HOSTED = "00:AA:01:01:00:01"
INDEPENDENT = "C0:11:22:33:44:55"


class Process:
    """A program, and what it says."""

    def __init__(self, name, *command):
        LOGS.mkdir(exist_ok=True)
        self.name = name
        self.path = LOGS / f"{name}.log"
        self.log = open(self.path, "ab")
        self.begun = self.log.tell()
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=self.log, stderr=subprocess.STDOUT
        )

    def tell(self):
        """Lets it go on."""
        self.process.stdin.write(b"go on\n")
        self.process.stdin.flush()

    def kill(self, number=signal.SIGKILL):
        """Ends it, and waits until it has ended."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        self.process.wait(20)
        self.log.close()

    def said(self):
        """All that it has said."""
        return self.path.read_bytes()[self.begun :].decode(errors="replace")

    async def says(self, text, times=1, timeout=60):
        """Waits until it has said something, so many times."""
        for _ in range(timeout * 20):
            if self.said().count(text) >= times:
                return
            if self.process.poll() is not None:
                break
            await asyncio.sleep(0.05)
        raise AssertionError(f"{self.name} does not say {text!r}")


async def daemon_version():
    """Which BlueZ it is."""
    program = await asyncio.create_subprocess_exec(
        DAEMON, "--version", stdout=asyncio.subprocess.PIPE
    )
    output, _ = await program.communicate()
    return output.decode().strip()


async def run_program(*arguments):
    """Runs our program to its end, and prints what it says."""
    process = await asyncio.create_subprocess_exec(
        "/tmp/EndToEnd", *arguments,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
    )
    try:
        fault = "it says nothing"
        async for line in process.stdout:
            fault = line.decode(errors="replace").rstrip()
            print(fault, flush=True)
        assert await process.wait() == 0, fault
    finally:
        if process.returncode is None:
            process.kill()


class Computer:
    """hci0 and hci1, and a daemon that has both, or that leaves hci1 to a device."""

    def __init__(self):
        self.controllers = None
        self.daemon = None
        self.device = None
        self.air = None

    async def start(self, device=None, settings=""):
        """Starts everything from an empty state; `device` is a program that takes hci1.

        `settings` are lines for the last section of the daemon's.
        """
        self.stop()
        pathlib.Path(CONFIGURATION).write_text(SETTINGS.read_text() + settings)
        shutil.rmtree("/var/lib/bluetooth")
        os.mkdir("/var/lib/bluetooth")
        await self.plug_in()
        if device:
            await self.start_device(device)
        await self.start_daemon()
        if not device:
            self.air = Process("air", "python3", "/share/guest/air.py")

    async def start_device(self, name):
        """Starts a device of another make, which takes hci1 for itself."""
        self.device = Process(name, "python3", f"/share/guest/{name}.py", "1")
        await self.device.says("advertising")

    def stop(self):
        """Ends all that was started."""
        for process in (self.air, self.daemon, self.device, self.controllers):
            if process:
                process.kill()
        self.air = self.daemon = self.device = self.controllers = None

    async def plug_in(self):
        """Two controllers; a program that ends is two controllers that are unplugged."""
        for _ in range(200):
            if not os.listdir("/sys/class/bluetooth"):
                break
            await asyncio.sleep(0.02)
        self.controllers = Process("btvirt", "btvirt", "-L", "-l2")
        for _ in range(500):
            if len(os.listdir("/sys/class/bluetooth")) >= 2:
                return
            await asyncio.sleep(0.02)
        raise AssertionError("there are no controllers")

    def unplug(self):
        """Takes both controllers away."""
        self.controllers.kill()

    def pause_daemon(self):
        """Stops the daemon (SIGSTOP), so that it does not answer."""
        self.daemon.process.send_signal(signal.SIGSTOP)

    async def start_daemon(self, *options):
        """Starts the daemon, and waits until its adapters are there and on.

        The kernel closes the links of one that was killed only after two seconds: that it does is
        waited for, too.
        """
        for _ in range(100):
            if not any(":" in name for name in os.listdir("/sys/class/bluetooth")):
                break
            await asyncio.sleep(0.05)
        self.daemon = Process(
            "bluetoothd", DAEMON, "-n", "-f", CONFIGURATION, *options
        )
        bus = await Bus().open(follow=False)
        try:
            for _ in range(400):
                try:
                    await bus.objects()
                    break
                except Refused:
                    await asyncio.sleep(0.05)
            await bus.adapter(0)
            if not self.device:
                await bus.adapter(1)
        finally:
            bus.close()

    async def keep_daemon(self):
        """Starts the daemon again whenever it has ended by itself, until cancelled."""
        while True:
            await asyncio.sleep(0.1)
            if self.daemon and self.daemon.process.poll() is not None:
                print(f"    the daemon has ended by itself: {self.daemon.process.returncode}")
                await self.start_daemon()

    def kill_daemon(self):
        """Ends the daemon as a crash would."""
        self.daemon.kill()
        self.daemon = None

"""`halo`'s verbs for devices, with a ring that `halo simulate` hosts on the other controller."""

import asyncio
import json
import signal

from computer import HOSTED, Process

DEVICE = None
SECONDS = 400
HALO = "/tmp/halo"


async def run(computer):
    ring = Process("simulate", HALO, "simulate", "ring", "--adapter", "hci1", "--model", "r10")
    try:
        await ring.says("Ctrl-C ends it")
        await look(ring)
        await change()
        await measure(ring)
        await miss()
        ring.kill(signal.SIGINT)
        assert ring.process.returncode == -signal.SIGINT, ring.process.returncode
    finally:
        if ring.process.returncode is None:
            ring.kill()


async def look(ring):
    """The verbs that change nothing."""
    devices = await rows("scan", "--for", "5s")
    assert [(row["address"], row["kind"]) for row in devices] == [(HOSTED, "ring")], devices
    assert devices[0]["name"].startswith("COLMI R10_"), devices
    device, *settings = await rows("info", "--device", HOSTED)
    assert device["type"] == "device" and device["battery"] == 83, device
    assert device["firmware"].startswith("RT03CR_"), device
    assert len(settings) > 5 and all(row["type"] == "setting" for row in settings), settings
    answers = await rows("send", "03", "--device", "ring")
    assert any(row.get("input", "").startswith("0353") for row in answers), answers
    assert "it disconnects" in ring.said()


async def change():
    """The verbs that change the ring."""
    for value in ("off", "on"):
        await rows("settings", "stress-log", value, "--device", "r10")
        (setting,) = await rows("settings", "stress-log", "--device", "r10")
        assert setting["fields"][0]["text"] == value, setting
    await halo("find")
    await halo("workout", "start", "--device", "ring")
    await halo("workout", "stop", "--device", "ring")


async def measure(ring):
    """A measurement, one that a signal ends, and a recording."""
    readings = await rows("live", "hr", "--count", "2")
    values = [row["value"] for row in readings if row["type"] == "value"]
    assert len(values) >= 2 and all(40 <= value <= 120 for value in values), readings
    live = Process("live", HALO, "live", "hr", "--device", HOSTED, "--adapter", "hci0")
    await live.says("warming up")
    live.kill(signal.SIGINT)
    assert live.process.returncode == -signal.SIGINT, live.process.returncode
    links = ring.said().count("a program connects")
    await ring.says("it disconnects", times=links)
    await halo("record", "--device", "ring", "--for", "5s", "--out", "/tmp/recorded.halo")
    lines = await rows("decode", "/tmp/recorded.halo")
    assert sum(row["type"] == "packet" for row in lines) > 20, lines


async def miss():
    """A device that is not there."""
    process = await start("info", "--device", "elsewhere", "--wait", "3s")
    _, errors = await process.communicate()
    assert process.returncode == 4, (process.returncode, errors)
    assert b"halo doctor" in errors, errors


async def rows(*arguments):
    """The rows that it prints with --json."""
    return [json.loads(line) for line in (await halo(*arguments, "--json")).splitlines()]


async def halo(*arguments):
    """What it prints."""
    process = await start(*arguments)
    output, errors = await process.communicate()
    assert process.returncode == 0, f"{arguments}: {process.returncode} {errors.decode()}"
    return output.decode()


async def start(*arguments):
    """Starts it on the controller that is not the ring's, which only the verbs for devices use."""
    words = list(arguments)
    if arguments[0] != "decode":
        words += ["--adapter", "hci0"]
    return await asyncio.create_subprocess_exec(
        HALO, *words, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )

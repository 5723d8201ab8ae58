"""A ring that we host: bleak, the rings' own client and ours meet it; btmon's record is imported."""

import asyncio
import pathlib
import shutil
import signal

from clients import battery_replies, colmi, meet
from computer import HOSTED, Process, run_program
from ring import ANSWERS, REQUESTS, frame

DEVICE = None
SECONDS = 120
RECORD = pathlib.Path("/share/out/hosted.btsnoop")
SENT = pathlib.Path("/share/out/hosted.frames")


async def run(computer):
    ring = Process("hosting", "/tmp/EndToEnd", "host")
    try:
        await ring.says("hosting")
        monitor = Process("btmon", "btmon", "-w", "/tmp/record")
        try:
            frames = await meet(HOSTED, bleak)
        finally:
            await asyncio.sleep(1)
            monitor.kill(signal.SIGTERM)
            shutil.copy("/tmp/record", RECORD)
        if frames:
            SENT.write_text("".join(line + "\n" for line in frames))
        if output := await colmi(HOSTED, "info"):
            for text in ("'fw_version': 'R02", "battery_level="):
                assert text in output, output
        await run_program("ring")
    finally:
        ring.kill()


async def bleak(client):
    """bleak asks for the battery; gives what was said, as captures have it."""
    version = await client.read_gatt_char("00002a26-0000-1000-8000-00805f9b34fb")
    assert version.startswith(b"R02"), version
    answers = asyncio.Queue()
    await client.start_notify(ANSWERS, battery_replies(answers))
    frames = []
    for _ in range(3):
        frames.append("> uart command " + frame([3]).hex(" ").upper())
        await client.write_gatt_char(REQUESTS, frame([3]), response=False)
        answer = await asyncio.wait_for(answers.get(), 10)
        assert answer[0] == 3 and answer[1] <= 100, answer.hex()
        frames.append("< uart notified " + answer.hex(" ").upper())
    return frames

"""The machine itself is sound: other people's clients reach a device of other people's."""

import asyncio

from clients import battery_replies, colmi, meet
from computer import INDEPENDENT
from ring import ANSWERS, BATTERY_LEVEL, COUNTED, REQUESTS, STORED, frame

DEVICE = "ring"


async def run(computer):
    await meet(INDEPENDENT, bleak)
    if output := await colmi(INDEPENDENT, "info"):
        for text in ("R02_V3.0", "R02_3.00.06_240523", f"battery_level={BATTERY_LEVEL}"):
            assert text in output, output


async def bleak(client):
    """bleak reads, writes, and receives values."""
    await client.write_gatt_char(STORED, b"written", response=True)
    assert await client.read_gatt_char(STORED) == b"written"
    answers = asyncio.Queue()
    await client.start_notify(ANSWERS, battery_replies(answers))
    await client.write_gatt_char(REQUESTS, frame([3]), response=False)
    answer = await asyncio.wait_for(answers.get(), 10)
    assert answer == frame([3, BATTERY_LEVEL]), answer.hex()
    numbers = asyncio.Queue()
    await client.start_notify(COUNTED, lambda _, value: numbers.put_nowait(bytes(value)))
    told = [await asyncio.wait_for(numbers.get(), 10) for _ in range(3)]
    told = [int.from_bytes(number, "little") for number in told]
    assert told == [told[0], told[0] + 1, told[0] + 2], told

"""The costs of a read and of a value: our client, bleak and sd-bus in turns. Time is the guest's."""

import asyncio
import os
import pathlib
import statistics

from bus import DEVICE as DEVICE_INTERFACE
from bus import Bus
from streamer import ADDRESS, READABLE

DEVICE = "streamer"
SECONDS = 900
FOUND = pathlib.Path("/share/out/costs.txt")
BUS = "unix:path=/run/dbus/system_bus_socket"
ROUNDS = 3
READS = 300
# The number of values, and their rate per second; at 0 as fast as the device sends them.
STREAMS = ((1000, 0), (1000, 1000), (300, 100))
# What our figure may be of bleak's, and of sd-bus's; a value's where values come as fast as they go.
READ_LIMITS = (1.0, 1.2)
VALUE_LIMITS = (1 / 3,)


async def run(computer):
    FOUND.write_text("")
    readers = [ours, bleak] + ([sd_bus] if os.path.exists("/tmp/sd-bus") else [])
    put("microseconds of the guest's time, where one of the processor is 1000 instructions;")
    put(f"a value has 16 bytes, and rates are values a second; medians of {ROUNDS} rounds in turns")
    if sd_bus not in readers:
        put("sd-bus is left out: the computer has no C compiler, or no libsystemd-dev")
    names = "".join(f"{name:>9}" for name in ("ours", "bleak", "sd-bus"))
    put(f"{'':38}{names}{'to bleak':>10}{'to sd-bus':>10}")
    rounds = await measure(readers, "read", READS)
    missed = put_line("a read, time", rounds, lambda figures: figures[0], READ_LIMITS)
    put_line("a read, processor", rounds, lambda figures: figures[1])
    for count, rate in STREAMS:
        rounds = await measure([ours, bleak], "hear", count, rate)
        name = "signals, " + (f"{rate} a second" if rate else "as fast as they go")
        limits = () if rate else VALUE_LIMITS
        missed += put_line(f"{name}, processor", rounds, lambda figures: figures[1], limits)
        put_line(f"{name}, rate", rounds, lambda figures: 1e6 / figures[0])
    assert not missed, f"too much: {', '.join(missed)}"


def put(line):
    """Shows a line, and writes it down."""
    print(line, flush=True)
    with FOUND.open("a") as file:
        file.write(line + "\n")


async def measure(sides, *words):
    """The figures of each side in each round: time, and the processor's."""
    words = [str(word) for word in words]
    return [[await side(*words) for side in sides] for _ in range(ROUNDS)]


def put_line(name, rounds, figure, limits=()):
    """Shows a line of the table: the medians, and the medians of our ratio to each of the others;
    gives the name if a ratio is above its limit."""
    rounds = [[figure(figures) for figures in sides] for sides in rounds]
    medians = [f"{statistics.median(side):9.1f}" for side in zip(*rounds)]
    ratios = [
        statistics.median(sides[0] / sides[peer] for sides in rounds)
        for peer in range(1, len(medians))
    ]
    limits = limits[: len(ratios)]
    is_missed = any(ratio > limit for ratio, limit in zip(ratios, limits))
    end = "  at most " + " and ".join(f"{limit:.2f}" for limit in limits) if limits else ""
    put(
        f"{name:<38}"
        + "".join(medians).ljust(27)
        + "".join(f"{ratio:10.2f}" for ratio in ratios)
        + end
        + ("  MISSED" if is_missed else "")
    )
    return [name] if is_missed else []


async def ours(verb, *words):
    return await figures("/tmp/BusBenchmarks", verb, BUS, *words)


async def bleak(*words):
    path = f"/opt/measured:{os.environ['PYTHONPATH']}"
    return await figures("env", f"PYTHONPATH={path}", "python3", "/tmp/bus.py", *words)


async def sd_bus(_, count):
    """It needs only a path: another program connects."""
    bus = await Bus().open(follow=False)
    try:
        device = await bus.connect(await bus.adapter(0), ADDRESS)
        path = await bus.characteristic(device, READABLE)
        found = await figures("/tmp/sd-bus", BUS, path, count)
        await bus.call(device, DEVICE_INTERFACE, "Disconnect")
        return found
    finally:
        bus.close()


async def figures(*command):
    """The measurement of a program: time and the processor's, of one read or value."""
    program = await asyncio.create_subprocess_exec(
        *command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    try:
        output, _ = await asyncio.wait_for(program.communicate(), 120)
    finally:
        if program.returncode is None:
            program.kill()
    text = output.decode(errors="replace")
    assert program.returncode == 0, f"{' '.join(command)}: {text}"
    time, processor = (float(word) for word in text.split())
    return time, processor

"""The same by bleak: `bus.py read COUNT` and `bus.py hear COUNT RATE`."""

import asyncio
import sys
import time

from bleak import BleakClient, BleakScanner

ADDRESS = "C0:DE:00:00:00:00"
READABLE, STREAM, CONTROL = (f"0000fff{n}-0000-1000-8000-00805f9b34fb" for n in (1, 2, 3))
WARM_UP = 250


def now():
    return time.clock_gettime_ns(time.CLOCK_MONOTONIC) / 1000


def cpu():
    return time.clock_gettime_ns(time.CLOCK_PROCESS_CPUTIME_ID) / 1000


async def read(client, count):
    for _ in range(100):
        await client.read_gatt_char(READABLE)
    latencies = []
    used = cpu()
    for _ in range(count):
        begun = now()
        value = await client.read_gatt_char(READABLE)
        latencies.append(now() - begun)
        assert len(value) == 16
    print(sorted(latencies)[count // 2], (cpu() - used) / count)


async def hear(client, count, rate):
    heard = 0
    target = 0
    done = asyncio.Event()

    def receive(_, value):
        nonlocal heard
        assert len(value) == 16
        heard += 1
        if heard == target:
            done.set()

    async def take(wanted, rate=0):
        nonlocal target
        target += wanted
        done.clear()
        asked = wanted.to_bytes(4, "little") + rate.to_bytes(4, "little")
        await client.write_gatt_char(CONTROL, asked, response=True)
        await asyncio.wait_for(done.wait(), 60)

    # Signals, as this package's side: by default it uses a socket.
    await client.start_notify(STREAM, receive, bluez={"use_start_notify": True})
    await take(WARM_UP)
    begun, used = now(), cpu()
    await take(count, rate)
    print((now() - begun) / count, (cpu() - used) / count)


async def main():
    # A device that was connected until just now is heard in the next search only.
    device = None
    while device is None:
        device = await BleakScanner.find_device_by_address(ADDRESS, timeout=1)
    async with BleakClient(device) as client:
        if sys.argv[1] == "read":
            await read(client, int(sys.argv[2]))
        else:
            await hear(client, int(sys.argv[2]), int(sys.argv[3]))


asyncio.run(main())

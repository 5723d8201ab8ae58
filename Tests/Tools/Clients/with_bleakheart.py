"""bleakheart, a library for heart-rate straps over bleak, and a ring that is served as one.

`halo live hr --as-strap` is on hci1, with the link to its ring, and is met from hci0.
"""

import asyncio

from bleak import BleakClient, BleakScanner
from bleakheart import HeartRate

import facts
from facts import expect, expect_in


async def soon(awaitable, seconds=facts.WAIT):
    """Waits with a timeout."""
    return await asyncio.wait_for(awaitable, seconds)


async def find(seconds=facts.WAIT):
    """Finds the ring as a strap."""
    def is_strap(_, data):
        return (facts.HEART_RATE in data.service_uuids
                and data.local_name == facts.RING_AS_STRAP)
    return await BleakScanner.find_device_by_filter(
        is_strap, timeout=seconds, bluez={"adapter": "hci0"})


async def meet(halo):
    device = await find()
    expect("the ring is found as a strap", device and device.name, facts.RING_AS_STRAP)
    lost, frames = asyncio.Event(), asyncio.Queue()
    client = BleakClient(device, lambda _: lost.set())
    await client.connect()
    expect("where it is worn", bytes(await client.read_gatt_char(facts.BODY_SENSOR_LOCATION)),
           facts.FINGER)
    heart = HeartRate(client, queue=frames, unpack=False)
    await heart.start_notify()

    # The ring needs 26 seconds for its first value: no contact, and 0 bpm.
    _, _, (rate, intervals), energy = await soon(frames.get())
    expect("the first measurement", (rate, intervals, energy), (0, [], None))
    expect("contact is detected", heart.contact_detection, True)
    expect("contact before the first value", heart.lost_contact.is_set(), True)
    await soon(heart.good_contact.wait(), facts.RING_WAIT)

    found, values = [], []
    while len(found) < facts.HEART_RATES:
        _, _, (rate, intervals), energy = await soon(frames.get())
        if rate == 0:
            continue
        expect("the energy", energy, None)
        for interval in intervals:
            # In milliseconds; the rate is a mean of some beats, the interval is of one.
            expect_in("rate times interval", rate * interval, range(45_000, 75_000))
        found += intervals
        values.append(bytes([0x06, rate]))
    halo.check_heart_rates(values)
    halo.end()
    await soon(lost.wait())
    # An advertisement is received once a second.
    expect("the strap afterwards", await find(seconds=2.5), None)
    return len(values), len(found)


def main():
    with facts.RingAsStrap() as halo:
        values, beats = asyncio.run(meet(halo))
    facts.passed("found", "no contact at first", f"{values} heart rates of the ring",
                 f"{beats} intervals", "gone")


main()

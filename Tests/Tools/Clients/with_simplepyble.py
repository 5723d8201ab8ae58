"""simplepyble: SimpleBLE, in C++ over libdbus, with calls that block, and threads."""

import os
import sys
import threading

import simplepyble

import facts
from facts import expect


def find(adapter):
    """Scans until the ring and the strap are found; returns them."""

    def found(start):
        # No callback: it may hang with the thread that sets or unsets it.
        return next((peripheral for peripheral in adapter.scan_get_results()
                     if peripheral.identifier().startswith(start)), None)

    adapter.scan_start()
    ring = facts.eventually("the ring is found", lambda: found(facts.RING_PREFIX))
    strap = facts.eventually("the strap is found", lambda: found(facts.STRAP))
    adapter.scan_stop()
    expect("the ring can be connected to", ring.is_connectable(), True)
    return ring, strap


def main():
    adapters = simplepyble.Adapter.get_adapters()
    expect("the adapters", [adapter.identifier() for adapter in adapters], ["hci0", "hci1"])
    ring, strap = find(adapters[0])

    lost = threading.Event()
    ring.set_callback_on_disconnected(lost.set)
    ring.connect()
    expect("the ring is connected", ring.is_connected(), True)
    services = {service.uuid() for service in ring.services()}
    expect("the ring's services", {facts.DEVICE_INFORMATION, facts.UART} - services, set())
    facts.check_firmware(ring.read(facts.DEVICE_INFORMATION, facts.FIRMWARE_REVISION))

    replies = []
    ring.notify(
        facts.UART, facts.UART_NOTIFY,
        lambda value: facts.is_battery_reply(value) and replies.append(value))
    ring.write_request(facts.UART, facts.UART_WRITE, facts.BATTERY_REQUEST)
    facts.eventually("the ring replies", lambda: replies)
    battery = facts.check_battery_reply(replies[0])
    ring.write_command(facts.UART, facts.UART_WRITE, facts.BATTERY_REQUEST)
    facts.eventually("the ring replies again", lambda: len(replies) == 2)
    expect("the second reply", replies[1], replies[0])

    strap.connect()
    facts.check_strap(
        strap.read(facts.DEVICE_INFORMATION, facts.MANUFACTURER_NAME),
        strap.read(facts.BATTERY, facts.BATTERY_LEVEL))
    rates = []
    strap.notify(facts.HEART_RATE, facts.HEART_RATE_MEASUREMENT, rates.append)
    facts.eventually("heart rates come", lambda: len(rates) >= facts.HEART_RATES)
    count = facts.check_heart_rates(rates)

    expect("the link was lost before its time", lost.is_set(), False)
    ring.write_request(facts.UART, facts.UART_WRITE, facts.POWER_OFF_REQUEST)
    expect("the link is lost", lost.wait(facts.WAIT), True)
    expect("the ring is connected", ring.is_connected(), False)
    expect("the strap is connected", strap.is_connected(), True)
    strap.disconnect()
    # One that is left crashes Python at its end.
    ring.set_callback_on_disconnected(None)
    expect("the strap is connected", strap.is_connected(), False)
    facts.passed("found", "connected", "read", f"battery {battery} %", f"{count} heart rates",
                 "lost link")


try:
    main()
except RuntimeError as error:
    # SimpleBLE sends a call, and sets the function to call for the reply after that. A reply that
    # its other thread reads in between is lost, and the call times out (README.md).
    if str(error) != "D-Bus call timed out":
        raise
    print(error, file=sys.stderr, flush=True)
    # Callbacks are still set, and one that is left crashes Python at its regular end.
    os._exit(facts.CLIENT_HAS_LOST_A_REPLY)

#!/usr/bin/env python3
"""Makes bug-report.btsnoop: what a phone would have logged of the session in QRingR12Sync.halo.

The packets are those of Sessions/QRingR12Sync.halo. What lies around them is made by hand and
written by scapy (2.8), so that files are imported here which this package has not written: a
neighbourhood that advertises, a heart-rate strap on a second connection, a ring whose handles the
phone had in its cache, one notification that is damaged, and a connection that breaks.
"""
import struct
import sys
from pathlib import Path

from scapy.layers.bluetooth import (
    ATT_Exchange_MTU_Request, ATT_Exchange_MTU_Response, ATT_Handle_Value_Notification, ATT_Hdr,
    ATT_Write_Command, ATT_Write_Request, ATT_Write_Response,
    HCI_ACL_Hdr, HCI_Hdr, L2CAP_Hdr)
from scapy.packet import Raw

HERE = Path(__file__).parent
RING = bytes.fromhex("C122334455A6")[::-1]
STRAP = bytes.fromhex("D01122334477")[::-1]
NEIGHBOUR = bytes.fromhex("E8554433AA21")[::-1]
EPOCH = 0x00DCDDB30F2F8000  # 1970 in microseconds since the year 0
BEGAN = 1765490054_000000  # 2025-12-11 21:54:14 UTC
WRITE, NOTIFY = {"uart": 0x10, "bigdata": 0x16}, {"uart": 0x12, "bigdata": 0x18}

records = []
now = BEGAN


def hci(packet, sent):
    data = bytes(packet)
    flags = (0 if sent else 1) | (2 if data[0] in (1, 4) else 0)
    records.append(struct.pack(">IIIIq", len(data), len(data), flags, 0, now + EPOCH) + data)


def event(code, data):
    hci(bytes([4, code, len(data)]) + data, sent=False)


def att(handle, packet, sent, fragment=None):
    data = bytes(L2CAP_Hdr(cid=4) / ATT_Hdr() / packet)
    size = fragment or len(data)
    for start in range(0, len(data), size):
        boundary = (0 if sent else 2) if start == 0 else 1
        acl = HCI_ACL_Hdr(handle=handle, PB=boundary, BC=0) / Raw(data[start:start + size])
        hci(HCI_Hdr(type=2) / acl, sent)


def advertised(address, data, rssi):
    event(0x3E, bytes([2, 1, 0, 1]) + address + bytes([len(data)]) + data + struct.pack("b", rssi))


def connected(handle, address):
    body = struct.pack("<BBHBB", 1, 0, handle, 0, 1) + address
    event(0x3E, body + struct.pack("<HHHB", 24, 0, 500, 0))


def named(name):
    return bytes([2, 1, 6, len(name) + 1, 9]) + name.encode()


def pause(microseconds):
    global now
    now += microseconds


def strap_beats(count):
    for index in range(count):
        att(0x41, ATT_Handle_Value_Notification(gatt_handle=0x0E) / Raw(bytes([0, 60 + index])),
            sent=False)
        pause(1_000_000)


advertised(NEIGHBOUR, named("Anna's Scale"), -80)
advertised(STRAP, named("HR Strap 12"), -62)
advertised(RING, named("R12_55A6"), -50)
pause(300_000)

# The strap: this phone sees it for the first time, and asks what it is.
connected(0x41, STRAP)
pause(50_000)
for sent, pdu in [
    (True, "10 01 00 FF FF 00 28"), (False, "11 06 0B 00 0F 00 0D 18 10 00 12 00 0F 18"),
    (True, "10 13 00 FF FF 00 28"), (False, "01 10 13 00 0A"),
    (True, "08 0B 00 0F 00 03 28"), (False, "09 07 0C 00 10 0E 00 37 2A"),
    (True, "08 0E 00 0F 00 03 28"), (False, "01 08 0E 00 0A"),
    (True, "04 0F 00 0F 00"), (False, "05 01 0F 00 02 29"),
    (True, "08 10 00 12 00 03 28"), (False, "09 07 11 00 02 12 00 19 2A"),
    (True, "12 0F 00 01 00"), (False, "13"),
    (True, "0A 12 00"), (False, "0B 5D"),
]:
    data = bytes.fromhex(pdu)
    l2cap = struct.pack("<HH", len(data), 4) + data
    hci(HCI_Hdr(type=2) / HCI_ACL_Hdr(handle=0x41, PB=0 if sent else 2, BC=0) / Raw(l2cap), sent)
    pause(20_000)
strap_beats(3)

# The ring: its handles are in the phone's cache, nothing is asked.
connected(0x40, RING)
pause(60_000)
att(0x40, ATT_Exchange_MTU_Request(mtu=517), sent=True)
pause(30_000)
att(0x40, ATT_Exchange_MTU_Response(mtu=247), sent=False)
for handle in (0x13, 0x19):
    att(0x40, ATT_Write_Request(gatt_handle=handle, data=b"\x01\x00"), sent=True)
    pause(30_000)
    att(0x40, ATT_Write_Response(), sent=False)

count = 0
for line in (HERE / "../../Sessions/QRingR12Sync.halo").read_text().splitlines():
    words = line.split()
    if line.startswith("+"):
        unit = 1_000_000 if words[1].endswith("s") and not words[1].endswith("ms") else 1_000
        pause(int(float(words[1].rstrip("ms")) * unit))
    elif line.startswith((">", "<")):
        sent, channel, value = words[0] == ">", words[1], bytes.fromhex("".join(words[2:]))
        if sent:
            att(0x40, ATT_Write_Command(gatt_handle=WRITE[channel], data=value), sent=True)
        else:
            notification = ATT_Handle_Value_Notification(gatt_handle=NOTIFY[channel])
            # Long ones come from the controller in pieces.
            att(0x40, notification / Raw(value), sent=False, fragment=27)
        count += 1
        pause(1_000)
        if count == 100:
            strap_beats(2)

# The fault that this is about: the last byte should be 4B.
att(0x40, ATT_Write_Command(gatt_handle=0x10, data=bytes.fromhex("03" + "00" * 14 + "03")), True)
pause(45_000)
damaged = bytes.fromhex("0348" + "00" * 13 + "4F")
att(0x40, ATT_Handle_Value_Notification(gatt_handle=0x12) / Raw(damaged), sent=False)
pause(5_000_000)
event(0x05, struct.pack("<BHB", 0, 0x40, 0x08))
pause(4_000_000)
connected(0x42, RING)
pause(60_000)
att(0x42, ATT_Write_Request(gatt_handle=0x13, data=b"\x01\x00"), sent=True)
pause(30_000)
att(0x42, ATT_Write_Response(), sent=False)
att(0x42, ATT_Write_Command(gatt_handle=0x10, data=bytes.fromhex("03" + "00" * 14 + "03")), True)
pause(45_000)
att(0x42, ATT_Handle_Value_Notification(gatt_handle=0x12)
    / Raw(bytes.fromhex("0348" + "00" * 13 + "4B")), sent=False)
strap_beats(1)
event(0x05, struct.pack("<BHB", 0, 0x42, 0x16))
event(0x05, struct.pack("<BHB", 0, 0x41, 0x13))

header = b"btsnoop\0" + struct.pack(">II", 1, 1002)
target = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "bug-report.btsnoop"
target.write_bytes(header + b"".join(records))

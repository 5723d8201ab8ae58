"""Takes the kernel out of its compressed image. usage: vmlinux.py VMLINUZ VMLINUX

The emulator boots either; one that is compressed in another way than with xz is copied.
"""

import lzma
import pathlib
import struct
import sys

image = pathlib.Path(sys.argv[1]).read_bytes()
# Documentation/arch/x86/boot.rst of Linux: setup_sects, payload_offset, payload_length.
sectors = image[0x1F1] or 4
offset, length = struct.unpack_from("<II", image, 0x248)
begin = (sectors + 1) * 512 + offset
payload = image[begin : begin + length]
if payload.startswith(b"\xfd7zXZ\0"):
    image = lzma.LZMADecompressor().decompress(payload)
pathlib.Path(sys.argv[2]).write_bytes(image)

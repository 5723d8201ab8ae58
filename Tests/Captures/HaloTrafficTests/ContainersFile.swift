@testable import HaloTraffic

/// A handmade file.
struct ContainersFile {
    var bytes: [UInt8] = []
    var order = ByteOrder.big

    init(_ order: ByteOrder = .big) {
        self.order = order
    }

    mutating func put(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: order == .big ? number.bigEndian : number.littleEndian) {
            bytes += $0
        }
    }

    /// Makes a btsnoop header.
    static func btsnoop(_ content: UInt32, version: UInt32 = 1) -> ContainersFile {
        var file = ContainersFile()
        file.bytes = Array("btsnoop\0".utf8)
        file.put(version)
        file.put(content)
        return file
    }

    /// The beginning of 1970 in the time of btsnoop.
    static let epoch: UInt64 = 0x00DC_DDB3_0F2F_8000

    mutating func putSnoop(
        _ packet: [UInt8], flags: UInt32, time: Int64 = 0, original: Int? = nil,
        included: Int? = nil, lost: UInt32 = 0
    ) {
        put(UInt32(original ?? packet.count))
        put(UInt32(included ?? packet.count))
        put(flags)
        put(lost)
        put(UInt64(bitPattern: time) &+ Self.epoch)
        bytes += packet
    }

    /// Makes a pcap header.
    static func pcap(
        _ type: UInt32, _ order: ByteOrder = .little, magic: UInt32 = 0xA1B2_C3D4,
        version: (UInt16, UInt16) = (2, 4)
    ) -> ContainersFile {
        var file = ContainersFile(order)
        file.put(magic)
        file.put(version.0)
        file.put(version.1)
        file.put(UInt64(0))
        file.put(UInt32(65535))
        file.put(type)
        return file
    }

    mutating func putPcap(
        _ packet: [UInt8], seconds: UInt32 = 0, fraction: UInt32 = 0, original: Int? = nil,
        included: Int? = nil
    ) {
        put(seconds)
        put(fraction)
        put(UInt32(included ?? packet.count))
        put(UInt32(original ?? packet.count))
        bytes += packet
    }

    /// Adds a pcapng block, whose body is padded to a multiple of four bytes.
    mutating func putBlock(
        _ type: UInt32, length: Int? = nil, trailer: Int? = nil,
        _ body: (inout ContainersFile) -> Void
    ) {
        var inner = ContainersFile(order)
        body(&inner)
        while inner.bytes.count % 4 != 0 { inner.bytes.append(0) }
        put(type)
        put(UInt32(length ?? inner.bytes.count + 12))
        bytes += inner.bytes
        put(UInt32(trailer ?? length ?? inner.bytes.count + 12))
    }

    mutating func putSection(_ order: ByteOrder, major: UInt16 = 1) {
        self.order = order
        putBlock(0x0A0D_0D0A) { body in
            body.put(UInt32(0x1A2B_3C4D))
            body.put(major)
            body.put(UInt16(0))
            body.put(UInt64.max)
        }
    }

    mutating func putInterface(
        _ type: UInt16, keeping length: UInt32 = 0, options: [(UInt16, [UInt8])] = []
    ) {
        putBlock(1) { body in
            body.put(type)
            body.put(UInt16(0))
            body.put(length)
            body.putOptions(options)
        }
    }

    mutating func putOptions(_ options: [(UInt16, [UInt8])]) {
        for (code, value) in options {
            put(code)
            put(UInt16(value.count))
            bytes += value
            while bytes.count % 4 != 0 { bytes.append(0) }
        }
        if !options.isEmpty { put(UInt32(0)) }
    }

    mutating func putPacket(
        _ packet: [UInt8], interface: UInt32 = 0, time: UInt64 = 0, original: Int? = nil,
        included: Int? = nil, options: [(UInt16, [UInt8])] = []
    ) {
        putBlock(6) { body in
            body.put(interface)
            body.put(UInt32(truncatingIfNeeded: time >> 32))
            body.put(UInt32(truncatingIfNeeded: time))
            body.put(UInt32(included ?? packet.count))
            body.put(UInt32(original ?? packet.count))
            body.bytes += packet
            while body.bytes.count % 4 != 0 { body.bytes.append(0) }
            body.putOptions(options)
        }
    }

    mutating func putLogger(
        _ type: UInt8, _ packet: [UInt8], seconds: UInt32 = 0, microseconds: UInt32 = 0,
        length: Int? = nil
    ) {
        put(UInt32(length ?? packet.count + 9))
        put(seconds)
        put(microseconds)
        bytes.append(type)
        bytes += packet
    }
}

import HaloCapture
import HaloProtocol
import HaloTransport

/// The packet writer of an export, for one connection at a time.
struct ExportAir: Sendable {
    /// The current time: microseconds since 1970 in UTC.
    var time: Int64 = 0
    var handle: UInt16 = 0

    /// The maximum number of data bytes of a connection in one packet, as for controllers with long
    /// packets. The rest follows in continuations.
    static let longestData = 251

    private let format: ExportFormat
    private var bytes: [UInt8] = []

    /// `true` if requests for characteristics have their type in the 128-bit form.
    ///
    /// `btmon` 5.66, Debian 12's, ends with a segmentation fault at the short form, also in its own
    /// recordings. Wireshark understands only the short form, but also names characteristics by the
    /// types of their values, which are therefore discovered as well.
    private var writesTypeInFull: Bool { format == .btsnoop }

    init(_ format: ExportFormat) {
        self.format = format
        format.putFileHeader(&bytes)
    }

    var pendingCount: Int { bytes.count }

    mutating func drain() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    mutating func put(_ event: [UInt8]) {
        format.put(.event, isSent: false, at: time, event, into: &bytes)
    }

    /// Writes a packet of the attribute protocol, from the side that its opcode belongs to. The
    /// layouts are those of the Core Specification, volume 3, part F; numbers are little-endian.
    ///
    /// Most packets are `opcode | numbers of 16 bits | value`:
    ///
    ///     02, 03   MTU of the requesting side, MTU of the other side
    ///     04       first handle | last handle; 08 and 10 have a type as well
    ///     0A       handle
    ///     0B, 0D   value, or a piece of it
    ///     0C       handle | offset
    ///     12, 52   handle | value, and the same for the notification 1B and the indication 1D
    ///     16, 17   handle | offset | piece
    ///     18       01: executes the prepared writes
    ///     13, 19, 1E  the opcode only
    mutating func put(
        _ opcode: ATTOpcode, _ numbers: UInt16...,
        value: some Sequence<UInt8> = EmptyCollection<UInt8>()
    ) {
        var packet = [opcode.rawValue]
        for number in numbers { packet.putLittle(number) }
        packet.append(contentsOf: value)
        putAttributes(packet, isSent: !opcode.isFromServer)
    }

    /// `01 | opcode of the request | handle | code`
    mutating func refuse(_ request: ATTOpcode, _ handle: UInt16, code: UInt8) {
        put(.errorResponse, value: [request.rawValue] + .little(handle) + [code])
    }

    /// Writes a packet from the view of the app's host.
    ///
    /// The packet has the L2CAP header, `length | channel 0004`. Each piece of the result has the
    /// ACL header, `handle and boundary | length`.
    private mutating func putAttributes(_ packet: [UInt8], isSent: Bool) {
        var frame: [UInt8] = []
        frame.reserveCapacity(packet.count + 4)
        frame.putLittle(UInt16(truncatingIfNeeded: packet.count))
        frame.putLittle(L2CAPChannel.attributes.rawValue)
        frame += packet
        // First pieces have 00 from a host and 10 from a controller; continuations have 01.
        var boundary: UInt16 = isSent ? 0b00 : 0b10
        var rest = frame[...]
        repeat {
            let piece = rest.prefix(Self.longestData)
            rest = rest.dropFirst(piece.count)
            var data: [UInt8] = []
            data.reserveCapacity(piece.count + 4)
            data.putLittle(handle | boundary << 12)
            data.putLittle(UInt16(truncatingIfNeeded: piece.count))
            data += piece
            format.put(.acl, isSent: isSent, at: time, data, into: &bytes)
            boundary = 0b01
        } while !rest.isEmpty
    }

    /// Writes the response to a read. A longer value is read on from its last byte.
    mutating func answer(_ value: [UInt8], of attribute: UInt16, mtu: Int) {
        var rest = value[...]
        var piece = rest.prefix(mtu - 1)
        put(.readResponse, value: piece)
        while piece.count == mtu - 1 {
            rest = rest.dropFirst(piece.count)
            let offset = UInt16(truncatingIfNeeded: rest.startIndex)
            piece = rest.prefix(mtu - 1)
            put(.readBlobRequest, attribute, offset)
            put(.readBlobResponse, value: piece)
        }
    }

    /// Writes the discovery of services, which must be adjacent: first all services, then the
    /// characteristics and their descriptors of each.
    mutating func discover(_ services: ArraySlice<ExportedService>, mtu: Int) {
        guard let first = services.first?.first else { return }
        search(
            .readByGroupTypeRequest, AttributeUUIDs.primaryService, first...UInt16.max,
            services.map { ($0.entry, $0.last) }, mtu)
        for service in services {
            search(
                .readByTypeRequest, AttributeUUIDs.characteristic, service.first...service.last,
                service.characteristics.map { ($0.entry, $0.value) }, mtu)
            for characteristic in service.characteristics {
                // With the type in full, values are discovered as well.
                let entries = characteristic.entries.dropFirst(writesTypeInFull ? 0 : 1)
                guard let first = entries.first, let last = entries.last else { continue }
                search(
                    .findInformationRequest, nil, first.handle...last.handle, Array(entries), mtu)
            }
        }
    }

    /// Writes a search for attributes, in responses of entries of one length, and its end, unless
    /// the last entry has the last handle of the range. The responses are
    /// `opcode | format | entry | …`:
    ///
    ///     05   01 for UUIDs of 16 bits, 02 for 128 | handle, UUID | …
    ///     09   length of an entry | handle, properties, handle of the value, UUID | …
    ///     11   length of an entry | first handle, last handle, UUID | …
    private mutating func search(
        _ opcode: ATTOpcode, _ type: BluetoothUUID?, _ handles: ClosedRange<UInt16>,
        _ entries: [(bytes: [UInt8], handle: UInt16)], _ mtu: Int
    ) {
        let inFull = writesTypeInFull && opcode == .readByTypeRequest
        let uuid = type.map { inFull ? [UInt8].longUUID($0) : .uuid($0) } ?? []
        var next = handles.lowerBound
        var rest = entries[...]
        while let length = rest.first?.bytes.count {
            // The length of an entry is one byte, and many stacks limit the length of all entries
            // to 255 as well. The longest entry, of 21 bytes, fits into the least MTU.
            let group = rest.prefix(min(mtu - 2, 253) / length)
                .prefix { $0.bytes.count == length }
            put(opcode, next, handles.upperBound, value: uuid)
            let format = opcode == .findInformationRequest ? (length == 4 ? 1 : 2) : length
            let head = [opcode.rawValue + 1, UInt8(truncatingIfNeeded: format)]
            putAttributes(head + group.flatMap(\.bytes), isSent: false)
            rest = rest.dropFirst(group.count)
            next = (group.last?.handle ?? next) &+ 1
        }
        guard next <= handles.upperBound else { return }
        put(opcode, next, handles.upperBound, value: uuid)
        refuse(opcode, next, code: ATTError.attributeNotFound.code)
    }
}

extension [UInt8] {
    mutating func putLittle(_ number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }

    mutating func putLittle<Number: FixedWidthInteger>(_ numbers: Number...) {
        for number in numbers { putLittle(number) }
    }

    mutating func putBig<Number: FixedWidthInteger>(_ numbers: Number...) {
        for number in numbers { putLittle(number.byteSwapped) }
    }

    static func little<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        Swift.withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }

    /// A UUID in its short form of 16 bits if it has one, else in 128 bits.
    static func uuid(_ uuid: BluetoothUUID) -> [UInt8] {
        uuid.short16.map { little($0) } ?? longUUID(uuid)
    }

    /// A UUID in 128 bits, in reverse order of its text.
    static func longUUID(_ uuid: BluetoothUUID) -> [UInt8] { little(uuid.low) + little(uuid.high) }

    /// The six bytes of an address, in reverse order of its text.
    static func address(_ address: DeviceAddress) -> [UInt8] {
        Array(little(address.value).prefix(6))
    }
}

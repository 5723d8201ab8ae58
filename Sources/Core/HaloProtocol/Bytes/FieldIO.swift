/// Passes over a packet's fields in their order on the wire: a reader reads them, a writer writes
/// them.
///
/// A packet names each field once, in an initialiser:
///
///     init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
///         percent = try io.uint8("percent", packet?.percent, .open, .percent)
///         charging = try io.reported("charging", packet?.charging, .open)
///         unclaimed = try io.unclaimed(packet?.unclaimed)
///     }
///
/// For a reader `packet` is `nil`: each call reads the next field, and returns its value. A writer
/// has the packet: each call writes the value that it is passed, and returns it. A writer does not
/// throw.
public protocol FieldIO: ~Escapable {
    /// `true` if fields are recorded: a constant, so that the optimiser removes what is done for
    /// records only.
    static var isWatching: Bool { get }
    /// The offset of the next field from the start of the packet.
    var offset: Int { get }
    /// The number of bytes that are not read yet; 0 for a writer.
    var remaining: Int { get }

    /// Returns the next byte, which is not consumed: a writer's is passed. 0 at the end.
    func upcoming(_ value: UInt8?) -> UInt8

    /// Passes over an unsigned integer of `width` bytes (1 to 8).
    mutating func integer(
        _ name: FieldName, _ value: UInt64?, width: Int, isBigEndian: Bool, role: FieldRole,
        secrecy: FieldSecrecy, unit: FieldUnit
    ) throws(PacketError) -> UInt64

    /// Passes over `count` bytes, at most sixteen; a writer adds zeros to fewer.
    mutating func inlineBytes(
        _ name: FieldName, _ value: InlineBytes?, count: Int, role: FieldRole,
        secrecy: FieldSecrecy, unit: FieldUnit
    ) throws(PacketError) -> InlineBytes

    /// Records the meaning of the last field in words; free of cost without a record.
    mutating func means(_ meaning: () -> String)
    /// Begins element `index` of `name`: the fields up to ``leave()`` belong to it.
    mutating func enter(_ name: FieldName, _ index: Int)
    /// Ends the element that ``enter(_:_:)`` began.
    mutating func leave()
}

extension FieldIO where Self: ~Escapable {
    /// `count` bytes, at most sixteen; a writer adds zeros to fewer.
    @inlinable @inline(__always)
    public mutating func inlineBytes(
        _ name: FieldName, _ value: InlineBytes?, _ secrecy: FieldSecrecy, count: Int,
        _ unit: FieldUnit = .none
    ) throws(PacketError) -> InlineBytes {
        try inlineBytes(name, value, count: count, role: .value, secrecy: secrecy, unit: unit)
    }

    /// Returns `true` if the packet goes on: for a reader, if bytes remain.
    @inlinable @inline(__always)
    public func goesOn(_ value: Bool?) -> Bool { value ?? (remaining > 0) }

    /// One byte in a role; a reader's must be in `allowed`.
    @inlinable @inline(__always)
    mutating func byte(
        _ name: FieldName, _ value: UInt8?, _ secrecy: FieldSecrecy,
        in allowed: ClosedRange<UInt8> = 0...255, _ role: FieldRole, _ unit: FieldUnit = .none
    ) throws(PacketError) -> UInt8 {
        let start = offset
        let byte = UInt8(
            truncatingIfNeeded: try integer(
                name, value.map { UInt64($0) }, width: 1, isBigEndian: false, role: role,
                secrecy: secrecy, unit: unit))
        guard value != nil || allowed.contains(byte) else {
            throw .outOfRange(name, at: start, allowed: allowed, found: byte)
        }
        return byte
    }

    /// One byte; a reader's must be in `allowed`.
    @inlinable @inline(__always)
    public mutating func uint8(
        _ name: FieldName, _ value: UInt8?, _ secrecy: FieldSecrecy,
        in allowed: ClosedRange<UInt8> = 0...255, _ unit: FieldUnit = .none
    ) throws(PacketError) -> UInt8 {
        try byte(name, value, secrecy, in: allowed, .value, unit)
    }

    /// A signed byte.
    @inlinable @inline(__always)
    public mutating func int8(
        _ name: FieldName, _ value: Int8?, _ secrecy: FieldSecrecy, _ unit: FieldUnit = .none
    ) throws(PacketError) -> Int8 {
        let value = Int8(
            bitPattern: try uint8(name, value.map { UInt8(bitPattern: $0) }, secrecy, unit))
        means { "\(value)\(unit.suffix)" }
        return value
    }

    /// Two bytes, little endian by default.
    @inlinable @inline(__always)
    public mutating func uint16(
        _ name: FieldName, _ value: UInt16?, _ secrecy: FieldSecrecy, _ unit: FieldUnit = .none,
        isBigEndian: Bool = false
    ) throws(PacketError) -> UInt16 {
        UInt16(
            truncatingIfNeeded: try integer(
                name, value.map { UInt64($0) }, width: 2, isBigEndian: isBigEndian, role: .value,
                secrecy: secrecy, unit: unit))
    }

    /// Three bytes, little endian by default.
    @inlinable @inline(__always)
    public mutating func uint24(
        _ name: FieldName, _ value: UInt24?, _ secrecy: FieldSecrecy, _ unit: FieldUnit = .none,
        isBigEndian: Bool = false
    ) throws(PacketError) -> UInt24 {
        UInt24(
            truncating: try integer(
                name, value.map { UInt64($0.value) }, width: 3, isBigEndian: isBigEndian,
                role: .value, secrecy: secrecy, unit: unit))
    }

    /// Four bytes, little endian by default.
    @inlinable @inline(__always)
    public mutating func uint32(
        _ name: FieldName, _ value: UInt32?, _ secrecy: FieldSecrecy, _ unit: FieldUnit = .none,
        isBigEndian: Bool = false
    ) throws(PacketError) -> UInt32 {
        UInt32(
            truncatingIfNeeded: try integer(
                name, value.map { UInt64($0) }, width: 4, isBigEndian: isBigEndian, role: .value,
                secrecy: secrecy, unit: unit))
    }

    /// A byte that decides the packet's structure, such as an index or a kind, and must be in
    /// `allowed`.
    @inlinable @inline(__always)
    public mutating func structure(
        _ name: FieldName, _ value: UInt8?, _ secrecy: FieldSecrecy = .open,
        in allowed: ClosedRange<UInt8> = 0...255
    ) throws(PacketError) -> UInt8 {
        try byte(name, value, secrecy, in: allowed, .structure)
    }

    /// A count or a length of the fields that follow, in one byte.
    @inlinable @inline(__always)
    public mutating func extent(
        _ name: FieldName, _ value: Int?, _ allowed: ClosedRange<UInt8> = 0...255
    ) throws(PacketError) -> Int {
        Int(
            try byte(
                name, value.map { UInt8(truncatingIfNeeded: $0) }, .open, in: allowed, .framing))
    }

    /// A byte that always has the same value.
    @inlinable @inline(__always)
    public mutating func marker<Packet>(
        _ name: FieldName, _ marker: UInt8, _ packet: Packet?
    ) throws(PacketError) {
        let start = offset
        let found = try byte(name, packet.map { _ in marker }, .open, .framing)
        guard found == marker else { throw .wrongMarker(name, at: start, marker, found: found) }
    }

    /// A code that is sent to a device; an unknown one is an error.
    @inlinable @inline(__always)
    public mutating func code<Code: FieldCode>(
        _ name: FieldName, _ value: Code?, _ secrecy: FieldSecrecy, _ role: FieldRole = .value
    ) throws(PacketError) -> Code {
        let start = offset
        let byte = try byte(name, value.map { $0.rawValue }, secrecy, role)
        guard let code = value ?? Code(rawValue: byte) else {
            throw .unknownCode(name, at: start, found: byte)
        }
        means { code.label }
        return code
    }

    /// A code that decides which fields follow; an unknown one is an error.
    @inlinable @inline(__always)
    public mutating func selector<Code: FieldCode>(
        _ name: FieldName, _ value: Code?
    ) throws(PacketError) -> Code {
        try code(name, value, .open, .structure)
    }

    /// A code from a device; an unknown one is kept.
    @inlinable @inline(__always)
    public mutating func reported<Code: FieldCode>(
        _ name: FieldName, _ value: Reported<Code>?, _ secrecy: FieldSecrecy,
        _ role: FieldRole = .value
    ) throws(PacketError) -> Reported<Code> {
        let code = Reported<Code>(
            rawValue: try byte(name, value.map { $0.rawValue }, secrecy, role))
        means { code.description }
        return code
    }

    /// A code from a device that decides which fields follow; an unknown one is kept.
    @inlinable @inline(__always)
    public mutating func reportedSelector<Code: FieldCode>(
        _ name: FieldName, _ value: Reported<Code>?
    ) throws(PacketError) -> Reported<Code> {
        try reported(name, value, .open, .structure)
    }

    /// A byte of flags, known or not.
    @inlinable @inline(__always)
    public mutating func flags<Flag: FieldCode>(
        _ name: FieldName, _ value: FieldFlags<Flag>?, _ secrecy: FieldSecrecy
    ) throws(PacketError) -> FieldFlags<Flag> {
        let flags = FieldFlags<Flag>(rawValue: try uint8(name, value.map { $0.rawValue }, secrecy))
        means { flags.description }
        return flags
    }
}

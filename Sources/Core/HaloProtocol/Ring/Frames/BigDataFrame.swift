/// The frame of the ring's second service, for records longer than sixteen bytes.
///
///     BC | record id | length, 2 bytes LE | CRC-16 of the payload, 2 bytes LE | payload
///
/// On the air a frame is cut into notifications; ``BigDataReassembler`` joins them.
public struct BigDataFrame: Hashable, Sendable, CustomStringConvertible {
    /// The record id of the payload.
    public let id: UInt8
    public let payload: [UInt8]

    /// The byte that begins every frame.
    public static let marker: UInt8 = 0xBC
    @usableFromInline package static let headerLength = 6
    /// The longest payload that the length field allows.
    @inlinable public static var maximumPayloadLength: Int { 0xFFFF }

    public init(id: UInt8, payload: [UInt8]) throws(ValueError) {
        try ValueError.check("length", payload.count, in: 0...Int64(Self.maximumPayloadLength))
        self.init(id: id, unchecked: payload)
    }

    init(id: UInt8, unchecked payload: [UInt8]) {
        self.id = id
        self.payload = payload
    }

    /// Decodes a whole frame: marker, length and CRC must be right.
    public init(decoding bytes: Span<UInt8>) throws(FrameError) {
        guard bytes.count >= Self.headerLength else {
            try FrameError.throwLength(expected: Self.headerLength, found: bytes.count)
        }
        let header = Header(bytes)
        guard header.marker == Self.marker else {
            throw FrameError(
                .wrongMarker, at: 0, expected: Int(Self.marker), found: Int(header.marker))
        }
        guard bytes.count == header.frameLength else {
            try FrameError.throwLength(expected: header.frameLength, found: bytes.count)
        }
        let payload = bytes.extracting(Self.headerLength..<bytes.count)
        let checksum = CRC16.checksum(of: payload)
        guard checksum == header.checksum else {
            try FrameError.throwChecksum(
                at: 4, expected: Int(checksum), found: Int(header.checksum))
        }
        id = header.id
        self.payload = Array(payload)
    }

    public init(decoding bytes: some Sequence<UInt8>) throws(FrameError) {
        let copy = ContiguousArray(bytes)
        try self.init(decoding: copy.span)
    }

    /// The frame as bytes, with its length and CRC.
    public var bytes: [UInt8] {
        var writer = ByteWriter(capacity: Self.headerLength + payload.count)
        writer.put(UInt64(Self.marker), width: 1)
        writer.put(UInt64(id), width: 1)
        writer.put(UInt64(payload.count), width: 2)
        writer.put(UInt64(CRC16.checksum(of: payload)), width: 2)
        writer.append(payload)
        return writer.bytes
    }

    /// Returns the length of the frame that the bytes begin with; `nil` without a whole header.
    package static func announcedLength(of bytes: some RandomAccessCollection<UInt8>) -> Int? {
        announcedLength(of: ContiguousArray(bytes.prefix(headerLength)).span)
    }

    package static func announcedLength(of bytes: Span<UInt8>) -> Int? {
        guard bytes.count >= headerLength, bytes[0] == marker else { return nil }
        return Header(bytes).frameLength
    }

    /// The progress of frames that one side sends in pieces, in order.
    package struct Pieces: Hashable, Sendable {
        /// The number of bytes that are missing from the last frame.
        package private(set) var missingCount = 0

        package init() {}

        /// Receives a piece. Returns `true` if it continues an incomplete frame.
        package mutating func receive(_ bytes: [UInt8]) -> Bool {
            receive(bytes.count, announcedLength(of: bytes))
        }

        package mutating func receive(_ bytes: Span<UInt8>) -> Bool {
            receive(bytes.count, announcedLength(of: bytes))
        }

        /// Receives a piece that an app writes, which writes one frame after the other: a whole
        /// frame ends one that was never written to its end.
        package mutating func receive(written bytes: [UInt8]) -> Bool {
            if (try? BigDataFrame(decoding: bytes)) != nil { self = Pieces() }
            return receive(bytes)
        }

        private mutating func receive(_ count: Int, _ announced: Int?) -> Bool {
            let isBegun = missingCount > 0
            missingCount = max(0, (isBegun ? missingCount : announced ?? 0) - count)
            return isBegun
        }
    }

    struct Header {
        let marker: UInt8
        let id: UInt8
        let payloadLength: Int
        let checksum: UInt16

        var frameLength: Int { BigDataFrame.headerLength + payloadLength }

        /// Reads a header from at least ``BigDataFrame/headerLength`` bytes.
        init(_ bytes: Span<UInt8>) {
            marker = bytes[0]
            id = bytes[1]
            payloadLength = Int(bytes[2]) | Int(bytes[3]) << 8
            checksum = UInt16(bytes[4]) | UInt16(bytes[5]) << 8
        }
    }

    /// The bytes in hexadecimal.
    public var description: String { HexText.bytes(bytes, separator: " ") }
}

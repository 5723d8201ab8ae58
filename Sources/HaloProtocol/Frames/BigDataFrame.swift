/// The frame of the ring's second service, for what does not fit into sixteen bytes.
///
///     BC | record id | length, 2 bytes LE | CRC-16 of the payload, 2 bytes LE | payload
///
/// On the air it comes cut into notifications; ``BigDataReassembler`` joins them.
public struct BigDataFrame: Hashable, Sendable {
    /// Which record the payload is.
    public let id: UInt8
    /// The record.
    public let payload: [UInt8]

    /// The byte that begins every frame.
    public static let marker: UInt8 = 0xBC
    /// How many bytes precede the payload.
    public static let headerLength = 6
    /// The longest payload whose length can be written.
    @inlinable public static var maximumPayloadLength: Int { 0xFFFF }

    /// Makes a frame of a record.
    public init(id: UInt8, payload: [UInt8]) throws(ValueError) {
        guard payload.count <= Self.maximumPayloadLength else {
            throw ValueError(
                "length", allowed: 0...Int64(Self.maximumPayloadLength),
                found: Int64(payload.count))
        }
        self.init(id: id, unchecked: payload)
    }

    /// Makes a frame of a payload that is known not to be too long.
    init(id: UInt8, unchecked payload: [UInt8]) {
        self.id = id
        self.payload = payload
    }

    /// Takes a whole frame from its bytes: marker, length and CRC must be right.
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

    /// Takes a whole frame from its bytes, in whatever holds them.
    public init(decoding bytes: some Sequence<UInt8>) throws(FrameError) {
        let copy = ContiguousArray(bytes)
        try self.init(decoding: copy.span)
    }

    /// The frame as bytes, with its length and CRC.
    public var bytes: [UInt8] {
        var writer = ByteWriter(capacity: Self.headerLength + payload.count)
        writer.marker("marker", Self.marker)
        writer.uint8("id", id)
        writer.uint16("length", UInt16(truncatingIfNeeded: payload.count))
        writer.uint16("checksum", CRC16.checksum(of: payload))
        writer.byteArray("payload", payload)
        return writer.bytes
    }

    /// The length that the header of a frame announces that begins with these bytes; `nil` where
    /// no whole header stands.
    package static func announcedLength(of bytes: some RandomAccessCollection<UInt8>) -> Int? {
        announcedLength(of: ContiguousArray(bytes.prefix(headerLength)).span)
    }

    /// The length that the header of a frame announces that begins with these bytes; `nil` where
    /// no whole header stands.
    package static func announcedLength(of bytes: Span<UInt8>) -> Int? {
        guard bytes.count >= headerLength, bytes[0] == marker else { return nil }
        return Header(bytes).frameLength
    }

    /// Counts the pieces of frames that one side sends, each behind the one before it.
    package struct Pieces: Hashable, Sendable {
        /// How many bytes of the last frame are still to come.
        package private(set) var missingCount = 0

        /// Starts before the first piece.
        package init() {}

        /// Takes in a piece; `true` if it goes on with the frame that was begun.
        package mutating func goesOn(_ bytes: [UInt8]) -> Bool {
            goesOn(bytes.count, announcedLength(of: bytes))
        }

        /// Takes in a piece; `true` if it goes on with the frame that was begun.
        package mutating func goesOn(_ bytes: Span<UInt8>) -> Bool {
            goesOn(bytes.count, announcedLength(of: bytes))
        }

        private mutating func goesOn(_ count: Int, _ announced: Int?) -> Bool {
            let isBegun = missingCount > 0
            missingCount = max(0, (isBegun ? missingCount : announced ?? 0) - count)
            return isBegun
        }
    }

    /// The first six bytes of a frame.
    struct Header {
        let marker: UInt8
        let id: UInt8
        let payloadLength: Int
        let checksum: UInt16

        var frameLength: Int { BigDataFrame.headerLength + payloadLength }

        /// Reads a header; the bytes are at least ``BigDataFrame/headerLength``.
        init(_ bytes: Span<UInt8>) {
            marker = bytes[0]
            id = bytes[1]
            payloadLength = Int(bytes[2]) | Int(bytes[3]) << 8
            checksum = UInt16(bytes[4]) | UInt16(bytes[5]) << 8
        }
    }
}

extension BigDataFrame: CustomStringConvertible {
    /// The bytes in hexadecimal.
    public var description: String { HexText.bytes(bytes, separator: " ") }
}

/// The frame of the ring's second service, for records longer than sixteen bytes.
///
///     BC | record id | length, 2 bytes LE | CRC-16 of the payload, 2 bytes LE | payload
///
/// On the air a frame is cut into notifications; ``BigDataReassembler`` joins them.
public struct BigDataFrame: Hashable, Sendable {
    /// The record id of the payload.
    public let id: UInt8
    /// The bytes of the record.
    public let payload: [UInt8]

    /// The byte that begins every frame.
    public static let marker: UInt8 = 0xBC
    /// The number of bytes before the payload.
    public static let headerLength = 6
    /// The longest payload that the length field allows.
    @inlinable public static var maximumPayloadLength: Int { 0xFFFF }

    /// Creates a frame of a record.
    public init(id: UInt8, payload: [UInt8]) throws(ValueError) {
        try ValueError.check("length", payload.count, in: 0...Int64(Self.maximumPayloadLength))
        self.init(id: id, unchecked: payload)
    }

    /// Creates a frame of a payload that is known not to be too long.
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

    /// Decodes a whole frame from any sequence of bytes.
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

    /// Returns the length of the frame that the bytes begin with; `nil` without a whole header.
    package static func announcedLength(of bytes: Span<UInt8>) -> Int? {
        guard bytes.count >= headerLength, bytes[0] == marker else { return nil }
        return Header(bytes).frameLength
    }

    /// The progress of frames that one side sends in pieces, in order.
    package struct Pieces: Hashable, Sendable {
        /// The number of bytes that are missing from the last frame.
        package private(set) var missingCount = 0

        /// Creates the state before the first piece.
        package init() {}

        /// Receives a piece. Returns `true` if it continues an incomplete frame.
        package mutating func receive(_ bytes: [UInt8]) -> Bool {
            receive(bytes.count, announcedLength(of: bytes))
        }

        /// Receives a piece. Returns `true` if it continues an incomplete frame.
        package mutating func receive(_ bytes: Span<UInt8>) -> Bool {
            receive(bytes.count, announcedLength(of: bytes))
        }

        private mutating func receive(_ count: Int, _ announced: Int?) -> Bool {
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

        /// Reads a header from at least ``BigDataFrame/headerLength`` bytes.
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

/// Bytes that are no frame to a ``BigDataReassembler``, and the reason.
public struct BigDataFault: Error, Hashable, Sendable {
    /// The kind of fault; more kinds may be added.
    public struct Kind: Hashable, Sendable {
        let code: UInt8

        /// The checksum contradicts the bytes.
        public static let wrongChecksum = Kind(code: 0)
        /// The rest of the frame is missing: the frame was abandoned, or another one replaced it.
        public static let abandoned = Kind(code: 1)
        /// The bytes neither begin nor continue a frame.
        public static let unexpectedBytes = Kind(code: 2)
        /// The header announces more than the limit.
        public static let tooLong = Kind(code: 3)
        /// Events were dropped, since they were not fetched in time.
        public static let overflow = Kind(code: 4)
    }

    public let kind: Kind
    /// The received bytes in order: a broken frame from its marker on, or bytes of no frame.
    public let bytes: [UInt8]
    /// The number of dropped events; 0 unless the kind is ``Kind/overflow``.
    public let droppedEvents: Int

    package init(_ kind: Kind, bytes: [UInt8] = [], droppedEvents: Int = 0) {
        self.kind = kind
        self.bytes = bytes
        self.droppedEvents = droppedEvents
    }

    /// The record id of the broken frame, or `nil` if it was not received.
    public var id: UInt8? {
        bytes.count > 1 && bytes[0] == BigDataFrame.marker ? bytes[1] : nil
    }

    /// The announced length of the broken frame; `nil` without a whole header.
    public var announcedLength: Int? {
        guard bytes.count >= BigDataFrame.headerLength, bytes[0] == BigDataFrame.marker else {
            return nil
        }
        let header = bytes[...]
        return BigDataFrame.Header(header.span).frameLength
    }
}

extension BigDataFault: CustomStringConvertible {
    /// The fault in one sentence.
    public var description: String {
        switch kind {
        case .wrongChecksum: "\(bytes.count) bytes have a wrong checksum."
        case .abandoned: "\(bytes.count) bytes came of \(announced), and no more."
        case .unexpectedBytes: "\(bytes.count) bytes belong to no frame."
        case .tooLong: "a frame of \(announced) is longer than the limit."
        default: "\(droppedEvents) events were dropped."
        }
    }

    private var announced: String {
        announcedLength.map { "\($0) bytes" } ?? "an unknown number"
    }
}

extension BigDataFault.Kind: CustomStringConvertible {
    /// The kind in words.
    public var description: String {
        switch self {
        case .wrongChecksum: "a wrong checksum"
        case .abandoned: "the rest did not come"
        case .unexpectedBytes: "bytes of no frame"
        case .tooLong: "longer than the limit"
        default: "events were dropped"
        }
    }
}

/// The limits of a record's content: its length field has two bytes.
enum RecordLength {
    /// Returns the bytes; throws if a frame has no room for them after `other` bytes.
    static func checked(
        _ bytes: [UInt8], _ name: FieldName, behind other: Int = 0
    ) throws(ValueError) -> [UInt8] {
        try check(bytes.count, name, most: BigDataFrame.maximumPayloadLength - other)
        return bytes
    }

    /// Returns the elements, of `length` bytes each; throws if a frame has no room for them.
    static func checked<Element>(
        _ elements: [Element], _ name: FieldName, length: Int, behind other: Int = 0
    ) throws(ValueError) -> [Element] {
        let most = (BigDataFrame.maximumPayloadLength - other) / max(length, 1)
        try check(elements.count, name, most: most)
        return elements
    }

    /// Throws if the count is more than `most`.
    static func check(_ count: Int, _ name: FieldName, most: Int) throws(ValueError) {
        try ValueError.check(name, count, in: 0...Int64(most))
    }
}

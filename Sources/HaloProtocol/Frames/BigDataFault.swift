/// What a ``BigDataReassembler`` could not make a frame of, with the bytes that had come.
public struct BigDataFault: Error, Hashable, Sendable {
    /// What went wrong; a list that can grow.
    public struct Kind: Hashable, Sendable {
        let code: UInt8

        /// The checksum contradicts the bytes.
        public static let wrongChecksum = Kind(code: 0)
        /// The rest of the frame did not come: it was given up, or another one took its place.
        public static let abandoned = Kind(code: 1)
        /// Bytes came that begin no frame and continue none.
        public static let unexpectedBytes = Kind(code: 2)
        /// The header announces more than the limit.
        public static let tooLong = Kind(code: 3)
        /// Events were not fetched and had to be dropped.
        public static let overflow = Kind(code: 4)
    }

    /// What went wrong.
    public let kind: Kind
    /// What had come, in order: a broken frame from its marker on, or the bytes that are none.
    public let bytes: [UInt8]
    /// How many events were dropped; 0 unless the kind is ``Kind/overflow``.
    public let droppedEvents: Int

    /// Says what went wrong with which bytes.
    public init(_ kind: Kind, bytes: [UInt8] = [], droppedEvents: Int = 0) {
        self.kind = kind
        self.bytes = bytes
        self.droppedEvents = droppedEvents
    }

    /// The record id of the broken frame, as far as its header had come.
    public var id: UInt8? {
        bytes.count > 1 && bytes[0] == BigDataFrame.marker ? bytes[1] : nil
    }

    /// How long the broken frame would have been, if its header had come.
    public var announcedLength: Int? {
        guard bytes.count >= BigDataFrame.headerLength, bytes[0] == BigDataFrame.marker else {
            return nil
        }
        let header = bytes[...]
        return BigDataFrame.Header(header.span).frameLength
    }
}

extension BigDataFault: CustomStringConvertible {
    /// One sentence.
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
    /// What went wrong.
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

/// Bytes that are no frame to a ``BigDataReassembler``, and the reason.
public struct BigDataFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of fault; more kinds may be added.
    public struct Kind: Hashable, Sendable, CustomStringConvertible {
        private let words: FieldName

        /// The kind in words.
        public var description: String { words.description }

        public static let wrongChecksum = Kind(words: "a wrong checksum")
        /// The rest of the frame is missing: the frame was abandoned, or another one replaced it.
        public static let abandoned = Kind(words: "the rest did not come")
        public static let unexpectedBytes = Kind(words: "bytes of no frame")
        public static let tooLong = Kind(words: "longer than the limit")
        /// Events were dropped, since they were not fetched in time.
        public static let overflow = Kind(words: "events were dropped")
    }

    public let kind: Kind
    /// The received bytes in order: a broken frame from its marker on, or bytes of no frame.
    public let bytes: [UInt8]
    /// The number of dropped events; 0 unless the kind is ``Kind/overflow``.
    @usableFromInline package let droppedEvents: Int

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
        bytes.withSpan { BigDataFrame.announcedLength(of: $0) }
    }

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

public import HaloCapture
public import HaloProtocol

/// How many packets of which kind a conversation has, and what cannot be read.
public struct PacketCensus: Hashable, Sendable {
    /// One kind of packet, going one way.
    public struct Entry: Hashable, Sendable {
        /// The channel that it goes over.
        public let channel: CaptureChannel
        /// Which way it goes.
        public let direction: Direction
        /// The type, as programs write it; nothing where nobody has described one.
        public let packet: PacketName?
        /// The first byte of a frame, or the id of a record, where the channel has those.
        public let code: UInt8?
        /// How many there are, the faulty ones included.
        public internal(set) var count = 0
        /// How many of them cannot be read.
        public internal(set) var faultCount = 0
        /// The first of those.
        public internal(set) var firstFault: Fault?
    }

    /// Why a packet cannot be read.
    public struct Fault: Hashable, Sendable {
        /// The record that it came in, counted from 1.
        public let record: Int
        /// Where in the file that record begins, in bytes.
        public let offset: Int
        /// Why it cannot be read, in words.
        public let reason: String
    }

    /// Every kind that there is, the most frequent first.
    public internal(set) var entries: [Entry] = []
    /// How many records of the file were read.
    public internal(set) var recordCount = 0

    init() {}

    /// How many packets there are.
    public var count: Int { entries.reduce(0) { $0 + $1.count } }
    /// How many of them cannot be read.
    public var faultCount: Int { entries.reduce(0) { $0 + $1.faultCount } }
}

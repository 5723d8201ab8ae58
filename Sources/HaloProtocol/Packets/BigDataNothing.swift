/// A ring's "nothing" on the big-data channel.
///
///     ← id 00          nothing is stored under the id; or the ring does not know the id
///
/// The two cannot be told apart. Where a single zero is a record as well (a list with a count of
/// zero), it decodes as that record, and ``BigDataReply/answer(_:)`` says `noData` all the same.
public struct BigDataNothing: Hashable, Sendable {
    /// The record that was asked for.
    public let id: UInt8

    /// Nothing under an id.
    public init(id: UInt8) {
        self.id = id
    }

    /// The "nothing" that a frame is, if it is one.
    public init?(_ frame: BigDataFrame) {
        guard frame.isNothing else { return nil }
        id = frame.id
    }

    /// As it is sent.
    public var frame: BigDataFrame { BigDataFrame(id: id, unchecked: Payload().bytes) }

    /// What follows the id.
    public struct Payload: BytePacket {
        public static var name: PacketName { PacketName("BigDataNothing") }

        /// A single zero.
        public init() {}

        public init<Sink: FieldSink>(from reader: inout ByteReader<Sink>) throws(PacketError) {
            try reader.marker("nothing", 0)
            reader.means { "nothing stored, or an unknown record" }
        }

        public func encode(into writer: inout ByteWriter) {
            writer.marker("nothing", 0)
        }
    }
}

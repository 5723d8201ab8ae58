/// A ring's "no data" on the big-data channel.
///
///     ← id 00          no data under the id; or the ring does not know the id
///
/// The two cannot be distinguished. Where a single zero is a record as well (a list with a count of
/// zero), it decodes as that record, and ``BigDataReply/answer(_:)`` returns `noData` nevertheless.
package struct BigDataNoData: Hashable, Sendable {
    /// The record id of the request.
    package let id: UInt8

    package init(id: UInt8) {
        self.id = id
    }

    /// The record in its frame.
    package var frame: BigDataFrame { BigDataFrame(id: id, unchecked: Payload().bytes) }

    /// The payload: a single zero.
    package struct Payload: BytePacket {
        package static var name: PacketName { PacketName("BigDataNoData") }

        package init() {}

        package init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            try io.marker("nothing", 0, packet)
            io.means { "nothing stored, or an unknown record" }
        }
    }
}

/// A request for a ``RealtimeMeasurement`` as a ring accepts it, with any byte as action.
///
///     → 69 quantity action
///
/// Apps send one of ``RealtimeMeasurement/Action``; a ring starts or continues for every byte other
/// than pause and stop. A virtual ring decodes this type.
package struct ReceivedRealtimeRequest: RequestPacket {
    package typealias Owner = RealtimeMeasurement

    package var quantity: Reported<RealtimeMeasurement.Quantity>
    package var action: Reported<RealtimeMeasurement.Action>
    package let unclaimed: InlineBytes

    /// `true` if the measurement runs after the action; unknown actions start.
    package var runs: Bool { action.known?.runs ?? true }

    package init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        quantity = try io.reported("quantity", packet?.quantity, .open)
        action = try io.reported("action", packet?.action, .open)
        unclaimed = try io.unclaimed(packet?.unclaimed)
    }
}

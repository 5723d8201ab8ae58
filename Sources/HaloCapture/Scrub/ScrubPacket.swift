import HaloProtocol

/// A whole packet of a capture: what one line carried, or the pieces of a big-data frame together.
struct ScrubPacket: Hashable, Sendable {
    let direction: Direction
    /// What it is read as; a frame of the UART service may come on the other channel.
    let channel: CaptureChannel
    let bytes: [UInt8]

    /// GAP's name of a device; it is text without a decoder of its own.
    private static let deviceName = BluetoothUUID(0x2A00 as UInt32)

    /// What decoders take the packet for; nothing where none knows its channel.
    var kind: PacketKind? { channel.packetKind }

    /// What it says, byte by byte.
    var explanation: Explanation? { explanation(of: bytes) }

    /// What other bytes would say in its place.
    func explanation(of bytes: [UInt8]) -> Explanation? {
        kind.map { Explanation(of: bytes, as: $0, direction: direction) }
    }

    /// What its fields are listed under in a ``FieldCensus``.
    func subject(_ explanation: Explanation) -> String? {
        if case .characteristic(let uuid) = channel {
            return CharacteristicCatalog.entry(uuid)?.name.description
        }
        return explanation.packet?.subject.description
    }

    /// Whether it is nothing but a name.
    var isName: Bool { channel == .characteristic(Self.deviceName) }
}

import HaloProtocol

/// A whole packet of a capture: one line, or all pieces of a big-data frame.
struct ScrubPacket: Hashable, Sendable {
    let direction: Direction
    /// The channel whose decoders apply. A frame of the UART service may be sent on the other
    /// channel.
    let channel: CaptureChannel
    let bytes: [UInt8]

    /// The GAP characteristic Device Name: text without a decoder of its own.
    private static let deviceName = BluetoothUUID(0x2A00 as UInt32)

    /// The kind of packet for decoders; `nil` if the channel has no decoders.
    var kind: PacketKind? { channel.packetKind }

    var explanation: Explanation? { explanation(of: bytes) }

    /// Returns the explanation of other bytes in place of the packet's.
    func explanation(of bytes: [UInt8]) -> Explanation? {
        kind.map { Explanation(of: bytes, as: $0, direction: direction) }
    }

    /// `true` if the packet is the name of a device.
    var isName: Bool { channel == .characteristic(Self.deviceName) }
}

public import Foundation
public import HaloProtocol

extension Data {
    /// Creates data with the bytes of a frame, including its checksum.
    public init(_ frame: Frame) {
        self.init(frame.bytes)
    }

    /// Creates data with the bytes of a big-data frame, including its header.
    public init(_ frame: BigDataFrame) {
        self.init(frame.bytes)
    }

    /// Creates data with the bytes of a packet, such as the value of a characteristic.
    public init(_ packet: some BytePacket) {
        self.init(packet.bytes)
    }
}

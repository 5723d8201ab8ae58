public import Foundation
public import HaloProtocol
public import HaloTransport

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

extension LinkNotification {
    /// The value as `Data`.
    public var data: Data { Data(value) }
}

extension ManufacturerData {
    /// The bytes after the company identifier, as `Data`.
    public var data: Data { Data(bytes) }
}

extension BLELink {
    /// Writes a value of a characteristic, as `write(_:to:_:)` with an array does.
    public func write(
        _ value: Data, to characteristic: GATTCharacteristic, _ mode: WriteMode = .withResponse
    ) async throws(BLEError) {
        try await write([UInt8](value), to: characteristic, mode)
    }
}

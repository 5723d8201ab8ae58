/// What an app sent in a step of a firmware update: it can be read from a log, but not made.
public struct DangerousFirmwareUpdateRequest<Owner: DangerousFirmwareUpdate>: BigDataRequest {
    /// The whole payload; its layout is not described.
    public let payload: [UInt8]

    public init<Sink: FieldSink>(from reader: inout ByteReader<Sink>) throws(PacketError) {
        payload = try reader.unclaimed("payload")
    }

    public func encode(into writer: inout ByteWriter) {
        writer.unclaimed(payload)
    }
}

/// The bytes that a ring sends under the id of a record whose layout is not known.
public struct RawRecordReply<Owner: BigDataCommand>: BigDataReply {
    /// The whole payload, at most 65,535 bytes.
    public let payload: [UInt8]

    /// A payload as it is.
    public init(payload: [UInt8] = []) throws(ValueError) {
        self.payload = try RecordLength.checked(payload, "payload")
    }

    public init<Sink: FieldSink>(from reader: inout ByteReader<Sink>) throws(PacketError) {
        payload = try reader.unclaimed("payload")
    }

    public func encode(into writer: inout ByteWriter) {
        writer.unclaimed(payload)
    }
}

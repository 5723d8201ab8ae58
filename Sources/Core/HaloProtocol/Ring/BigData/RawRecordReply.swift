/// The bytes that a ring sends under the id of a record whose layout is not known.
public struct RawRecordReply<Owner: BigDataCommand>: BigDataReply {
    /// The whole payload, at most 65,535 bytes.
    public let payload: [UInt8]

    /// Creates a reply with an unchanged payload.
    public init(payload: [UInt8] = []) throws(ValueError) {
        self.payload = try RecordLength.checked(payload, "payload")
    }

    public init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        payload = try io.unclaimed(packet?.payload, "payload", Owner.secrecyOfBytes)
    }
}

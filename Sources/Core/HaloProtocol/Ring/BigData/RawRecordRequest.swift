/// The bytes that an app sends under the id of a record whose layout is not known.
public struct RawRecordRequest<Owner: BigDataCommand>: BigDataRequest {
    /// The whole payload, at most 65,535 bytes.
    public let payload: [UInt8]

    /// Creates a request with an unchanged payload.
    public init(payload: [UInt8] = []) throws(ValueError) {
        self.payload = try RecordLength.checked(payload, "payload")
    }

    public init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        payload = try io.unclaimed(packet?.payload, "payload", Owner.secrecyOfBytes)
    }
}

/// What a device says to a step of a firmware update.
public struct DangerousFirmwareUpdateReply<Owner: DangerousFirmwareUpdate>: BigDataReply {
    /// How the step went. 0 is also what a device says that does not know the step.
    public var status: Reported<FirmwareUpdateStatus>
    /// What follows; nothing so far.
    public let unclaimed: [UInt8]

    /// A status.
    public init(status: FirmwareUpdateStatus) {
        self.status = Reported(status)
        unclaimed = []
    }

    /// Never: zero is success.
    public static func isNoData(_ frame: BigDataFrame) -> Bool { false }

    public init<Sink: FieldSink>(from reader: inout ByteReader<Sink>) throws(PacketError) {
        status = try reader.reported("status")
        unclaimed = try reader.unclaimed()
    }

    public func encode(into writer: inout ByteWriter) {
        writer.reported("status", status)
        writer.unclaimed(unclaimed)
    }
}

/// A step of a firmware update: **dangerous**, and here only so that logs can name it.
///
///     → id bytes…      not described: kept as they are
///     ← id status
///
/// The steps are start, initialise, chunk after chunk, check, end. Vendor notes only.
package protocol DangerousFirmwareUpdate: BigDataRequestCommand, BigDataReplyCommand {
    /// The request, which can only be decoded.
    associatedtype Request = DangerousFirmwareUpdateRequest<Self>
    /// The status of the step.
    associatedtype Reply = DangerousFirmwareUpdateReply<Self>
}

extension DangerousFirmwareUpdate {
    static var danger: FieldName {
        "is a step of a firmware update: the ring may not recover"
    }
}

/// A request of a step of a firmware update, which can only be decoded from a log.
package struct DangerousFirmwareUpdateRequest<Owner: DangerousFirmwareUpdate>: BigDataRequest {
    /// The whole payload; its layout is not described.
    package let payload: [UInt8]

    package init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        payload = try io.unclaimed(packet?.payload, "payload")
    }
}

/// The reply to a step of a firmware update.
package struct DangerousFirmwareUpdateReply<Owner: DangerousFirmwareUpdate>: BigDataReply {
    /// The status of the step. 0 is also the reply of a device that does not know the step.
    package var status: Reported<FirmwareUpdateStatus>
    /// The bytes after the status; none so far.
    package let unclaimed: [UInt8]

    package init(status: FirmwareUpdateStatus) {
        self.status = Reported(status)
        unclaimed = []
    }

    /// Returns `false`: zero is success.
    package static func isNoData(_ frame: BigDataFrame) -> Bool { false }

    package init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        status = try io.reported("status", packet?.status, .open)
        unclaimed = try io.unclaimed(packet?.unclaimed)
    }
}

/// The status of a step of a firmware update. Vendor notes only.
package enum FirmwareUpdateStatus: UInt8, FieldCode {
    case success = 0
    case size = 1
    case content = 2
    /// The device is not in the right state.
    case state = 3
    case format = 4
    case inner = 5
    case lowBattery = 6

    package static let labels = FieldLabels<FirmwareUpdateStatus>([
        .size: "wrong size", .content: "wrong content", .state: "wrong state",
        .format: "wrong format", .inner: "inner error",
    ])
}

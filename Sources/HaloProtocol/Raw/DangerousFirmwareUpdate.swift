/// A step of a firmware update: **dangerous**, and here only so that logs can name it.
///
///     → id bytes…      not described: kept as they are
///     ← id status
///
/// The steps are start, initialise, chunk after chunk, check, end. Vendor notes only.
public protocol DangerousFirmwareUpdate: BigDataRequestCommand, BigDataReplyCommand {
    /// What is sent; it can only be read.
    associatedtype Request = DangerousFirmwareUpdateRequest<Self>
    /// How far the device went along.
    associatedtype Reply = DangerousFirmwareUpdateReply<Self>
}

extension DangerousFirmwareUpdate {
    public static var evidence: Evidence { .vendor }
}

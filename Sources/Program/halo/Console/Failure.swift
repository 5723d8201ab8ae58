import HaloDevices

/// The reason why a verb cannot go on, or does not run with its arguments.
struct Failure: Error {
    let status: ExitStatus
    let message: String
    var advice: String?
    let members: JSONObject
    /// The kind of a device's error, if that is the reason.
    var cause: DeviceError.Kind?

    static func wrongUsage(_ reason: String) -> Failure { Failure(.wrongUsage, reason) }

    /// Returns the failure with this advice, if there is one and the failure has none.
    func advised(_ other: String?) -> Failure {
        var failure = self
        failure.advice = advice ?? other
        return failure
    }

    /// `true` if only the end of the program's task is to blame.
    var isCancellation: Bool { cause == .cancelled }

    var isSilence: Bool { cause == .timedOut || cause == .silent }

    init(
        _ status: ExitStatus, _ message: String, advice: String? = nil,
        _ members: JSONObject = [:]
    ) {
        self.status = status
        self.message = message
        self.advice = advice
        self.members = members
    }
}

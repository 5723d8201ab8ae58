#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloTransport

/// What an error of the daemon means: its names and texts are understood here and nowhere else
/// (pitfall 24: the documentation of GattCharacteristic1; the texts are those of 5.66).
struct BlueZFault: Hashable, Sendable {
    /// What is the matter.
    enum Meaning: Hashable, Sendable {
        /// The device said no.
        case refused(ATTError)
        /// The device said no, or the link was lost: the daemon says the same of both.
        case unlikely
        /// There is no link.
        case notConnected
        /// There is one already.
        case alreadyConnected
        /// Something of the kind is under way.
        case inProgress
        /// Somebody has the characteristic's socket.
        case acquired
        /// The device wants to be paired with.
        case notPaired
        /// Pairing failed.
        case notAuthenticated
        /// The characteristic cannot be used so.
        case notSupported
        /// It is there already.
        case alreadyExists
        /// It never began.
        case notBegun
        /// The daemon has no such object, or method.
        case unknownObject
        /// The link broke while it began.
        case aborted
        /// Somebody has stopped it.
        case cancelled
        /// The device has forgotten the bond.
        case bondLost
        /// The adapter is off.
        case notReady
        /// What the system says when the adapter is off, or in trouble.
        case inputOutput
        /// The bus does not let us ask.
        case denied
        /// The daemon is gone, or the bus.
        case gone
        /// No answer came.
        case timedOut
        /// What else there is.
        case other
    }

    let meaning: Meaning
    /// The daemon's words, or those of the bus.
    let details: String

    /// What is said of an answer.
    init(_ error: DBusError) {
        details = [error.name, error.details].compactMap { $0 }.joined(separator: ": ")
        switch error.kind {
        case .remote: meaning = Self.meaning(of: error.name ?? "", error.details ?? "")
        case .timedOut: meaning = .timedOut
        case .disconnected, .unreachable, .notAuthenticated: meaning = .gone
        default: meaning = .other
        }
    }

    private static func meaning(of name: String, _ text: String) -> Meaning {
        switch name {
        case BlueZErrorName.failed: failure(text)
        case BlueZErrorName.inProgress: .inProgress
        case BlueZErrorName.notReady: .notReady
        case BlueZErrorName.notConnected: .notConnected
        case BlueZErrorName.alreadyConnected: .alreadyConnected
        case BlueZErrorName.alreadyExists: .alreadyExists
        case BlueZErrorName.notSupported: .notSupported
        case BlueZErrorName.notAuthorized: .refused(.insufficientAuthorization)
        case BlueZErrorName.notPermitted: permission(text)
        case BlueZErrorName.invalidArguments: argument(text)
        case BlueZErrorName.invalidOffset: .refused(.invalidOffset)
        case BlueZErrorName.invalidValueLength: .refused(.invalidLength)
        case BlueZErrorName.doesNotExist: .unknownObject
        case BlueZErrorName.authenticationFailed, BlueZErrorName.authenticationCanceled,
            BlueZErrorName.authenticationRejected, BlueZErrorName.authenticationTimeout:
            .notAuthenticated
        case BusErrorName.unknownObject, BusErrorName.unknownMethod: .unknownObject
        case BusErrorName.serviceUnknown, BusErrorName.noReply, BusErrorName.nameHasNoOwner: .gone
        case BusErrorName.accessDenied: .denied
        default: .other
        }
    }

    /// `org.bluez.Error.Failed` says everything with its text; all of these were seen (testbed).
    private static func failure(_ text: String) -> Meaning {
        if let code = attCode(in: text) { return refusal(code) }
        return switch text {
        case BlueZErrorText.notConnected: .notConnected
        case BlueZErrorText.alreadyInProgress, BlueZErrorText.inProgress: .inProgress
        case BlueZErrorText.inputOutput: .inputOutput
        case BlueZErrorText.noNotifySession: .notBegun
        case BlueZErrorText.abortedByLocal, BlueZErrorText.softwareAbort: .aborted
        case BlueZErrorText.connectionCancelled: .cancelled
        case BlueZErrorText.bondIsForgotten, BlueZErrorText.bondIsForgottenLE: .bondLost
        default: .other
        }
    }

    /// The code at the end of "Operation failed with ATT error: 0x80".
    private static func attCode(in text: String) -> UInt8? {
        guard text.hasPrefix(BlueZErrorText.attPrefix) else { return nil }
        return UInt8(text.dropFirst(BlueZErrorText.attPrefix.count), radix: 16)
    }

    private static func refusal(_ code: UInt8) -> Meaning {
        switch ATTError(code: code) {
        case .unlikely: .unlikely
        case .insufficientAuthentication, .insufficientEncryption, keyTooShort: .notPaired
        case let error: .refused(error)
        }
    }

    private static func permission(_ text: String) -> Meaning {
        switch text {
        case BlueZErrorText.readNotPermitted: .refused(.readNotPermitted)
        case BlueZErrorText.writeNotPermitted: .refused(.writeNotPermitted)
        case BlueZErrorText.notPaired: .notPaired
        case BlueZErrorText.notifyAcquired, BlueZErrorText.writeAcquired: .acquired
        default: .notSupported
        }
    }

    private static func argument(_ text: String) -> Meaning {
        switch text {
        case BlueZErrorText.invalidOffset: .refused(.invalidOffset)
        case BlueZErrorText.invalidLength: .refused(.invalidLength)
        default: .other
        }
    }

    /// The key of the link is shorter than what the device wants.
    private static let keyTooShort = ATTError(code: 0x0C)
}

extension BlueZFault {
    /// What the daemon remembers of a device may be from before it got another firmware (the
    /// README of bluer: `[GATT] Cache`; pitfall 15); by switch only, never seen.
    private static let staleHint =
        "; the daemon may remember services that the device no longer has: bluetoothctl remove"

    /// The error for who asked for something.
    func error(_ operation: BLEError.Operation) -> BLEError {
        switch meaning {
        case .refused(.invalidHandle):
            BLEError(
                .refused, operation, attError: .invalidHandle, details: details + Self.staleHint)
        case .refused(let error): BLEError(.refused, operation, attError: error, details: details)
        case .unlikely: BLEError(.refused, operation, attError: .unlikely, details: details)
        case .notPaired, .notAuthenticated:
            BLEError(.refused, operation, attError: .insufficientAuthentication, details: details)
        case .notConnected:
            BLEError(.disconnected, operation, reason: DisconnectReason(.remote), details: details)
        case .notSupported: BLEError(.notPermitted, operation, details: details)
        case .unknownObject: BLEError(.noSuchAttribute, operation, details: details)
        case .notReady: BLEError(.poweredOff, operation, details: details)
        case .bondLost: BLEError(.bondLost, operation, details: details)
        case .denied: BLEError(.unauthorized, operation, details: details)
        case .timedOut: BLEError(.timedOut, operation, details: details)
        case .alreadyConnected, .inProgress, .acquired, .alreadyExists, .notBegun, .aborted,
            .cancelled, .inputOutput, .gone, .other:
            BLEError(.backend, operation, details: details)
        }
    }
}
#endif

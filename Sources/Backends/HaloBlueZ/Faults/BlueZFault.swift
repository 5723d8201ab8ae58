#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloTransport

/// The meaning of the daemon's errors. Only this type knows their names and texts (pitfall 24: the
/// documentation of GattCharacteristic1; the texts are those of 5.66).
struct BlueZFault: Hashable, Sendable {
    enum Meaning: Hashable, Sendable {
        case refused(ATTError)
        /// The device refused with 0x0E, or the link was lost: both have the same error.
        case unlikely
        case notConnected, alreadyConnected, alreadyExists, inProgress
        /// Another program has acquired the characteristic's socket.
        case acquired
        case notPaired
        case notAuthenticated
        case notSupported
        /// There is no subscription to end.
        case notBegun
        case unknownObject
        case aborted
        case cancelled
        case bondLost
        case notReady
        case inputOutput
        case denied
        case gone
        case timedOut, other
    }

    let meaning: Meaning
    let details: String

    init(_ error: DBusError) {
        details = error.words
        switch error.kind {
        case .remote: meaning = Self.meaning(of: error.name ?? "", error.details ?? "")
        case .timedOut: meaning = .timedOut
        case .disconnected, .unreachable, .notAuthenticated: meaning = .gone
        default: meaning = .other
        }
    }

    private static func meaning(of name: String, _ text: String) -> Meaning {
        if let meaning = meanings[DBusRefusal(name, text)] { return meaning }
        return switch name {
        case BlueZErrorName.failed: attCode(in: text).map(refusal) ?? .other
        case BlueZErrorName.inProgress: .inProgress
        case BlueZErrorName.notReady: .notReady
        case BlueZErrorName.notConnected: .notConnected
        case BlueZErrorName.alreadyConnected: .alreadyConnected
        case BlueZErrorName.alreadyExists: .alreadyExists
        case BlueZErrorName.notSupported, BlueZErrorName.notPermitted: .notSupported
        case BlueZErrorName.notAuthorized: .refused(.insufficientAuthorization)
        case BlueZErrorName.invalidOffset: .refused(.invalidOffset)
        case BlueZErrorName.invalidValueLength: .refused(.invalidLength)
        case BlueZErrorName.doesNotExist: .unknownObject
        case BlueZErrorName.authenticationFailed, BlueZErrorName.authenticationCanceled,
            BlueZErrorName.authenticationRejected, BlueZErrorName.authenticationTimeout:
            .notAuthenticated
        case DBusErrorName.unknownObject, DBusErrorName.unknownMethod: .unknownObject
        case DBusErrorName.serviceUnknown, DBusErrorName.noReply, DBusErrorName.nameHasNoOwner:
            .gone
        case DBusErrorName.accessDenied: .denied
        default: .other
        }
    }

    /// The meanings of errors of which the text decides; `DBusRefusal` says which of them were
    /// never seen.
    private static let meanings: [DBusRefusal: Meaning] = [
        .notConnected: .notConnected, .connectInProgress: .inProgress,
        DBusRefusal(BlueZErrorName.failed, DBusRefusal.inProgress.details): .inProgress,
        .inputOutput: .inputOutput, .noNotifySession: .notBegun,
        .abortedByLocal: .aborted, .softwareAbort: .aborted, .connectionCancelled: .cancelled,
        .keyMissing: .bondLost, .keyMissingLE: .bondLost,
        .readNotPermitted: .refused(.readNotPermitted),
        .writeNotPermitted: .refused(.writeNotPermitted), .notPaired: .notPaired,
        .notifyAcquired: .acquired, .writeAcquired: .acquired,
        .invalidOffset: .refused(.invalidOffset), .invalidLength: .refused(.invalidLength),
    ]

    /// Returns the code at the end of "Operation failed with ATT error: 0x80".
    private static func attCode(in text: String) -> UInt8? {
        guard text.hasPrefix(DBusRefusal.attPrefix) else { return nil }
        return UInt8(text.dropFirst(DBusRefusal.attPrefix.count), radix: 16)
    }

    private static func refusal(_ code: UInt8) -> Meaning {
        switch ATTError(code: code) {
        case .unlikely: .unlikely
        case .insufficientAuthentication, .insufficientEncryption, keyTooShort: .notPaired
        case let error: .refused(error)
        }
    }

    private static let keyTooShort = ATTError(code: 0x0C)

    /// A hint at the daemon's cache, which may be from before a firmware update (the README of
    /// bluer: `[GATT] Cache`; pitfall 15); only simulated, never seen.
    private static let staleHint =
        "; the daemon may remember services that the device no longer has: bluetoothctl remove"

    func error(_ operation: BLEError.Operation) -> BLEError {
        let (kind, attError): (BLEError.Kind, ATTError?) =
            switch meaning {
            case .refused(let error): (.refused, error)
            case .unlikely: (.refused, .unlikely)
            case .notPaired, .notAuthenticated: (.refused, .insufficientAuthentication)
            case .notConnected: (.disconnected, nil)
            case .notSupported: (.notPermitted, nil)
            case .unknownObject: (.noSuchAttribute, nil)
            case .notReady: (.bluetoothOff, nil)
            case .bondLost: (.bondLost, nil)
            case .denied: (.unauthorized, nil)
            case .timedOut: (.timedOut, nil)
            case .alreadyConnected, .inProgress, .acquired, .alreadyExists, .notBegun, .aborted,
                .cancelled, .inputOutput, .gone, .other:
                (.backend, nil)
            }
        return BLEError(
            kind, operation, attError: attError,
            disconnectReason: kind == .disconnected ? DisconnectReason(.remote) : nil,
            details: attError == .invalidHandle ? details + Self.staleHint : details)
    }
}

extension DBusError {
    var words: String { [name, details].compactMap { $0 }.joined(separator: ": ") }
}
#endif

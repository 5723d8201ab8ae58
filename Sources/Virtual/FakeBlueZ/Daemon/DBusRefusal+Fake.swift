#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloTransport

/// The daemon's errors, as replied by 5.66; `BlueZErrorText` marks those that were never seen.
extension DBusRefusal {
    static let notReady = DBusRefusal(BlueZErrorName.notReady, BlueZErrorText.notReady)
    static let noDiscovery = DBusRefusal(BlueZErrorName.failed, BlueZErrorText.noDiscovery)
    static let searchInProgress = DBusRefusal(
        BlueZErrorName.inProgress, BlueZErrorText.alreadyInProgress)
    static let invalid = DBusRefusal(
        BlueZErrorName.invalidArguments, BlueZErrorText.invalidArguments)
    static let doesNotExist = DBusRefusal(
        BlueZErrorName.doesNotExist, BlueZErrorText.doesNotExist)
    static let alreadyExists = DBusRefusal(
        BlueZErrorName.alreadyExists, BlueZErrorText.alreadyExists)
    static let abortedByLocal = DBusRefusal(BlueZErrorName.failed, BlueZErrorText.abortedByLocal)
    static let connectionCancelled = DBusRefusal(
        BlueZErrorName.failed, BlueZErrorText.connectionCancelled)
    static let connectInProgress = DBusRefusal(
        BlueZErrorName.failed, BlueZErrorText.alreadyInProgress)
    static let inputOutput = DBusRefusal(BlueZErrorName.failed, BlueZErrorText.inputOutput)
    static let notPowered = DBusRefusal(BlueZErrorName.failed, BlueZErrorText.notPowered)
    static let notConnected = DBusRefusal(BlueZErrorName.failed, BlueZErrorText.notConnected)
    static let disconnecting = DBusRefusal(
        BlueZErrorName.notConnected, BlueZErrorText.disconnecting)
    static let notSupported = DBusRefusal(
        BlueZErrorName.notSupported, BlueZErrorText.notSupported)
    static let inProgress = DBusRefusal(BlueZErrorName.inProgress, BlueZErrorText.inProgress)
    static let noNotifySession = DBusRefusal(
        BlueZErrorName.failed, BlueZErrorText.noNotifySession)
    static let notifyAcquired = DBusRefusal(
        BlueZErrorName.notPermitted, BlueZErrorText.notifyAcquired)
    static let writeAcquired = DBusRefusal(
        BlueZErrorName.notPermitted, BlueZErrorText.writeAcquired)
    static let writeNotPermitted = DBusRefusal(
        BlueZErrorName.notPermitted, BlueZErrorText.writeNotPermitted)
    static let invalidLength = DBusRefusal(
        BlueZErrorName.invalidArguments, BlueZErrorText.invalidLength)
    static let cannotWrite = DBusRefusal(BlueZErrorName.failed, BlueZErrorText.cannotWrite)
    static let authenticationFailed = DBusRefusal(
        BlueZErrorName.authenticationFailed, BlueZErrorText.authenticationFailed)
    static let authenticationCancelled = DBusRefusal(
        BlueZErrorName.authenticationCanceled, BlueZErrorText.authenticationCancelled)
    static let notSwitchedOn = DBusRefusal(BlueZErrorName.failed, BlueZErrorText.blockedByRfkill)

    /// Returns the refusal of a registration, with a text of `RegistrationText`.
    static func notRegistered(_ text: String) -> DBusRefusal {
        DBusRefusal(BlueZErrorName.failed, text)
    }

    /// Returns the error for an object that has been removed.
    static func gone(_ request: DBusRequest) -> DBusRefusal {
        let signature = request.arguments.map(\.type.code).joined()
        return DBusRefusal(
            DBusErrorName.unknownObject,
            DBusErrorStyle.gdbus.unknownMethod(
                request.member, signature: signature, interface: request.interface))
    }

    /// Returns the error reply for a device's ATT error. The end of the device's link is 0E, as
    /// seen.
    static func att(_ error: ATTError) -> DBusRefusal {
        switch error.code {
        case 0x02: DBusRefusal(BlueZErrorName.notPermitted, BlueZErrorText.readNotPermitted)
        case 0x03: .writeNotPermitted
        case 0x05, 0x0C, 0x0F: DBusRefusal(BlueZErrorName.notPermitted, BlueZErrorText.notPaired)
        case 0x06: .notSupported
        case 0x07: DBusRefusal(BlueZErrorName.invalidArguments, BlueZErrorText.invalidOffset)
        case 0x08: DBusRefusal(BlueZErrorName.notAuthorized, BlueZErrorText.notAuthorized)
        case 0x0D: .invalidLength
        default: DBusRefusal(BlueZErrorName.failed, BlueZErrorText.att(error.code))
        }
    }
}
#endif

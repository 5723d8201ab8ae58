#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloTransport

extension DBusRefusal {
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
        case 0x02: .readNotPermitted
        case 0x03: .writeNotPermitted
        case 0x05, 0x0C, 0x0F: .notPaired
        case 0x06: .notSupported
        case 0x07: .invalidOffset
        case 0x08: .notAuthorized
        case 0x0D: .invalidLength
        default: .att(error.code)
        }
    }
}
#endif

#if os(Linux)
package import HaloDBus
package import HaloTransport

/// The error replies by which a program that hosts a device names the ATT error for a central.
///
///     name                  ATT error
///     NotPermitted          02 for a read, 03 for a write
///     NotSupported          06
///     InvalidOffset         07
///     NotAuthorized         08
///     InvalidValueLength    0D
///     InProgress            FE
///     Failed                the number that is its text, from 80 to 9F ("0x81"); 0E for any other
///                           number and for no text; 80 for a text that is no number
///     any other name        0E, ImproperlyConfigured too
///
/// All of this was seen on 5.66 (`Documentation/Daemon.md`).
package enum DeviceRefusal {
    private static let own: ClosedRange<UInt8> = 0x80...0x9F
    private static let inProgress: UInt8 = 0xFE
    private static let anyOwn = ATTError(code: 0x80)
    /// A name that the daemon does not know: the daemon turns it into ``ATTError/unlikely``.
    private static let otherName = "org.bluez.Error.Unlikely"

    private static let names: [(name: String, error: ATTError)] = [
        (BlueZErrorName.notPermitted, .readNotPermitted),
        (BlueZErrorName.notPermitted, .writeNotPermitted),
        (BlueZErrorName.notSupported, .requestNotSupported),
        (BlueZErrorName.notAuthorized, .insufficientAuthorization),
        (BlueZErrorName.invalidValueLength, .invalidLength),
        (BlueZErrorName.invalidOffset, .invalidOffset),
        (BlueZErrorName.inProgress, ATTError(code: inProgress)),
    ]

    /// Returns the reply for an error; one without a name arrives as ``ATTError/unlikely``.
    package static func refusal(_ error: ATTError) -> DBusRefusal {
        if let name = names.first(where: { $0.error == error })?.name {
            return DBusRefusal(name, error.description)
        }
        guard own.contains(error.code) else { return DBusRefusal(otherName, error.description) }
        let digits = String(error.code, radix: 16)
        return DBusRefusal(BlueZErrorName.failed, "0x\(digits)")
    }

    /// Returns the ATT error that the daemon derives from a reply.
    package static func error(name: String?, text: String?, onReading: Bool) -> ATTError {
        switch name {
        case BlueZErrorName.failed:
            guard let text, !text.isEmpty else { return .unlikely }
            guard let code = number(text) else { return anyOwn }
            return own.contains(code) ? ATTError(code: code) : .unlikely
        case BlueZErrorName.notPermitted:
            return onReading ? .readNotPermitted : .writeNotPermitted
        default:
            return names.first { $0.name == name }?.error ?? .unlikely
        }
    }

    private static func number(_ text: String) -> UInt8? {
        let isHexadecimal = text.hasPrefix("0x") || text.hasPrefix("0X")
        let number =
            isHexadecimal ? Int(text.dropFirst(2), radix: 16) : Int(text, radix: 10)
        return number.map { UInt8(exactly: $0) ?? 0 }
    }
}
#endif

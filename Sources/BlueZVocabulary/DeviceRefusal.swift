#if os(Linux)
package import HaloDBus
package import HaloTransport

/// How a program that is a device tells the daemon which error a central is to get: by an error's
/// name, and for a service's own errors by its text.
///
///     NotPermitted          02 on reading, 03 on writing
///     NotSupported          06
///     InvalidOffset         07
///     NotAuthorized         08
///     InvalidValueLength    0D
///     InProgress            FE
///     Failed                the number that its text is, from 80 to 9F ("0x81"); 0E if it is
///                           another number, or nothing; 80 if it is no number
///     any other name        0E, ImproperlyConfigured too
///
/// All of this was seen on 5.66 (`Documentation/BlueZDaemon.md`).
package enum DeviceRefusal {
    private static let own: ClosedRange<UInt8> = 0x80...0x9F
    private static let inProgress: UInt8 = 0xFE
    private static let anyOwn = ATTError(code: 0x80)
    /// Not one of the daemon's names: it makes ``ATTError/unlikely`` of it.
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

    /// What a device's program answers. What the daemon has no name for arrives as
    /// ``ATTError/unlikely``, and is said in the text.
    package static func refusal(_ error: ATTError) -> DBusRefusal {
        if let name = names.first(where: { $0.error == error })?.name {
            return DBusRefusal(name, error.description)
        }
        guard own.contains(error.code) else { return DBusRefusal(otherName, error.description) }
        let digits = String(error.code, radix: 16)
        return DBusRefusal(BlueZErrorName.failed, "0x\(digits)")
    }

    /// What the daemon makes of such an answer.
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

#if os(Linux)
package import HaloDBus

/// `org.bluez.Agent1`. What a program exports that answers when a device pairs.
package enum Agent1 {
    /// The name of the interface.
    package static let interfaceName = "org.bluez.Agent1"

    /// The daemon asks no more.
    package static let release = "Release"
    /// A code of letters and digits is to be entered.
    package static let requestPinCode = "RequestPinCode"
    /// A code of letters and digits is to be shown.
    package static let displayPinCode = "DisplayPinCode"
    /// A number is to be entered.
    package static let requestPasskey = "RequestPasskey"
    /// A number is to be shown.
    package static let displayPasskey = "DisplayPasskey"
    /// A number is to be compared with the device's.
    package static let requestConfirmation = "RequestConfirmation"
    /// A device that shows nothing is to be let in.
    package static let requestAuthorization = "RequestAuthorization"
    /// A device wants to use a service.
    package static let authorizeService = "AuthorizeService"
    /// What was asked last is void.
    package static let cancel = "Cancel"

    /// What it says that it is.
    package static let interface = DBusInterface(
        interfaceName,
        methods: [
            .init(release),
            .init(requestPinCode, [device], returns: [.init("pincode", .string)]),
            .init(displayPinCode, [device, .init("pincode", .string)]),
            .init(requestPasskey, [device], returns: [.init("passkey", .uint32)]),
            .init(
                displayPasskey,
                [device, .init("passkey", .uint32), .init("entered", .uint16)]),
            .init(requestConfirmation, [device, .init("passkey", .uint32)]),
            .init(requestAuthorization, [device]),
            .init(authorizeService, [device, .init("uuid", .string)]),
            .init(cancel),
        ])

    private static let device = DBusInterface.Argument("device", .objectPath)
}
#endif

#if os(Linux)
package import HaloDBus

/// `org.bluez.Agent1`: a program's object that the daemon calls while a device pairs.
package enum Agent1 {
    package static let interfaceName = "org.bluez.Agent1"

    /// Releases the agent: the daemon does not use it any more.
    package static let release = "Release"
    /// Requests a PIN of letters and digits.
    package static let requestPinCode = "RequestPinCode"
    package static let displayPinCode = "DisplayPinCode"
    package static let requestPasskey = "RequestPasskey"
    package static let displayPasskey = "DisplayPasskey"
    /// Requests that the user compare a passkey with the one on the device.
    package static let requestConfirmation = "RequestConfirmation"
    /// Requests permission to pair with a device that shows no passkey.
    package static let requestAuthorization = "RequestAuthorization"
    package static let authorizeService = "AuthorizeService"
    package static let cancel = "Cancel"

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

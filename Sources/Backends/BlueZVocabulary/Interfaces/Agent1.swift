#if os(Linux)
package import HaloDBus

/// `org.bluez.Agent1`: a program's object that the daemon calls while a device pairs.
package enum Agent1 {
    package static let interfaceName = "org.bluez.Agent1"

    /// Releases the agent: the daemon does not use it any more.
    package static let release = "Release"
    /// Requests permission to pair with a device that shows no passkey.
    package static let requestAuthorization = "RequestAuthorization"
    package static let authorizeService = "AuthorizeService"
    package static let cancel = "Cancel"

    package static let interface = DBusInterface(
        interfaceName,
        methods: [
            .init(release),
            .init("RequestPinCode", [device], returns: [.init("pincode", .string)]),
            .init("DisplayPinCode", [device, .init("pincode", .string)]),
            .init("RequestPasskey", [device], returns: [.init("passkey", .uint32)]),
            .init(
                "DisplayPasskey",
                [device, .init("passkey", .uint32), .init("entered", .uint16)]),
            // The user compares the passkey with the one on the device.
            .init("RequestConfirmation", [device, .init("passkey", .uint32)]),
            .init(requestAuthorization, [device]),
            .init(authorizeService, [device, .init("uuid", .string)]),
            .init(cancel),
        ])

    private static let device = DBusInterface.Argument("device", .objectPath)
}
#endif

#if os(Linux)
internal import HaloDBus

extension DBusInterface.Method {
    /// `ReadValue`, which characteristics and descriptors have, of the daemon and of programs.
    static let readValue = Self(
        GattDescriptor1.readValue, [.init("options", .options)],
        returns: [.init("value", .array(.byte))])

    /// `WriteValue`, the same way.
    static let writeValue = Self(
        GattDescriptor1.writeValue,
        [.init("value", .array(.byte)), .init("options", .options)])
}
#endif

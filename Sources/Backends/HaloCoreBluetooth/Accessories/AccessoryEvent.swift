#if canImport(AccessorySetupKit) && (os(iOS) || os(Linux)) && !targetEnvironment(macCatalyst)
/// An event of an ``AccessorySetup``.
public enum AccessoryEvent: Hashable, Sendable {
    /// The user has chosen a device.
    case added(Accessory)
    /// The device was removed: by the app, or by the user in the settings. Its links end.
    case removed(Accessory)
    /// The name, or another property of a device, has changed.
    case changed(Accessory)
    /// Devices that the app knew before are now accessories.
    case migrated
    /// The picker is shown.
    case pickerShown
    /// The picker was dismissed.
    case pickerDismissed
    /// The system has ended the session.
    case invalidated
}
#endif

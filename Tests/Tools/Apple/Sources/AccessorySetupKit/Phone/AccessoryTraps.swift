/// Behaviours of the system that are disputed, or that were seen only sometimes.
///
/// Sources that begin with `D/` are pages below <https://developer.apple.com/documentation/>.
public struct AccessoryTraps: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: Int

    /// Creates switches from their bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// A descriptor that Info.plist does not list finds nothing. Without this switch the program
    /// ends, as `D/accessorysetupkit/discovering-and-configuring-accessories` says.
    ///
    /// Source: <https://charleswiltgen.github.io/Axiom/skills/integration/accessorysetupkit>
    public static let mismatchFindsNothing = AccessoryTraps(rawValue: 1)
    /// The completion of `showPicker` is called when the picker appears, so that it never has the
    /// error of a cancelled picker. Apple's page says only "completes the operation".
    ///
    /// Source: `D/accessorysetupkit/asaccessorysession/showpicker(for:completionhandler:)`
    public static let completesWhenPresented = AccessoryTraps(rawValue: 2)
    /// The completion of `showPicker` is called before ``ASAccessoryEventType/pickerDidDismiss``.
    /// Apple's pages do not give the order of the two.
    ///
    /// Source: `D/accessorysetupkit/asaccessorysession/showpicker(for:completionhandler:)`
    public static let completesBeforeDismissal = AccessoryTraps(rawValue: 4)
    /// An accessory whose pairing has failed counts as added, and the picker does not show it again
    /// until it is removed. What such a device then answers is the radio's matter.
    ///
    /// Source: <https://github.com/Avi0n/MeshCoreOne/issues/84>
    public static let staysAfterFailedPairing = AccessoryTraps(rawValue: 8)
    /// Only `NSAccessorySetupKitSupports` counts as a declaration.
    ///
    /// Source: `D/bundleresources/information-property-list/nsaccessorysetupkitsupports`
    public static let needsKitSupportsKey = AccessoryTraps(rawValue: 16)
    /// Only `NSAccessorySetupSupports` counts as a declaration.
    ///
    /// Source: `D/bundleresources/information-property-list/nsaccessorysetupsupports`
    public static let needsSupportsKey = AccessoryTraps(rawValue: 32)
    /// The picker shows no more than three accessories, and hides the others.
    ///
    /// Source: <https://github.com/Avi0n/MeshCoreOne/issues/416>
    public static let showsOnlyThree = AccessoryTraps(rawValue: 64)
    /// A failed activation is reported as ``ASAccessoryEventType/activated`` with an error. Without
    /// this switch, it is ``ASAccessoryEventType/invalidated``: Apple's pages do not say which.
    ///
    /// Source: `D/accessorysetupkit/aserror/code`
    public static let failedActivationIsActivated = AccessoryTraps(rawValue: 128)
    /// `showPicker` completes without an error, and no picker appears: Apple's pages do not exclude
    /// it.
    ///
    /// Source: `D/accessorysetupkit/asaccessorysession/showpicker(for:completionhandler:)`
    public static let neverAppears = AccessoryTraps(rawValue: 256)
    /// The completion of `showPicker` is not called after the picker has appeared: Apple's pages do
    /// not exclude it.
    ///
    /// Source: `D/accessorysetupkit/asaccessorysession/showpicker(for:completionhandler:)`
    public static let neverCompletes = AccessoryTraps(rawValue: 512)
    /// Devices are migrated without a picker, and the completion is not called: Apple's pages do
    /// not exclude it.
    ///
    /// Source: `D/accessorysetupkit/asmigrationdisplayitem`
    public static let migratesWithoutPicker = AccessoryTraps(rawValue: 1024)
    /// The picker leaves the screen without ``ASAccessoryEventType/pickerDidDismiss``: Apple's
    /// pages do not exclude it.
    ///
    /// Source: `D/accessorysetupkit/asaccessorysession/showpicker(for:completionhandler:)`
    public static let neverDismisses = AccessoryTraps(rawValue: 2048)
}

import Foundation

/// A phone, as far as accessories need it.
protocol AccessoryHost: AnyObject, Sendable {
    /// `true` if the app has a central manager.
    var hasCentralManager: Bool { get }

    /// Reports the advertisements of devices, until the returned function is called.
    func startPicking(_ report: @escaping @Sendable (Sighting) -> Void) -> @Sendable () -> Void

    /// Makes a device known, so that the app can retrieve it by its identifier.
    func remember(_ sighting: Sighting)

    /// Calls a function after a time of the phone's radio, unless the returned function is called
    /// before.
    func after(
        seconds: TimeInterval, _ action: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void

    /// Restricts the app's managers to devices, and ends the links to all others; `nil` lifts the
    /// restriction. With an empty list, the managers' state is powered off.
    func restrict(to identifiers: [UUID]?)

    /// Ends the program with a reason, as the system does, unless a test collects the reasons.
    func crash(_ reason: String)
}

public import Foundation
internal import HaloProtocol
public import HaloSimulator
public import HaloTransport

/// One phone: its radio, its system and its user. Apple has no such type; a test makes one, and
/// the managers that are created under ``current`` belong to it.
///
///     let air = VirtualBluetooth(mode: .realTime(speed: 50))
///     let phone = Phone(air: air)
///     Phone.$current.withValue(phone) { … CBCentralManager(delegate: app, queue: queue) … }
///
/// Managers keep their phone running when this value is dropped.
public final class Phone: Sendable {
    /// The phone of the managers that are created now; by default, one without a radio.
    @TaskLocal public static var current = Phone.withoutRadio

    private static let withoutRadio = Phone()
    private static let installed = Guarded<Phone?>(nil)

    let system: PhoneSystem

    /// Creates a phone that is switched on, and whose user allows Bluetooth.
    ///
    /// - Parameters:
    ///   - radio: The radio; a phone without one has the state `unsupported`.
    ///   - traps: The traps that are switched on.
    ///   - seed: The number from which the phone makes the identifiers of devices.
    public init(radio: (any PhoneRadio)? = nil, traps: Set<Trap> = [], seed: UInt64 = 1) {
        system = PhoneSystem(radio: radio, traps: traps, seed: seed)
        system.start()
    }

    /// Creates a phone in a virtual air, with a central of its own. The air must follow the wall
    /// clock: `.realTime(speed:)`.
    public convenience init(
        air: VirtualBluetooth, named name: String = "phone", traps: Set<Trap> = [],
        seed: UInt64 = 1
    ) {
        let radio = TransportRadio(transport: air.central(named: name), air: air)
        self.init(radio: radio, traps: traps, seed: seed)
    }

    /// Creates a phone on any transport; it cannot host.
    public convenience init(
        transport: any BLETransport, traps: Set<Trap> = [], seed: UInt64 = 1
    ) {
        self.init(radio: TransportRadio(transport: transport), traps: traps, seed: seed)
    }

    /// Makes this the phone of the whole program, where ``current`` was not set: for apps that
    /// create managers outside of tasks.
    public func install() { Self.installed.withLock { $0 = self } }

    /// The phone of ``current``, or else the installed one.
    package static var inForce: Phone {
        let bound = current
        return bound === withoutRadio ? installed.value ?? bound : bound
    }

    /// The traps that are switched on.
    public var traps: Set<Trap> {
        get { system.shared.value.traps }
        set { system.shared.withLock { $0.traps = newValue } }
    }

    /// The lines that the system has logged: the last 1,000.
    public var log: [String] { system.shared.value.log }

    /// The functions that the delegates of apps were called with and do not have: on Apple's
    /// systems they are optional.
    public var ignoredCalls: Set<String> { system.shared.value.ignored }

    /// The number of alerts that Bluetooth is off: one for each manager that was created meanwhile
    /// with the option for it.
    public var powerAlerts: Int { system.shared.value.powerAlerts }

    /// The radio.
    public var radio: (any PhoneRadio)? { system.radio }

    // MARK: Fatal errors

    /// The function for errors that the system raises and an app cannot catch; by default, the
    /// program ends with the text. After another function, the call that was wrong has no effect.
    public var fatal: @Sendable (String) -> Void {
        get { system.shared.value.fatal }
        set { system.shared.withLock { $0.fatal = newValue } }
    }

    /// Records fatal errors in ``fatalErrors`` instead of ending the program.
    public func recordFatalErrors() {
        fatal = { [weak system] text in
            system?.shared.withLock { shared in
                if shared.fatalErrors.count < PhoneSystem.maximumLog {
                    shared.fatalErrors.append(text)
                }
            }
        }
    }

    /// The recorded fatal errors: the first 1,000.
    public var fatalErrors: [String] { system.shared.value.fatalErrors }

    func raise(_ text: String) { fatal(text) }

    // MARK: Power and permission

    /// The state that managers report. A test sets it: `poweredOff` ends links without a word,
    /// and below it peripherals become invalid.
    public var state: CBManagerState { system.shared.value.state }

    /// Changes the state of Bluetooth.
    public func setState(_ state: CBManagerState) { system.setState(state) }

    /// Switches Bluetooth on.
    public func powerOn() { setState(.poweredOn) }

    /// Switches Bluetooth off.
    public func powerOff() { setState(.poweredOff) }

    /// Restarts the system's Bluetooth service: managers report `resetting`, then `poweredOn`.
    public func reset() {
        setState(.resetting)
        setState(.poweredOn)
    }

    /// The user's permission.
    public var authorization: CBManagerAuthorization { system.shared.value.authorization }

    /// Sets the user's permission. While it is not determined, managers stay in `unknown`.
    public func setAuthorization(_ authorization: CBManagerAuthorization) {
        system.setAuthorization(authorization)
    }

    /// Limits the app to devices that the user has granted one by one; links to others end. With an
    /// empty set, managers report `poweredOff`. `nil` removes the limit.
    public func setGranted(_ identifiers: Set<UUID>?) { system.setGranted(identifiers) }

    /// The number of managers that exist.
    public var managerCount: Int { system.managerCount }

    /// The number of central managers that exist.
    public var centralCount: Int { system.centralCount }

    /// The number of peripherals that apps hold.
    public var peripheralCount: Int { system.shared.value.peripherals }

    // MARK: Devices

    /// Returns the identifier that this phone gives to a device.
    public func identifier(of identity: PeripheralIdentity) -> UUID {
        system.identifier(of: identity)
    }

    /// Makes a device known, as if it had been met earlier, and returns its identifier.
    @discardableResult
    public func meet(_ identity: PeripheralIdentity, name: String? = nil) -> UUID {
        system.meet(identity, name: name)
    }

    /// Gives all devices other identifiers; the old ones become unknown.
    public func rotateIdentifiers() { system.rotateIdentifiers() }

    /// Connects the system itself to a device, as for another app: it stops advertising, and is
    /// listed by `retrieveConnectedPeripherals`.
    public func hold(_ identity: PeripheralIdentity) { system.hold(identity, true) }

    /// Ends the system's own connection to a device.
    public func release(_ identity: PeripheralIdentity) { system.hold(identity, false) }

    /// Changes the name that a device has by its GAP service: connected apps are told.
    public func rename(_ identity: PeripheralIdentity, to name: String?) {
        system.rename(identity, to: name)
    }

    // MARK: The app's process

    /// Ends the app's process: its managers make no further calls. Links and pending attempts of
    /// managers with a restore identifier stay; all others end.
    public func terminateApp() { system.terminateApp() }
}

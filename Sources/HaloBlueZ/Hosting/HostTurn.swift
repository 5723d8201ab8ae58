#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

enum HostInput: Sendable {
    /// The adapter to use, or the reason why there is none.
    case adapter(Result<BlueZAdapter, Outage>)
    /// The device has started with these services.
    case started([GATTService])
    case effect(PeripheralEffect)
    case services([GATTService])
    /// A change of the mirror. `isOurs` is `true` for a connection that this program has as a
    /// central.
    case mirror(MirrorChange, isOurs: Bool)
    case busEnded(DBusError)
    case request(HostedRequest)
    /// The reply to a tracked call of a generation.
    case answered(HostedEpoch.TrackedCall, DBusError?, generation: UInt64)
    /// The ``HostMachine/deadline`` has passed, or an earlier deadline.
    case deadline
    case remove
}

/// An output of ``HostMachine``; outputs are carried out in order.
enum HostEffect: Sendable {
    /// Calls the daemon; the reply to a tracked call becomes an input.
    case ask((HostedEpoch.TrackedCall, generation: UInt64)?, DBusCall, timeout: Duration)
    case export(HostedApplication.Object)
    case unexport(DBusObjectPath)
    /// Sets a characteristic's value, which notifies the daemon.
    case value([UInt8], at: DBusObjectPath)
    case reply([DBusValue], to: UInt64)
    case refuse(DBusRefusal, of: UInt64)
    /// Starts the device; ``HostInput/started(_:)`` follows.
    case start
    case deliver(PeripheralEvent)
    case ready
    /// The end; no output follows.
    case ended(BLEError?)
}

/// The context of one input: the state that the machine may read, and the outputs so far.
struct HostTurn {
    let now: Moment
    let mirror: BlueZMirror
    /// The daemon's unique name on the bus; `nil` while the daemon is absent.
    let owner: String?
    private(set) var effects: [HostEffect] = []

    init(_ now: Moment, _ mirror: BlueZMirror, owner: String?) {
        self.now = now
        self.mirror = mirror
        self.owner = owner
    }

    mutating func perform(_ effect: HostEffect) { effects.append(effect) }
}

extension BLEError {
    /// The error for a registration that the daemon refused; `excess` names the part of the
    /// advertisement that is too long.
    init(hosting error: DBusError, excess: String? = nil) {
        guard let kind = Self.kind(error, isTooLong: excess != nil) else {
            self = Outage(error).error(.host)
            return
        }
        self.init(kind, .host, details: error.words + (excess.map { " (\($0))" } ?? ""))
    }

    /// Returns the meaning of a refused registration, or `nil` where the general meaning applies.
    private static func kind(_ error: DBusError, isTooLong: Bool) -> Kind? {
        switch error.name {
        case BlueZErrorName.invalidLength: .tooLong
        case BlueZErrorName.failed where isTooLong: .tooLong
        // The controller has no room for another advertisement.
        case BlueZErrorName.notPermitted: .overloaded
        case BlueZErrorName.notReady: .bluetoothOff
        case BlueZErrorName.notSupported, DBusErrorName.unknownMethod,
            DBusErrorName.unknownInterface, DBusErrorName.unknownObject:
            .notSupportedHere
        default: nil
        }
    }
}
#endif

#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

enum HostInput: Sendable {
    /// The adapter to be on, or why there is none.
    case adapter(Result<BlueZAdapter, Outage>)
    /// The device has come to life, and consists of this.
    case started([GATTService])
    case did(PeripheralEffect)
    case consists([GATTService])
    /// Something has changed in the mirror; a link that has come is one that this program has as a
    /// central, or not.
    case mirror(MirrorChange, isOurs: Bool)
    case busEnded(DBusError)
    case asked(HostedRequest)
    /// What the daemon said to a question of that generation.
    case answered(HostedStay.Question, DBusError?, generation: UInt64)
    /// The ``HostMachine/deadline`` has come, or an earlier one.
    case time
    case remove
}

/// What is to be done for a hosted device, in this order.
enum HostEffect: Sendable {
    /// Asks the daemon something; if the answer matters, it is told.
    case ask((HostedStay.Question, generation: UInt64)?, DBusCall, timeout: Duration)
    case export(HostedApplication.Object)
    case unexport(DBusObjectPath)
    /// Gives a characteristic a value, of which the daemon hears.
    case value([UInt8], at: DBusObjectPath)
    case reply([DBusValue], to: UInt64)
    case refuse(DBusRefusal, of: UInt64)
    /// Brings the device to life; ``HostInput/started(_:)`` follows.
    case start
    case tell(PeripheralEvent)
    case ready
    /// Nothing follows.
    case ended(BLEError?)
}

/// What a hosted device may look at while something is taken in, and what comes of that.
struct HostTurn {
    let now: Moment
    let mirror: BlueZMirror
    /// The name that the bus gave the daemon, if there is one.
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
    /// Why the daemon does not take a device; `excess` says what of its advertisement does not
    /// fit.
    init(hosting error: DBusError, excess: String? = nil) {
        guard let kind = Self.kind(error, isTooLong: excess != nil) else {
            self = Outage(error).error(.host)
            return
        }
        self.init(kind, .host, details: error.words + (excess.map { " (\($0))" } ?? ""))
    }

    /// What the daemon's refusals mean when a device is registered; nothing for what they mean
    /// everywhere.
    private static func kind(_ error: DBusError, isTooLong: Bool) -> Kind? {
        switch error.name {
        case BlueZErrorName.invalidLength: .tooLong
        case BlueZErrorName.failed where isTooLong: .tooLong
        // More advertisements than the controller has room for.
        case BlueZErrorName.notPermitted: .overloaded
        case BlueZErrorName.notReady: .poweredOff
        case BlueZErrorName.notSupported, BusErrorName.unknownMethod,
            BusErrorName.unknownInterface, BusErrorName.unknownObject:
            .notSupportedHere
        default: nil
        }
    }
}
#endif

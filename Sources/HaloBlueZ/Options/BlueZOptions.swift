#if os(Linux)
internal import BlueZVocabulary
public import HaloDBus

/// How BlueZ is used.
public struct BlueZOptions: Hashable, Sendable {
    /// How a device's values come.
    public struct NotifyMode: Hashable, Sendable {
        private let code: UInt8

        /// As signals on the bus: works with every daemon, and lets others listen too.
        public static let signals = NotifyMode(code: 0)
        /// Through a socket of their own where the daemon offers one: faster, exclusive, and what
        /// a device sends at the very moment of subscribing may be lost. Values of different
        /// characteristics, and answers, come in no order among each other; those of one keep
        /// theirs. Falls back to signals.
        public static let sockets = NotifyMode(code: 1)
    }

    /// Which adapter: its name on the bus (`hci0`) or its address; nothing means the first one
    /// that is powered, or else the first one.
    public var adapter: String?
    /// Where the bus is; nothing means the system's bus, where `DBUS_SYSTEM_BUS_ADDRESS` says or
    /// else at the usual place.
    public var bus: [DBusAddress]?
    /// Whether an adapter that is off is switched on, if that is allowed.
    public var powersOn: Bool
    /// How a device's values come.
    public var notifyMode: NotifyMode
    /// For how long values may wait for others where they come densely: to be told together costs
    /// a fraction of being told one by one. A value that comes after a pause does not wait, nor
    /// does any while an answer is awaited. The usual 7.5 ms are the shortest time between two
    /// bursts of values on the air. Zero: none waits.
    public var gathering: Duration
    /// A value that equals the one before it, and comes within this time of it, is left out;
    /// `nil` means that none is. The daemon repeats each value for each program that has
    /// subscribed; that cannot be told from a device that sends a value twice.
    public var leavesOutEqualValuesWithin: Duration?
    /// Whether many writes without a response in a row go through a socket of their own where the
    /// daemon offers one: they wait for room there, and come in no order with what else is asked.
    public var acquiresWrites: Bool
    /// Whether a device that asks for it is paired with, and how; nothing means never.
    public var pairing: BlueZPairing?
    /// Whether a link that is there already is taken over. Otherwise connecting to a device that
    /// this computer is connected to is refused.
    public var adoptsConnected: Bool

    /// The usual way: the first adapter, signals, no pairing.
    public init(
        adapter: String? = nil, bus: [DBusAddress]? = nil, powersOn: Bool = false,
        notifyMode: NotifyMode = .signals, gathering: Duration = .microseconds(7500),
        leavesOutEqualValuesWithin: Duration? = nil, acquiresWrites: Bool = false,
        pairing: BlueZPairing? = nil, adoptsConnected: Bool = true
    ) {
        self.adapter = adapter
        self.bus = bus
        self.powersOn = powersOn
        self.notifyMode = notifyMode
        self.gathering = gathering
        self.leavesOutEqualValuesWithin = leavesOutEqualValuesWithin
        self.acquiresWrites = acquiresWrites
        self.pairing = pairing
        self.adoptsConnected = adoptsConnected
    }
}

extension BlueZOptions.NotifyMode: CustomStringConvertible {
    /// The way in a word.
    public var description: String { self == .sockets ? "sockets" : "signals" }
}

/// How a device is paired with.
public struct BlueZPairing: Hashable, Sendable {
    /// What this computer can show and ask.
    public struct Capability: Hashable, Sendable {
        /// The daemon's word for it.
        let word: String

        /// Nothing: what rings and straps expect.
        public static let noInputNoOutput = Capability(word: AgentCapability.noInputNoOutput)
    }

    /// What this computer can show and ask.
    public var capability: Capability

    /// Pairing without questions.
    public init(_ capability: Capability = .noInputNoOutput) { self.capability = capability }
}

extension BlueZPairing.Capability: CustomStringConvertible {
    /// The daemon's word for it.
    public var description: String { word }
}

/// How this computer is a device.
public struct HostingOptions: Hashable, Sendable {
    /// Whether the adapter is called by the device's name meanwhile, and by its own again in the
    /// end. Otherwise a central may see the computer's name once it is connected: advertisements
    /// have the device's name, the adapter answers with its own. A program that is killed leaves
    /// the name behind.
    public var renamesAdapter: Bool

    /// The usual way: the adapter keeps its name.
    public init(renamesAdapter: Bool = false) { self.renamesAdapter = renamesAdapter }
}
#endif

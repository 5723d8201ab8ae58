public import HaloProtocol

/// The faults of an air: random ones decided by a seed, scripted ones, or both.
public struct FaultPlan: Hashable, Sendable {
    /// The seed of the random faults.
    public var seed: UInt64
    /// The rates of the random faults.
    public var rates: FaultRates
    /// The scripted faults. Of several rules that match the same packet, the first applies.
    public var rules: [FaultRule]
    /// Faults that are skipped, by their index in ``FaultLog``.
    public var disabled: Set<Int>

    /// A plan without faults.
    public static let none = FaultPlan(rules: [])

    /// Creates a plan of random faults, scripted faults, or both.
    public init(seed: UInt64 = 0, rates: FaultRates = FaultRates(), rules: [FaultRule] = []) {
        self.seed = seed
        self.rates = rates
        self.rules = rules
        disabled = []
    }

    /// Creates a script of exactly the faults in a log.
    ///
    /// With the same air seed and the same calls by the centrals, it reproduces the run. Faults
    /// keep their index, so that ``without(_:)`` can leave out single ones; the others still hit
    /// the same packets, as far as those are still sent.
    public init(replaying log: FaultLog) {
        self.init(rules: log.records.map(\.rule))
    }

    /// Returns the plan without the faults of these indices.
    public func without(_ indices: some Sequence<Int>) -> FaultPlan {
        var plan = self
        plan.disabled.formUnion(indices)
        return plan
    }

    /// `true` if no fault is possible.
    public var isEmpty: Bool { rules.isEmpty && rates == FaultRates() }
}

/// The rates of random faults, each per thousand packets.
///
/// At most one fault is drawn for a packet. Where the rates for one subject add up to more than
/// 1000, the faults beyond that sum never happen.
public struct FaultRates: Hashable, Sendable {
    /// Notifications that are lost.
    public var lostNotifications = 0
    /// Writes that the device never receives.
    public var lostWrites = 0
    /// Notifications and writes that arrive twice.
    public var duplications = 0
    /// Notifications that arrive after the next one.
    public var reorderings = 0
    /// Notifications and writes with a flipped bit.
    public var corruptions = 0
    /// Notifications and writes that are truncated.
    public var truncations = 0
    /// Packets that arrive up to two seconds late.
    public var delays = 0
    /// Packets before which the link is silent for up to seven seconds, which ends some links.
    public var stalls = 0
    /// Packets at which the link is lost.
    public var disconnections = 0
    /// Requests that are refused with an ATT error.
    public var refusals = 0
    /// Requests that are never answered, which ends the link.
    public var silences = 0
    /// Commands that the ring refuses by a frame.
    public var refusedCommands = 0
    /// Subscriptions that are acknowledged and not kept.
    public var lostSubscriptions = 0
    /// Links whose MTU stays 23.
    public var shortPackets = 0
    /// Connections that fail.
    public var failedConnections = 0

    /// Creates rates of zero.
    public init() {}

    /// Returns rates with the same value for every fault.
    public static func everything(_ perMille: Int) -> FaultRates {
        var rates = FaultRates()
        for path in paths { rates[keyPath: path] = perMille }
        return rates
    }

    /// Every rate, in the fixed order by which scenarios draw them.
    static var paths: [WritableKeyPath<FaultRates, Int>] {
        [
            \.lostNotifications, \.lostWrites, \.duplications, \.reorderings, \.corruptions,
            \.truncations, \.delays, \.stalls, \.disconnections, \.refusals, \.silences,
            \.refusedCommands, \.lostSubscriptions, \.shortPackets, \.failedConnections,
        ]
    }

    /// The possible faults of a subject with their rates, in a fixed order.
    func choices(for subject: FaultSubject) -> [(kind: Fault.Kind, perMille: Int)] {
        let always: [(Fault.Kind, Int)] = [
            (.delay, delays), (.stall, stalls), (.disconnection, disconnections),
        ]
        let refused: [(Fault.Kind, Int)] = [(.refusal, refusals), (.silence, silences)]
        let damaged: [(Fault.Kind, Int)] = [
            (.corruption, corruptions), (.truncation, truncations),
        ]
        return switch subject {
        case .notification:
            [
                (.loss, lostNotifications), (.duplication, duplications),
                (.reordering, reorderings),
            ] + damaged + always
        case .write:
            [(.loss, lostWrites), (.duplication, duplications)] + damaged + always + refused
                + [(.refusedCommand, refusedCommands)]
        case .read: always + refused
        case .subscription: [(.loss, lostSubscriptions)] + always + refused
        case .connection:
            [(.shortPackets, shortPackets), (.failedConnection, failedConnections)]
        }
    }
}

/// A scripted fault, which happens once.
public struct FaultRule: Hashable, Sendable {
    /// The fault.
    public var fault: Fault
    /// The condition that triggers the fault.
    public var trigger: FaultTrigger
    /// The affected device, or `nil` for the first device that fulfils the trigger.
    public var device: DeviceNumber?
    /// The index in the log of the run from which the rule was made.
    let index: Int?

    /// Creates a rule for a fault and its trigger.
    public init(_ fault: Fault, _ trigger: FaultTrigger, device: DeviceNumber? = nil) {
        self.init(fault, trigger, device: device, index: nil)
    }

    init(_ fault: Fault, _ trigger: FaultTrigger, device: DeviceNumber?, index: Int?) {
        self.fault = fault
        self.trigger = trigger
        self.device = device
        self.index = index
    }
}

/// The condition of a scripted fault: a moment, or the n-th matching packet.
public struct FaultTrigger: Hashable, Sendable {
    /// A moment, or a kind of packet.
    public enum Occasion: Hashable, Sendable {
        /// A moment of the air's time, which allows only a stall or a disconnection.
        case moment(Moment)
        /// A packet or a connection.
        case subject(FaultSubject)
    }

    /// The moment or the kind of packet.
    public var occasion: Occasion
    /// The 1-based index among the packets that match every other condition.
    public var number: Int
    /// The characteristic, or `nil` for any.
    public var characteristic: BluetoothUUID?
    /// The first bytes of the value.
    public var beginning: [UInt8]
    /// The first bytes of the write after which counting starts: a frame's opcode, or a record's
    /// first two bytes. `nil` starts counting at once.
    public var afterWriteOf: [UInt8]?

    private init(
        _ occasion: Occasion, _ number: Int = 1, of characteristic: BluetoothUUID? = nil,
        beginning: [UInt8] = [], afterWriteOf: [UInt8]? = nil
    ) {
        self.occasion = occasion
        self.number = number
        self.characteristic = characteristic
        self.beginning = beginning
        self.afterWriteOf = afterWriteOf
    }

    /// Returns the trigger for a moment of the air's time.
    public static func at(_ moment: Moment) -> FaultTrigger { FaultTrigger(.moment(moment)) }

    /// Returns the trigger for a notification or indication by its 1-based index.
    public static func notification(
        _ number: Int = 1, of characteristic: BluetoothUUID? = nil, beginning: [UInt8] = [],
        afterWriteOf: [UInt8]? = nil
    ) -> FaultTrigger {
        FaultTrigger(
            .subject(.notification), number, of: characteristic, beginning: beginning,
            afterWriteOf: afterWriteOf)
    }

    /// Returns the trigger for a written value by its 1-based index.
    public static func write(
        _ number: Int = 1, to characteristic: BluetoothUUID? = nil, beginning: [UInt8] = [],
        afterWriteOf: [UInt8]? = nil
    ) -> FaultTrigger {
        FaultTrigger(
            .subject(.write), number, of: characteristic, beginning: beginning,
            afterWriteOf: afterWriteOf)
    }

    /// Returns the trigger for a read by its 1-based index.
    public static func read(
        _ number: Int = 1, of characteristic: BluetoothUUID? = nil
    ) -> FaultTrigger { FaultTrigger(.subject(.read), number, of: characteristic) }

    /// Returns the trigger for turning notifications on or off, by its 1-based index.
    public static func subscription(
        _ number: Int = 1, of characteristic: BluetoothUUID? = nil
    ) -> FaultTrigger { FaultTrigger(.subject(.subscription), number, of: characteristic) }

    /// Returns the trigger for a connection by its 1-based index.
    public static func connection(_ number: Int = 1) -> FaultTrigger {
        FaultTrigger(.subject(.connection), number)
    }

    /// Returns the trigger for any subject by its 1-based index, as a log numbers them.
    static func nth(_ number: Int, _ subject: FaultSubject) -> FaultTrigger {
        FaultTrigger(.subject(subject), number)
    }
}

/// The faults that happened, in order.
public struct FaultLog: Hashable, Sendable, CustomStringConvertible {
    /// The maximum number of records.
    public static let limit = 10_000

    /// The first faults, up to ``limit``.
    public private(set) var records: [FaultRecord] = []
    /// The number of faults beyond ``limit``.
    public private(set) var omitted = 0

    /// Creates an empty log.
    public init() {}

    mutating func append(_ record: FaultRecord) {
        if records.count < Self.limit {
            records.append(record)
        } else {
            omitted += 1
        }
    }

    /// One line per fault.
    public var description: String {
        let lines = records.map(\.description)
        return (omitted > 0 ? lines + ["and \(omitted) more"] : lines).joined(separator: "\n")
    }
}

/// A fault that happened.
public struct FaultRecord: Hashable, Sendable, CustomStringConvertible {
    /// The index by which ``FaultPlan/without(_:)`` leaves it out.
    public let index: Int
    /// The moment in the air's time.
    public let moment: Moment
    /// The affected device.
    public let device: DeviceNumber
    /// The affected subject, or `nil` for a fault of a ``FaultTrigger/Occasion/moment(_:)``.
    public let subject: FaultSubject?
    /// The 1-based index among the device's packets of this subject.
    public let number: Int
    /// The affected characteristic.
    public let characteristic: BluetoothUUID?
    /// The fault.
    public let fault: Fault
    /// The value before the fault.
    public let bytes: [UInt8]

    /// The rule that reproduces it.
    var rule: FaultRule {
        let trigger = subject.map { FaultTrigger.nth(number, $0) } ?? .at(moment)
        return FaultRule(fault, trigger, device: device, index: index)
    }

    /// `#3 12.500000 s device 0: notification 12 of 6E400003-… lost: 15 01 …`.
    public var description: String {
        var words = "#\(index) \(moment) \(device):"
        if let subject { words += " \(subject) \(number)" }
        if let characteristic { words += " of \(characteristic)" }
        words += " \(fault)"
        if !bytes.isEmpty { words += ": \(HexText.bytes(bytes, separator: " "))" }
        return words
    }
}

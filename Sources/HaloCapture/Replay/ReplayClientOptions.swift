public import HaloProtocol

/// The options of a ``ReplayClient``.
public struct ReplayClientOptions: Hashable, Sendable {
    /// A permission to send certain requests.
    public struct Permission: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: UInt8

        /// Creates permissions from their bits.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// Requests with unknown meaning.
        public static let unknown = Permission(rawValue: 1)
        /// Requests that can destroy data or the device.
        public static let dangerous = Permission(rawValue: 2)
    }

    /// The requests that may be sent in addition to known requests without danger.
    public var permission: Permission = []
    /// The time between requests: recorded or scaled. Each request also waits for the answers to
    /// the previous one.
    public var timing: ReplayTiming = .recorded
    /// The longest pause between two requests.
    public var longestPause: Duration = .seconds(900)
    /// The timeout for the recorded number of answers.
    public var timeout: Duration = .seconds(12)
    /// The time without a further answer after which a request with an unknown number of answers
    /// ends.
    public var quiet: Duration = .milliseconds(250)
    /// `true` if the bytes of settings and capabilities are compared. Rings with equal settings
    /// have equal ones.
    public var comparesSettings = false
    /// The name of the connection, for a capture with several; `nil` for the unnamed one, or else
    /// the first one.
    public var link: CaptureName?

    /// Creates the default options.
    public init() {}

    func allows(_ risk: RequestRisk) -> Bool {
        switch risk {
        case .known: true
        case .unknown: permission.contains(.unknown)
        case .dangerous: permission.contains(.dangerous)
        }
    }
}

/// The speed of a replay.
public struct ReplayTiming: Hashable, Sendable {
    /// The factor by which recorded times are multiplied.
    public let factor: Double

    /// The largest factor.
    package static let largestFactor: Double = 1_000

    private init(factor: Double) {
        self.factor = factor
    }

    /// The recorded times.
    public static let recorded = ReplayTiming(factor: 1)
    /// No pauses.
    public static let immediate = ReplayTiming(factor: 0)

    /// Returns recorded times multiplied by a factor: slower above 1, faster below. The factor is
    /// clamped to 0...1000; NaN counts as 1.
    public static func scaled(by factor: Double) -> ReplayTiming {
        ReplayTiming(factor: factor.isNaN ? 1 : min(max(factor, 0), largestFactor))
    }

    /// Returns a scaled time in microseconds.
    package func microseconds(_ recorded: Int64) -> Int64 {
        let recorded = max(recorded, 0)
        if factor == 1 { return recorded }
        return Int64(exactly: (Double(recorded) * factor).rounded()) ?? .max
    }
}

/// The risk of a recorded write to a device.
public enum RequestRisk: Hashable, Sendable {
    /// A packet of the catalogue without danger.
    case known
    /// An unknown packet: it cannot be decoded, or its characteristic is not known.
    case unknown
    /// A packet that can destroy data or the device: factory reset, power off, firmware updates,
    /// and all others whose names begin with `Dangerous`.
    case dangerous

    /// Creates the risk of a value that is written to a channel.
    public init(of bytes: [UInt8], writtenTo channel: CaptureChannel) {
        if Self.danger(of: bytes, writtenTo: channel) != nil {
            self = .dangerous
            return
        }
        guard let kind = channel.packetKind else {
            self = .unknown
            return
        }
        let explanation = Explanation(of: bytes, as: kind, direction: .toDevice)
        self = explanation.status == .decoded ? .known : .unknown
    }

    /// Returns the facts of a dangerous command, whatever the checksum of its packet: a device need
    /// not check it; `nil` for a packet without danger.
    public static func danger(
        of bytes: [UInt8], writtenTo channel: CaptureChannel
    ) -> CommandFacts? {
        let facts: CommandFacts? =
            switch channel {
            case .uart where bytes.count > 1 && bytes[0] == DangerousPowerOff.opcode:
                DangerousPowerOff.facts(of: Reported(rawValue: bytes[1]))
            case .uart: bytes.first.flatMap { CommandCatalog.entry(opcode: $0)?.facts }
            case .bigData where bytes.count > 1:
                BigDataCatalog.entry(id: bytes[1], .toDevice)?.facts
            default: nil
            }
        return facts?.danger == nil ? nil : facts
    }
}

/// A classifier of successive writes: a further piece of a record has the risk of its beginning.
struct RiskClassifier {
    private var pieces = BigDataFrame.Pieces()
    /// The risk of the record whose pieces are being written.
    private var begun = RequestRisk.unknown

    mutating func risk(of bytes: [UInt8], writtenTo channel: CaptureChannel) -> RequestRisk {
        guard channel == .bigData else { return RequestRisk(of: bytes, writtenTo: channel) }
        if pieces.receive(bytes) { return begun }
        let risk = RequestRisk(of: bytes, writtenTo: channel)
        guard pieces.missingCount > 0 else { return risk }
        // The beginning of a record cannot be decoded yet, so its id decides.
        let isKnown = BigDataCatalog.entry(id: bytes[1], .toDevice) != nil
        begun = risk == .dangerous ? risk : isKnown ? .known : .unknown
        return begun
    }
}

import HaloProtocol

/// How a ``ReplayClient`` asks.
public struct ReplayClientOptions: Hashable, Sendable {
    /// What may be sent.
    public struct Permission: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: UInt8

        /// Permissions by their bits.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// Also what nobody knows.
        public static let unknown = Permission(rawValue: 1)
        /// Also what can destroy data or the device.
        public static let dangerous = Permission(rawValue: 2)
    }

    /// What may be sent beyond what is known and not dangerous.
    public var permission: Permission = []
    /// How long it is from one request to the next: at least as long as recorded, or no longer
    /// than the answers take.
    public var timing: ReplayTiming = .recorded
    /// The longest that it waits between two requests.
    public var longestPause: Duration = .seconds(900)
    /// How long it waits for as many answers as were recorded.
    public var patience: Duration = .seconds(12)
    /// How long nothing more must come, where how many answers there are is not known.
    public var quiet: Duration = .milliseconds(250)
    /// Whether frames are compared to the byte that say the same on every ring of a kind that is
    /// set alike: settings and capabilities.
    public var comparesSettings = false
    /// Which connection of the capture, if it has several at once; without, the one that has no
    /// name, or else the first.
    public var link: CaptureName?

    /// The defaults.
    public init() {}

    func allows(_ risk: RequestRisk) -> Bool {
        switch risk {
        case .known: true
        case .unknown: permission.contains(.unknown)
        case .dangerous: permission.contains(.dangerous)
        }
    }
}

/// How fast a recording is played.
public struct ReplayTiming: Hashable, Sendable {
    /// What recorded times are multiplied by.
    public let factor: Double

    /// The largest factor.
    public static let largestFactor: Double = 1_000

    private init(factor: Double) {
        self.factor = factor
    }

    /// As fast as it was.
    public static let recorded = ReplayTiming(factor: 1)
    /// Everything at once.
    public static let immediate = ReplayTiming(factor: 0)

    /// So many times slower; a factor below 1 is faster. Below 0 and above ``largestFactor``
    /// there is nothing, and what is no number is 1.
    public static func scaled(by factor: Double) -> ReplayTiming {
        ReplayTiming(factor: factor.isNaN ? 1 : min(max(factor, 0), largestFactor))
    }

    /// A recorded time in microseconds as it is played.
    package func microseconds(_ recorded: Int64) -> Int64 {
        let recorded = max(recorded, 0)
        if factor == 1 { return recorded }
        return Int64(exactly: (Double(recorded) * factor).rounded()) ?? .max
    }
}

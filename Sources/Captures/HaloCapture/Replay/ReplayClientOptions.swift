/// The options of a ``ReplayClient``.
public struct ReplayClientOptions: Hashable, Sendable {
    /// Permissions to send certain requests.
    public struct Permissions: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: UInt8

        /// Creates permissions from their bits.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// Requests with unknown meaning.
        public static let unknown = Permissions(rawValue: 1)
        /// Requests that can destroy data or the device.
        public static let dangerous = Permissions(rawValue: 2)
    }

    /// The requests that may be sent in addition to known requests without danger.
    public var permissions: Permissions = []
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
    /// The most connections that are made, each of which takes time: the first ones. A negative
    /// number counts as zero.
    public var connectionLimit = 1_000
    /// The name of the connection, for a capture with several; `nil` for the unnamed one, or else
    /// the first one.
    public var link: CaptureName?

    /// Creates the default options.
    public init() {}

    func allows(_ risk: RequestRisk) -> Bool {
        switch risk {
        case .known: true
        case .unknown: permissions.contains(.unknown)
        case .dangerous: permissions.contains(.dangerous)
        }
    }
}

public import HaloProtocol

/// The app on the phone that is controlled by touching the ring.
public struct TouchControl: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The kind of app.
    public var app: TouchGesture.App
    /// The time without a touch after which touch control sleeps, in whole minutes up to 255.
    public var sleepsAfter: Duration

    package static let sleepMinutes: ClosedRange<UInt8> = 0...255

    /// Creates a setting.
    public init(_ app: TouchGesture.App, sleepsAfter: Duration) {
        self.app = app
        self.sleepsAfter = sleepsAfter
    }

    /// The setting in words: `music, sleeps after 5 min`.
    public var description: String {
        "\(app.label), sleeps after \(Wording.duration(sleepsAfter))"
    }
}

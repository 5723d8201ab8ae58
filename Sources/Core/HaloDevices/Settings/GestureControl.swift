public import HaloProtocol

/// The app on the phone that is controlled by gestures of the hand.
public struct GestureControl: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The kind of app.
    public var app: TouchGesture.App
    /// The necessary strength of a gesture, from 1 to 10.
    public var strength: Int

    package static let strengths = TouchGesture.strengthRange

    /// Creates a setting.
    public init(_ app: TouchGesture.App, strength: Int) {
        self.app = app
        self.strength = strength
    }

    /// The setting in words: `music, strength 5`.
    public var description: String { "\(app.label), strength \(strength)" }
}

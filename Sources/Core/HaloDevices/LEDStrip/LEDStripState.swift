public import HaloProtocol

/// The state of an LED strip, as it reports it.
public struct LEDStripState: Hashable, Sendable, Codable, CustomStringConvertible {
    /// What the lamps do.
    public enum Light: Hashable, Sendable, Codable {
        case colour(LEDColour)
        /// The white lamp, at a brightness from 1 to 255.
        case white(Int)
        /// An animation, with its time per step: 1 is the fastest.
        case animation(LEDStripMode, speed: Int)
        case unknown(mode: Int, speed: Int)
    }

    /// `true` if the strip is on, `nil` for a value that is not known.
    public let isOn: Bool?
    /// What the lamps do while the strip is on.
    public let light: Light
    /// The last colour, even during an animation.
    public let lastColour: LEDColour

    /// Creates a value, for previews and tests.
    public init(isOn: Bool?, light: Light, lastColour: LEDColour) {
        self.isOn = isOn
        self.light = light
        self.lastColour = lastColour
    }

    init(_ status: LEDStripStatus) {
        isOn = status.power.known.map { $0 == .on }
        lastColour = LEDColour(red: status.red, green: status.green, blue: status.blue)
        switch status.mode.known {
        case .steady where status.white > 0: light = .white(Int(status.white))
        case .steady: light = .colour(lastColour)
        case let mode?: light = .animation(mode, speed: Int(status.speed))
        case nil:
            light = .unknown(mode: Int(status.mode.rawValue), speed: Int(status.speed))
        }
    }

    /// The state in words.
    public var description: String {
        let power = isOn.map(Wording.state) ?? "on or off"
        return switch light {
        case .colour(let colour): "\(power), \(colour)"
        case .white(let brightness): "\(power), white \(brightness)"
        case .animation(let mode, let speed): "\(power), \(mode.label), speed \(speed)"
        case .unknown(let mode, let speed): "\(power), unknown mode \(mode), speed \(speed)"
        }
    }
}

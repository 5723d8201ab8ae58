public import HaloProtocol

/// The light of an LED strip.
public struct LEDLight: Hashable, Sendable {
    /// The light of the coloured lamps.
    public var colour: LEDColour
    /// The intensity of the white lamp.
    public var white: UInt8

    /// Creates a light; lamps that are left out are dark.
    public init(_ colour: LEDColour = .black, white: UInt8 = 0) {
        self.colour = colour
        self.white = white
    }

    /// The light that a command sets: the lamps that it does not name are dark.
    init(_ command: LEDStripCommand.Colour) {
        switch command.lamps {
        case .coloured:
            self.init(LEDColour(red: command.red, green: command.green, blue: command.blue))
        case .white: self.init(white: command.white)
        }
    }

    /// No light.
    public static let dark = LEDLight()
}

extension LEDLight: CustomStringConvertible {
    /// The colour, and the white lamp as a number after it, if it is on.
    public var description: String { white == 0 ? "\(colour)" : "\(colour) white \(white)" }
}

/// What an LED strip shows.
public enum LEDStripMode: UInt8, FieldCode {
    /// Seven colours fade into one another.
    case sevenColourFade = 0x25
    /// Red comes and goes.
    case redFade = 0x26
    /// Green comes and goes.
    case greenFade = 0x27
    /// Blue comes and goes.
    case blueFade = 0x28
    /// Yellow comes and goes.
    case yellowFade = 0x29
    /// Cyan comes and goes.
    case cyanFade = 0x2A
    /// Purple comes and goes.
    case purpleFade = 0x2B
    /// White comes and goes.
    case whiteFade = 0x2C
    /// Red and green fade into one another.
    case redGreenFade = 0x2D
    /// Red and blue fade into one another.
    case redBlueFade = 0x2E
    /// Green and blue fade into one another.
    case greenBlueFade = 0x2F
    /// Flashes in seven colours.
    case sevenColourStrobe = 0x30
    /// Red flashes.
    case redStrobe = 0x31
    /// Green flashes.
    case greenStrobe = 0x32
    /// Blue flashes.
    case blueStrobe = 0x33
    /// Yellow flashes.
    case yellowStrobe = 0x34
    /// Cyan flashes.
    case cyanStrobe = 0x35
    /// Purple flashes.
    case purpleStrobe = 0x36
    /// White flashes.
    case whiteStrobe = 0x37
    /// Seven colours, one suddenly after another.
    case sevenColourJump = 0x38
    /// A steady light, coloured or white; reported only.
    case steady = 0x41

    /// The mode in words.
    public var label: FieldName {
        switch self {
        case .sevenColourFade: "seven-colour fade"
        case .redFade: "red fade"
        case .greenFade: "green fade"
        case .blueFade: "blue fade"
        case .yellowFade: "yellow fade"
        case .cyanFade: "cyan fade"
        case .purpleFade: "purple fade"
        case .whiteFade: "white fade"
        case .redGreenFade: "red-green fade"
        case .redBlueFade: "red-blue fade"
        case .greenBlueFade: "green-blue fade"
        case .sevenColourStrobe: "seven-colour strobe"
        case .redStrobe: "red strobe"
        case .greenStrobe: "green strobe"
        case .blueStrobe: "blue strobe"
        case .yellowStrobe: "yellow strobe"
        case .cyanStrobe: "cyan strobe"
        case .purpleStrobe: "purple strobe"
        case .whiteStrobe: "white strobe"
        case .sevenColourJump: "seven-colour jump"
        case .steady: "steady"
        }
    }
}

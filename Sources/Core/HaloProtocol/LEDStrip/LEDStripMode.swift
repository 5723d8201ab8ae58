/// The animations of an LED strip.
public enum LEDStripMode: UInt8, FieldCode {
    /// Seven colours fade into one another.
    case sevenColourFade = 0x25
    /// Red fades in and out.
    case redFade = 0x26
    /// Green fades in and out.
    case greenFade = 0x27
    /// Blue fades in and out.
    case blueFade = 0x28
    /// Yellow fades in and out.
    case yellowFade = 0x29
    /// Cyan fades in and out.
    case cyanFade = 0x2A
    /// Purple fades in and out.
    case purpleFade = 0x2B
    /// White fades in and out.
    case whiteFade = 0x2C
    /// Red and green fade into one another.
    case redGreenFade = 0x2D
    /// Red and blue fade into one another.
    case redBlueFade = 0x2E
    /// Green and blue fade into one another.
    case greenBlueFade = 0x2F
    /// Seven colours flash in turn.
    case sevenColourStrobe = 0x30
    case redStrobe = 0x31
    case greenStrobe = 0x32
    case blueStrobe = 0x33
    case yellowStrobe = 0x34
    case cyanStrobe = 0x35
    case purpleStrobe = 0x36
    case whiteStrobe = 0x37
    /// Seven colours change without fading.
    case sevenColourJump = 0x38
    /// A steady light, coloured or white; reported only.
    case steady = 0x41

    /// The mode in words.
    public static let labels = FieldLabels<LEDStripMode>([
        .sevenColourFade: "seven-colour fade", .redGreenFade: "red-green fade",
        .redBlueFade: "red-blue fade", .greenBlueFade: "green-blue fade",
        .sevenColourStrobe: "seven-colour strobe", .sevenColourJump: "seven-colour jump",
    ])
}

/// The animations of an LED strip.
public enum LEDStripMode: UInt8, FieldCode {
    case sevenColourFade = 0x25
    case redFade = 0x26
    case greenFade = 0x27
    case blueFade = 0x28
    case yellowFade = 0x29
    case cyanFade = 0x2A
    case purpleFade = 0x2B
    case whiteFade = 0x2C
    case redGreenFade = 0x2D
    case redBlueFade = 0x2E
    case greenBlueFade = 0x2F
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

    public static let labels = FieldLabels<LEDStripMode>([
        .sevenColourFade: "seven-colour fade", .redGreenFade: "red-green fade",
        .redBlueFade: "red-blue fade", .greenBlueFade: "green-blue fade",
        .sevenColourStrobe: "seven-colour strobe", .sevenColourJump: "seven-colour jump",
    ])
}

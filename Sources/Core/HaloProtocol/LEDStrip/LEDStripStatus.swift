/// The status of an LED strip; the layout is drawn at ``LEDStripCommand``.
public struct LEDStripStatus: BytePacket {
    public static var name: PacketName { PacketName("LEDStripStatus") }

    /// The type of strip; 0x15 so far.
    public var type: UInt8
    public var power: Reported<LEDStripCommand.Power>
    /// The animation, or ``LEDStripMode/steady`` for a colour or white light.
    public var mode: Reported<LEDStripMode>
    /// A byte of unknown meaning; 0x20 so far.
    package var unexplained: UInt8
    /// The time per step of the animation; 1 is the fastest.
    public var speed: UInt8
    /// The red of the last colour.
    public var red: UInt8
    /// The green of the last colour.
    public var green: UInt8
    /// The blue of the last colour.
    public var blue: UInt8
    /// The brightness of the white light.
    public var white: UInt8
    /// A byte that may be a version; 6 so far.
    public var version: UInt8

    public init(
        power: LEDStripCommand.Power, mode: LEDStripMode = .steady, speed: UInt8 = 0,
        red: UInt8 = 0, green: UInt8 = 0, blue: UInt8 = 0, white: UInt8 = 0
    ) {
        type = 0x15
        self.power = Reported(power)
        self.mode = Reported(mode)
        unexplained = 0x20
        self.speed = speed
        self.red = red
        self.green = green
        self.blue = blue
        self.white = white
        version = 0x06
    }

    public init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        try io.marker("start", 0x66, packet)
        type = try io.uint8("type", packet?.type, .open)
        power = try io.reported("power", packet?.power, .open)
        mode = try io.reported("mode", packet?.mode, .open)
        unexplained = try io.uint8("unexplained", packet?.unexplained, .open)
        speed = try io.uint8("speed", packet?.speed, .open)
        red = try io.uint8("red", packet?.red, .open)
        green = try io.uint8("green", packet?.green, .open)
        blue = try io.uint8("blue", packet?.blue, .open)
        white = try io.uint8("white", packet?.white, .open)
        version = try io.uint8("version", packet?.version, .open)
        try io.marker("end", 0x99, packet)
    }
}

/// What an LED strip does: see the drawing at ``LEDStrip``.
public struct LEDStripStatus: BytePacket {
    public static var name: PacketName { PacketName("LEDStripStatus") }

    static var start: UInt8 { 0x66 }
    static var end: UInt8 { 0x99 }

    /// What kind of strip; 0x15 so far.
    public var type: UInt8
    /// Whether it shines.
    public var power: Reported<LEDStrip.Power>
    /// What it shows: ``LEDStripMode/steady`` for a colour and for white light alike.
    public var mode: Reported<LEDStripMode>
    /// A byte that nobody has explained; 0x20 so far.
    public var unexplained: UInt8
    /// How fast it shows it: 1 is the fastest.
    public var speed: UInt8
    /// How red the last colour was.
    public var red: UInt8
    /// How green the last colour was.
    public var green: UInt8
    /// How blue the last colour was.
    public var blue: UInt8
    /// How bright the white light is.
    public var white: UInt8
    /// Perhaps a version; 6 so far.
    public var version: UInt8

    /// A strip that shines in the last colour it was given.
    public init(
        power: LEDStrip.Power, mode: LEDStripMode = .steady, speed: UInt8 = 0,
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

    public init<Sink: FieldSink>(from reader: inout ByteReader<Sink>) throws(PacketError) {
        try reader.marker("start", Self.start)
        type = try reader.uint8("type")
        power = try reader.reported("power")
        mode = try reader.reported("mode")
        unexplained = try reader.uint8("unexplained")
        speed = try reader.uint8("speed")
        red = try reader.uint8("red")
        green = try reader.uint8("green")
        blue = try reader.uint8("blue")
        white = try reader.uint8("white")
        version = try reader.uint8("version")
        try reader.marker("end", Self.end)
    }

    public func encode(into writer: inout ByteWriter) {
        writer.marker("start", Self.start)
        writer.uint8("type", type)
        writer.reported("power", power)
        writer.reported("mode", mode)
        writer.uint8("unexplained", unexplained)
        writer.uint8("speed", speed)
        writer.uint8("red", red)
        writer.uint8("green", green)
        writer.uint8("blue", blue)
        writer.uint8("white", white)
        writer.uint8("version", version)
        writer.marker("end", Self.end)
    }
}

/// LED strips and bulbs of the Triones kind, as the HappyLighting app drives them: one source.
///
///     → CC 23 33                                     on; CC 24 33 off
///     → 56 red green blue white F0 AA                a colour; white is 0
///     → 56 red green blue white 0F AA                white light; the colours are ignored
///     → BB mode speed 44                             a built-in show
///     → 10 century year month day h m s weekday 00 01    the clock, in plain numbers
///     → EF 01 77                                     asks for the status, the only answer there is
///     ← 66 type power mode ? speed red green blue white version 99
///
/// There is no checksum. Written to ``commands``, notified by ``status``.
public enum LEDStrip {
    /// The service with ``commands``.
    public static let commandService = BluetoothUUID(0xFFD5)
    /// Where an app writes commands, with or without a response.
    public static let commands = BluetoothUUID(0xFFD9)
    /// The service with ``status``.
    public static let statusService = BluetoothUUID(0xFFD0)
    /// Where the strip notifies its status.
    public static let status = BluetoothUUID(0xFFD4)

    static let services = [commandService, statusService]

    /// In capitals; from community use.
    static let namePrefixes: [StaticString] = ["TRIONES", "LEDBLUE", "QHM-"]

    /// The type of a command, by the command's first byte.
    public static func command(startingWith byte: UInt8) -> ByteForm? {
        switch byte {
        case Switch.start: ByteForm(Switch.self)
        case Colour.start: ByteForm(Colour.self)
        case Show.start: ByteForm(Show.self)
        case StatusRequest.start: ByteForm(StatusRequest.self)
        case LEDStripClock.start: ByteForm(LEDStripClock.self)
        default: nil
        }
    }

    /// Whether a strip shines.
    public enum Power: UInt8, FieldCode {
        /// It does.
        case on = 0x23
        /// It does not.
        case off = 0x24

        public var label: FieldName {
            switch self {
            case .on: "on"
            case .off: "off"
            }
        }
    }

    /// Which of the lamps a ``Colour`` is for.
    public enum Lamps: UInt8, FieldCode {
        /// The coloured ones.
        case coloured = 0xF0
        /// The white one.
        case white = 0x0F

        public var label: FieldName {
            switch self {
            case .coloured: "coloured"
            case .white: "white"
            }
        }
    }

    /// Turns the strip on or off.
    public struct Switch: BytePacket {
        public static var name: PacketName { PacketName("LEDStrip", "Switch") }

        static var start: UInt8 { 0xCC }
        static var end: UInt8 { 0x33 }

        /// What the strip shall do.
        public var power: Power

        /// Turns the strip on or off.
        public init(_ power: Power) {
            self.power = power
        }

        public init<Sink: FieldSink>(from reader: inout ByteReader<Sink>) throws(PacketError) {
            try reader.marker("start", Self.start)
            power = try reader.code("power")
            try reader.marker("end", Self.end)
        }

        public func encode(into writer: inout ByteWriter) {
            writer.marker("start", Self.start)
            writer.code("power", power)
            writer.marker("end", Self.end)
        }
    }

    /// Sets a steady light. There is no brightness: choose darker colours.
    public struct Colour: BytePacket {
        public static var name: PacketName { PacketName("LEDStrip", "Colour") }

        static var start: UInt8 { 0x56 }
        static var end: UInt8 { 0xAA }

        /// How red.
        public var red: UInt8
        /// How green.
        public var green: UInt8
        /// How blue.
        public var blue: UInt8
        /// How white.
        public var white: UInt8
        /// Which of these count.
        public var lamps: Lamps

        /// A colour.
        public init(red: UInt8, green: UInt8, blue: UInt8) {
            self.red = red
            self.green = green
            self.blue = blue
            white = 0
            lamps = .coloured
        }

        /// White light.
        public init(white: UInt8) {
            red = 0
            green = 0
            blue = 0
            self.white = white
            lamps = .white
        }

        public init<Sink: FieldSink>(from reader: inout ByteReader<Sink>) throws(PacketError) {
            try reader.marker("start", Self.start)
            red = try reader.uint8("red")
            green = try reader.uint8("green")
            blue = try reader.uint8("blue")
            white = try reader.uint8("white")
            lamps = try reader.code("lamps")
            try reader.marker("end", Self.end)
        }

        public func encode(into writer: inout ByteWriter) {
            writer.marker("start", Self.start)
            writer.uint8("red", red)
            writer.uint8("green", green)
            writer.uint8("blue", blue)
            writer.uint8("white", white)
            writer.code("lamps", lamps)
            writer.marker("end", Self.end)
        }
    }

    /// Starts a built-in show.
    public struct Show: BytePacket {
        public static var name: PacketName { PacketName("LEDStrip", "Show") }

        static var start: UInt8 { 0xBB }
        static var end: UInt8 { 0x44 }

        /// Which one.
        public var mode: Reported<LEDStripMode>
        /// 1 is the fastest; the vendor's app goes to 31, the byte to 255.
        public var speed: UInt8

        /// A show; the lower the speed, the faster.
        public init(_ mode: LEDStripMode, speed: UInt8) {
            self.mode = Reported(mode)
            self.speed = speed
        }

        public init<Sink: FieldSink>(from reader: inout ByteReader<Sink>) throws(PacketError) {
            try reader.marker("start", Self.start)
            mode = try reader.reported("mode")
            speed = try reader.uint8("speed")
            try reader.marker("end", Self.end)
        }

        public func encode(into writer: inout ByteWriter) {
            writer.marker("start", Self.start)
            writer.reported("mode", mode)
            writer.uint8("speed", speed)
            writer.marker("end", Self.end)
        }
    }

    /// Asks for the ``LEDStripStatus``.
    public struct StatusRequest: BytePacket {
        public static var name: PacketName { PacketName("LEDStrip", "StatusRequest") }

        static var start: UInt8 { 0xEF }
        static var middle: UInt8 { 0x01 }
        static var end: UInt8 { 0x77 }

        /// Asks for the status.
        public init() {}

        public init<Sink: FieldSink>(from reader: inout ByteReader<Sink>) throws(PacketError) {
            try reader.marker("start", Self.start)
            try reader.marker("middle", Self.middle)
            try reader.marker("end", Self.end)
        }

        public func encode(into writer: inout ByteWriter) {
            writer.marker("start", Self.start)
            writer.marker("middle", Self.middle)
            writer.marker("end", Self.end)
        }
    }
}

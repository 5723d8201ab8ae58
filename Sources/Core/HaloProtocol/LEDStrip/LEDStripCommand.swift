extension DeviceFamily {
    /// Triones LED strips and bulbs. The prefixes of names are known from community use.
    public static let ledStrip = DeviceFamily(
        "ledstrip", title: "LED strip",
        written: Endpoint(LEDStripServices.commandService, LEDStripServices.commands),
        notified: Endpoint(LEDStripServices.statusService, LEDStripServices.status),
        namePrefixes: ["TRIONES", "LEDBLUE", "QHM-"], hasMarkers: true,
        packets: [
            toStrip(LEDStripCommand.Switch.start, LEDStripCommand.Switch.self),
            toStrip(LEDStripCommand.Colour.start, LEDStripCommand.Colour.self),
            toStrip(LEDStripCommand.Show.start, LEDStripCommand.Show.self),
            toStrip(LEDStripCommand.StatusRequest.start, LEDStripCommand.StatusRequest.self),
            toStrip(LEDStripClock.start, LEDStripClock.self),
            Packet(.fromDevice, startingWith: nil, LEDStripStatus.self),
        ])

    private static func toStrip<Value: BytePacket>(
        _ start: UInt8, _ type: Value.Type
    ) -> Packet {
        Packet(.toDevice, startingWith: start, type)
    }
}

/// The commands of Triones LED strips and bulbs, known from one source: notes on the HappyLighting
/// app.
///
///     → CC 23 33                                     on; CC 24 33 off
///     → 56 red green blue white F0 AA                a colour; white is 0
///     → 56 red green blue white 0F AA                white light; the colours are ignored
///     → BB mode speed 44                             a built-in animation
///     → 10 century year month day h m s weekday 00 01    the clock, in plain numbers
///     → EF 01 77                                     requests the status, the only reply
///     ← 66 type power mode ? speed red green blue white version 99
///
/// Packets have no checksum. They are written to ``LEDStripServices/commands`` and notified by
/// ``LEDStripServices/status``.
public enum LEDStripCommand {
    /// The power of a strip.
    public enum Power: UInt8, FieldCode {
        case on = 0x23
        case off = 0x24
    }

    /// The lamps of a ``Colour``.
    public enum Lamps: UInt8, FieldCode {
        case coloured = 0xF0
        case white = 0x0F
    }

    /// The command that turns the strip on or off.
    public struct Switch: BytePacket {
        public static var name: PacketName { PacketName("LEDStripCommand", "Switch") }

        static var start: UInt8 { 0xCC }

        public var power: Power

        public init(_ power: Power) {
            self.power = power
        }

        public init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            try io.marker("start", Self.start, packet)
            power = try io.code("power", packet?.power, .open)
            try io.marker("end", 0x33, packet)
        }
    }

    /// The command that sets a steady light. It has no brightness: use darker colours.
    public struct Colour: BytePacket {
        public static var name: PacketName { PacketName("LEDStripCommand", "Colour") }

        static var start: UInt8 { 0x56 }

        public var red: UInt8
        public var green: UInt8
        public var blue: UInt8
        public var white: UInt8
        public var lamps: Lamps

        public init(red: UInt8, green: UInt8, blue: UInt8) {
            self.red = red
            self.green = green
            self.blue = blue
            white = 0
            lamps = .coloured
        }

        public init(white: UInt8) {
            red = 0
            green = 0
            blue = 0
            self.white = white
            lamps = .white
        }

        public init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            try io.marker("start", Self.start, packet)
            red = try io.uint8("red", packet?.red, .open)
            green = try io.uint8("green", packet?.green, .open)
            blue = try io.uint8("blue", packet?.blue, .open)
            white = try io.uint8("white", packet?.white, .open)
            lamps = try io.code("lamps", packet?.lamps, .open)
            try io.marker("end", 0xAA, packet)
        }
    }

    /// The command that starts a built-in animation.
    public struct Show: BytePacket {
        public static var name: PacketName { PacketName("LEDStripCommand", "Show") }

        static var start: UInt8 { 0xBB }

        public var mode: Reported<LEDStripMode>
        /// The time per step: 1 is the fastest. The vendor's app sends up to 31; a byte holds 255.
        public var speed: UInt8

        public init(_ mode: LEDStripMode, speed: UInt8) {
            self.mode = Reported(mode)
            self.speed = speed
        }

        public init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            try io.marker("start", Self.start, packet)
            mode = try io.reported("mode", packet?.mode, .open)
            speed = try io.uint8("speed", packet?.speed, .open)
            try io.marker("end", 0x44, packet)
        }
    }

    /// The request for the ``LEDStripStatus``.
    public struct StatusRequest: BytePacket {
        public static var name: PacketName { PacketName("LEDStripCommand", "StatusRequest") }

        static var start: UInt8 { 0xEF }

        public init() {}

        public init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            try io.marker("start", Self.start, packet)
            try io.marker("middle", 0x01, packet)
            try io.marker("end", 0x77, packet)
        }
    }
}

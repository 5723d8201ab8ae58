/// The services of Triones LED strips and bulbs.
public enum LEDStripServices {
    /// The service with ``commands``.
    public static let commandService = BluetoothUUID(0xFFD5)
    /// The characteristic for commands, written with or without response.
    public static let commands = BluetoothUUID(0xFFD9)
    /// The service with ``status``.
    public static let statusService = BluetoothUUID(0xFFD0)
    /// The characteristic that notifies the status.
    public static let status = BluetoothUUID(0xFFD4)
}

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

        public static let labels = FieldLabels<Power>()
    }

    /// The lamps of a ``Colour``.
    public enum Lamps: UInt8, FieldCode {
        /// The coloured lamps.
        case coloured = 0xF0
        /// The white lamp.
        case white = 0x0F

        public static let labels = FieldLabels<Lamps>()
    }

    /// The command that turns the strip on or off.
    public struct Switch: BytePacket {
        public static var name: PacketName { PacketName("LEDStripCommand", "Switch") }

        static var start: UInt8 { 0xCC }
        static var end: UInt8 { 0x33 }

        /// The new power of the strip.
        public var power: Power

        /// Creates a command for a new power.
        public init(_ power: Power) {
            self.power = power
        }

        public init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            try io.marker("start", Self.start, packet)
            power = try io.code("power", packet?.power, .open)
            try io.marker("end", Self.end, packet)
        }
    }

    /// The command that sets a steady light. It has no brightness: use darker colours.
    public struct Colour: BytePacket {
        public static var name: PacketName { PacketName("LEDStripCommand", "Colour") }

        static var start: UInt8 { 0x56 }
        static var end: UInt8 { 0xAA }

        public var red: UInt8
        public var green: UInt8
        public var blue: UInt8
        public var white: UInt8
        /// The lamps that are on.
        public var lamps: Lamps

        public init(red: UInt8, green: UInt8, blue: UInt8) {
            self.red = red
            self.green = green
            self.blue = blue
            white = 0
            lamps = .coloured
        }

        /// Creates a command for white light.
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
            try io.marker("end", Self.end, packet)
        }
    }

    /// The command that starts a built-in animation.
    public struct Show: BytePacket {
        public static var name: PacketName { PacketName("LEDStripCommand", "Show") }

        static var start: UInt8 { 0xBB }
        static var end: UInt8 { 0x44 }

        /// The animation.
        public var mode: Reported<LEDStripMode>
        /// The time per step: 1 is the fastest. The vendor's app sends up to 31; a byte holds 255.
        public var speed: UInt8

        /// Creates a command for an animation; a lower speed is faster.
        public init(_ mode: LEDStripMode, speed: UInt8) {
            self.mode = Reported(mode)
            self.speed = speed
        }

        public init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            try io.marker("start", Self.start, packet)
            mode = try io.reported("mode", packet?.mode, .open)
            speed = try io.uint8("speed", packet?.speed, .open)
            try io.marker("end", Self.end, packet)
        }
    }

    /// The request for the ``LEDStripStatus``.
    public struct StatusRequest: BytePacket {
        public static var name: PacketName { PacketName("LEDStripCommand", "StatusRequest") }

        static var start: UInt8 { 0xEF }
        static var middle: UInt8 { 0x01 }
        static var end: UInt8 { 0x77 }

        public init() {}

        public init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            try io.marker("start", Self.start, packet)
            try io.marker("middle", Self.middle, packet)
            try io.marker("end", Self.end, packet)
        }
    }
}

/// The command that sets an LED strip's clock; the layout is drawn at ``LEDStripCommand``.
///
/// The source documents weekday 0 for Sunday, but its example has a Sunday with 7.
public struct LEDStripClock: BytePacket {
    public static var name: PacketName { PacketName("LEDStripClock") }

    static var start: UInt8 { 0x10 }
    static var beforeEnd: UInt8 { 0x00 }
    static var end: UInt8 { 0x01 }

    /// The hundreds of the year.
    public let century: UInt8
    /// The last two digits of the year.
    public let yearOfCentury: UInt8
    /// The month, 1 to 12.
    public let month: UInt8
    /// The day of the month, from 1.
    public let day: UInt8
    /// The hour, 0 to 23.
    public let hour: UInt8
    public let minute: UInt8
    public let second: UInt8
    /// The day of the week: Monday is 1, Sunday 7 as in the source's example.
    public let weekday: UInt8

    /// Creates a command for a new time.
    public init(_ time: CivilDateTime) {
        let date = time.date
        century = UInt8(truncatingIfNeeded: date.year / 100)
        yearOfCentury = UInt8(truncatingIfNeeded: date.year % 100)
        month = UInt8(truncatingIfNeeded: date.month)
        day = UInt8(truncatingIfNeeded: date.day)
        hour = UInt8(truncatingIfNeeded: time.time.hour)
        minute = UInt8(truncatingIfNeeded: time.time.minute)
        second = UInt8(truncatingIfNeeded: time.time.second)
        // 1970-01-01 was a Thursday.
        weekday = UInt8(truncatingIfNeeded: (Int(date.daysSince1970) + 3) % 7 + 1)
    }

    public init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        try io.marker("start", Self.start, packet)
        century = try io.uint8("century", packet?.century, .datePart(.century))
        yearOfCentury = try io.uint8(
            "yearOfCentury", packet?.yearOfCentury, .datePart(.yearOfCentury))
        month = try io.uint8("month", packet?.month, .datePart(.month), in: 1...12)
        day = try io.uint8("day", packet?.day, .datePart(.day), in: 1...31)
        hour = try io.uint8("hour", packet?.hour, .open, in: 0...23)
        minute = try io.uint8("minute", packet?.minute, .open, in: 0...59)
        second = try io.uint8("second", packet?.second, .open, in: 0...59)
        weekday = try io.uint8("weekday", packet?.weekday, .datePart(.weekday), in: 0...7)
        try io.marker("beforeEnd", Self.beforeEnd, packet)
        try io.marker("end", Self.end, packet)
    }
}

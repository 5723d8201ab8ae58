/// Temperatures at equal intervals, under one of two ids.
///
///     → 74 day interval count index
///     ← 74 values…      2 bytes LE each: hundredths of a degree Celsius
///
/// Vendor notes only; the difference to 77 is not known.
public enum IntervalTemperature74: BigDataRequestCommand {
    public static let facts = CommandFacts(
        0x74, "IntervalTemperature74", "temperature at intervals (74)", onlyReads: true)

    /// A request for temperatures.
    public typealias Request = IntervalRequest<IntervalTemperature74>
    /// The temperatures.
    public typealias Reply = IntervalTemperatureReply<IntervalTemperature74>
}

/// A request for values at equal intervals. Only the fields' names are known, from vendor notes.
///
///     → id day interval count index
///
/// The length of one byte for each field is a guess.
public struct IntervalRequest<Owner: BigDataCommand>: BigDataRequest {
    public var day: UInt8
    /// The interval between two values; its unit is not known.
    public var interval: UInt8
    public var count: UInt8
    public var index: UInt8

    public init(day: UInt8, interval: UInt8, count: UInt8, index: UInt8) {
        self.day = day
        self.interval = interval
        self.count = count
        self.index = index
    }

    public init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        day = try io.uint8("day", packet?.day, .open)
        interval = try io.uint8("interval", packet?.interval, .open)
        count = try io.uint8("count", packet?.count, .open)
        index = try io.uint8("index", packet?.index, .open)
    }
}

/// Temperatures at equal intervals. Vendor notes only.
///
///     ← id values…     2 bytes LE each: hundredths of a degree Celsius
///
/// Further fields before the values are possible.
public struct IntervalTemperatureReply<Owner: BigDataCommand>: BigDataReply {
    public let hundredthsOfCelsius: [UInt16]

    /// Creates a reply with the given temperatures, at most 32,767.
    package init(hundredthsOfCelsius: [UInt16]) throws(ValueError) {
        self.hundredthsOfCelsius = try RecordLength.checked(
            hundredthsOfCelsius, "values", length: 2)
    }

    /// The temperatures in °C.
    public var celsius: [Double] { hundredthsOfCelsius.map { Double($0) / 100 } }

    public init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        let old = packet?.hundredthsOfCelsius
        var values: [UInt16] = []
        while io.goesOn(old.map { values.count < $0.count }) {
            io.enter("values", values.count)
            let value = try io.uint16(
                "hundredthsOfCelsius", old?[values.count], .body(.hundredthsOfCelsius))
            io.means { DecimalText.hundredths(Int(value)) + " °C" }
            values.append(value)
            io.leave()
        }
        hundredthsOfCelsius = values
    }
}

/// Temperatures at equal distances. Vendor notes only.
///
///     ← id values…     2 bytes LE each: hundredths of a degree Celsius
///
/// Whether anything precedes the values is not known.
public struct IntervalTemperatureReply<Owner: BigDataCommand>: BigDataReply {
    /// The temperatures in hundredths of a degree Celsius, as they were sent.
    public let hundredths: [UInt16]

    /// The given temperatures, at most 32,767.
    public init(hundredths: [UInt16]) throws(ValueError) {
        self.hundredths = try RecordLength.checked(hundredths, "values", length: 2)
    }

    /// The temperatures in °C.
    public var celsius: [Double] { hundredths.map { Double($0) / 100 } }

    public init<Sink: FieldSink>(from reader: inout ByteReader<Sink>) throws(PacketError) {
        var values: [UInt16] = []
        while reader.remaining > 0 {
            reader.enter("values", values.count)
            let value = try reader.uint16("hundredths")
            reader.means { DecimalText.hundredths(Int(value)) + " °C" }
            values.append(value)
            reader.leave()
        }
        hundredths = values
    }

    public func encode(into writer: inout ByteWriter) {
        for value in hundredths { writer.uint16("hundredths", value) }
    }
}

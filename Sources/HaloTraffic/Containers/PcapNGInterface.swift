/// An interface that packets of a pcapng file came from.
struct PcapNGInterface: Hashable, Sendable {
    /// What its packets are; nothing if that is not known here.
    let type: LinkType?
    /// How many bytes of a packet were kept; 0 if all.
    let snapshotLength: Int
    private var unit = Unit.decimal(6)
    private var offsetSeconds: Int64 = 0

    /// What a unit of time is: so many decimal, or binary, places of a second.
    private enum Unit: Hashable, Sendable {
        case decimal(Int)
        case binary(Int)
    }

    /// The body of an interface description, which begins at `offset` of the file.
    init(
        _ body: Span<UInt8>, _ order: ByteOrder, at offset: Int
    ) throws(TrafficError) {
        guard body.count >= 8 else {
            throw TrafficError(.wrongLength, at: offset, found: body.count)
        }
        type = LinkType(field: UInt32(body.uint16(at: 0, order)))
        snapshotLength = body.length(at: 4, order)
        var options = PcapNGOptions(body, order, from: 8)
        while let option = try options.next(body, at: offset) {
            let value = body.extracting(option.range)
            switch (option.code, value.count) {
            case (9, 1...):
                let places = Int(value[0] & 0x7F)
                unit = value[0] & 0x80 == 0 ? .decimal(places) : .binary(places)
            case (14, 8...):
                offsetSeconds = Int64(bitPattern: value.uint64(at: 0, order))
            default:
                break
            }
        }
    }

    /// A time of a packet in microseconds since 1970; the nearest that can be said, if it cannot.
    func microseconds(_ time: UInt64) -> Int64 {
        let value: UInt64
        switch unit {
        case .decimal(6):
            value = time
        case .decimal(9):
            value = time / 1000
        case .decimal(let places):
            value =
                places < 6
                ? Self.multiplied(time, tenTo: 6 - places) : Self.divided(time, tenTo: places - 6)
        case .binary(let places):
            let (high, low) = time.multipliedFullWidth(by: 1_000_000)
            value = Self.shifted(high, low, by: places)
        }
        let (seconds, isTooMuch) = offsetSeconds.multipliedReportingOverflow(by: 1_000_000)
        if isTooMuch { return offsetSeconds < 0 ? .min : .max }
        let (sum, isTooLarge) = Int64(clamping: value).addingReportingOverflow(seconds)
        return isTooLarge ? .max : sum
    }

    private static func multiplied(_ value: UInt64, tenTo places: Int) -> UInt64 {
        var value = value
        for _ in 0..<places {
            let (product, isTooMuch) = value.multipliedReportingOverflow(by: 10)
            if isTooMuch { return .max }
            value = product
        }
        return value
    }

    private static func divided(_ value: UInt64, tenTo places: Int) -> UInt64 {
        var value = value
        for _ in 0..<places where value > 0 { value /= 10 }
        return value
    }

    /// A number of 128 bits without its last places.
    private static func shifted(_ high: UInt64, _ low: UInt64, by places: Int) -> UInt64 {
        if places >= 64 { return high >> UInt64(places - 64) }
        if places == 0 { return high == 0 ? low : .max }
        if high >> UInt64(places) != 0 { return .max }
        return high << UInt64(64 - places) | low >> UInt64(places)
    }
}

import HaloProtocol

/// Makes reports of advertisements again of how `btmon` prints them.
///
/// Of an extended report the data stand there as they were. Those of the older kind have to be
/// put together again of what they say, and not all of it is printed: a service of 128 bits is
/// a name. Such a structure is left out.
enum BtmonAdvertising {
    /// The LE Advertising Report, 0x02.
    static func event(_ fields: BtmonFields, areAll: Bool) -> BtmonEvent.Outcome {
        var parameters: ContiguousArray<UInt8> = [0x02]
        let reports = split(fields.lines)
        guard announced(fields) == reports.count else { return .incomplete }
        parameters.append(UInt8(truncatingIfNeeded: reports.count))
        for lines in reports {
            let report = BtmonFields(lines: lines)
            guard let type = report.code("Event type:", count: 1),
                let addressType = report.code("Address type:", count: 1),
                let address = report.address("Address:"),
                let strength = report.code("RSSI:", count: 1)
            else { return .incomplete }
            let data = Self.data(of: report)
            guard let length = UInt8(exactly: data.bytes.count) else { return .incomplete }
            for part in [type, addressType, address, [length], data.bytes, strength] {
                parameters.append(contentsOf: part)
            }
        }
        return reports.isEmpty ? .incomplete : BtmonEvent.whole(lowEnergy, parameters)
    }

    /// The LE Extended Advertising Report, 0x0D.
    static func extendedEvent(_ fields: BtmonFields, areAll: Bool) -> BtmonEvent.Outcome {
        var parameters: ContiguousArray<UInt8> = [0x0D]
        let reports = split(fields.lines)
        guard announced(fields) == reports.count else { return .incomplete }
        parameters.append(UInt8(truncatingIfNeeded: reports.count))
        for lines in reports {
            let report = BtmonFields(lines: lines)
            guard let type = report.value("Event type:")?.plainCode,
                let addressType = report.code("Address type:", count: 1),
                let address = report.address("Address:"),
                let strength = report.code("RSSI:", count: 1),
                report.value("Data length:") != nil
            else { return .incomplete }
            let data = Self.data(of: report)
            guard data.isWhole || areAll, let length = UInt8(exactly: data.bytes.count) else {
                return .incomplete
            }
            // The main channel with the long-known physical layer, no second one, no set of
            // data, no power; no periodic advertisement, and to nobody in particular.
            let parts: [ContiguousArray<UInt8>] = [
                .littleEndian(type, count: 2), addressType, address, [1, 0, 0xFF, 0x7F],
                strength, ContiguousArray(repeating: 0, count: 9), [length], data.bytes,
            ]
            for part in parts { parameters.append(contentsOf: part) }
        }
        return reports.isEmpty ? .incomplete : BtmonEvent.whole(lowEnergy, parameters)
    }

    private static let lowEnergy: UInt8 = 0x3E

    /// How many reports the event has.
    private static func announced(_ fields: BtmonFields) -> Int? {
        var cursor = fields.value("Num reports:")
        return cursor?.decimal()
    }

    /// The lines of each report: it begins with the event's type.
    private static func split(_ lines: ArraySlice<BtmonLine>) -> [ArraySlice<BtmonLine>] {
        let starts = lines.indices.filter { lines[$0].value("Event type:") != nil }
        return starts.indices.prefix(255).map { index in
            let end = index + 1 < starts.count ? starts[index + 1] : lines.endIndex
            return lines[starts[index]..<end]
        }
    }

    /// The data of a report, and whether they are all.
    private static func data(
        of report: BtmonFields
    ) -> (bytes: ContiguousArray<UInt8>, isWhole: Bool) {
        let announced = report.value("Data length:").map { cursor in
            var cursor = cursor
            return cursor.plainCode.flatMap { Int(exactly: $0) } ?? cursor.decimal() ?? 0
        }
        let dump = report.dump
        if let announced, announced > 0, dump.count == announced { return (dump, true) }
        var bytes = ContiguousArray<UInt8>()
        var lines = report.lines
        while let line = lines.popFirst() {
            let beneath = lines.prefix { $0.indent > line.indent }
            guard let content = content(line, BtmonFields(lines: beneath)),
                let structure = try? AdvertisingStructure(content)
            else { continue }
            bytes.append(contentsOf: structure.bytes)
        }
        return (bytes, bytes.count == announced ?? 0)
    }

    /// What a structure says, of the line that names it and those beneath.
    private static func content(
        _ line: BtmonLine, _ beneath: BtmonFields
    ) -> AdvertisingStructure.Content? {
        if let flags = line.value("Flags:")?.plainCode {
            return .flags(AdvertisingFlags(rawValue: UInt8(truncatingIfNeeded: flags)))
        }
        if let name = line.value("Name (complete):") {
            return .name(AdvertisedName(bytes: Array(name.rest)), isComplete: true)
        }
        if let name = line.value("Name (short):") {
            return .name(AdvertisedName(bytes: Array(name.rest)), isComplete: false)
        }
        if let services = services(line, beneath) { return services }
        if let company = line.value("Company:") {
            guard let number = decimalCode(company) else { return nil }
            return .manufacturerData(company: number, data(beneath))
        }
        if let service = line.value("Service Data:"),
            let code = service.code.flatMap({ UInt16(exactly: $0) })
        {
            return .shortServiceData(code, data(beneath))
        }
        if line.indent == 8, let power = line.value("TX power:") { return transmitPower(power) }
        if let appearance = line.value("Appearance:")?.code {
            return .other(type: 0x19, Array(ContiguousArray.littleEndian(appearance, count: 2)))
        }
        if var unknown = line.value("Unknown EIR field 0x"), let type = unknown.byte(),
            unknown.skip(":")
        {
            unknown.skipSpaces()
            return .other(type: type, Array(unknown.bytes))
        }
        return nil
    }

    private static func services(
        _ line: BtmonLine, _ beneath: BtmonFields
    ) -> AdvertisingStructure.Content? {
        let isComplete: Bool
        if line.value("16-bit Service UUIDs (complete):") != nil {
            isComplete = true
        } else if line.value("16-bit Service UUIDs (partial):") != nil {
            isComplete = false
        } else {
            return nil
        }
        let numbers = beneath.lines.compactMap {
            TextCursor($0.text).code.flatMap { UInt16(exactly: $0) }
        }
        guard numbers.count == beneath.lines.count else { return nil }
        return .services(.short(numbers), isComplete: isComplete)
    }

    private static func data(_ fields: BtmonFields) -> [UInt8] {
        if let value = fields.value("Data:") { return Array(value.bytes) }
        guard var value = fields.value("Data["), value.skip(past: "]: ") else { return [] }
        return Array(value.bytes)
    }

    /// A decimal number in the last parentheses.
    private static func decimalCode(_ cursor: TextCursor) -> UInt16? {
        guard let open = cursor.rest.lastIndex(of: UInt8(ascii: "(")) else { return nil }
        var cursor = TextCursor(cursor.rest[open...].dropFirst())
        return cursor.decimal().flatMap { UInt16(exactly: $0) }
    }

    private static func transmitPower(_ cursor: TextCursor) -> AdvertisingStructure.Content? {
        var cursor = cursor
        let isNegative = cursor.skip("-")
        guard let number = cursor.decimal(), number < 128 else { return nil }
        return .transmitPower(Int8(truncatingIfNeeded: isNegative ? -number : number))
    }
}

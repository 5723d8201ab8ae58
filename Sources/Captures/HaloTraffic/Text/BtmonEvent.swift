import HaloProtocol

/// Re-encodes the events of a controller from the output of `btmon`: those about devices and
/// connections. Other events are skipped.
///
/// The layouts are those of the Bluetooth Core Specification, volume 4, part E, section 7.7.
enum BtmonEvent {
    /// The result of an event.
    enum Outcome {
        /// The event is skipped.
        case none
        /// The event was not printed completely.
        case incomplete
        /// The event with its code, length and parameters.
        case event(ContiguousArray<UInt8>)
    }

    /// The event of a code, from the lines beneath its header; `areAll` is `false` if lines may be
    /// missing.
    static func event(
        _ code: UInt8, _ lines: ArraySlice<BtmonLine>, areAll: Bool
    ) -> Outcome {
        let fields = BtmonFields(lines: lines)
        switch code {
        case 0x03:
            return whole(
                code,
                fields.code("Status:", count: 1), fields.handle, fields.address("Address:"),
                fields.code("Link type:", count: 1), fields.code("Encryption:", count: 1))
        case 0x05:
            return whole(
                code,
                fields.code("Status:", count: 1), fields.handle, fields.code("Reason:", count: 1))
        case 0x08:
            return whole(
                code,
                fields.code("Status:", count: 1), fields.handle,
                fields.code("Encryption:", count: 1))
        case 0x30:
            return whole(code, fields.code("Status:", count: 1), fields.handle)
        case 0x3E:
            return lowEnergy(code, lines, areAll: areAll)
        case 0x59 where fields.value("Key size:") != nil:
            return whole(
                code,
                fields.code("Status:", count: 1), fields.handle,
                fields.code("Encryption:", count: 1), fields.number("Key size:", count: 1))
        case 0x59:
            return dumped(code, fields.dump, count: 5)
        default:
            return .none
        }
    }

    private static func lowEnergy(
        _ code: UInt8, _ lines: ArraySlice<BtmonLine>, areAll: Bool
    ) -> Outcome {
        guard let first = lines.first, let subcode = TextCursor(first.text).code else {
            return .none
        }
        let beneath = BtmonFields(lines: lines.dropFirst())
        let kind = ContiguousArray([UInt8(truncatingIfNeeded: subcode)])
        switch subcode {
        case 0x01:
            return whole(code, kind, connection(beneath), timing(beneath))
        case 0x02:
            return BtmonAdvertising.event(beneath)
        case 0x0A:
            return whole(
                code, kind, connection(beneath),
                beneath.address("Local resolvable private address:"),
                beneath.address("Peer resolvable private address:"), timing(beneath))
        case 0x0D:
            return BtmonAdvertising.extendedEvent(beneath, areAll: areAll)
        case 0x29:
            return dumped(code, kind + beneath.dump, count: 34)
        default:
            return .none
        }
    }

    /// The first fields in the reports of a new link: status, handle, role, address of the other
    /// side.
    private static func connection(_ fields: BtmonFields) -> ContiguousArray<UInt8>? {
        ContiguousArray.concatenated([
            fields.code("Status:", count: 1), fields.handle, fields.code("Role:", count: 1),
            fields.code("Peer address type:", count: 1), fields.address("Peer address:"),
        ])
    }

    /// The last fields in the reports of a new link: interval, latency, timeout, clock accuracy.
    private static func timing(_ fields: BtmonFields) -> ContiguousArray<UInt8>? {
        let accuracy = fields.value("Central clock accuracy:", "Master clock accuracy:")?.plainCode
        return ContiguousArray.concatenated([
            fields.code("Connection interval:", count: 2),
            fields.code("Connection latency:", count: 2),
            fields.code("Supervision timeout:", count: 2),
            accuracy.map { .littleEndian($0, count: 1) },
        ])
    }

    /// An event made of its parameters; incomplete if one is missing.
    static func whole(_ code: UInt8, _ parts: ContiguousArray<UInt8>?...) -> Outcome {
        guard let parameters = ContiguousArray.concatenated(parts),
            let count = UInt8(exactly: parameters.count)
        else { return .incomplete }
        return .event([code, count] + parameters)
    }

    /// An event that is printed as a dump, because `btmon` does not know it.
    private static func dumped(
        _ code: UInt8, _ parameters: ContiguousArray<UInt8>, count: Int
    ) -> Outcome {
        parameters.count == count ? whole(code, parameters) : .incomplete
    }
}

/// Re-encodes reports of advertisements from the output of `btmon`.
///
/// The data of an extended report are printed as a dump. The data of a legacy report are re-encoded
/// from their printed structures. Structures that are not printed in full are left out: a service
/// of 128 bits may be printed as a name.
private enum BtmonAdvertising {
    /// The LE Advertising Report, 0x02.
    static func event(_ fields: BtmonFields) -> BtmonEvent.Outcome {
        event(0x02, fields) { report in
            ContiguousArray.concatenated([
                report.code("Event type:", count: 1), report.code("Address type:", count: 1),
                report.address("Address:"), prefixed(data(of: report).bytes),
                report.code("RSSI:", count: 1),
            ])
        }
    }

    /// The LE Extended Advertising Report, 0x0D.
    static func extendedEvent(_ fields: BtmonFields, areAll: Bool) -> BtmonEvent.Outcome {
        event(0x0D, fields) { report in
            let data = data(of: report)
            guard report.value("Data length:") != nil, data.isWhole || areAll else { return nil }
            // The primary channel on LE 1M, no secondary channel, no advertising set, no power, no
            // periodic advertisement, and no addressee.
            return ContiguousArray.concatenated([
                report.value("Event type:")?.plainCode.map { .littleEndian($0, count: 2) },
                report.code("Address type:", count: 1), report.address("Address:"),
                [1, 0, 0xFF, 0x7F], report.code("RSSI:", count: 1),
                ContiguousArray(repeating: 0, count: 9), prefixed(data.bytes),
            ])
        }
    }

    /// The event of a subcode with all its reports. Each report begins with the line of its type.
    private static func event(
        _ subcode: UInt8, _ fields: BtmonFields,
        _ report: (BtmonFields) -> ContiguousArray<UInt8>?
    ) -> BtmonEvent.Outcome {
        let lines = fields.lines
        let starts = lines.indices.filter { lines[$0].value("Event type:") != nil }
        let indices = starts.indices.prefix(255)
        var announced = fields.value("Num reports:")
        guard !indices.isEmpty, announced?.decimal() == indices.count else { return .incomplete }
        let reports = indices.map { index in
            let end = index + 1 < starts.count ? starts[index + 1] : lines.endIndex
            return report(BtmonFields(lines: lines[starts[index]..<end]))
        }
        let lowEnergy: UInt8 = 0x3E
        let head: ContiguousArray<UInt8> = [subcode, UInt8(truncatingIfNeeded: indices.count)]
        return BtmonEvent.whole(lowEnergy, head, ContiguousArray.concatenated(reports))
    }

    /// Bytes after their count in one byte; `nil` if there are too many.
    private static func prefixed(_ bytes: ContiguousArray<UInt8>) -> ContiguousArray<UInt8>? {
        UInt8(exactly: bytes.count).map { [$0] + bytes }
    }

    /// The data of a report; `isWhole` is `true` if none are missing.
    private static func data(
        of report: BtmonFields
    ) -> (bytes: ContiguousArray<UInt8>, isWhole: Bool) {
        let announced = report.value("Data length:").map { cursor in
            var cursor = cursor
            return cursor.plainCode.flatMap { Int(exactly: $0) } ?? cursor.decimal() ?? 0
        }
        if let announced, announced > 0 {
            // Since 5.86 the whole data are printed before their structures.
            for dump in [report.dump, report.dump(beneath: "Advertising Data[")]
            where dump.count == announced {
                return (dump, true)
            }
        }
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

    /// The content of a structure, from its line and the lines beneath it.
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

    /// The decimal number in the last parentheses.
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

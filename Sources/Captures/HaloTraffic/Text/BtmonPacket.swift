import HaloProtocol

/// Re-encodes the commands and events of a controller from the output of `btmon`: those about
/// devices, connections and the adapter's own address. Others are skipped.
///
/// The layouts are those of the Bluetooth Core Specification, volume 4, part E, section 7.
enum BtmonPacket {
    enum Outcome {
        /// The packet is skipped, or the lines are none of this kind.
        case none
        case incomplete
        case packet(ContiguousArray<UInt8>)
    }

    /// The command of an opcode with its length and parameters; `nil` if it is skipped or was not
    /// printed completely.
    static func command(_ opcode: UInt16, _ fields: BtmonFields) -> ContiguousArray<UInt8>? {
        let parameters: [BtmonField]? =
            switch opcode {
            case 0x0C03: []
            case 0x2005: [.address("Address:")]
            case 0x2006:
                [
                    .code("Min advertising interval:", 2), .code("Max advertising interval:", 2),
                    .code("Type:"), .code("Own address type:"), .code("Direct address type:"),
                    .address("Direct address:"), .code("Channel map:"), .code("Filter policy:"),
                ]
            default: nil
            }
        return parameters.flatMap(fields.encoded).flatMap(prefixed).map {
            .littleEndian(UInt64(opcode), count: 2) + $0
        }
    }

    /// The event of a code with its length and parameters, from the lines beneath its header;
    /// `areAll` is `false` if lines may be missing.
    static func event(
        _ code: UInt8, _ lines: ArraySlice<BtmonLine>, areAll: Bool
    ) -> Outcome {
        if code == lowEnergy { return lowEnergyEvent(lines, areAll: areAll) }
        let fields = BtmonFields(lines: lines)
        let parameters: [BtmonField]? =
            switch code {
            case 0x03:
                [
                    .code("Status:"), .handle, .address("Address:"), .code("Link type:"),
                    .code("Encryption:"),
                ]
            case 0x05: [.code("Status:"), .handle, .code("Reason:")]
            case 0x08: [.code("Status:"), .handle, .code("Encryption:")]
            case 0x30: [.code("Status:"), .handle]
            case 0x59 where fields.value("Key size:") == nil: [.dump(count: 5)]
            case 0x59: [.code("Status:"), .handle, .code("Encryption:"), .number("Key size:")]
            default: nil
            }
        return parameters.map { event(code, fields, $0) } ?? Outcome.none
    }

    private static let lowEnergy: UInt8 = 0x3E

    private static func lowEnergyEvent(
        _ lines: ArraySlice<BtmonLine>, areAll: Bool
    ) -> Outcome {
        guard let first = lines.first, let subcode = TextCursor(first.text).code else {
            return .none
        }
        let fields = BtmonFields(lines: lines.dropFirst())
        switch subcode {
        case 0x01:
            return event(lowEnergy, fields, [.bytes([0x01])] + connection + timing)
        case 0x02:
            return BtmonAdvertising.event(fields)
        case 0x0A:
            return event(lowEnergy, fields, [.bytes([0x0A])] + connection + ownAddresses + timing)
        case 0x0D:
            return BtmonAdvertising.extendedEvent(fields, areAll: areAll)
        case 0x29:
            return event(lowEnergy, fields, [.bytes([0x29]), .dump(count: 33)])
        default:
            return .none
        }
    }

    /// The first fields in the reports of a new link.
    private static let connection: [BtmonField] = [
        .code("Status:"), .handle, .code("Role:"), .code("Peer address type:"),
        .address("Peer address:"),
    ]

    private static let ownAddresses: [BtmonField] = [
        .address("Local resolvable private address:"), .address("Peer resolvable private address:"),
    ]

    /// The last fields in the reports of a new link.
    private static let timing: [BtmonField] = [
        .code("Connection interval:", 2), .code("Connection latency:", 2),
        .code("Supervision timeout:", 2),
        .plainCode("Central clock accuracy:", or: "Master clock accuracy:"),
    ]

    /// An event made of its parameters; incomplete if one is missing.
    fileprivate static func event(
        _ code: UInt8, _ fields: BtmonFields, _ parameters: [BtmonField]
    ) -> Outcome {
        guard let event = fields.encoded(parameters).flatMap(prefixed) else { return .incomplete }
        return .packet([code] + event)
    }

    /// Bytes after their count in one byte; `nil` if there are too many.
    fileprivate static func prefixed(
        _ bytes: ContiguousArray<UInt8>
    ) -> ContiguousArray<UInt8>? {
        UInt8(exactly: bytes.count).map { [$0] + bytes }
    }
}

/// Re-encodes reports of advertisements from the output of `btmon`.
///
/// The data of an extended report are printed as a dump. The data of a legacy report are re-encoded
/// from their printed structures. Structures that are not printed in full are left out: a service
/// of 128 bits may be printed as a name.
private enum BtmonAdvertising {
    /// The LE Advertising Report, 0x02.
    static func event(_ fields: BtmonFields) -> BtmonPacket.Outcome {
        event(0x02, fields) { report in
            report.encoded([
                .code("Event type:"), .code("Address type:"), .address("Address:"),
                .bytes(BtmonPacket.prefixed(data(of: report).bytes)), .code("RSSI:"),
            ])
        }
    }

    /// The LE Extended Advertising Report, 0x0D.
    static func extendedEvent(_ fields: BtmonFields, areAll: Bool) -> BtmonPacket.Outcome {
        event(0x0D, fields) { report in
            let data = data(of: report)
            guard report.value("Data length:") != nil, data.isWhole || areAll else { return nil }
            // The primary channel on LE 1M, no secondary channel, no advertising set, no power, no
            // periodic advertisement, and no addressee.
            return report.encoded([
                .plainCode("Event type:", 2), .code("Address type:"), .address("Address:"),
                .bytes([1, 0, 0xFF, 0x7F]), .code("RSSI:"),
                .bytes(ContiguousArray(repeating: 0, count: 9)),
                .bytes(BtmonPacket.prefixed(data.bytes)),
            ])
        }
    }

    /// The event of a subcode with all its reports. Each report begins with the line of its type.
    private static func event(
        _ subcode: UInt8, _ fields: BtmonFields,
        _ report: (BtmonFields) -> ContiguousArray<UInt8>?
    ) -> BtmonPacket.Outcome {
        let lines = fields.lines
        let starts = lines.indices.filter { lines[$0].value("Event type:") != nil }
        let indices = starts.indices.prefix(255)
        var announced = fields.value("Num reports:")
        guard !indices.isEmpty, announced?.decimal() == indices.count else { return .incomplete }
        let reports = indices.map { index in
            let end = index + 1 < starts.count ? starts[index + 1] : lines.endIndex
            return BtmonField.bytes(report(BtmonFields(lines: lines[starts[index]..<end])))
        }
        let head: ContiguousArray<UInt8> = [subcode, UInt8(truncatingIfNeeded: indices.count)]
        return BtmonPacket.event(0x3E, fields, [.bytes(head)] + reports)
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

    private static func content(
        _ line: BtmonLine, _ beneath: BtmonFields
    ) -> AdvertisingStructure.Content? {
        if let flags = line.value("Flags:")?.plainCode {
            return .flags(AdvertisingFlags(rawValue: UInt8(truncatingIfNeeded: flags)))
        }
        let name = line.value("Name (complete):")
        if let text = name ?? line.value("Name (short):") {
            return .name(AdvertisedName(bytes: Array(text.rest)), isComplete: name != nil)
        }
        if let services = services(line, beneath) { return services }
        if let company = line.value("Company:") {
            var code = company.inParentheses
            let number = code?.decimal().flatMap { UInt16(exactly: $0) }
            return number.map { .manufacturerData(company: $0, data(beneath)) }
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
        let isComplete = line.value("16-bit Service UUIDs (complete):") != nil
        guard isComplete || line.value("16-bit Service UUIDs (partial):") != nil else { return nil }
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

    private static func transmitPower(_ cursor: TextCursor) -> AdvertisingStructure.Content? {
        var cursor = cursor
        let isNegative = cursor.skip("-")
        guard let number = cursor.decimal(), number < 128 else { return nil }
        return .transmitPower(Int8(truncatingIfNeeded: isNegative ? -number : number))
    }
}

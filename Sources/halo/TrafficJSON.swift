import HaloCapture
import HaloProtocol
import HaloTraffic

/// What is in a file of traffic, as lines of JSON.
enum TrafficJSON {
    private typealias Members = [(key: String, value: JSONText.Value)]

    static func lines(_ report: TrafficReport, _ name: String) -> [String] {
        var file: Members = [
            ("what", .string("file")), ("file", .string(name)),
            ("format", report.format.map { .string($0.name) } ?? .null),
            ("records", number(report.recordCount)), ("bytes", number(report.byteCount)),
            ("microseconds", number(Int(report.microseconds))),
        ]
        if let first = report.firstMicroseconds, let clock = TrafficReport.clock(first) {
            file.append(("began", .string("\(clock) +00:00")))
        }
        var lines = [line(file)]
        for connection in report.connections {
            lines.append(line(members(connection, report)))
            for attribute in connection.attributes {
                lines.append(line(members(attribute, connection)))
            }
        }
        lines += report.heard.map { device in
            line([
                ("what", .string("heard")), ("address", .string(device.address.description)),
                ("isRandom", .boolean(device.address.isRandom)),
                ("name", device.name.map { .string(text($0)) } ?? .null),
                ("count", number(device.count)),
            ])
        }
        lines += report.findings.map { finding in
            line([
                ("what", .string("finding")), ("reason", .string(finding.oddity.description)),
                ("count", number(finding.count)), ("record", number(finding.firstRecord)),
                ("offset", number(finding.firstOffset)),
            ])
        }
        return lines
    }

    static func lines(_ census: PacketCensus) -> [String] {
        census.entries.map { entry in
            var members: Members = [
                ("what", .string("packets")),
                ("channel", .string(TrafficWords.channel(entry.channel))),
                ("direction", .string(entry.direction == .toDevice ? "to" : "from")),
                ("packet", entry.packet.map { .string($0.description) } ?? .null),
                ("code", entry.code.map { .string(HexText.byte($0)) } ?? .null),
                ("count", number(entry.count)), ("faults", number(entry.faultCount)),
            ]
            if let fault = entry.firstFault {
                members += [
                    ("record", number(fault.record)), ("offset", number(fault.offset)),
                    ("reason", .string(fault.reason)),
                ]
            }
            return line(members)
        }
    }

    static func line(_ capture: Capture, _ name: String, _ microseconds: Int64) -> String {
        line([
            ("what", .string("file")), ("file", .string(name)),
            ("format", .string(TrafficFormat.capture.name)),
            ("records", number(capture.lines.count)),
            ("microseconds", number(Int(microseconds))),
        ])
    }

    private static func members(
        _ connection: TrafficConnection, _ report: TrafficReport
    ) -> Members {
        let start = connection.firstMicroseconds.subtractingReportingOverflow(
            report.firstMicroseconds ?? 0
        ).partialValue
        return [
            ("what", .string("connection")), ("number", number(connection.number)),
            ("address", connection.address.map { .string($0.description) } ?? .null),
            ("isRandom", connection.address.map { .boolean($0.isRandom) } ?? .null),
            ("name", connection.name.map { .string(text($0)) } ?? .null),
            ("role", .string("\(connection.role)")),
            ("record", number(connection.firstRecord)), ("at", number(Int(start))),
            ("mtu", connection.mtu.map { number(Int($0)) } ?? .null),
            ("isEncrypted", .boolean(connection.isEncrypted)),
            ("isReadable", .boolean(connection.isReadable)),
            ("reason", connection.endReason.map { .string(HexText.byte($0)) } ?? .null),
            ("values", number(connection.valueCount)),
        ]
    }

    private static func members(
        _ attribute: TrafficAttribute, _ connection: TrafficConnection
    ) -> Members {
        [
            ("what", .string("attribute")), ("connection", number(connection.number)),
            ("handle", attribute.handle.map { .string(HandleText.text($0)) } ?? .null),
            ("uuid", .string(attribute.uuid.description)),
            ("basis", .string(attribute.basis.description)),
            ("isGuess", .boolean(attribute.basis.isGuess)),
            ("service", attribute.service.map { .string($0.description) } ?? .null),
            ("written", number(attribute.written.count)),
            ("notified", number(attribute.notified.count)),
            ("read", number(attribute.read.count)),
            ("refused", number(attribute.refusalCount)),
        ]
    }

    private static func text(_ name: AdvertisedName) -> String {
        name.text ?? PrintableText.escaped(name.bytes)
    }

    /// A number that is not negative.
    private static func number(_ value: Int) -> JSONText.Value {
        .number(UInt64(clamping: value))
    }

    private static func line(_ members: Members) -> String {
        JSONText.text(.object(members)) + "\n"
    }
}

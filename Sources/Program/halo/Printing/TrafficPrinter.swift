import HaloCapture
import HaloProtocol
import HaloTraffic

struct TrafficPrinter {
    let path: FilePath

    private static let listLength = 20
    private static let width = 80

    func print(_ report: TrafficReport, to console: inout Console) {
        if console.isJSON { return writeJSON(report, &console) }
        let style = console.style
        console.write(style.strong(heading(report)) + "\n")
        for connection in report.connections where connection.hasConversation {
            print(connection, report, to: &console)
        }
        let silent = report.connections.filter { !$0.hasConversation }
        if !silent.isEmpty {
            console.write("\n\(style.strong("Connections without any values"))\n")
            for connection in silent.prefix(Self.listLength) {
                console.write("  \(title(connection))\n    \(facts(connection, report))\n")
            }
            printRest(of: silent.count, to: &console)
        }
        print(heard: report.heard, to: &console)
        print(report.findings, to: &console)
    }

    func print(_ counts: PacketCounts, to console: inout Console) {
        if console.isJSON { return writeJSON(counts, &console) }
        let style = console.style
        console.write("\n\(style.strong("Packets"))\n")
        let rows = counts.entries.map { entry in
            [
                entry.direction.arrow, Self.name(entry.channel),
                Self.name(entry), "\(entry.count)",
            ]
        }
        for (row, entry) in zip(TextLayout.lines(of: rows), counts.entries) {
            console.write("  \(row)\n")
            guard let fault = entry.firstFault else { continue }
            let position =
                fault.offset > 0
                ? "in record \(fault.record), byte \(fault.offset)" : "at \(fault.record)"
            let text = "\(entry.faultCount) cannot be read; first \(position):"
            let reason = PrintableText.escaped(fault.reason.utf8)
            console.write("      \(style.bad(text))\n        \(style.bad(reason))\n")
        }
    }

    func print(_ capture: Capture, byteCount: Int, to console: inout Console) {
        let last = capture.timedLines.reduce(0 as Int64) { $1.moment.microseconds }
        let lineCount = capture.lines.count
        let packetCount = capture.lines.count { $0.packet != nil }
        let text =
            "\(path.quoted): halo, \(TextLayout.count(lineCount, "line")), "
            + "\(TextLayout.count(packetCount, "packet")), \(Self.seconds(last))"
        let style = console.style
        console.write(
            type: "file",
            [
                "file": path.text, "format": TrafficFormat.capture.name, "records": lineCount,
                "bytes": byteCount, "microseconds": last, "began": String?.none,
            ], or: style.strong(text) + "\n")
    }

    // MARK: For people

    private func heading(_ report: TrafficReport) -> String {
        var times = Self.seconds(report.microseconds)
        if let first = report.firstMicroseconds, let clock = TrafficReport.clock(first) {
            times = "from \(clock) UTC, \(times)"
        }
        return "\(path.quoted): \(report.format?.name ?? "no known format"), "
            + "\(TextLayout.count(report.recordCount, "record")), "
            + "\(TextLayout.count(report.byteCount, "byte"))\n  \(times)"
    }

    private func title(_ connection: TrafficConnection) -> String {
        let name = connection.name.map { " \($0)" } ?? ""
        return "\(connection.number)  \(Self.address(connection.address))\(name)"
    }

    private func facts(_ connection: TrafficConnection, _ report: TrafficReport) -> String {
        let length = connection.lastMicroseconds &- connection.firstMicroseconds
        let start = Self.seconds(Self.start(of: connection, report))
        var facts = ["at \(start) for \(Self.seconds(length))"]
        switch connection.role {
        case .local where connection.roleBasis == .recorded:
            facts.append("the recorder is the device")
        case .overheard: facts.append("overheard")
        case .unknown where connection.attributes.allSatisfy({ $0.basis == .named }): break
        case .remote where connection.roleBasis == .recorded: break
        case .unknown, .remote, .local:
            facts.append("its beginning was not recorded")
        }
        if let mtu = connection.mtu { facts.append("MTU \(mtu)") }
        if connection.isEncrypted {
            facts.append(connection.isReadable ? "encrypted" : "encrypted, not readable")
        }
        if connection.hasEnded { facts.append(Self.end(connection.endReason)) }
        return facts.joined(separator: ", ")
    }

    /// A line for a role that was not recorded, with its basis; empty for another one.
    private static func role(_ connection: TrafficConnection) -> String {
        let side = connection.role == .local ? "device" : "app"
        let recorder = "  recorded on the \(side)'s side"
        switch connection.roleBasis {
        case .recorded, .assumed: return ""
        case .given: return "\(recorder), as given\n"
        case .certain: return "\(recorder)\n"
        case .likely(let supporting, let contradicting):
            let sum = TextLayout.count(supporting + contradicting, "packet")
            let share = contradicting == 0 ? "" : "\(supporting) of "
            let doubt = contradicting > supporting ? "; doubtful, see --role" : ""
            return "\(recorder), by \(share)\(sum)\(doubt)\n"
        }
    }

    private func print(
        _ connection: TrafficConnection, _ report: TrafficReport, to console: inout Console
    ) {
        let style = console.style
        let title = "\(style.strong("Connection")) \(title(connection))"
        console.write("\n\(title)\n  \(facts(connection, report))\n")
        console.write(Self.role(connection))
        let used = connection.attributes.filter(\.isUsed)
        let rows = used.map { attribute in
            [
                attribute.handle.map(HandleText.text) ?? "", Self.name(attribute),
                attribute.basis.description, Self.counts(attribute),
            ]
        }
        for (row, attribute) in zip(TextLayout.lines(of: rows), used) {
            console.write("  \(attribute.basis.isGuess ? style.bad(row) : row)\n")
        }
        let unused = connection.attributes.count - used.count
        if unused > 0 { console.write(style.faint("  and \(unused) that were not used") + "\n") }
    }

    private func print(heard devices: [HeardDevice], to console: inout Console) {
        guard !devices.isEmpty else { return }
        console.write("\n\(console.style.strong("Heard advertising"))\n")
        let mostFrequent = devices.sorted { $0.advertisementCount > $1.advertisementCount }
        for device in mostFrequent.prefix(Self.listLength) {
            var text = device.address.map(Self.address) ?? "anonymous"
            if let name = device.name { text += " \(name)" }
            text +=
                device.advertisementCount == 1 ? ", once" : ", \(device.advertisementCount) times"
            if let strongest = device.strongestRSSI { text += ", at most \(strongest) dBm" }
            console.write("  \(text)\n")
        }
        printRest(of: devices.count, to: &console)
    }

    private func print(_ findings: [TrafficFinding], to console: inout Console) {
        guard !findings.isEmpty else { return }
        console.write("\n\(console.style.strong("Looks wrong"))\n")
        for finding in findings {
            let position = "first at record \(finding.firstRecord), byte \(finding.firstOffset)"
            let text = "  \(finding.count) × \(finding.oddity),"
            let isShort = text.count + position.count + 1 <= Self.width
            console.write("\(text)\(isShort ? " " : "\n      ")\(position)\n")
        }
    }

    private func printRest(of count: Int, to console: inout Console) {
        if count > Self.listLength {
            console.write("  and \(count - Self.listLength) more\n")
        }
    }

    private static func seconds(_ microseconds: Int64) -> String {
        Moment(microseconds: microseconds).description
    }

    private static func address(_ address: DeviceAddress?) -> String {
        address.map { "\($0)\($0.isRandom ? " (random)" : "")" } ?? "an unknown device"
    }

    private static func name(_ attribute: TrafficAttribute) -> String {
        if attribute.isUnnamed { return "without a name: see --map" }
        if attribute.uuid.unnamedHandle != nil { return "?" }
        if let value = attribute.subscribes { return "CCCD of \(HandleText.text(value))" }
        if let value = attribute.describes, value != attribute.handle {
            return "\(attribute.uuid) of \(HandleText.text(value))"
        }
        return switch attribute.uuid {
        case RingServices.uartWrite: "uart, to write"
        case RingServices.uartNotify: "uart, notifies"
        case RingServices.bigDataWrite: "bigdata, to write"
        case RingServices.bigDataNotify: "bigdata, notifies"
        default: attribute.uuid.descriptionWithName
        }
    }

    private static func end(_ reason: UInt8?) -> String {
        switch reason {
        case nil: "ended"
        case ControllerReason.authenticationFailure: "ended: the keys did not match"
        case ControllerReason.timeout: "ended: out of reach"
        case ControllerReason.remoteUser: "ended by the device"
        case ControllerReason.localHost: "ended by the app"
        case ControllerReason.neverEstablished: "ended: never established"
        case .some(let code): "ended for reason \(HexText.byte(code))"
        }
    }

    private static func counts(_ attribute: TrafficAttribute) -> String {
        var parts: [String] = []
        for (count, verb) in [
            (attribute.written, "written"), (attribute.notified, "notified"),
            (attribute.read, "read"),
        ] where count.count > 0 {
            let length =
                count.shortest == count.longest
                ? TextLayout.count(count.shortest, "byte")
                : "\(count.shortest)–\(count.longest) bytes"
            parts.append("\(count.count) \(verb) (\(length))")
        }
        if attribute.refusalCount > 0 { parts.append("\(attribute.refusalCount) refused") }
        return parts.joined(separator: ", ")
    }

    private static func name(_ channel: CaptureChannel) -> String {
        switch channel {
        case .characteristic(let uuid):
            guard let handle = uuid.unnamedHandle else { break }
            return handle == 0 ? "without a name" : HandleText.text(handle)
        case .descriptor(let type, of: let uuid):
            guard let handle = uuid.unnamedHandle else { break }
            return "\(HandleText.text(handle)):\(type)"
        default: break
        }
        return channel.words
    }

    private static func name(_ entry: PacketCounts.Entry) -> String {
        let code = entry.code.map { " \(HexText.byte($0))" } ?? ""
        if let packet = entry.packet { return "\(packet)\(code)" }
        return entry.faultCount == entry.count && entry.count > 0
            ? "no frame\(code)" : "unknown\(code)"
    }

    /// The microseconds from the beginning of the file to that of a connection.
    private static func start(
        of connection: TrafficConnection, _ report: TrafficReport
    ) -> Int64 {
        connection.firstMicroseconds &- (report.firstMicroseconds ?? 0)
    }

    // MARK: JSON

    private func writeJSON(_ report: TrafficReport, _ console: inout Console) {
        let began = report.firstMicroseconds.flatMap(TrafficReport.clock)
        console.write(
            type: "file",
            [
                "file": path.text, "format": report.format?.name, "records": report.recordCount,
                "bytes": report.byteCount, "microseconds": report.microseconds,
                "began": began.map { "\($0) +00:00" },
            ])
        for connection in report.connections {
            console.write(type: "connection", Self.members(connection, report))
            for attribute in connection.attributes {
                console.write(type: "attribute", Self.members(attribute, connection))
            }
        }
        for device in report.heard {
            console.write(
                type: "heard",
                [
                    "address": device.address.map { "\($0)" }, "isRandom": device.address?.isRandom,
                    "name": device.name.map(Self.text), "count": device.advertisementCount,
                ])
        }
        for finding in report.findings {
            console.write(
                type: "finding",
                [
                    "reason": "\(finding.oddity)", "count": finding.count,
                    "record": finding.firstRecord, "offset": finding.firstOffset,
                ])
        }
    }

    private func writeJSON(_ counts: PacketCounts, _ console: inout Console) {
        for entry in counts.entries {
            let members: JSONObject = [
                "channel": Self.name(entry.channel), "direction": entry.direction.word,
                "packet": entry.packet?.description,
                "code": entry.code.map { HexText.byte($0) }, "count": entry.count,
                "faults": entry.faultCount,
            ]
            let fault: JSONObject? = entry.firstFault.map {
                ["record": $0.record, "offset": $0.offset, "reason": $0.reason]
            }
            console.write(type: "packets", members + (fault ?? [:]))
        }
    }

    private static func members(
        _ connection: TrafficConnection, _ report: TrafficReport
    ) -> JSONObject {
        [
            "number": connection.number, "address": connection.address?.description,
            "isRandom": connection.address?.isRandom, "name": connection.name.map(text),
            "role": "\(connection.role)", "isRoleRecorded": connection.roleBasis == .recorded,
            "record": connection.firstRecord, "at": start(of: connection, report),
            "mtu": connection.mtu, "isEncrypted": connection.isEncrypted,
            "isReadable": connection.isReadable,
            "reason": connection.endReason.map { HexText.byte($0) },
            "values": connection.valueCount,
        ]
    }

    private static func members(
        _ attribute: TrafficAttribute, _ connection: TrafficConnection
    ) -> JSONObject {
        [
            "connection": connection.number, "handle": attribute.handle.map(HandleText.text),
            "uuid": "\(attribute.uuid)", "basis": "\(attribute.basis)",
            "isGuess": attribute.basis.isGuess, "service": attribute.service?.description,
            "written": attribute.written.count, "notified": attribute.notified.count,
            "read": attribute.read.count, "refused": attribute.refusalCount,
        ]
    }

    private static func text(_ name: AdvertisedName) -> String {
        name.text ?? PrintableText.escaped(name.bytes)
    }
}

extension BluetoothUUID {
    /// The number, and the name of a characteristic that has one: `2A37 HeartRateMeasurement`.
    var descriptionWithName: String {
        CharacteristicCatalog.entry(self).map { "\(self) \($0.name)" } ?? description
    }
}

extension Direction {
    var arrow: String { self == .toDevice ? "→" : "←" }
    var word: String { self == .toDevice ? "to" : "from" }
}

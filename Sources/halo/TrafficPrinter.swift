import HaloCapture
import HaloProtocol
import HaloTraffic

/// Says what is in a file of traffic: for people, or as JSON.
struct TrafficPrinter {
    let isJSON: Bool
    /// The file.
    let name: String

    func print(_ report: TrafficReport, to console: inout Console) {
        if isJSON {
            for line in TrafficJSON.lines(report, name) { console.write(line) }
            return
        }
        let style = TerminalStyle(isOn: console.usesColour)
        console.write(style.strong(head(report)) + "\n")
        for connection in report.connections where connection.hasConversation {
            print(connection, report, style, to: &console)
        }
        let silent = report.connections.filter { !$0.hasConversation }
        if !silent.isEmpty {
            console.write("\n\(style.strong("Connections without any values"))\n")
            for connection in silent.prefix(Self.listLength) {
                console.write("  \(who(connection))\n    \(facts(connection, report))\n")
            }
            more(silent.count, to: &console)
        }
        print(heard: report.heard, style, to: &console)
        print(report.findings, style, to: &console)
    }

    func print(_ census: PacketCensus, to console: inout Console) {
        if isJSON {
            for line in TrafficJSON.lines(census) { console.write(line) }
            return
        }
        let style = TerminalStyle(isOn: console.usesColour)
        console.write("\n\(style.strong("Packets"))\n")
        let rows = census.entries.map(cells)
        let widths = (0..<4).map { column in rows.map { $0[column].count }.max() ?? 0 }
        for (row, entry) in zip(rows, census.entries) {
            let padded = zip(row, widths).map(TextColumns.padded)
            console.write("  " + TextColumns.trimmed(padded.joined(separator: "  ")) + "\n")
            guard let fault = entry.firstFault else { continue }
            let reason = PrintableText.escaped(fault.reason.utf8)
            let text = "\(entry.faultCount) cannot be read; first \(place(fault)):"
            console.write("      \(style.bad(text))\n        \(style.bad(reason))\n")
        }
    }

    func print(_ capture: Capture, to console: inout Console) {
        let packets = capture.lines.reduce(0) { $0 + ($1.packet == nil ? 0 : 1) }
        let last = Array(capture.timedLines).last?.moment.microseconds ?? 0
        if isJSON {
            console.write(TrafficJSON.line(capture, name, last))
            return
        }
        let style = TerminalStyle(isOn: console.usesColour)
        let text = [
            "halo", TrafficWords.number(capture.lines.count, "line"),
            TrafficWords.number(packets, "packet"), seconds(last),
        ].joined(separator: ", ")
        console.write(style.strong("\(PrintableText.quoted(name.utf8)): \(text)") + "\n")
    }

    // MARK: Lines

    /// How many of many like things are listed.
    private static let listLength = 20
    /// How many columns a terminal has at least.
    private static let width = 80

    private func more(_ count: Int, to console: inout Console) {
        if count > Self.listLength {
            console.write("  and \(count - Self.listLength) more\n")
        }
    }

    private func head(_ report: TrafficReport) -> String {
        var words = [
            report.format?.name ?? "no known format",
            TrafficWords.number(report.recordCount, "record"),
            TrafficWords.number(report.byteCount, "byte"),
        ]
        var times = seconds(report.microseconds)
        if let first = report.firstMicroseconds, let clock = TrafficReport.clock(first) {
            times = "from \(clock) UTC, \(times)"
        }
        words[words.count - 1] += "\n  \(times)"
        return "\(PrintableText.quoted(name.utf8)): \(words.joined(separator: ", "))"
    }

    private func who(_ connection: TrafficConnection) -> String {
        let name = connection.name.map { " \($0)" } ?? ""
        return "\(connection.number)  \(address(connection.address))\(name)"
    }

    private func facts(_ connection: TrafficConnection, _ report: TrafficReport) -> String {
        var words: [String] = []
        let start = connection.firstMicroseconds.subtractingReportingOverflow(
            report.firstMicroseconds ?? 0
        ).partialValue
        let length = connection.lastMicroseconds.subtractingReportingOverflow(
            connection.firstMicroseconds
        ).partialValue
        words.append("at \(seconds(start)) for \(seconds(length))")
        switch connection.role {
        case .local: words.append("the recorder is the device")
        case .overheard: words.append("overheard")
        case .unknown where !connection.attributes.allSatisfy({ $0.basis == .named }):
            words.append("its beginning was not recorded")
        case .unknown, .remote: break
        }
        if let mtu = connection.mtu { words.append("MTU \(mtu)") }
        if connection.isEncrypted {
            words.append(connection.isReadable ? "encrypted" : "encrypted, not readable")
        }
        if connection.hasEnded {
            words.append(TrafficWords.end(connection.endReason))
        }
        return words.joined(separator: ", ")
    }

    private func address(_ address: DeviceAddress?) -> String {
        address.map { "\($0)\($0.isRandom ? " (random)" : "")" } ?? "an unknown device"
    }

    private func print(
        _ connection: TrafficConnection, _ report: TrafficReport, _ style: TerminalStyle,
        to console: inout Console
    ) {
        let title = "\(style.strong("Connection")) \(who(connection))"
        console.write("\n\(title)\n  \(facts(connection, report))\n")
        let used = connection.attributes.filter(\.isUsed)
        let rows = used.map { attribute in
            [
                attribute.handle.map(HandleText.text) ?? "", TrafficWords.name(attribute),
                attribute.basis.description, TrafficWords.counts(attribute),
            ]
        }
        let widths = (0..<4).map { column in rows.map { $0[column].count }.max() ?? 0 }
        for (row, attribute) in zip(rows, used) {
            let padded = TextColumns.trimmed(
                zip(row, widths).map(TextColumns.padded).joined(separator: "  "))
            let isDoubtful = attribute.basis.isGuess
            console.write("  \(isDoubtful ? style.bad(padded) : padded)\n")
        }
        let unused = connection.attributes.count - used.count
        if unused > 0 { console.write(style.faint("  and \(unused) that were not used") + "\n") }
    }

    private func print(
        heard devices: [HeardDevice], _ style: TerminalStyle, to console: inout Console
    ) {
        guard !devices.isEmpty else { return }
        console.write("\n\(style.strong("Heard advertising"))\n")
        let loudest = devices.sorted { $0.count > $1.count }
        for device in loudest.prefix(Self.listLength) {
            var words = address(device.address)
            if let name = device.name { words += " \(name)" }
            words += device.count == 1 ? ", once" : ", \(device.count) times"
            if let strongest = device.strongest { words += ", at most \(strongest) dBm" }
            console.write("  \(words)\n")
        }
        more(devices.count, to: &console)
    }

    private func print(
        _ findings: [TrafficFinding], _ style: TerminalStyle, to console: inout Console
    ) {
        guard !findings.isEmpty else { return }
        console.write("\n\(style.strong("Looks wrong"))\n")
        for finding in findings {
            let place = "record \(finding.firstRecord), byte \(finding.firstOffset)"
            let what = "  \(finding.count) × \(finding.oddity),"
            let isShort = what.count + place.count + 10 <= Self.width
            console.write("\(what)\(isShort ? " " : "\n      ")first at \(place)\n")
        }
    }

    private func cells(_ entry: PacketCensus.Entry) -> [String] {
        [
            entry.direction == .toDevice ? "→" : "←", TrafficWords.channel(entry),
            TrafficWords.packet(entry), "\(entry.count)",
        ]
    }

    private func place(_ fault: PacketCensus.Fault) -> String {
        fault.offset > 0 ? "in record \(fault.record), byte \(fault.offset)" : "at \(fault.record)"
    }

    private func seconds(_ microseconds: Int64) -> String {
        Moment(microseconds: microseconds).description
    }
}

import HaloProtocol
package import HaloTesting
import HaloTraffic

@testable import HaloCapture

/// Conversations that are exported and imported again: each value keeps its position and its
/// operation. The input decides the conversation.
package struct ExportTarget: FuzzTarget {
    package let name = "Exports"

    package init() {}

    package func check(_ input: Span<UInt8>) throws(ContractViolation) {
        var bytes = FuzzBytes(input)
        guard let format = bytes.choice(of: ExportFormat.allCases) else { return }
        let capture = conversation(&bytes)
        var options = ImportOptions()
        options.device = .all
        let back: Capture
        let text: Capture
        do {
            back = try Capture(importing: capture.exported(as: format), options)
            text = try Capture(reading: back.text)
        } catch {
            throw violation("it cannot be exported, imported and read: \(error)", capture)
        }
        guard text == back else {
            throw violation("what was imported does not read as it was written", capture)
        }
        guard values(back) == values(capture) else {
            throw violation("something else was done according to\n\(back)", capture)
        }
    }

    /// The values with their operations, also inferred ones.
    private func values(_ capture: Capture) -> [CapturePacket] {
        var actions = CaptureActions()
        return capture.lines.compactMap { line in
            if case .event(let event, let link) = line { actions.note(event, link: link) }
            guard let packet = line.packet else { return nil }
            return try? CapturePacket(actions.action(of: packet), packet.channel, packet.bytes)
        }
    }

    private func violation(_ what: String, _ capture: Capture) -> ContractViolation {
        ContractViolation(what, packet: "Capture", bytes: Array(capture.text.utf8))
    }

    private static let channels: [CaptureChannel] = [
        .uart, .bigData, .family(.ledStrip), CaptureChannel(BluetoothUUID(0x2A37)),
        CaptureChannel(BluetoothUUID(0x2A19)), CaptureChannel(BluetoothUUID(0xABCD)),
    ]

    /// Values of one connection; each request is answered before the next one.
    private func conversation(_ bytes: inout FuzzBytes) -> Capture {
        var capture = Capture()
        func add(_ line: CaptureLine) { try? capture.append(line) }
        add(.event(.connected(mtu: nil), link: nil))
        repeat {
            guard let channel = bytes.choice(of: Self.channels),
                let action = bytes.choice(of: CaptureAction.allCases)
            else { break }
            let isSaid = bytes.flag()
            let value = bytes.bytes(bytes.length(upTo: 60))
            if action == .read { add(.event(.read(channel), link: nil)) }
            let said = try? CapturePacket(action, channel, value)
            let unsaid = try? CapturePacket(action.direction, channel, value)
            if let packet = isSaid ? said : unsaid { add(.packet(packet)) }
            switch action {
            case .write where isSaid:
                add(
                    .event(
                        bytes.flag() ? .acknowledged(channel) : .refused(channel, code: 3),
                        link: nil))
            case .indicated where isSaid: add(.event(.confirmed(channel), link: nil))
            case .read, .write, .command, .signed, .notified, .indicated: break
            }
            add(.elapsed(microseconds: UInt64(bytes.byte()) * 1_000))
        } while bytes.remaining > 0
        return capture
    }
}

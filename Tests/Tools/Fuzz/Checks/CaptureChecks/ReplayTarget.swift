import HaloProtocol
import HaloSimulator
package import HaloTesting
import HaloTransport

@testable package import HaloCapture

/// Captures as devices, and their check. The input has the options of the device, the client's
/// actions, and the text of a capture, or bytes from which its lines are made.
package struct ReplayTarget: FuzzTarget {
    package let name = "Replay"

    package init() {}

    package func check(_ input: Span<UInt8>) throws(ContractViolation) {
        var bytes = FuzzBytes(input)
        let options = options(&bytes)
        let isText = bytes.flag()
        var events = FuzzBytes(bytes.bytes(96))
        let capture = isText ? read(bytes.rest(upTo: 1 << 16)) : made(of: &bytes)
        try play(ReplayDevice(capture, options), capture, &events)
        try check(capture)
    }

    /// Returns the capture after options, and after steps of a client.
    package func inputs(from capture: Capture) -> [[UInt8]] {
        let steps = [0, 64, 0, 0, 1] + (0..<96).map { UInt8(truncatingIfNeeded: $0 &* 37) }
        return [steps + capture.text.utf8.prefix(4_096)]
    }

    private func options(_ bytes: inout FuzzBytes) -> ReplayOptions {
        var options: ReplayOptions = bytes.flag() ? .strict : .lenient
        options.timing = .scaled(by: Double(bytes.byte()) / 64)
        options.replaysDisconnections = bytes.flag()
        options.answersSimilar = bytes.flag()
        return options
    }

    private func read(_ text: [UInt8]) -> Capture {
        var reader = CaptureReader()
        try? reader.read(text)
        return reader.capture
    }

    private static let channels: [CaptureChannel] = [
        .uart, .bigData, .family(.ledStrip), CaptureChannel(BluetoothUUID(0x2A37)),
        CaptureChannel(BluetoothUUID(0x2A19)), CaptureChannel(BluetoothUUID(0xABCD)),
        .advertisement, .scanResponse,
    ]

    /// A capture of any lines in any order.
    private func made(of bytes: inout FuzzBytes) -> Capture {
        var capture = Capture()
        while bytes.remaining > 0 {
            let what = bytes.byte()
            let channel = Self.channels[Int(bytes.byte()) % Self.channels.count]
            let line: CaptureLine
            switch what % 14 {
            case 0, 1, 2, 3:
                let value = value(channel, &bytes)
                let packet = try? CapturePacket(
                    what % 2 == 0 ? .toDevice : .fromDevice, channel, value)
                guard let packet else { continue }
                line = .packet(packet)
            case 4: line = .event(.connected(mtu: nil), link: nil)
            case 5: line = .event(.disconnected(reason: bytes.byte()), link: nil)
            case 6: line = .event(.read(channel), link: nil)
            case 7: line = .event(.subscribed(channel), link: nil)
            case 8: line = .event(.acknowledged(channel), link: nil)
            case 9: line = .event(.refused(channel, code: bytes.byte()), link: nil)
            case 10: line = .event(.confirmed(channel), link: nil)
            case 11: line = .event(.servicesChanged, link: nil)
            case 12:
                let uuid = BluetoothUUID(UInt32(bytes.byte()))
                let properties = GATTProperties(rawValue: bytes.byte())
                let offer = CaptureEvent.offers(
                    service: uuid, characteristic: channel.uuid(.fromDevice) ?? uuid, properties)
                line = .event(offer, link: nil)
            default: line = .elapsed(microseconds: UInt64(bytes.byte()) << bytes.byte() % 40)
            }
            try? capture.append(line)
        }
        return capture
    }

    private func value(_ channel: CaptureChannel, _ bytes: inout FuzzBytes) -> [UInt8] {
        switch channel {
        case .uart where bytes.flag():
            let opcodes: [UInt8] = [0x03, 0x15, 0x69, 0x6A, 0x77, 0x78, 0x01, 0x16]
            let opcode = opcodes[Int(bytes.byte()) % opcodes.count]
            let frame = PacketVerifier.frame(opcode: opcode, bytes.bytes(2))
            return Array(frame.bytes)
        case .bigData where bytes.flag():
            let payload = bytes.bytes(bytes.length(upTo: 40))
            return (try? BigDataFrame(id: 0x27, payload: payload))?.bytes ?? []
        default: return bytes.bytes(bytes.length(upTo: 40))
        }
    }

    // MARK: The device

    /// The most effects at once: the device's own limits, and the pieces of one more value.
    private static let mostEffects = 1_024 + 256 + 256

    private func play(
        _ device: ReplayDevice, _ capture: Capture, _ events: inout FuzzBytes
    ) throws(ContractViolation) {
        var device = device
        var now = Moment.origin
        var wake: Moment?
        var asked: Set<ResponseToken> = []
        var tokens: UInt32 = 0
        let requests = capture.lines.compactMap(\.packet).filter { $0.direction == .toDevice }
        var event = PeripheralEvent.started(
            WallClock(local: CivilDateTime(secondsSince1970: 0), secondsFromUTC: 0))
        while true {
            var effects = PeripheralEffects()
            device.handle(event, at: now, into: &effects)
            try note(effects, now, &wake, &asked)
            guard events.remaining > 0 else { break }
            let attributes = device.services.flatMap(\.characteristics)
            let attribute = attributes.isEmpty ? nil : events.choice(of: attributes)
            let id = attribute?.id ?? AttributeID(events.integer(UInt32.self))
            tokens += 1
            let token = ResponseToken(tokens)
            switch events.byte() % 10 {
            case 0: event = .connected
            case 1: event = .disconnected
            case 2: event = .subscription(id, isOn: events.flag())
            case 3:
                asked.insert(token)
                event = .read(id, offset: Int(events.byte()), token: token)
            case 4: event = .maximumLength(Int(events.byte()))
            case 5, 6, 7:
                let packet = requests.isEmpty ? nil : events.choice(of: requests)
                let target = packet.flatMap { packet in
                    attributes.first { $0.uuid == packet.channel.uuid(.toDevice) }
                }
                let answers = events.flag()
                if answers { asked.insert(token) }
                event = .write(
                    target?.id ?? id, packet?.bytes ?? [0], token: answers ? token : nil)
            default:
                now = max(wake ?? now, now)
                event = .woken
            }
            if event == .disconnected || event == .connected { asked = [] }
        }
        let report = device.report
        guard report.unknown.count <= ReplayReport.listLimit,
            report.unrequested.count <= ReplayReport.listLimit,
            report.position <= report.requestCount
        else {
            throw ContractViolation("the report has no bounds", packet: "ReplayDevice", bytes: [])
        }
    }

    private func note(
        _ effects: PeripheralEffects, _ now: Moment, _ wake: inout Moment?,
        _ asked: inout Set<ResponseToken>
    ) throws(ContractViolation) {
        guard effects.all.count <= Self.mostEffects else {
            throw ContractViolation(
                "\(effects.all.count) effects at once", packet: "ReplayDevice", bytes: [])
        }
        for effect in effects.all {
            switch effect {
            case .value(_, let token), .done(let token), .refuse(_, let token):
                guard asked.remove(token) != nil else {
                    throw ContractViolation(
                        "an answer to nothing", packet: "ReplayDevice", bytes: [])
                }
            case .wake(let moment):
                guard moment ?? .distantFuture > now else {
                    throw ContractViolation(
                        "it wants to be woken in the past", packet: "ReplayDevice", bytes: [])
                }
                wake = moment
            default: break
            }
        }
    }

    // MARK: The check

    private func check(_ capture: Capture) throws(ContractViolation) {
        let check = CaptureCheck(capture)
        guard check.findings.count <= CaptureCheck.findingLimit, check.droppedCount >= 0 else {
            throw ContractViolation("findings have no bounds", packet: "CaptureCheck", bytes: [])
        }
        guard let annotated = try? CaptureReadings(capture).annotated() else {
            throw ContractViolation(
                "what the decoders say cannot be written", packet: "CaptureReadings", bytes: [])
        }
        let again = CaptureCheck(annotated)
        guard !again.findings.contains(where: { $0.kind == .reading }) else {
            throw ContractViolation(
                "what was written is not what is read", packet: "CaptureReadings", bytes: [])
        }
    }
}

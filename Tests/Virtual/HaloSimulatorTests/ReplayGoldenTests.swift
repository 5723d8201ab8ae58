import HaloCapture
import HaloProtocol
import HaloSimulator
import HaloTesting
import HaloTransport
import TestSupport
import Testing

/// The notifications of replayed captures, compared with a recording.
@Suite(.passesTime) struct ReplayGoldenTests {
    private static let paths = [
        "Sessions/QRingR12Sync.halo", "Sessions/R10Workout.halo", "Captures/VirtualR10.halo",
        "Captures/VirtualHeartRateSensor.halo", "Captures/R12DamagedReply.halo",
    ]

    private static func options(_ choice: inout FuzzBytes) -> ReplayOptions {
        var options: ReplayOptions = choice.byte() % 3 == 0 ? .strict : .lenient
        options.answersSimilar = choice.byte() > 70
        options.replaysDisconnections = choice.flag()
        options.unknown = choice.flag() ? .accepted : .refused(.unlikely)
        options.timing =
            [.recorded, .immediate, .scaled(by: 0.25), .scaled(by: 3)][
                Int(choice.byte() % 4)]
        options.name = choice.flag() ? "replayed" : nil
        return options
    }

    /// A client that mostly repeats the recorded requests in order, and at times sends others.
    private static func drill(_ capture: Capture, seed: UInt64) -> [String] {
        var choice = FuzzBytes(seed: seed, count: 900)
        var device = ReplayDevice(capture, options(&choice))
        var now = Moment.origin
        var wake: Moment?
        var tokens: UInt32 = 0
        var next = 0
        var lines: [String] = []
        let packets = capture.lines.compactMap(\.packet).filter { $0.direction == .toDevice }
        func tell(_ event: PeripheralEvent) {
            var effects = PeripheralEffects()
            device.handle(event, at: now, into: &effects)
            for effect in effects.all {
                if case .wake(let moment) = effect { wake = moment }
                lines.append("\(now) \(effect)")
            }
        }
        let clock = WallClock(local: CivilDateTime(secondsSince1970: 9), secondsFromUTC: 0)
        tell(.started(clock))
        lines.append("\(device.services)")
        tell(.connected)
        tell(.maximumLength(20 + Int(choice.byte())))
        let all = device.services.flatMap(\.characteristics)
        for characteristic in all { tell(.subscription(characteristic.id, isOn: true)) }
        while choice.remaining > 6 {
            tokens += 1
            let token = ResponseToken(tokens)
            let kind = choice.byte() % 24
            switch kind {
            case 6: next += Int(choice.byte() % 5)
            case 7: next = Int(choice.byte())
            case 8...17:
                guard !packets.isEmpty else { continue }
                let packet = packets[next % packets.count]
                next += 1
                tell(write(packet, all, token, &choice))
            case 18...:
                for _ in 0..<Int(choice.byte() % 12) {
                    guard let moment = wake else { break }
                    now = max(now, moment)
                    wake = nil
                    tell(.woken)
                }
                now = now + .milliseconds(Int(choice.byte()))
            default:
                if let event = event(kind, all, token, &choice) { tell(event) }
            }
        }
        return lines + ["\(device.report)", "\(device.report.unknown)"]
            + device.report.unrequested.map { "\($0)" }
            + ["\(device.recordedClock.map { "\($0)" } ?? "-")"]
    }

    /// A random event other than a write.
    private static func event(
        _ kind: UInt8, _ all: [GATTCharacteristic], _ token: ResponseToken,
        _ choice: inout FuzzBytes
    ) -> PeripheralEvent? {
        switch kind {
        case 0: .disconnected
        case 1, 2: .connected
        case 3:
            all.randomElement(&choice).map {
                .subscription($0.id, isOn: choice.byte() > 40)
            }
        case 4:
            all.randomElement(&choice).map {
                .read($0.id, offset: Int(choice.byte() % 4), token: token)
            }
        default: .maximumLength(Int(choice.byte()))
        }
    }

    /// A recorded request, at times with one flipped bit.
    private static func write(
        _ packet: CapturePacket, _ all: [GATTCharacteristic], _ token: ResponseToken,
        _ choice: inout FuzzBytes
    ) -> PeripheralEvent {
        var bytes = packet.bytes
        if choice.byte() < 25, !bytes.isEmpty { bytes[Int(choice.byte()) % bytes.count] ^= 4 }
        let uuid = packet.channel.uuid(.toDevice)
        let id = all.first { $0.uuid == uuid }?.id ?? AttributeID(77)
        return .write(id, bytes, token: choice.flag() ? token : nil)
    }

    @Test(arguments: paths)
    func anyClientHearsWhatIsRecorded(_ path: String) throws {
        let capture = try #require(RingFixture.capture(path))
        let name = path.split(separator: "/").last?.split(separator: ".").first ?? ""
        var table = GoldenTable("Replay-\(name)")
        for seed in 1...16 as ClosedRange<UInt64> {
            try table.add("seed \(seed)", Self.drill(capture, seed: seed))
        }
        try GoldenText("Golden/Simulations/Replay\(name).txt").expect(table.lines)
    }
}

extension BidirectionalCollection {
    fileprivate func randomElement(_ bytes: inout FuzzBytes) -> Element? {
        let place = Int(bytes.byte())
        return isEmpty ? nil : self[index(startIndex, offsetBy: place % count)]
    }
}

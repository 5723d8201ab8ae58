import HaloProtocol
import HaloSimulator
import TestSupport
import Testing

@testable import HaloCapture
@testable import HaloTransport

/// The limits of a recorder, to the byte, and the first lines of its capture.
@Suite(.computes) struct RecordingBoundsTests {
    private static func comments(_ capture: Capture) -> [String] {
        capture.lines.compactMap { line in
            if case .comment(let text) = line, text.tag == nil { text.text } else { nil }
        }
    }

    /// A remark of four letters takes twenty bytes.
    @Test(
        arguments: [
            (0, []), (19, []), (20, ["c005"]), (39, ["c005"]), (40, ["c004", "c005"]),
            (99, ["c002", "c003", "c004", "c005"]),
            (100, ["c001", "c002", "c003", "c004", "c005"]),
        ] as [(Int, [String])])
    func remarksAreKeptToTheByte(limit: Int, kept: [String]) throws {
        let recorder = CaptureRecorder(keeping: RecordingLimits(byteCount: limit))
        for number in 1...5 {
            recorder.note(CaptureText("c00\(number)"), at: .origin)
        }
        let capture = recorder.capture()
        let dropped = 5 - kept.count
        var said: [String] = []
        if dropped > 0 {
            said = ["\(dropped) lines before were dropped; this is how things stood."]
        }
        #expect(Self.comments(capture) == said + kept)
        #expect(try Capture(reading: capture.text) == capture)
    }

    /// A line of exactly the maximum age is kept.
    @Test(arguments: [(10_000_000, 2), (10_000_001, 1)] as [(Int64, Int)])
    func remarksAreKeptToTheMicrosecond(time: Int64, count: Int) {
        let limits = RecordingLimits(byteCount: 1 << 20, age: .seconds(10))
        let recorder = CaptureRecorder(keeping: limits)
        recorder.note("first", at: .origin)
        recorder.note("second", at: Moment(microseconds: time))
        let found = Self.comments(recorder.capture()).filter { !$0.contains("dropped") }
        #expect(found == Array(["first", "second"].suffix(count)))
    }

    /// While one piece is written, four mebibytes may be buffered: 4,096 lines of 1,024 bytes. What
    /// was buffered is written in any case.
    @Test(arguments: [(4_096, false), (4_097, true)])
    func soMuchMayWait(count: Int, isTooMuch: Bool) {
        let recorder = Locked<CaptureRecorder?>(nil)
        let hasBegun = Locked(false)
        let lineCount = Locked(0)
        let text = CaptureText(String(repeating: "x", count: 1_021))
        let made = CaptureRecorder { piece in
            let more = piece.count { $0 == UInt8(ascii: "\n") }
            lineCount.withLock { $0 += more }
            let isFirst = hasBegun.withLock { begun in
                defer { begun = true }
                return !begun
            }
            guard isFirst, let recorder = recorder.withLock({ $0 }) else { return }
            for _ in 0..<count { recorder.note(text, at: .origin) }
        }
        recorder.withLock { $0 = made }
        made.note("begin", at: .origin)
        #expect((made.failure?.kind == .overloaded) == isTooMuch)
        #expect((made.failure == nil) == !isTooMuch)
        #expect(lineCount.withLock { $0 } == 3 + count)
        recorder.withLock { $0 = nil }
    }

    /// The maximum duration of a capture is about thirty-one years.
    @Test(
        arguments: [
            (1_000_000_000_000_000, false), (1_000_000_000_000_001, true),
        ] as [(Int64, Bool)])
    func aRecordingHasALongestDuration(time: Int64, isTooLong: Bool) {
        for recorder in [CaptureRecorder(handingTo: { _ in }), CaptureRecorder()] {
            recorder.note("begin", at: .origin)
            recorder.note("end", at: Moment(microseconds: time))
            #expect((recorder.failure?.kind == .tooLong) == isTooLong)
            #expect((recorder.failure == nil) == !isTooLong)
        }
    }

    /// Each line is handed over at once, with the time before it.
    @Test func textIsHandedOverLineByLine() {
        let pieces = Locked<[String]>([])
        let recorder = CaptureRecorder { piece in
            pieces.withLock { $0.append(String(decoding: piece, as: UTF8.self)) }
        }
        let notes: [(String, Int64)] = [("a", 0), ("b", 40_000), ("c", 40_000), ("d", 41_000)]
        for (text, time) in notes {
            recorder.note(CaptureText(text), at: Moment(microseconds: time))
        }
        #expect(
            pieces.withLock { $0 } == [
                "halo-capture 2\n# source: recorded by HaloProtocol\n# a\n", "+ 40ms\n# b\n",
                "# c\n", "+ 1ms\n# d\n",
            ])
    }

    /// The wall clock, and its offset from UTC.
    @Test(
        arguments: [
            (0, "+00:00"), (60, "+00:01"), (-60, "-00:01"), (28_800, "+08:00"),
            (36_300, "+10:05"), (-12_600, "-03:30"), (-35_940, "-09:59"), (36_000, "+10:00"),
            (540, "+00:09"), (600, "+00:10"), (59, "+00:00"),
        ] as [(Int, String)])
    func theHeaderHasTheTime(seconds: Int, zone: String) {
        let local = CivilDateTime(secondsSince1970: 1_765_493_655)
        let header = RecordingHeader(
            options: RecordingOptions(), clock: WallClock(local: local, secondsFromUTC: seconds))
        #expect(
            header.lines(at: 0) == [
                .version, .comment("source: recorded by HaloProtocol"),
                .comment(CaptureText("clock: 2025-12-11 22:54:15 \(zone)")),
            ])
        let later = header.lines(at: 1_999_999).last
        #expect(later == .comment(CaptureText("clock: 2025-12-11 22:54:16 \(zone)")))
        let before = header.lines(at: 999_999).last
        #expect(before == .comment(CaptureText("clock: 2025-12-11 22:54:15 \(zone)")))
    }

    @Test func theHeaderHasTheOptions() {
        var options = RecordingOptions()
        options.source = "a test"
        options.device = "R02, 1.0"
        let header = RecordingHeader(options: options)
        #expect(
            header.lines(at: 0) == [
                .version, .comment("source: a test"), .comment("device: R02, 1.0"),
            ])
    }

    /// Devices that are not connected and have no kept lines are forgotten, beyond the usual number
    /// of 64.
    @Test func devicesWithoutAConnectionAreForgotten() {
        var links = RecordedLinks()
        let (connected, kept) = (PeripheralIdentity("connected"), PeripheralIdentity("kept"))
        for identity in [connected, kept] { _ = links.open(identity, RecordingOptions()) }
        let entry = LinkHistory.Entry(offset: 0, number: 0, line: .comment("kept"))
        links.links[connected]?.isConnected = true
        links.links[kept]?.history.append(entry)
        for number in 0..<1000 {
            _ = links.open(PeripheralIdentity("\(number)"), RecordingOptions())
            #expect(links.links.count == 3 + number % 62)
        }
        for identity in [connected, kept, PeripheralIdentity("999")] {
            #expect(links.links[identity] != nil)
        }
    }

    /// The last advertisements of 64 devices are kept until they are connected.
    @Test(arguments: [(63, true), (64, false)])
    func sixtyFourDevicesAreRemembered(others: Int, isRemembered: Bool) {
        let recorder = CaptureRecorder()
        let device = PeripheralIdentity("device")
        recorder.heard(Discovery(device, name: "first"), at: .origin)
        recorder.heard(Discovery(device, name: "known"), at: .origin)
        for number in 0..<others {
            recorder.heard(Discovery(PeripheralIdentity("\(number)")), at: .origin)
        }
        var trace = LinkTrace(.reply, device, at: .origin)
        trace.operation = .connect
        recorder.record(trace)
        let text = recorder.capture().text
        #expect(text.contains("# name: known\n") == isRemembered, "\(text)")
        #expect(text.contains("# address: device\n") && !text.contains("first"))
    }

    /// A recording has the names of devices that were found without a scan.
    @Test func foundDevicesHaveTheirNames() {
        let recorder = CaptureRecorder()
        let transport = RecordingTransport(
            KnowingTransport(base: VirtualBluetooth(seed: 1)), to: recorder)
        let found = Locked<[Discovery]>([])
        transport.retrieveConnected([]) { result in
            if case .success(let devices) = result { found.withLock { $0 = devices } }
        }
        #expect(found.withLock { $0 }.map(\.name) == ["known"])
        var trace = LinkTrace(.reply, KnowingTransport.known.identity, at: .origin)
        trace.operation = .connect
        recorder.record(trace)
        #expect(recorder.capture().text.contains("# name: known\n"))
    }

    // MARK: Dropped lines

    private static func history(_ lines: [CaptureLine]) -> LinkHistory {
        var history = LinkHistory()
        for (number, line) in lines.enumerated() {
            history.append(.init(offset: UInt64(number), number: UInt64(number), line: line))
        }
        return history
    }

    private static let write = CaptureLine.packet(
        CapturePacket(unchecked: .toDevice, .command, .uart, [1, 2]))
    private static let value = CaptureLine.packet(
        CapturePacket(unchecked: .fromDevice, .notified, .uart, [3]))
    private static let answered = CaptureLine.event(.acknowledged(.uart), link: nil)

    /// The lines that are dropped together: their number, and their size.
    @Test func exchangesAreDroppedAsAWhole() {
        let cases: [([CaptureLine], [Int], [Int])] = [
            ([], [0], [0]), ([Self.write], [1, 0], [38, 0]),
            ([Self.write, Self.value, Self.value], [1, 1, 1, 0], [38, 35, 35, 0]),
            ([Self.write, Self.value, Self.value, Self.write], [3, 1], [108, 38]),
            ([Self.write, Self.answered], [2, 0], [78, 0]),
            ([Self.write, Self.answered, Self.write, Self.value], [2, 1, 1], [78, 38, 35]),
            ([Self.value, Self.value, Self.write], [2, 1], [70, 38]),
            ([Self.value, Self.answered, Self.value], [2, 1], [75, 35]),
            ([.comment("four"), Self.value, .event(.encrypted, link: nil)], [2, 1], [55, 40]),
            (
                [
                    .event(
                        .offers(
                            service: BluetoothUUID(1 as UInt32),
                            characteristic: BluetoothUUID(2 as UInt32), .read), link: nil),
                    Self.write,
                ], [1, 1], [112, 38]
            ),
        ]
        for (lines, counts, costs) in cases {
            var history = Self.history(lines)
            let dropped = counts.map { _ in history.dropExchange() }
            #expect(dropped.map(\.count) == counts && dropped.map(\.cost) == costs, "\(lines)")
            #expect(history.all.count == lines.count - counts.reduce(0, +))
        }
    }

    /// The state of the connection after the dropped lines.
    @Test func conditionsAreTheCurrentState() {
        let offer = CaptureEvent.offers(
            service: BluetoothUUID(1 as UInt32), characteristic: BluetoothUUID(2 as UInt32), .read)
        let cases: [([CaptureEvent], [CaptureEvent])] = [
            ([], []), ([.connected(mtu: nil)], [.connected(mtu: nil)]),
            ([.connected(mtu: 50), .mtu(100)], [.connected(mtu: 100)]),
            ([.mtu(100)], []), ([.mtu(100), .connected(mtu: nil)], [.connected(mtu: nil)]),
            ([.connected(mtu: nil), offer], [.connected(mtu: nil), offer]),
            ([.connected(mtu: nil), offer, .servicesChanged], [.connected(mtu: nil)]),
            (
                [
                    .connected(mtu: nil), .subscribed(.uart), .subscribed(.bigData),
                    .subscribed(.uart),
                ], [.connected(mtu: nil), .subscribed(.uart), .subscribed(.bigData)]
            ),
            (
                [
                    .connected(mtu: nil), .subscribed(.uart), .subscribed(.bigData),
                    .unsubscribed(.uart),
                ], [.connected(mtu: nil), .subscribed(.bigData)]
            ),
            (
                [.connected(mtu: 50), offer, .subscribed(.uart), .connected(mtu: nil)],
                [.connected(mtu: nil)]
            ),
            ([.connected(mtu: 50), offer, .disconnected(reason: nil)], []),
            (
                [.connected(mtu: nil), .subscribed(.uart), .refused(.uart, code: 5)],
                [.connected(mtu: nil)]
            ),
            (
                [.connected(mtu: nil), .subscribed(.uart), .encrypted, .refused(.uart, code: 5)],
                [.connected(mtu: nil), .subscribed(.uart)]
            ),
        ]
        for (events, expected) in cases {
            var conditions = LinkConditions()
            for event in events { conditions.apply(.event(event, link: nil)) }
            conditions.apply(Self.write)
            #expect(conditions.events == expected, "\(events)")
        }
        var conditions = LinkConditions()
        conditions.apply(.event(.connected(mtu: nil), link: nil))
        for _ in 0..<2_050 { conditions.apply(.event(offer, link: nil)) }
        #expect(conditions.events.count == 2_049)
    }
}

/// A transport whose system is connected to a device.
private struct KnowingTransport: ForwardingTransport {
    static let known = Discovery(PeripheralIdentity("device"), name: "known")

    let base: VirtualBluetooth

    func retrieveConnected(
        _ services: [BluetoothUUID], _ completion: @escaping BLECompletion<[Discovery]>
    ) { completion(.success([Self.known])) }
}

import HaloDevices
import HaloProtocol
import HaloSimulator
import TestSupport
import Testing

@testable import HaloCapture
@testable import HaloTransport

@Suite(.computes) struct RecordingLimitTests {
    private static let device = PeripheralIdentity("device")
    private static let written = GATTCharacteristic(
        AttributeID(1), BluetoothUUID(0xFE01), [.write, .writeWithoutResponse])
    private static let described = GATTDescriptor(AttributeID(4), BluetoothUUID(0x2901))
    private static let sent = GATTCharacteristic(
        AttributeID(2), BluetoothUUID(0xFE02), [.read, .notify], descriptors: [described])
    private static let indicated = GATTCharacteristic(
        AttributeID(3), BluetoothUUID(0xFE03), [.indicate])

    /// A source of traces in the form of a link's.
    private struct Source {
        let recorder: CaptureRecorder
        var moment = Moment.origin
        var number: UInt64 = 0

        func trace(
            _ kind: LinkTrace.Kind, _ operation: BLEError.Operation? = nil,
            _ change: (inout LinkTrace) -> Void = { _ in }
        ) {
            var trace = LinkTrace(kind, RecordingLimitTests.device, at: moment)
            trace.operation = operation
            trace.number = number
            change(&trace)
            recorder.record(trace)
        }

        func connect() {
            trace(.reply, .connect) { $0.maximumWriteLength = 244 }
            discover([written, sent, indicated])
        }

        func discover(_ characteristics: [GATTCharacteristic]) {
            trace(.reply, .discover) {
                $0.services = [
                    GATTService(BluetoothUUID(0xFE00), characteristics: characteristics)
                ]
            }
        }

        func write(_ bytes: [UInt8], _ mode: WriteMode = .withoutResponse) {
            trace(.request, .write) {
                $0.attribute = written.id
                $0.bytes = bytes
                $0.mode = mode
            }
        }

        func answer(
            _ operation: BLEError.Operation, _ characteristic: GATTCharacteristic,
            _ bytes: [UInt8]? = nil, mode: WriteMode? = nil, error: BLEError? = nil
        ) {
            trace(.reply, operation) {
                $0.attribute = characteristic.id
                $0.bytes = bytes
                $0.mode = mode
                $0.error = error
            }
        }

        func happen(_ event: LinkEvent) {
            trace(.event) {
                $0.event = event
                if case .value(let id, let bytes) = event {
                    $0.attribute = id
                    $0.bytes = bytes
                }
            }
        }
    }

    private static func text(_ capture: Capture) -> [String] {
        capture.text.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") }
    }

    private static let beginning = [
        "halo-capture 2", "* connected mtu 247", "* offers fe00 fe01 command write",
        "* offers fe00 fe02 read notify", "* offers fe00 fe03 indicate",
    ]

    @Test func writesTheActionsOfValues() {
        let recorder = CaptureRecorder()
        var source = Source(recorder: recorder)
        let refusal = BLEError(.refused, .write, attError: ATTError(code: 0x80))
        source.connect()
        source.write([1], .withResponse)
        source.moment = Moment(microseconds: 40_000)
        source.answer(.write, Self.written, mode: .withResponse)
        source.write([2], .withResponse)
        source.answer(.write, Self.written, mode: .withResponse, error: refusal)
        source.write([3])
        source.answer(.write, Self.written, mode: .withoutResponse)
        source.answer(.subscribe, Self.indicated)
        source.happen(.value(Self.indicated.id, [4]))
        source.answer(.unsubscribe, Self.indicated)
        source.happen(.servicesChanged)
        source.trace(.event) {
            $0.event = .maximumLengthChanged
            $0.maximumWriteLength = 20
        }
        source.happen(.disconnected(DisconnectReason(.outOfReach)))
        #expect(
            Self.text(recorder.capture()) == Self.beginning + [
                "> fe01 write 01", "+ 40ms", "* acknowledged fe01", "> fe01 write 02",
                "* refused fe01 80", "> fe01 command 03", "* subscribed fe03",
                "< fe03 indicated 04", "* confirmed fe03",
                "* unsubscribed fe03", "* services-changed", "* mtu 23", "* disconnected 08",
            ])
    }

    /// Services and the maximum length are recorded when they change. Attributes that are gone have
    /// no values.
    @Test func writesChangesOnce() {
        let recorder = CaptureRecorder()
        let source = Source(recorder: recorder)
        let all = [Self.written, Self.sent, Self.indicated]
        source.connect()
        source.discover(all)
        source.happen(.servicesChanged)
        source.discover(all)
        source.discover([Self.indicated])
        source.write([1])
        source.trace(.request, .read) { $0.attribute = Self.described.id }
        for length in [19, 20, 20, 514, 515] {
            source.trace(.event) {
                $0.event = .maximumLengthChanged
                $0.maximumWriteLength = length
            }
        }
        var expected = Self.beginning + ["* services-changed"]
        expected += Self.beginning.dropFirst(2)
        expected += ["* offers fe00 fe03 indicate", "* mtu 23", "* mtu 517"]
        #expect(Self.text(recorder.capture()) == expected)
    }

    @Test(arguments: [(2_048, true), (2_049, false)])
    func writesNoValueThatIsTooLong(count: Int, isWritten: Bool) {
        let recorder = CaptureRecorder()
        let source = Source(recorder: recorder)
        source.connect()
        source.write([UInt8](repeating: 1, count: count))
        #expect(Self.text(recorder.capture()).count == Self.beginning.count + (isWritten ? 1 : 0))
    }

    /// The last advertisement before a connection is recorded with it, and each one after its end.
    @Test func writesAdvertisementsBetweenConnections() {
        let recorder = CaptureRecorder()
        let source = Source(recorder: recorder)
        let heard = Discovery(
            Self.device, rssi: -40, advertisement: AdvertisingData(lenient: [2, 1, 6]))
        recorder.heard(heard, at: .origin)
        source.connect()
        recorder.heard(heard, at: .origin)
        source.happen(.disconnected(DisconnectReason(.remote)))
        recorder.heard(heard, at: Moment(microseconds: 1_000_000))
        let advertised = ["* advertised rssi -40", "< adv 02 01 06"]
        var expected = ["halo-capture 2"] + advertised
        expected += Self.beginning.dropFirst()
        expected += ["* disconnected 13", "+ 1s"] + advertised
        #expect(Self.text(recorder.capture()) == expected)
    }

    @Test func writesDescriptorsAndRefusedSubscriptions() {
        let recorder = CaptureRecorder()
        let source = Source(recorder: recorder)
        let refusal = BLEError(.refused, .subscribe, attError: ATTError(code: 0x05))
        source.connect()
        source.trace(.request, .read) { $0.attribute = Self.described.id }
        source.trace(.reply, .read) {
            $0.attribute = Self.described.id
            $0.bytes = [0x48]
        }
        source.trace(.request, .write) {
            $0.attribute = Self.described.id
            $0.bytes = [0x49]
            $0.mode = .withResponse
        }
        source.trace(.reply, .write) {
            $0.attribute = Self.described.id
            $0.mode = .withResponse
        }
        source.answer(.subscribe, Self.indicated, error: refusal)
        source.answer(.subscribe, Self.indicated, error: BLEError(.timedOut, .subscribe))
        #expect(
            Self.text(recorder.capture()) == Self.beginning + [
                "* read fe02:2901", "< fe02:2901 read 48", "> fe02:2901 write 49",
                "* acknowledged fe02:2901", "* subscribed fe03", "* refused fe03 05",
            ])
    }

    /// The lines that stand for those that were dropped have only the subscriptions that are left.
    @Test(arguments: [false, true])
    func aRefusedChangeLeavesTheSubscriptionAsItWas(isSubscribed: Bool) {
        let recorder = CaptureRecorder(keeping: RecordingLimits(byteCount: 0))
        let source = Source(recorder: recorder)
        let refusal = BLEError(.refused, .subscribe, attError: ATTError(code: 0x05))
        source.connect()
        if isSubscribed { source.answer(.subscribe, Self.sent) }
        source.answer(isSubscribed ? .unsubscribe : .subscribe, Self.sent, error: refusal)
        let kept = Self.text(recorder.capture())
        #expect(kept.contains("* subscribed fe02") == isSubscribed)
        #expect(!kept.contains("* refused fe02 05"))
    }

    /// A subscription that is refused, or ended in vain, is as it was before.
    @Test func refusedChangesThatChangeNothingLeaveNothing() {
        let recorder = CaptureRecorder(keeping: RecordingLimits(byteCount: 0))
        let source = Source(recorder: recorder)
        let refusal = BLEError(.refused, .subscribe, attError: ATTError(code: 0x05))
        source.connect()
        source.answer(.unsubscribe, Self.indicated, error: refusal)
        source.answer(.subscribe, Self.sent)
        source.answer(.subscribe, Self.sent, error: refusal)
        let kept = Self.text(recorder.capture())
        #expect(kept.contains("* subscribed fe02") && !kept.contains("* subscribed fe03"))
    }

    /// The refusal of a request that was dropped would refuse the subscription before it.
    @Test func refusalsOfDroppedRequestsAreDropped() {
        let limits = RecordingLimits(byteCount: 1 << 20, age: .seconds(10))
        let recorder = CaptureRecorder(keeping: limits)
        var source = Source(recorder: recorder)
        source.connect()
        source.answer(.subscribe, Self.sent)
        func read() { source.trace(.request, .read) { $0.attribute = Self.sent.id } }
        func refuse(_ code: UInt8) {
            let error = BLEError(.refused, .read, attError: ATTError(code: code))
            source.answer(.read, Self.sent, error: error)
        }
        for _ in 0..<3 { read() }
        source.moment = Moment(microseconds: 8_000_000)
        source.write([3])
        for _ in 0..<3 { refuse(2) }
        source.moment = Moment(microseconds: 15_000_000)
        source.write([4])
        read()
        refuse(6)
        let kept = Self.text(recorder.capture())
        #expect(kept.contains("* subscribed fe02") && kept.contains("> fe01 command 03"))
        #expect(kept.suffix(3) == ["> fe01 command 04", "* read fe02", "* refused fe02 06"])
        #expect(kept.filter { $0.hasPrefix("* read") || $0.hasPrefix("* refused") }.count == 2)
    }

    /// A notification is not taken for the reply to a read.
    @Test func distinguishesReadsFromUnsolicitedValues() {
        let recorder = CaptureRecorder()
        let source = Source(recorder: recorder)
        source.connect()
        source.trace(.request, .read) { $0.attribute = Self.sent.id }
        source.answer(.read, Self.sent, [1])
        source.answer(.subscribe, Self.sent)
        source.trace(.request, .read) { $0.attribute = Self.sent.id }
        source.happen(.value(Self.sent.id, [2]))
        source.answer(.read, Self.sent, [3])
        #expect(
            Self.text(recorder.capture()) == Self.beginning + [
                "* read fe02", "< fe02 read 01", "* subscribed fe02", "* read fe02",
                "< fe02 notified 02", "< fe02 read 03",
            ])
    }

    @Test(arguments: [600, 1_000, 3_000, 10_000])
    func dropsWholeExchanges(limit: Int) throws {
        let recorder = CaptureRecorder(keeping: RecordingLimits(byteCount: limit))
        var source = Source(recorder: recorder)
        source.connect()
        source.answer(.subscribe, Self.sent)
        for round in 0..<200 {
            source.moment = Moment(microseconds: Int64(round) * 1_000_000)
            source.write([UInt8(round)], .withResponse)
            source.answer(.write, Self.written, mode: .withResponse)
            for part in 0..<UInt8(round % 5) {
                source.happen(.value(Self.sent.id, [UInt8(round), part]))
            }
            let capture = recorder.capture()
            #expect(capture.text.utf8.count < limit + 700)
            #expect(try Capture(reading: capture.text) == capture)
        }
        let lines = Self.text(recorder.capture())
        #expect(Array(lines.prefix(6)) == Self.beginning + ["* subscribed fe02"])
        #expect(lines[6].hasPrefix("> fe01 write "), "\(lines[6])")
        #expect(lines.suffix(2) == ["< fe02 notified C7 02", "< fe02 notified C7 03"])
        // Nothing is missing from there on.
        let rounds = lines.filter { $0.hasPrefix("> ") }
            .compactMap { UInt8($0.suffix(2), radix: 16) }
        #expect(rounds == Array((rounds.first ?? 0)...199))
        let values = lines.filter { $0.hasPrefix("< ") }.count
        #expect(values == rounds.reduce(0) { $0 + Int($1) % 5 })
    }

    @Test func dropsSingleValuesWithoutRequests() throws {
        let recorder = CaptureRecorder(keeping: RecordingLimits(byteCount: 2_000))
        let source = Source(recorder: recorder)
        source.connect()
        source.answer(.subscribe, Self.indicated)
        for value in 0..<UInt8(250) { source.happen(.value(Self.indicated.id, [value])) }
        let lines = Self.text(recorder.capture())
        #expect(lines.contains("* subscribed fe03"))
        #expect(lines.suffix(2) == ["< fe03 indicated F9", "* confirmed fe03"])
        let values = lines.filter { $0.hasPrefix("< ") }.count
        #expect((20..<60).contains(values))
        #expect(lines.filter { $0.hasPrefix("* confirmed") }.count == values)
    }

    @Test func dropsOldLines() throws {
        let limits = RecordingLimits(byteCount: 1 << 20, age: .seconds(10))
        let recorder = CaptureRecorder(keeping: limits)
        recorder.setOrigin(
            at: .origin,
            WallClock(local: CivilDateTime(secondsSince1970: 0), secondsFromUTC: -12_600))
        var source = Source(recorder: recorder)
        source.connect()
        for second in 0..<100 {
            source.moment = Moment(microseconds: Int64(second) * 1_000_000)
            source.write([UInt8(second)])
        }
        let capture = recorder.capture()
        let lines = Self.text(capture)
        #expect(Array(lines.prefix(5)) == Self.beginning)
        #expect(lines[5] == "> fe01 command 59")
        #expect(lines.count == 5 + 11 + 10)
        #expect(capture.text.contains("# clock: 1970-01-01 00:01:29 -03:30\n"), "\(capture)")
        #expect(capture.text.contains("lines before were dropped"))
    }

    @Test(arguments: [
        CaptureRecorder(keeping: RecordingLimits(byteCount: 0)),
        CaptureRecorder(handingTo: { _ in }),
    ])
    func forgetsAConnectionThatHasEnded(recorder: CaptureRecorder) throws {
        let source = Source(recorder: recorder)
        source.connect()
        #expect(Self.text(recorder.capture()) == Self.beginning)
        source.happen(.disconnected(DisconnectReason(.adapterGone)))
        #expect(Self.text(recorder.capture()) == ["halo-capture 2"])
        source.connect()
        #expect(Self.text(recorder.capture()) == Self.beginning)
    }

    /// Many threads at once: every line is complete, and none is lost.
    @Test func recordsEventsFromManyThreads() async throws {
        let text = Locked<[UInt8]>([])
        let isInside = Locked(false)
        let recorder = CaptureRecorder { piece in
            let wasInside = isInside.withLock { inside in
                defer { inside = true }
                return inside
            }
            #expect(!wasInside, "one at a time")
            text.withLock { $0 += piece }
            isInside.withLock { $0 = false }
        }
        let source = Source(recorder: recorder)
        source.connect()
        await withTaskGroup { group in
            for thread in 0..<8 as Range<UInt8> {
                group.addTask {
                    for value in 0..<200 as Range<UInt8> {
                        source.happen(.value(Self.sent.id, [thread, value]))
                        if value % 50 == 0 { _ = recorder.capture() }
                    }
                }
            }
        }
        recorder.finish()
        let packets = try Capture(reading: text.withLock { $0 }).lines.compactMap(\.packet)
        #expect(packets.count == 1_600)
        for thread in 0..<8 as Range<UInt8> {
            let values = packets.filter { $0.bytes.first == thread }.map { $0.bytes[1] }
            #expect(values == Array(0..<200))
        }
    }

    /// The function that receives the text may use the device.
    @Test func canBeCalledBack() throws {
        let count = Locked(0)
        let source = Locked<Source?>(nil)
        let recorder = CaptureRecorder { _ in
            let more = count.withLock { count in
                count += 1
                return count < 5
            }
            if more { source.withLock { $0 }?.happen(.value(Self.sent.id, [1])) }
        }
        source.withLock { $0 = Source(recorder: recorder) }
        source.withLock { $0 }?.connect()
        source.withLock { $0 = nil }
        #expect(count.withLock { $0 } >= 2)
    }

    @Test func manyDevicesStayWithinTheLimit() throws {
        let recorder = CaptureRecorder(keeping: RecordingLimits(byteCount: 1_000))
        for number in 0..<2_000 {
            let identity = PeripheralIdentity("\(number)")
            recorder.heard(Discovery(identity, name: "name"), at: .origin)
            var trace = LinkTrace(.reply, identity, at: .origin)
            trace.operation = .connect
            recorder.record(trace)
            trace = LinkTrace(.event, identity, at: .origin)
            trace.event = .disconnected(DisconnectReason(.remote))
            recorder.record(trace)
        }
        let capture = recorder.capture()
        #expect(capture.text.utf8.count < 10_000)
        #expect(capture.text.contains("* link-2000/disconnected 13\n"))
        #expect(try Capture(reading: capture.text) == capture)
    }
}

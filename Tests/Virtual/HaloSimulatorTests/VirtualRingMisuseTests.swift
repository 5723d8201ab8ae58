import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// A ring keeps running after any actions in any order.
@Suite(.passesTime) struct VirtualRingMisuseTests {
    /// Random numbers, the same in every run.
    struct Chance {
        private var numbers: SplitMix

        init(state: UInt64) { numbers = SplitMix(seed: state) }

        mutating func next() -> UInt64 { numbers.next() }

        mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(max(bound, 1))) }

        mutating func bytes(_ count: Int) -> [UInt8] {
            (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
        }
    }

    @Test(arguments: RingProfile.all) func survivesWhateverIsDone(_ profile: RingProfile) throws {
        let requests = RingFixture.commands.flatMap(\.requests)
        let records = RingFixture.records.flatMap(\.requests)
        for seed in 0..<18 as Range<UInt64> {
            var chance = Chance(state: seed &* 1000 &+ UInt64(profile.model.utf8.count))
            var bench = RingBench.connected(
                profile, days: 1,
                options: VirtualRingOptions(seed: seed, anomalies: seed < 12 ? [] : .all))
            for step in 0..<160 {
                Self.act(&bench, &chance, requests, records)
                if let wake = bench.wake {
                    #expect(wake > bench.now, "seed \(seed), step \(step)")
                }
            }
            _ = bench.take()
            bench.advance(by: .seconds(1))
        }
    }

    private static func act(
        _ bench: inout RingBench, _ chance: inout Chance, _ requests: [[UInt8]],
        _ records: [[UInt8]]
    ) {
        let uuids = [RingServices.uartWrite, RingServices.bigDataWrite, RingServices.uartNotify]
        switch chance.below(20) {
        case 0...5:
            bench.write(requests[chance.below(requests.count)], to: RingServices.uartWrite)
        case 6...8:
            bench.write(records[chance.below(records.count)], to: RingServices.bigDataWrite)
        case 9:
            var bytes = records[chance.below(records.count)]
            if !bytes.isEmpty { bytes[chance.below(bytes.count)] ^= 1 }
            bench.write(bytes, to: RingServices.bigDataWrite, withResponse: true)
        case 10:
            let length = chance.below(40)
            bench.write(chance.bytes(length), to: uuids[chance.below(3)])
        case 11:
            let frame = try? Frame(
                opcode: UInt8(truncatingIfNeeded: chance.next()),
                payload: InlineBytes(prefix: chance.bytes(chance.below(15))))
            if let frame { bench.send(frame) }
        case 12:
            let id = AttributeID(UInt32(chance.below(14)))
            let offset = chance.below(40) - 4
            bench.handle(.read(id, offset: offset, token: ResponseToken(.max)))
        case 13:
            let id = AttributeID(UInt32(chance.below(14)))
            bench.handle(.subscription(id, isOn: chance.below(3) > 0))
        case 14: bench.handle(.maximumLength(chance.below(300) - 20))
        case 15:
            bench.handle(.disconnected)
            if chance.below(4) > 0 { bench.connect() }
        case 16: bench.advance(by: .milliseconds(chance.below(40_000)))
        case 17:
            let step = Int64(chance.below(3 * 86_400)) - 3600
            bench.jump(to: bench.now.advanced(byMicroseconds: step * 1_000_000))
            bench.handle(.woken)
        case 18:
            bench.modify { ring in
                switch chance.below(8) {
                case 0: ring.takeOff()
                case 1: ring.putOn()
                case 2: ring.dock()
                case 3: ring.undock()
                case 4: ring.setBattery(percent: chance.below(140) - 20)
                case 5: ring.shiftClock(bySeconds: chance.below(400_000) - 200_000)
                case 6: ring.wave()
                default: ring.findPhone(isOn: true)
                }
            }
        default: bench.advance(by: .milliseconds(chance.below(3000)))
        }
    }

    @Test func ignoresAndCountsWhatIsNoFrame() throws {
        var bench = RingBench.connected(.r12)
        var bytes = Array(Battery.Request().frame.bytes)
        bytes[15] ^= 1
        bench.write(bytes, to: RingServices.uartWrite)
        bench.write(Array(bytes.dropLast()), to: RingServices.uartWrite)
        bench.write(Array(Battery.Request().frame.bytes) + [0], to: RingServices.uartWrite)
        bench.write([], to: RingServices.uartWrite)
        var record = Sleep.Request.allNights.frame.bytes
        record[4] ^= 1
        bench.write(record, to: RingServices.bigDataWrite)
        bench.advance(by: .seconds(3))
        #expect(bench.take().isEmpty)
        #expect(bench.ring.losses.brokenFrames == 4)
        #expect(bench.ring.losses.brokenRecords == 1)
        #expect(!bench.ask(Battery.Request()).isEmpty)
        #expect(bench.ask(Sleep.Request.allNights).count == 2)
    }

    @Test func aRequestInPiecesIsARequest() {
        var bench = RingBench.connected(.r12)
        for byte in Sleep.Request.allNights.frame.bytes {
            bench.write([byte], to: RingServices.bigDataWrite)
        }
        bench.advance(by: .seconds(2))
        #expect(bench.takeRecords().map(\.id) == [Nap.replyID, Sleep.replyID])
    }

    @Test func whatIsNotAskedToTheEndIsForgotten() {
        var bench = RingBench.connected(.r12)
        let bytes = Sleep.Request.allNights.frame.bytes
        bench.write(Array(bytes.dropLast()), to: RingServices.bigDataWrite)
        bench.advance(by: .seconds(10))
        #expect(bench.ask(Sleep.Request.allNights).count == 2)
    }

    @Test func ofTooManyRequestsSomeAreLostAndTheRestKeepsItsOrder() throws {
        var bench = RingBench.connected(.r10)
        for index in 0..<30 {
            let request: Frame = index % 2 == 0 ? Battery.Request().frame : Goals.Request.read.frame
            bench.send(request)
        }
        bench.advance(by: .seconds(5))
        let opcodes = bench.takeFrames().map(\.opcode)
        #expect(opcodes.count < 30)
        #expect(bench.ring.losses.droppedRequests == 30 - opcodes.count)
        for (index, opcode) in opcodes.enumerated() {
            #expect(opcode == (index % 2 == 0 ? Battery.opcode : Goals.opcode))
        }
    }

    @Test func attributesRefuseWhatTheyAreNotFor() {
        var bench = RingBench.connected(.r10)
        bench.write([1], to: RingServices.uartNotify, withResponse: true)
        #expect(bench.answers.values.contains { if case .refuse = $0 { true } else { false } })
        let write = bench.read(RingServices.uartWrite)
        if case .refuse(let error, _) = write { #expect(error == .readNotPermitted) }
        let firmware = CharacteristicCatalog.firmwareRevision.uuid
        let text = Array(RingProfile.r10.firmware.utf8)
        guard case .value(let whole, _) = bench.read(firmware) else {
            Issue.record("no firmware")
            return
        }
        #expect(whole == text)
        guard case .value(let rest, _) = bench.read(firmware, offset: 5) else {
            Issue.record("no rest")
            return
        }
        #expect(rest == Array(text.dropFirst(5)))
        guard case .refuse(let error, _) = bench.read(firmware, offset: text.count + 1) else {
            Issue.record("read beyond the end")
            return
        }
        #expect(error == .invalidOffset)
    }

    @Test func dangerousRequestsDoNothing() throws {
        var bench = RingBench.connected(.r10)
        let before = bench.ask(TodayTotals.Request())
        for opcode in [0x0F, 0xC0, 0xC1, 0xC9, 0xCA] as [UInt8] {
            bench.send(try Frame(opcode: opcode, payload: [1, 2, 3]))
        }
        bench.advance(by: .seconds(2))
        #expect(bench.takeFrames().isEmpty)
        for id in 1...5 as ClosedRange<UInt8> {
            bench.send(try BigDataFrame(id: id, payload: [0, 1, 2]))
        }
        bench.advance(by: .seconds(3))
        #expect(bench.takeRecords().allSatisfy { $0.isSingleZero })
        #expect(bench.ask(TodayTotals.Request()).count == before.count)
        #expect(!bench.ring.isPoweredOff)
    }
}

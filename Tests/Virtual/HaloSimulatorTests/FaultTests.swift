import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// Each fault, seen from both ends.
@Suite(.passesTime) struct FaultTests {
    private static func bench(_ rules: FaultRule...) -> AirBench {
        AirBench(faults: FaultPlan(rules: rules))
    }

    @Test func theThirdNotificationOfTheNextLogIsLost() {
        let rule = FaultRule(
            .loss,
            .notification(3, of: RingServices.uartNotify, afterWriteOf: [HeartRateLog.opcode]))
        let bench = Self.bench(rule)
        let link = bench.connectAndSubscribe()
        bench.notify((0..<5).map { [$0] }, on: AirGadget.frameNotify)
        bench.run(.seconds(1))
        #expect(bench.values.count == 5)
        _ = bench.result {
            bench.air.write(
                [HeartRateLog.opcode, 1], to: AirGadget.frameWrite, .withResponse, on: link,
                tag: $0)
        }
        bench.notify([[100]])
        bench.notify((0..<5).map { [10 + $0] }, on: AirGadget.frameNotify)
        bench.notify((0..<5).map { [20 + $0] }, on: AirGadget.frameNotify)
        bench.run(.seconds(1))
        #expect(
            bench.values.dropFirst(5)
                == [[100], [10], [11], [13], [14], [20], [21], [22], [23], [24]])
        #expect(bench.air.faultLog.records.map(\.bytes) == [[12]])
        #expect(bench.air.faultLog.records.first?.number == 9)
    }

    @Test(
        arguments: [
            (LinkFault.loss, [[1, 1], [3, 3]]),
            (.duplication, [[1, 1], [2, 2], [2, 2], [3, 3]]),
            (.reordering, [[1, 1], [3, 3], [2, 2]]),
            (.corruption(bit: 9), [[1, 1], [2, 0], [3, 3]]),
            (.corruption(bit: 16), [[1, 1], [3, 2], [3, 3]]),
            (.truncation(length: 1), [[1, 1], [2], [3, 3]]),
            (.delay(.milliseconds(700)), [[1, 1], [2, 2], [3, 3]]),
            (.stall(.seconds(2)), [[1, 1], [2, 2], [3, 3]]),
        ] as [(LinkFault, [[UInt8]])])
    func aNotificationGoesWrong(_ fault: LinkFault, _ expected: [[UInt8]]) {
        let bench = Self.bench(FaultRule(fault, .notification(2)))
        _ = bench.connectAndSubscribe()
        bench.notify([[1, 1], [2, 2], [3, 3]])
        bench.run(.seconds(3))
        #expect(bench.values == expected)
        #expect(bench.air.faultLog.records.map(\.fault) == [fault])
        #expect(bench.end == nil)
    }

    /// A delayed value meets no second fault.
    @Test func whatIsDelayedIsDelayedOnce() {
        var rates = FaultRates()
        rates.delays = 1000
        for seed in 0..<5 as Range<UInt64> {
            let bench = AirBench(faults: FaultPlan(seed: seed, rates: rates))
            _ = bench.connectAndSubscribe()
            let before = bench.air.faultLog.records.count
            bench.notify([[1]])
            bench.run(.milliseconds(2_100))
            #expect(bench.values == [[1]])
            #expect(bench.air.faultLog.records.count == before + 1)
        }
    }

    @Test func aNotificationWithoutAnotherBehindItIsOnlyLate() {
        let bench = Self.bench(FaultRule(.reordering, .notification(1)))
        _ = bench.connectAndSubscribe()
        bench.notify([[1]])
        bench.run(.milliseconds(400))
        #expect(bench.values == [])
        bench.run(.milliseconds(300))
        #expect(bench.values == [[1]])
    }

    /// Once it has been delivered, nothing of it is left to be done.
    @Test func aNotificationBehindAnotherLeavesNoTimer() {
        let bench = Self.bench(FaultRule(.reordering, .notification(1)))
        _ = bench.connectAndSubscribe()
        let quiet = bench.air.nextEventTime
        bench.notify([[1], [2]])
        bench.run(.milliseconds(400))
        #expect(bench.values == [[2], [1]])
        #expect(bench.air.nextEventTime == quiet)
    }

    @Test func whatIsDelayedHoldsUpWhatFollowsItAndNothingElse() {
        let bench = Self.bench(FaultRule(.delay(.seconds(1)), .notification(1)))
        let link = bench.connectAndSubscribe()
        bench.notify([[1], [2]])
        let asked = bench.air.now
        bench.run(.milliseconds(900))
        #expect(bench.values == [])
        bench.air.write(
            [5], to: AirGadget.writable, .withoutResponse, on: link, tag: bench.makeTag())
        bench.run(.milliseconds(60))
        #expect(bench.gadget.written == [[5]])
        bench.run(.milliseconds(300))
        #expect(bench.values == [[1], [2]])
        #expect(bench.air.now.microseconds(since: asked) < 1_300_000)
    }

    @Test func aStallBeyondTheSupervisionTimeoutEndsTheLink() {
        let bench = Self.bench(FaultRule(.stall(.seconds(6)), .notification(1)))
        _ = bench.connectAndSubscribe()
        bench.notify([[1]])
        bench.run(.seconds(10))
        #expect(bench.values == [])
        #expect(bench.end?.kind == .outOfReach)
    }

    @Test(arguments: [2, 60, 3_600])
    func aStalledLinkIsClosedAtOnce(_ seconds: Int) async throws {
        let begin = Moment.origin + .seconds(20)
        let stalls = [
            FaultRule(.stall(.seconds(seconds)), .at(begin)),
            FaultRule(.stall(.seconds(seconds)), .write(1, beginning: [7])),
            FaultRule(.delay(.seconds(seconds)), .write(1, beginning: [7])),
        ]
        for rule in stalls {
            let air = VirtualBluetooth(seed: 3, faults: FaultPlan(rules: [rule]))
            let placed = air.add(AirGadget())
            let link = try await air.connect(to: placed.identity)
            let characteristic = try await link.characteristic(
                BluetoothUUID(0x1002), of: BluetoothUUID(0x1000))
            try await air.clock.sleep(until: VirtualClock.Instant(begin + .milliseconds(1)))
            link.submitWrite([7], to: characteristic, .withoutResponse) { _ in }
            try await air.clock.sleep(for: .milliseconds(500))
            #expect(air.faultLog.records.count == 1)
            let closing = air.time.now()
            await link.disconnect()
            #expect(air.time.now().duration(since: closing) < .milliseconds(200), "\(rule)")
            #expect(link.disconnectReason?.kind == .local)
            #expect(!placed.isConnected)
        }
    }

    @Test func theLinkIsLostAfterSoManyPackets() {
        let bench = Self.bench(FaultRule(.disconnection, .notification(4)))
        _ = bench.connectAndSubscribe()
        bench.notify((0..<8).map { [$0] })
        bench.run(.seconds(1))
        #expect(bench.values == [[0], [1], [2]])
        #expect(bench.end?.kind == .outOfReach)
        #expect(bench.gadget.moment(of: .disconnected) != nil)
        #expect(bench.connect().serial == 2)
    }

    @Test func theLinkIsLostAtAMoment() {
        let moment = Moment.origin + .seconds(20)
        let bench = Self.bench(FaultRule(.disconnection, .at(moment)))
        _ = bench.connect()
        bench.run(.seconds(30))
        #expect(bench.gadget.moment(of: .disconnected) == moment)
        #expect(bench.air.faultLog.records.first?.subject == nil)
    }

    @Test func aStallAtAMomentIsSurvived() {
        let bench = Self.bench(FaultRule(.stall(.seconds(3)), .at(.origin + .seconds(10))))
        let link = bench.connectAndSubscribe()
        bench.run(.seconds(10))
        let result = bench.result { bench.air.read(AirGadget.readable, on: link, tag: $0) }
        #expect(result?.value == [1, 2, 3])
        #expect(bench.air.now > .origin + .seconds(13) || bench.air.now < .origin + .seconds(10))
        #expect(bench.end == nil)
    }

    @Test(arguments: WriteMode.allCases)
    func aWriteIsMetWithSilence(_ mode: WriteMode) {
        let bench = Self.bench(FaultRule(.loss, .write(1, beginning: [9])))
        let link = bench.connect()
        for byte: UInt8 in [8, 9, 9] {
            let result = bench.result {
                bench.air.write([byte, 1], to: AirGadget.writable, mode, on: link, tag: $0)
            }
            #expect(result?.isDone == true)
        }
        bench.run(.seconds(1))
        #expect(bench.gadget.written == [[8, 1], [9, 1]])
    }

    @Test(
        arguments: [
            (LinkFault.duplication, [[1, 2], [1, 2]]), (.corruption(bit: 0), [[0, 2]]),
            (.truncation(length: 0), [[]]), (.delay(.seconds(1)), [[1, 2]]),
            (.refusal(.unlikely), []), (.silence, []),
        ] as [(LinkFault, [[UInt8]])])
    func aWriteGoesWrong(_ fault: LinkFault, _ expected: [[UInt8]]) {
        let bench = Self.bench(FaultRule(fault, .write()))
        let link = bench.connect()
        let result = bench.result {
            bench.air.write([1, 2], to: AirGadget.writable, .withResponse, on: link, tag: $0)
        }
        #expect(bench.gadget.written == expected)
        #expect(result?.error?.attError == (fault == .refusal(.unlikely) ? .unlikely : nil))
        #expect(result?.error?.disconnectReason?.kind == (fault == .silence ? .noResponse : nil))
        #expect((result?.error == nil) == (result?.isDone == true))
    }

    @Test func readsAndSubscriptionsAreRefused() {
        let bench = Self.bench(
            FaultRule(.refusal(.insufficientResources), .read()),
            FaultRule(.refusal(.unlikely), .subscription(of: BluetoothUUID(0x1003))))
        let link = bench.connect()
        let id = AirGadget.notifying
        let read = bench.result { bench.air.read(AirGadget.readable, on: link, tag: $0) }
        let first = bench.result { bench.air.setNotify(true, for: id, on: link, tag: $0) }
        let again = bench.result { bench.air.setNotify(true, for: id, on: link, tag: $0) }
        #expect(read?.error?.attError == .insufficientResources)
        #expect(first?.error?.attError == .unlikely)
        #expect(again?.isDone == true)
    }

    @Test func aSubscriptionIsAcceptedAndNotKept() {
        let bench = Self.bench(FaultRule(.loss, .subscription()))
        let link = bench.connect()
        let id = AirGadget.notifying
        let first = bench.result { bench.air.setNotify(true, for: id, on: link, tag: $0) }
        #expect(first?.isDone == true)
        bench.notify([[1]])
        _ = bench.result { bench.air.setNotify(true, for: id, on: link, tag: $0) }
        bench.notify([[2]])
        bench.run(.seconds(1))
        #expect(bench.values == [[2]])
    }

    @Test func theRingRefusesACommandThatItNeverSees() throws {
        let bench = Self.bench(
            FaultRule(.refusedCommand, .write(beginning: [HeartRateLog.opcode])))
        let link = bench.connectAndSubscribe()
        let frame = try Frame(opcode: HeartRateLog.opcode)
        for _ in 0..<2 {
            _ = bench.result {
                bench.air.write(
                    Array(frame.bytes), to: AirGadget.frameWrite, .withResponse, on: link,
                    tag: $0)
            }
        }
        bench.run(.seconds(1))
        #expect(bench.values == [Array(Refusal(of: HeartRateLog.opcode).frame.bytes)])
        #expect(bench.gadget.written.count == 1)
    }

    @Test func linksKeepShortPacketsOrDoNotComeAbout() {
        let bench = Self.bench(
            FaultRule(.shortPackets, .connection(1)),
            FaultRule(.failedConnection, .connection(2)))
        let link = bench.connect()
        bench.run(.seconds(1))
        #expect(bench.air.maximumWriteLength(.withoutResponse, on: link) == 20)
        bench.air.disconnect(link)
        bench.run(.seconds(1))
        let second = bench.result {
            bench.air.connect(central: CentralNumber(0), to: bench.device, tag: $0)
        }
        #expect(second?.error?.kind == .disconnected)
        let third = bench.connect()
        bench.run(.seconds(1))
        #expect(bench.air.maximumWriteLength(.withoutResponse, on: third) == 244)
    }
}

import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloSimulator

/// An air stays bounded, keeps running and is deterministic, whatever a device does.
@Suite(.passesTime) struct AirBoundsTests {
    @Test func aFloodIsCutAndCounted() {
        let bench = AirBench()
        _ = bench.connectAndSubscribe()
        bench.act { gadget in
            gadget.reaction = { event, now, effects in
                guard event == .changed || event == .woken else { return }
                for _ in 0..<500 {
                    effects.notify(AirGadget.notifying, Array(repeating: 1, count: 10_000))
                    effects.append(.indicate(AirGadget.indicating, []))
                }
                effects.wake(at: now)
            }
        }
        let before = bench.values.count
        for _ in 0..<200 where bench.air.runNextEvent() {}
        #expect(bench.air.losses.packets > 50_000)
        while let output = bench.air.nextOutput() {
            if case .event(_, .value(_, let value)) = output { #expect(value.count <= 244) }
        }
        #expect(bench.values.count == before)
        let slot = bench.air.slots[bench.device.rawValue]
        #expect((slot.link?.toCentral.count ?? 0) <= AirLimits.packetsToCentral + 8)
        #expect((slot.link?.indications.count ?? 0) <= AirLimits.packetsToCentral)
    }

    @Test func aDeviceThatAlwaysWantsToBeWokenNowLetsTimePass() {
        var gadget = AirGadget()
        gadget.reaction = { _, now, effects in effects.wake(at: now - .seconds(5)) }
        let bench = AirBench(gadget)
        for _ in 0..<1_000 { bench.air.runNextEvent() }
        #expect(bench.air.now >= Moment(microseconds: 1_000))
    }

    @Test func aWakeReplacesTheOneBeforeAndNeverIsNever() {
        var gadget = AirGadget()
        gadget.reaction = { event, now, effects in
            guard event != .woken else { return }
            effects.wake(at: now + .seconds(100))
            effects.wake(at: now + .seconds(10))
        }
        let bench = AirBench(gadget)
        bench.run(.seconds(200))
        let woken = bench.gadget.events.filter { $0.event == .woken }
        #expect(woken.map(\.moment) == [Moment.origin + .seconds(10)])
        bench.act { $0.reaction = { _, _, effects in effects.wake(at: .distantFuture) } }
        #expect(bench.air.nextEventTime == nil)
    }

    /// 20 ms to 10.24 s, as Bluetooth allows.
    @Test func theIntervalOfAdvertisementsIsLimited() {
        for (interval, microseconds) in [
            (.zero, 20_000), (.milliseconds(20), 20_000), (.microseconds(20_001), 20_001),
            (.milliseconds(10_240), 10_240_000), (.microseconds(10_240_001), 10_240_000),
            (.seconds(Int64.max), 10_240_000), (.seconds(-1), 20_000),
        ] as [(Duration, Int64)] {
            let advertisement = PeripheralAdvertisement(
                AdvertisingData(lenient: []), interval: interval)
            #expect(advertisement.microseconds == microseconds, "\(interval)")
        }
    }

    /// Discovery requests two lists of services, one of characteristics for each service, and one
    /// of descriptors for each characteristic.
    @Test func discoveryAsksForEachList() {
        let bench = AirBench()
        #expect(bench.air.slots[bench.device.rawValue].discoveryRoundTrips == 14)
    }

    /// A random fault fits the value, whatever its length.
    @Test func drawnFaultsFitTheirValue() {
        for length in 0...40 {
            for number in 0..<400 as Range<UInt64> {
                func drawn(_ fault: LinkFault) -> LinkFault { fault.drawn(number, length: length) }
                if case .corruption(let bit) = drawn(.corruption(bit: 0)) {
                    #expect(0..<max(length, 1) * 8 ~= bit)
                }
                if case .truncation(let kept) = drawn(.truncation(length: 0)) {
                    #expect(0..<max(length, 1) ~= kept)
                }
                if case .delay(let wait) = drawn(.delay(.zero)) {
                    #expect(.milliseconds(10)..<Duration.seconds(2) ~= wait)
                }
                if case .stall(let wait) = drawn(.stall(.zero)) {
                    #expect(.milliseconds(100)..<Duration.seconds(7) ~= wait)
                }
            }
        }
    }

    @Test func outputsThatNobodyTakesAreBounded() {
        let air = Air(seed: 1, startingAt: AirBench.start)
        for _ in 0..<50 { air.add(AirGadget()) }
        air.startScan(central: CentralNumber(0), reportsDuplicates: true, tag: 1)
        air.schedule(at: .origin + .seconds(399), tag: 5)
        air.advance(to: .origin + .seconds(400))
        #expect(air.losses.outputs > 0)
        var count = 0
        var last: AirOutput?
        while let output = air.nextOutput() {
            count += 1
            last = output
        }
        // An end is reported nevertheless.
        #expect(count == AirLimits.outputs + 1)
        #expect(last == .timer(tag: 5))
    }

    @Test func whatIsDueIsAHeapThatAgreesWithASortedList() {
        var random = SplitMix(seed: 5)
        var queue = EventQueue()
        var model: [Int: (moment: Int64, order: Int)] = [:]
        let sources = (0..<40).map { queue.makeSource(.wake($0)) }
        for step in 0..<5_000 {
            let source = sources[Int(random.below(40))]
            switch random.below(4) {
            case 0:
                queue.cancel(source)
                model[source] = nil
            case 1:
                let first = model.min {
                    ($0.value.moment, $0.value.order) < ($1.value.moment, $1.value.order)
                }
                #expect(queue.next?.microseconds == first?.value.moment)
                #expect(queue.popFirst()?.source == first?.key)
                if let first { model[first.key] = nil }
            default:
                let moment = random.below(50)
                queue.schedule(source, at: Moment(microseconds: moment))
                model[source] = (moment, step)
            }
            #expect(queue.moment(of: source)?.microseconds == model[source]?.moment)
        }
    }

    @Test func theSameSeedGivesTheSameRunAndAnotherSeedAnother() {
        #expect(Self.story(seed: 1) == Self.story(seed: 1))
        #expect(Self.story(seed: 1) != Self.story(seed: 2))
    }

    /// All outputs of a run with faults.
    private static func story(seed: UInt64) -> [String] {
        let plan = FaultPlan(seed: seed, rates: .all(perMille: 20))
        let bench = AirBench(seed: seed, faults: plan)
        bench.air.startScan(central: CentralNumber(0), reportsDuplicates: true, tag: 5_000)
        for round in 0..<5 {
            let link = bench.connectAndSubscribe()
            for count in 0..<20 {
                bench.air.write(
                    [UInt8(count), UInt8(round)], to: AirGadget.writable,
                    count % 2 == 0 ? .withResponse : .withoutResponse, on: link,
                    tag: bench.makeTag())
                bench.notify([[UInt8(count)], [1, 2]])
                bench.run(.milliseconds(100))
            }
            bench.run(.seconds(2))
            bench.air.disconnect(link)
            bench.run(.seconds(40))
        }
        return bench.outputs.map { "\($0.moment) \($0.output)" }
            + bench.gadget.events.map { "\($0.moment) \($0.event)" } + ["\(bench.air.faultLog)"]
    }

    @Test func theTraceKeepsTheLastEntries() {
        let bench = AirBench()
        bench.air.keepTrace(4)
        let link = bench.connect()
        for byte in 0..<10 {
            _ = bench.result {
                bench.air.write(
                    [UInt8(byte)], to: AirGadget.writable, .withResponse, on: link, tag: $0)
            }
        }
        #expect(bench.air.trace.entries.count == 4)
        #expect(bench.air.trace.entries.map(\.text) == (6..<10).map { "write 2: 0\($0)" })
        #expect(bench.air.trace.description.split(separator: "\n").count == 4)
    }
}

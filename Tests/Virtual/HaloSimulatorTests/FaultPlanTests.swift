import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// Plans, their records, and the repetition of a run from them.
@Suite(.passesTime) struct FaultPlanTests {
    /// A run of a few links with traffic in both directions.
    private static func run(_ plan: FaultPlan) -> AirBench {
        let bench = AirBench(seed: 3, faults: plan)
        for _ in 0..<6 {
            let link = bench.connectAndSubscribe()
            for count in 0..<30 {
                bench.air.write(
                    [UInt8(count), 1, 2, 3], to: AirGadget.writable, .withResponse, on: link,
                    tag: bench.makeTag())
                bench.air.read(AirGadget.readable, on: link, tag: bench.makeTag())
                bench.notify([[UInt8(count), 7, 7]])
                bench.run(.milliseconds(200))
            }
            bench.air.disconnect(link)
            bench.run(.seconds(45))
        }
        return bench
    }

    private static func story(_ bench: AirBench) -> [String] {
        bench.outputs.map { "\($0.moment) \($0.output)" }
            + bench.gadget.events.map { "\($0.moment) \($0.event)" }
    }

    @Test func withoutAPlanNothingGoesWrong() {
        let bench = Self.run(.none)
        #expect(bench.air.faultLog == FaultLog())
        #expect(bench.air.faultLog.description == "")
        #expect(bench.values.count == 180)
    }

    @Test func everyRateHasItsFaults() {
        var seen: Set<String> = []
        for seed: UInt64 in 0..<6 {
            let bench = Self.run(FaultPlan(seed: seed, rates: .all(perMille: 25)))
            for record in bench.air.faultLog.records {
                seen.insert(
                    String(describing: record.fault).prefix { $0.isLetter || $0 == " " }
                        .split(separator: " ").first.map(String.init) ?? "")
            }
        }
        // Lost, arrived (twice or late), bit, cut, delayed, link, refused, never, MTU, was not.
        #expect(
            seen.isSuperset(of: [
                "lost", "arrived", "bit", "cut", "delayed", "link", "refused", "never", "MTU",
                "was",
            ]), "\(seen)")
    }

    @Test func ratesAreThousandths() {
        var rates = FaultRates()
        rates.lostNotifications = 100
        let bench = AirBench(faults: FaultPlan(seed: 1, rates: rates))
        _ = bench.connectAndSubscribe()
        for _ in 0..<20 {
            bench.notify((0..<100).map { [$0] })
            bench.run(.seconds(5))
        }
        #expect(150...250 ~= 2_000 - bench.values.count)
        #expect(bench.air.faultLog.records.count == 2_000 - bench.values.count)
    }

    @Test func aLogReplaysItsRunToTheByte() {
        for seed: UInt64 in 0..<5 {
            let first = Self.run(FaultPlan(seed: seed, rates: .all(perMille: 8)))
            #expect(first.air.faultLog.records.count > 3)
            let again = Self.run(FaultPlan(replaying: first.air.faultLog))
            #expect(Self.story(again) == Self.story(first))
            #expect(again.air.faultLog == first.air.faultLog)
        }
    }

    @Test func aFaultIsLeftOutByItsNumber() {
        let first = Self.run(FaultPlan(seed: 2, rates: .all(perMille: 8)))
        let log = first.air.faultLog
        let plan = FaultPlan(replaying: log)
        #expect(Self.run(plan.disabling(log.records.map(\.index))).air.faultLog == FaultLog())
        let last = log.records.count - 1
        let rest = Self.run(plan.disabling([last])).air.faultLog
        #expect(rest.records == Array(log.records.dropLast()))
        // The same with random faults instead of a script.
        let rates = FaultPlan(seed: 2, rates: .all(perMille: 8)).disabling([0])
        #expect(Self.run(rates).air.faultLog.records.allSatisfy { $0.index != 0 })
    }

    @Test func faultsOfOneDeviceDoNotDependOnAnother() {
        var rates = FaultRates()
        rates.lostNotifications = 100
        func lost(_ others: Int) -> [Int] {
            let bench = AirBench(seed: 1, faults: FaultPlan(seed: 5, rates: rates))
            for _ in 0..<others { bench.air.add(AirGadget()) }
            _ = bench.connectAndSubscribe()
            bench.notify((0..<200).map { [$0] })
            bench.run(.seconds(5))
            return bench.air.faultLog.records.map(\.number)
        }
        #expect(lost(0) == lost(3))
        #expect(!lost(0).isEmpty)
    }

    @Test func aRuleMayBeAboutOneDevice() {
        let rule = FaultRule(.loss, .notification(1), device: DeviceNumber(1))
        let bench = AirBench(faults: FaultPlan(rules: [rule]))
        _ = bench.connectAndSubscribe()
        bench.notify([[1], [2]])
        bench.run(.seconds(1))
        #expect(bench.values == [[1], [2]])
    }

    @Test func whatCannotHappenToASubjectDoesNot() {
        let bench = AirBench(
            faults: FaultPlan(rules: [
                FaultRule(.silence, .notification(1)), FaultRule(.truncation(length: 0), .read()),
                FaultRule(.loss, .at(.origin + .seconds(1))),
            ]))
        let link = bench.connectAndSubscribe()
        bench.notify([[1]])
        let read = bench.result { bench.air.read(AirGadget.readable, on: link, tag: $0) }
        #expect(bench.values == [[1]])
        #expect(read?.value == [1, 2, 3])
        #expect(bench.air.faultLog.records == [])
    }

    @Test func aFaultReadsAsASentence() {
        let bench = AirBench(faults: FaultPlan(rules: [FaultRule(.loss, .notification(2))]))
        _ = bench.connectAndSubscribe()
        bench.notify([[1], [0xAB, 0xCD]])
        bench.run(.seconds(1))
        let record = bench.air.faultLog.records[0]
        #expect(
            "\(bench.air.faultLog)"
                == "#0 \(record.moment) device 0: notification 2 of 1003 lost: AB CD")
    }
}

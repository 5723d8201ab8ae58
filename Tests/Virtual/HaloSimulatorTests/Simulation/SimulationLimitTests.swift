import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloSimulator

/// Counts, limits and the order of attempts.
@Suite(.passesTime) struct SimulationLimitTests {
    @Test func aReportBeginsWithNothing() {
        let report = SimulationReport(seed: 1)
        #expect(report.streams == 0 && report.requests.total == 0)
        #expect(report.elapsed == .zero && report.digest == 0)
        #expect(report.violations.isEmpty && report.faults.isEmpty && report.trace.isEmpty)
    }

    /// The parts of a list that a minimiser tries, in their order.
    private static func tried(_ count: Int, needed: Set<Int>, limit: Int = 400) -> [String] {
        var tried: [String] = []
        let found = FaultMinimiser(attemptLimit: limit).minimise(Array(0..<count)) { part in
            tried.append(part.map(String.init).joined(separator: " "))
            return needed.isSubset(of: part)
        }
        return tried + ["= " + found.map(String.init).joined(separator: " ")]
    }

    @Test func halvesAreTriedFirstAndThenWhatIsLeft() {
        #expect(Self.tried(0, needed: []) == ["= "])
        #expect(Self.tried(3, needed: []) == ["", "= "])
        #expect(Self.tried(1, needed: [0]) == ["", "= 0"])
        #expect(Self.tried(4, needed: [2]) == ["", "0 1", "2 3", "2", "= 2"])
        // Neither half is enough; then quarters, and all but a quarter; then thirds of that.
        #expect(
            Self.tried(4, needed: [0, 3]) == [
                "", "0 1", "2 3", "0", "1", "2", "3", "1 2 3", "0 2 3", "0", "2", "3", "2 3",
                "0 3", "0", "3", "= 0 3",
            ])
    }

    @Test func noMoreIsTriedThanIsAllowed() {
        for limit in 1...12 {
            let tried = Self.tried(64, needed: [1, 60], limit: limit)
            #expect(tried.count - 1 == limit, "limit \(limit)")
        }
    }

    @Test func aLogOfFaultsHasALimitAndCountsTheRest() {
        let record = FaultRecord(
            index: 3, moment: .origin + .milliseconds(1_500), device: DeviceNumber(2),
            subject: .write, number: 7, characteristic: BluetoothUUID(0x2A37), fault: .loss,
            bytes: [1, 0xAB])
        var log = FaultLog()
        for _ in 0..<FaultLog.limit { log.append(record) }
        #expect((log.records.count, log.omitted) == (10_000, 0))
        #expect(!log.description.contains("more"))
        log.append(record)
        log.append(record)
        #expect((log.records.count, log.omitted) == (10_000, 2))
        #expect(log.description.hasSuffix("\nand 2 more"))
        #expect(record.description == "#3 1.500000 s device 2: write 7 of 2A37 lost: 01 AB")
        #expect(
            FaultRecord(
                index: 0, moment: .origin, device: DeviceNumber(0), subject: nil, number: 0,
                characteristic: nil, fault: .disconnection, bytes: []
            ).description.hasPrefix("#0 0.000000 s device 0: "))
    }

    @Test func aPlanIsEmptyWithoutRatesAndRules() {
        #expect(FaultPlan.none.isEmpty && FaultPlan(seed: 4).isEmpty)
        #expect(!FaultPlan(rules: [FaultRule(.loss, .write())]).isEmpty)
        #expect(!FaultPlan(rates: .all(perMille: 1)).isEmpty)
        var log = FaultLog()
        #expect(FaultPlan(replaying: log).isEmpty)
        for index in [4, 9] {
            log.append(
                FaultRecord(
                    index: index, moment: .origin + .seconds(index), device: DeviceNumber(0),
                    subject: index == 4 ? .write : nil, number: 3, characteristic: nil,
                    fault: .stall(.seconds(1)), bytes: []))
        }
        let plan = FaultPlan(replaying: log).disabling([9])
        #expect(plan.disabled == [9])
        #expect(plan.rules.map(\.index) == [4, 9])
        let ninth = Moment.origin + .seconds(9)
        #expect(plan.rules.map(\.trigger) == [.nth(3, .write), .at(ninth)])
        #expect(log.plan(only: [4]).disabled == [9])
    }

    /// Random numbers by seed: a seed gives the same run on every computer.
    @Test func chanceStaysWithinItsBounds() {
        var random = SplitMix(seed: 5)
        #expect(random.index(below: 0) == 0 && random.index(below: -3) == 0)
        #expect((0..<200).allSatisfy { _ in random.index(below: 1) == 0 })
        let drawn = Set((0..<400).map { _ in random.number(in: -2...3) })
        #expect(drawn == [-2, -1, 0, 1, 2, 3])
        #expect((0..<100).allSatisfy { _ in !random.happens(inHundred: 0) })
        #expect((0..<100).allSatisfy { _ in random.happens(inHundred: 100) })
        #expect(random.pick([Int]()) == nil)
        #expect(Set((0..<100).compactMap { _ in random.pick([4, 7]) }) == [4, 7])
    }

    @Test func countsOfRequestsAddUp() {
        var counts = SimulationReport.RequestCounts()
        var more = SimulationReport.RequestCounts()
        (more.answered, more.refused, more.withoutData, more.failed) = (1, 20, 300, 4_000)
        #expect(more.total == 4_321)
        counts += more
        counts += more
        #expect(counts.total == 8_642)
        #expect((counts.answered, counts.refused) == (2, 40))
        #expect((counts.withoutData, counts.failed) == (600, 8_000))
    }
}

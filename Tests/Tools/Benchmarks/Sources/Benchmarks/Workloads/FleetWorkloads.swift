import HaloProtocol
import HaloSimulator
import HaloTransport

extension Workload {
    /// Many rings in one air, in one process. The cost of a day of one ring depends neither on the
    /// number of rings nor on the number of days.
    static var fleets: Workload {
        Workload(name: "many rings, some days") {
            var figures: [Figure] = []
            for days in [1, 2, 4, 7] {
                let seconds = try best(of: 5) { try fleet(of: 100, days: days) }
                figures.append(
                    Figure(
                        name: "100 rings, \(days) days, each day of each",
                        value: seconds * 10 / Double(days), unit: "ms"))
            }
            var milliseconds: [Int: Double] = [:]
            for count in [1, 10, 100, 1_000, 10_000] {
                let seconds = try best(of: max(1, 500 / count)) { try fleet(of: count, days: 1) }
                milliseconds[count] = seconds * 1000 / Double(count)
                figures.append(
                    Figure(
                        name: "\(count) rings, a day, of each",
                        value: seconds * 1000 / Double(count), unit: "ms"))
                guard count == 10_000 else { continue }
                figures.append(
                    Figure(
                        name: "\(count) rings, a day", value: seconds, unit: "s", bound: .atMost(30)
                    ))
            }
            figures.append(
                Figure(
                    name: "one of 10,000 in terms of one of 100",
                    value: (milliseconds[10_000] ?? .infinity) / (milliseconds[100] ?? 1),
                    unit: "×", bound: .atMost(1.5)))
            figures.append(
                Figure(
                    name: "the most memory, with 10,000 rings", value: peakMegabytes(), unit: "MB",
                    bound: .atMost(1500)))
            return figures
        }
    }

    private static func best(of count: Int, _ measure: () throws -> Double) rethrows -> Double {
        var best = Double.infinity
        for _ in 0..<count { best = min(best, try measure()) }
        return best
    }

    /// Runs rings for some days in one air, and requests all their stored records each day. Returns
    /// the seconds that it took.
    private static func fleet(of count: Int, days: Int) throws -> Double {
        let air = VirtualBluetooth(
            seed: 1, mode: .manual, startingAt: start.local, secondsFromUTC: start.secondsFromUTC)
        let stopwatch = Stopwatch()
        let devices = (0..<count).map { air.add(ring($0)) }
        var checksums: Set<UInt64> = []
        for _ in 1...days {
            air.advance(by: .seconds(86_400))
            let today = air.time.wallClock().local.date
            let now = air.time.now()
            for device in devices {
                let checksum = device.modify { ring in
                    var asked = AskedRing(ring, aliveUntil: now)
                    asked.readEverything(today: today, days: 2)
                    ring = asked.ring
                    ring.setBattery(percent: 90)
                    return asked.checksum
                }
                guard let checksum else { throw WorkloadFault(reason: "a ring is gone") }
                checksums.insert(checksum)
            }
        }
        guard checksums.count == count * days else {
            throw WorkloadFault(
                reason: "\(count) rings have lived \(checksums.count) of \(count * days) days")
        }
        return stopwatch.milliseconds / 1000
    }
}

import HaloProtocol
import HaloSimulator
import HaloTransport

extension Workload {
    /// Many rings in one air: a day of each, in one process.
    static var fleets: [Workload] {
        [days]
            + [1, 10, 100, 1_000, 10_000].map { count in
                Workload(name: "\(count) rings, a day") {
                    let seconds = try fleet(of: count, days: 1)
                    let name = "\(count) rings, a day"
                    var figures = [
                        Figure(
                            name: name, value: seconds, unit: "s",
                            limit: count == 10_000 ? 30 : nil),
                        Figure(
                            name: "\(name), of each", value: seconds * 1000 / Double(count),
                            unit: "ms"),
                    ]
                    if count == 10_000 {
                        figures.append(
                            Figure(
                                name: "\(name), memory", value: peakMegabytes(), unit: "MB",
                                limit: 1500))
                    }
                    return figures
                }
            }
    }

    /// Twice as many days take twice as long.
    private static var days: Workload {
        Workload(name: "100 rings, some days") {
            var figures: [Figure] = []
            for days in [1, 2, 4, 7] {
                let seconds = try fleet(of: 100, days: days)
                figures.append(
                    Figure(
                        name: "100 rings, \(days) days, each day",
                        value: seconds * 10 / Double(days), unit: "ms"))
            }
            return figures
        }
    }

    /// Lets rings live some days in one air, asks each for all that it has stored each day, and
    /// says how many seconds it took.
    private static func fleet(of count: Int, days: Int) throws -> Double {
        let air = Air(seed: 1, startingAt: start)
        let stopwatch = Stopwatch()
        let devices = (0..<count).map { air.add(ring($0)) }
        var checksums: Set<UInt64> = []
        for day in 1...days {
            air.advance(to: Moment.origin + .seconds(86_400 * day))
            let today = air.wallClock().local.date
            for device in devices {
                let checksum = air.modify(device, as: VirtualRing.self) { ring in
                    var asked = AskedRing(ring, aliveUntil: air.now)
                    asked.readEverything(today: today, days: 2)
                    ring = asked.ring
                    return asked.checksum
                }
                guard let checksum else { throw WorkloadFault(reason: "a ring is gone") }
                checksums.insert(checksum)
            }
        }
        guard checksums.count == count * days else {
            throw WorkloadFault(reason: "the rings have not lived their days")
        }
        return stopwatch.milliseconds / 1000
    }
}

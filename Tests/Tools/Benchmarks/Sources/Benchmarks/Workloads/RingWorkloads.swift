import HaloProtocol
import HaloSimulator
import HaloTransport

extension Workload {
    static let start = WallClock(
        local: CivilDateTime(secondsSince1970: 1_780_272_000), secondsFromUTC: 0)

    /// Creates a ring with its own wearer.
    static func ring(_ number: Int) -> VirtualRing {
        VirtualRing(
            .r10, wearer: Wearer(seed: UInt64(number), restingHeartRate: 50 + number % 25), days: 0)
    }

    /// One ring's day with all sensors on and no connection. A ring defers work until a request
    /// needs it, so the day includes requests for all stored records.
    static var ringDay: Workload {
        Workload(name: "a ring's day") {
            let count = 20
            let today = start.local.advanced(bySeconds: 86_400).date
            var best = Double.infinity
            for pass in 0..<10 {
                var rings = (0..<count).map { AskedRing(ring(pass * count + $0), at: start) }
                for index in rings.indices { rings[index].switchEverythingOn() }
                let stopwatch = Stopwatch()
                for index in rings.indices {
                    rings[index].advance(by: .seconds(86_400))
                    rings[index].readEverything(today: today, days: 2)
                }
                best = min(best, stopwatch.milliseconds / Double(count))
                try check(rings)
            }
            return [Figure(name: "a ring's day", value: best, unit: "ms", bound: .atMost(2))]
        }
    }

    /// Checks that each ring has sent something, and that no two have sent the same.
    static func check(_ rings: [AskedRing]) throws {
        guard rings.allSatisfy({ $0.notifications > 60 }),
            Set(rings.map(\.checksum)).count == rings.count
        else { throw WorkloadFault(reason: "the rings have not lived their day") }
    }
}

/// An error: the work was not done, so its figures would be meaningless.
struct WorkloadFault: Error, CustomStringConvertible {
    let reason: String

    var description: String { reason }
}

import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport

extension Workload {
    /// An app reads all records that a ring has stored in seven days, over the virtual air.
    static var sync: Workload {
        Workload(name: "a sync of seven days") {
            var best = Double.infinity
            var bestConnect = Double.infinity
            for pass in 0..<10 {
                let air = VirtualBluetooth(seed: UInt64(pass))
                air.add(VirtualRing(.r10, wearer: Wearer(seed: UInt64(pass)), days: 7))
                let connecting = Stopwatch()
                let ring = try await Ring.connect(over: air)
                bestConnect = min(bestConnect, connecting.milliseconds)
                let reading = Stopwatch()
                let history = try await ring.history(days: 7)
                best = min(best, reading.milliseconds)
                guard history.isComplete, history[.heartRate].count > 500, !history[.sleep].isEmpty
                else { throw WorkloadFault(reason: "the history is not complete") }
                await ring.disconnect()
            }
            return [
                Figure(name: "a sync of seven days", value: best, unit: "ms", bound: .atMost(20)),
                Figure(name: "finding the ring and connecting", value: bestConnect, unit: "ms"),
            ]
        }
    }
}

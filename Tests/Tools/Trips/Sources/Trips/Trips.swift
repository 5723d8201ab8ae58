import HaloDevices
import HaloSimulator

#if os(Linux)
import FakeBlueZ
import Glibc
import HaloBlueZ

/// Runs a daemon with devices, or takes a trip several times over the bus of such a daemon
/// (`value BUS FILE`, `history BUS FILE`): it counts what is executed from the trip's beginning to
/// its end, and writes the counters to `FILE.1`, `FILE.2` …
@main
enum Trips {
    private static let count = 3

    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4 else { return try await runDaemon() }
        let transport = try await BlueZTransport(BlueZOptions(bus: arguments[2]))
        if arguments[1] == "value" {
            try await receiveValues(transport, arguments[3])
        } else {
            try await readHistories(transport, arguments[3])
        }
    }

    private static func runDaemon() async throws {
        let daemon = try await FakeBlueZ()
        // A ring that is worn sends its steps by itself, whenever its wearer walks.
        var ring = VirtualRing(.r02)
        ring.takeOff()
        daemon.add(ring)
        daemon.add(VirtualHeartRateSensor(beatsPerMinute: 60))
        print(try daemon.listen())
        fflush(nil)
        while readLine() != nil {}
        withExtendedLifetime(daemon) {}
    }

    /// A heart rate: from the socket of the bus to `for await`.
    private static func receiveValues(_ transport: BlueZTransport, _ path: String) async throws {
        let sensor = try await HeartRateSensor.connect(over: transport)
        var number = 0
        for try await _ in sensor.measurements {
            // The time before the first two values has the subscription in it.
            if number > 1 { write("\(path).\(number - 1)") }
            number += 1
            guard number <= count + 1 else { return }
            resetCounters()
        }
    }

    /// The stored values of two days, of which one is over, so that each kind has some at any hour:
    /// from the app's call to its result.
    private static func readHistories(_ transport: BlueZTransport, _ path: String) async throws {
        let ring = try await Ring.connect(over: transport)
        for number in 1...count {
            resetCounters()
            _ = try await ring.history(days: 2)
            write("\(path).\(number)")
        }
    }

    private static func write(_ path: String) {
        setFile(path)
        _ = writeCounters()
    }
}

@_silgen_name("__llvm_profile_reset_counters") private func resetCounters()
@_silgen_name("__llvm_profile_set_filename") private func setFile(_ path: UnsafePointer<CChar>)
@_silgen_name("__llvm_profile_write_file") private func writeCounters() -> Int32
#endif

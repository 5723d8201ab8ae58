import HaloBlueZ
import HaloDevices

/// Our own client of rings.
enum RingClient {
    static func run() async throws {
        let transport = try await BlueZTransport(BlueZOptions(adapter: "hci0"))
        let ring = try await Ring.connect(over: transport)
        let battery = try await ring.battery()
        System.say("    battery: \(battery)")
        var beats = 0
        for try await _ in ring.measure(.heartRate) {
            beats += 1
            if beats == 3 { break }
        }
        try Complaint.unless(beats, is: 3, "heart rates that were measured")
        let history = try await ring.history(days: 1)
        try Complaint.unless(history.isComplete, is: true, "whether a day's history is complete")
        System.say("    heart rates: \(history[.heartRate].count)")
    }
}

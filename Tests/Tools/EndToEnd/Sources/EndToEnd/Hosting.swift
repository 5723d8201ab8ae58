import HaloBlueZ
import HaloSimulator
import HaloTransport

/// A virtual ring on the second adapter, until the program is ended. After a restart of the daemon
/// it is registered again.
enum Hosting {
    static func run() async throws {
        let transport = try await BlueZTransport(BlueZOptions(adapter: "hci1"))
        let ring = try await transport.host(
            VirtualRing(.r02), HostingOptions(renamesAdapter: true))
        System.say("hosting")
        if let error = await ring.waitUntilEnded() { throw error }
    }
}

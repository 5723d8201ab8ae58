#if os(Linux)
internal import HaloDBus

/// The doctor's input as plain values; ``BlueZDoctor`` evaluates them.
struct BlueZFacts: Sendable {
    var computer = ComputerFacts()
    var bus = BusFacts()
    var daemon = DaemonFacts()
    var wantedAdapter: String?

    static func collect(_ options: BlueZOptions, timeout: Duration) async -> BlueZFacts {
        var facts = BlueZFacts()
        facts.wantedAdapter = options.adapter
        if let connection = await facts.bus.connect(options, timeout) {
            facts.daemon = await .collect(connection, timeout)
            connection.close()
        }
        let settingsPath = facts.daemon.settingsPath
        facts.computer = await LocalSystem.onThread { .collect(settingsPath: settingsPath) }
        return facts
    }
}
#endif

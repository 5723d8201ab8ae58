#if os(Linux)
/// The doctor's input as plain values; ``BlueZDoctor`` evaluates them.
struct BlueZFacts: Sendable {
    var computer = ComputerFacts()
    var bus = BusFacts()
    var daemon = DaemonFacts()
    var wantedAdapter: String?
}
#endif

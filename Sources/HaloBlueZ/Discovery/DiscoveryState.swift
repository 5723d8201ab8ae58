#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// Who looks for devices, and how far the daemon is with it.
///
/// The daemon discovers once for each connection to the bus, so all scans share one discovery
/// (pitfall 5: bleak#178 and on to #1825, HA#76544). It is told what all of them together want.
struct DiscoveryState: Sendable {
    typealias Report = @Sendable (Result<Discovery, BLEError>) -> Void

    /// A scan that somebody asked for.
    struct Scan: Sendable {
        let filter: ScanFilter
        let report: Report
        /// Whether an adapter was found for it.
        var isOn = false
    }

    /// The filter of the daemon's search. It names no services: 5.87 dies when such a search hears
    /// a device that advertises some (pitfall 26: seen in the virtual machine).
    struct Filter: Hashable, Sendable {
        /// Whether the same is told again.
        var repeats = false
    }

    /// How many scans there may be at one time.
    static let maximumScans = 1024
    /// How often starting is tried while something else is in progress: for 13 seconds at least, as
    /// the kernel goes on for ten with what a daemon began that was killed (seen in the virtual
    /// machine).
    static let maximumAttempts = 9
    /// How long is waited after the first attempt; then twice as long each time, and a little
    /// more or less, so that two programs do not meet again and again.
    static let firstPause: Duration = .milliseconds(100)
    /// How long discovery goes on when nobody scans any more. Who has found a device connects to
    /// it next, and the daemon forgets devices soon after discovery ends (pitfall 8: bleak#971).
    static let lingering: Duration = .seconds(1)

    var scans: [UInt64: Scan] = [:]
    /// How many want discovery to go on if it does.
    var holdCount = 0
    /// How many of them want it to begin if it does not.
    var seekerCount = 0
    /// The adapter that discovers.
    var adapter: DBusObjectPath?
    /// What the daemon was told to look for.
    var told: Filter?
    var isRunning = false
    /// What the daemon was asked and has not answered.
    var question: BlueZSession.CallNumber?
    /// How often starting was tried in vain.
    var attemptCount = 0
    /// While nothing is asked: after an attempt in vain.
    var pause: BlueZSession.TimerNumber?
    /// While discovery goes on for nobody.
    var linger: BlueZSession.TimerNumber?

    /// What all want to be looked for; nothing if nobody wants anything.
    var wanted: Filter? {
        let filters = scans.values.filter(\.isOn).map(\.filter)
        guard !filters.isEmpty else {
            if seekerCount > 0 { return Filter() }
            return holdCount > 0 && isRunning ? told ?? Filter() : nil
        }
        return Filter(repeats: filters.contains(where: \.reportsDuplicates))
    }
}

extension DiscoveryState.Filter {
    /// The filter in the daemon's words. Always of the low-energy kind: otherwise it would listen
    /// to the older Bluetooth half of the time. That alone is no filter for an adapter that has
    /// nothing else, and then devices are passed over that do not say that they may be found (5.87,
    /// in the virtual machine); with a pattern it is one, and the empty pattern fits all.
    var value: DBusValue {
        .properties([
            DiscoveryFilter.transport: .string(DiscoveryFilter.transportLE),
            DiscoveryFilter.duplicateData: .boolean(repeats),
            DiscoveryFilter.pattern: .string(""),
        ])
    }
}
#endif

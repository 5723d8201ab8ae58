#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloTransport

/// The scans, and the state of the daemon's discovery.
///
/// There is one discovery for each connection to the bus, so all scans share it (pitfall 5:
/// bleak#178 and on to #1825, HA#76544). Its filter is the union of all scans.
struct DiscoveryState: Sendable {
    typealias Report = @Sendable (Result<Discovery, BLEError>) -> Void

    struct Scan: Sendable {
        let filter: ScanFilter
        let report: Report
        /// `true` once the scan has an adapter.
        var isOn = false
    }

    /// The filter of the daemon's discovery. It has no services: with services, 5.87 crashes when
    /// it receives a device that advertises some (pitfall 26: seen in the virtual machine).
    struct Filter: Hashable, Sendable { var repeats = false }

    static let maximumScans = 1024
    /// The maximum number of attempts to start while the daemon reports `InProgress`: over 13
    /// seconds at least, as the kernel continues the discovery of a killed daemon for ten (seen in
    /// the virtual machine).
    static let maximumAttempts = 9
    /// The backoff after the first attempt; doubled each time, with a random part, so that two
    /// programs do not collide again and again.
    static let firstBackoff: Duration = .milliseconds(100)
    /// The time for which discovery goes on after the last scan. An app that has found a device
    /// connects to it next, and the daemon removes devices soon after discovery ends (pitfall 8:
    /// bleak#971).
    static let lingerTime: Duration = .seconds(1)

    var scans: [UInt64: Scan] = [:]
    /// The number of holds that keep a running discovery.
    var holdCount = 0
    /// The number of those holds that also start discovery.
    var searcherCount = 0
    var adapter: DBusObjectPath?
    var filter: Filter?
    var isRunning = false
    var pendingCall: BlueZSession.CallNumber?
    var attemptCount = 0
    var pause: BlueZSession.TimerNumber?
    var linger: BlueZSession.TimerNumber?

    /// The union of the filters, or `nil` without scans and holds.
    var wanted: Filter? {
        let filters = scans.values.filter(\.isOn).map(\.filter)
        guard !filters.isEmpty else {
            if searcherCount > 0 { return Filter() }
            return holdCount > 0 && isRunning ? filter : nil
        }
        return Filter(repeats: filters.contains(where: \.reportsDuplicates))
    }
}

extension DiscoveryState.Filter {
    /// The filter in the daemon's terms, always for low energy: otherwise half of the time would be
    /// spent on Bluetooth Classic.
    ///
    /// For an adapter without Classic, the transport alone does not count as a filter, and then
    /// devices that are not discoverable are left out (5.87, in the virtual machine). A pattern
    /// counts, and the empty pattern matches all devices.
    var value: DBusValue {
        .properties([
            DiscoveryFilter.transport: .string(DiscoveryFilter.transportLE),
            DiscoveryFilter.duplicateData: .boolean(repeats), DiscoveryFilter.pattern: .string(""),
        ])
    }
}
#endif

#if os(Linux)
/// What a discovery filter consists of.
package enum DiscoveryFilter {
    /// Services of which a device has to advertise one.
    package static let uuids = "UUIDs"
    /// How strong the signal has to be.
    package static let rssi = "RSSI"
    /// How much of the signal may be lost on the way; excludes ``rssi``.
    package static let pathloss = "Pathloss"
    /// Which Bluetooth: ``transportLE`` for the one of low energy.
    package static let transport = "Transport"
    /// Whether data that was told already is told again.
    package static let duplicateData = "DuplicateData"
    /// Whether the adapter can be found itself meanwhile.
    package static let discoverable = "Discoverable"
    /// How the name or the address has to begin.
    package static let pattern = "Pattern"
    /// Low energy only.
    package static let transportLE = "le"
    /// The older Bluetooth only.
    package static let transportClassic = "bredr"
    /// Both.
    package static let transportAuto = "auto"

    /// Everything that a filter can consist of.
    package static let all = [
        uuids, rssi, pathloss, transport, duplicateData, discoverable, pattern,
    ]
}
#endif

#if os(Linux)
/// Keys of the filter of ``Adapter1/setDiscoveryFilter``, and the values of ``transport``.
package enum DiscoveryFilter {
    /// Services: a device has to advertise one of them.
    package static let uuids = "UUIDs"
    /// The lowest RSSI in dBm.
    package static let rssi = "RSSI"
    /// The highest path loss in dB; excludes ``rssi``.
    package static let pathloss = "Pathloss"
    package static let transport = "Transport"
    /// `true` if unchanged advertising data is signalled again.
    package static let duplicateData = "DuplicateData"
    /// `true` if the adapter is discoverable itself meanwhile.
    package static let discoverable = "Discoverable"
    /// The prefix of the name or the address.
    package static let pattern = "Pattern"
    package static let transportLE = "le"
    package static let transportClassic = "bredr"
    package static let transportAuto = "auto"

    package static let all = [
        uuids, rssi, pathloss, transport, duplicateData, discoverable, pattern,
    ]
}
#endif

#if os(Linux)
internal import HaloProtocol
internal import HaloTransport

struct FakePeripheral {
    let number: Int
    let remote: any FakeRemote
    let address: String
    let isAddressRandom: Bool
    /// The adapter that hosts the device, and does not receive it; `nil` if no adapter hosts it.
    let ownAdapter: Int?
    var rssi: Int16
    /// `true` while the device is received with a weaker signal, by as much as the daemon counts as
    /// a change.
    var isFaded = false
    var advertisement: PeripheralAdvertisement?
    var isAway = false
    /// The number of the connected device object; `nil` without a link.
    var device: Int?

    /// A random static address for a device without one.
    static func address(_ number: Int) -> String {
        let bytes = [0xC0, 0xDE, 0, number >> 16, number >> 8, number]
        return HexText.bytes(bytes.map { UInt8(truncatingIfNeeded: $0) }, separator: ":")
    }

    /// The advertisement and scan response; `nil` while the device does not advertise.
    var heard: FakeHeard? {
        guard !isAway, device == nil, let advertisement else { return nil }
        return FakeHeard(
            [advertisement.data] + (advertisement.scanResponse.map { [$0] } ?? []),
            rssi: isFaded ? max(rssi, .min + Self.fade) - Self.fade : rssi)
    }

    private static let fade: Int16 = 9

    var isReachable: Bool {
        !isAway && device == nil && advertisement?.isConnectable == true
    }
}
#endif

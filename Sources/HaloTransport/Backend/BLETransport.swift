/// Bluetooth as a program meets it: what a backend implements.
///
/// It has the state of the adapter, scanning, connecting, and the time. What an app uses is built
/// on it once, in extensions and in ``BLELink``. Functions return at once, and call back from any
/// thread. `Documentation/Transport.md` maps each requirement to CoreBluetooth and to BlueZ.
public protocol BLETransport: Sendable {
    /// The time that passes where the devices are.
    var time: any TransportTime { get }

    /// The abilities of this backend beyond what all have.
    var features: TransportFeatures { get }

    /// The state of the computer's Bluetooth.
    var adapterState: AdapterState { get }

    /// Tells of each change of ``adapterState``, until cancelled.
    func observeAdapter(_ change: @escaping @Sendable (AdapterState) -> Void) -> Registration

    /// Listens for advertisements, until cancelled.
    ///
    /// A backend may filter itself, or tell everything: what does not match is dropped above. A
    /// scan that cannot go on says so once, and tells nothing more.
    func startScan(
        _ filter: ScanFilter, _ report: @escaping BLECompletion<Discovery>
    ) -> Registration

    /// Connects to a device that was seen, or is known from earlier.
    ///
    /// The completion is called once, also when the attempt is cancelled, and then with
    /// ``BLEError/Kind/cancelled``. After a cancelled attempt there is no link. No event comes
    /// before the completion has been called with the link. A device to which there is a link
    /// already is refused with ``BLEError/Kind/alreadyConnected``.
    func openLink(
        to identity: PeripheralIdentity,
        events: @escaping @Sendable (LinkEvent) -> Void,
        completion: @escaping BLECompletion<any LinkDriver>
    ) -> Registration
}

/// Abilities of a backend beyond what all have.
public struct TransportFeatures: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt8

    /// Features by their bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The signal strength of a connected device can be read.
    public static let connectedRSSI = TransportFeatures(rawValue: 1)
    /// A scan reports each advertisement, and not only the first of a device.
    public static let duplicateReports = TransportFeatures(rawValue: 2)
    /// Advertisements come as the bytes that were sent.
    public static let rawAdvertisements = TransportFeatures(rawValue: 4)
    /// A device can be paired with on purpose, and not only when an attribute demands it.
    public static let pairing = TransportFeatures(rawValue: 8)
}

/// The state of a computer's Bluetooth.
public enum AdapterState: Hashable, Sendable, CaseIterable {
    /// It is not known yet.
    case unknown
    /// The computer has none.
    case unsupported
    /// The program may not use it.
    case unauthorized
    /// It is switched off.
    case poweredOff
    /// It is ready.
    case poweredOn
}

/// The identity of a device for a backend: opaque, and stable on one computer.
///
/// It is an address on Linux, and a number made up by the system on Apple's. It may be stored, and
/// the device be connected to again through the same kind of backend.
public struct PeripheralIdentity: Hashable, Sendable {
    /// The backend's text.
    public let rawValue: String

    /// A device by the text of an earlier identity.
    public init(_ rawValue: String) { self.rawValue = rawValue }
}

extension PeripheralIdentity: CustomStringConvertible {
    /// The backend's text.
    public var description: String { rawValue }
}

public import HaloProtocol

/// Bluetooth Low Energy from the side of a central: the requirements of a backend.
///
/// A backend implements the state of the adapter, scanning, connecting and the time. Extensions and
/// ``BLELink`` build all other functions on these. Functions return at once, and call back from any
/// thread. `Documentation/Backends.md` maps each requirement to CoreBluetooth and to BlueZ.
public protocol BLETransport: Sendable {
    /// The time of the devices: real or virtual.
    var time: any TransportTime { get }

    /// The abilities of this backend beyond those that all backends have.
    var features: TransportFeatures { get }

    /// The current state of the computer's Bluetooth.
    var adapterState: AdapterState { get }

    /// Calls a function at each change of ``adapterState``, until cancelled.
    func observeAdapter(_ change: @escaping @Sendable (AdapterState) -> Void) -> Cancellable

    /// Listens for advertisements, until cancelled.
    ///
    /// A backend may filter, or report every advertisement: the layer above drops those that do not
    /// match. A scan that fails reports the error once, as its last report.
    func startScan(
        _ filter: ScanFilter, _ report: @escaping BLECompletion<Discovery>
    ) -> Cancellable

    /// Connects to a device that was discovered, now or earlier.
    ///
    /// The completion is called once, also when the attempt is cancelled, and then with
    /// ``BLEError/Kind/cancelled``. After a cancelled attempt there is no link. Events begin after
    /// the completion has been called with the link. A second link to the same device is refused
    /// with ``BLEError/Kind/alreadyConnected``.
    func openLink(
        to identity: PeripheralIdentity,
        events: @escaping @Sendable (LinkEvent) -> Void,
        completion: @escaping BLECompletion<any LinkDriver>
    ) -> Cancellable

    /// Finds the devices with one of some services that the system is connected to, except over
    /// this transport. Such a device does not advertise, so a scan does not discover it.
    ///
    /// The completion is called once. A discovery has those of the services that the device is
    /// known to have. Without ``TransportFeatures/connectedDevices`` there are none.
    func retrieveConnected(
        _ services: [BluetoothUUID], _ completion: @escaping BLECompletion<[Discovery]>)
}

extension BLETransport {
    /// Finds none: most backends have the adapter to themselves.
    public func retrieveConnected(
        _ services: [BluetoothUUID], _ completion: @escaping BLECompletion<[Discovery]>
    ) { completion(.success([])) }
}

/// Abilities of a backend beyond those that all backends have.
public struct TransportFeatures: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt8

    /// Creates features from their bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The RSSI of a connected device can be read.
    public static let connectedRSSI = TransportFeatures(rawValue: 1)
    /// A scan can report every advertisement of a device, and not only the first one.
    public static let duplicateReports = TransportFeatures(rawValue: 2)
    /// Advertisements are reported as the bytes that were sent.
    public static let rawAdvertisements = TransportFeatures(rawValue: 4)
    /// ``BLELink/pair()`` works. Without this feature, the system pairs when an attribute demands
    /// it.
    public static let pairing = TransportFeatures(rawValue: 8)
    /// ``BLETransport/retrieveConnected(_:_:)`` finds devices: other programs share the adapter.
    public static let connectedDevices = TransportFeatures(rawValue: 16)
}

/// The state of a computer's Bluetooth.
public enum AdapterState: Hashable, Sendable, CaseIterable {
    /// The state is not known yet.
    case unknown
    /// The computer has no Bluetooth adapter.
    case unsupported
    /// The program has no permission to use Bluetooth.
    case unauthorized
    /// Bluetooth is switched off.
    case poweredOff
    /// Bluetooth is ready.
    case poweredOn
}

/// The identity of a device for a backend: opaque text that is stable on one computer.
///
/// It is an address on Linux, and a UUID made up by the system on Apple's platforms. An app may
/// store it, to connect again later through the same kind of backend.
public struct PeripheralIdentity: Hashable, Sendable {
    /// The backend's text.
    public let rawValue: String

    /// Creates an identity from the text of an earlier one.
    public init(_ rawValue: String) { self.rawValue = rawValue }
}

extension PeripheralIdentity: CustomStringConvertible {
    /// The backend's text.
    public var description: String { rawValue }
}

extension PeripheralIdentity: Codable {
    /// Decodes the backend's text.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    /// Encodes the backend's text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}

/// One link of a backend: the primitives on which ``BLELink`` is built.
///
/// Each function returns at once. Its completion is called once, from any thread, when the
/// operation is complete: at the latest when the link ends. Operations of one link are carried out
/// in the order of the calls. Events go to the `events` function of
/// ``BLETransport/openLink(to:events:completion:)``, one at a time and in order; completions and
/// events keep their common order too.
///
/// Events and completions must be called without a lock that these functions take: such a call may
/// wait for the return of a function that an app's thread has called.
public protocol LinkDriver: AnyObject, Sendable {
    /// The device at the other end.
    var identity: PeripheralIdentity { get }

    /// Discovers the services with their characteristics and descriptors; a backend may answer
    /// from an earlier discovery.
    func discoverServices(_ completion: @escaping BLECompletion<[GATTService]>)

    /// Reads the whole value of a characteristic or a descriptor, however long.
    func read(_ attribute: AttributeID, _ completion: @escaping BLECompletion<[UInt8]>)

    /// Writes a value. Without a response, the write is complete when there is room for the next
    /// one.
    func write(
        _ value: [UInt8], to attribute: AttributeID, _ mode: WriteMode,
        _ completion: @escaping BLECompletion<Void>)

    /// Switches notifications or indications of a characteristic on or off.
    func setNotify(
        _ isOn: Bool, for attribute: AttributeID, _ completion: @escaping BLECompletion<Void>)

    /// Returns the maximum number of bytes of one write.
    ///
    /// With a response, that is the maximum length of an attribute, 512 bytes: a value longer than
    /// a packet is written in pieces. Without a response, it is the room in one packet.
    func maximumWriteLength(_ mode: WriteMode) -> Int

    /// Reads the RSSI in dBm, where the backend has ``TransportFeatures/connectedRSSI``.
    func readRSSI(_ completion: @escaping BLECompletion<Int>)

    /// Pairs with the device, where the backend has ``TransportFeatures/pairing``. If the device is
    /// already paired, the call completes at once.
    func pair(_ completion: @escaping BLECompletion<Void>)

    /// Closes the link; ``LinkEvent/disconnected(_:)`` follows when it is closed.
    func disconnect()
}

extension LinkDriver {
    /// Fails: many systems know the RSSI of advertisements only.
    public func readRSSI(_ completion: @escaping BLECompletion<Int>) {
        completion(.failure(BLEError(.notSupportedHere, .readRSSI)))
    }

    /// Fails: most backends pair only when an attribute demands it.
    public func pair(_ completion: @escaping BLECompletion<Void>) {
        completion(.failure(BLEError(.notSupportedHere, .pair)))
    }
}

/// An event of a link.
public enum LinkEvent: Hashable, Sendable {
    /// A notification or an indication: the characteristic and its value.
    case value(AttributeID, [UInt8])
    /// The device's services have changed: earlier discoveries are stale.
    case servicesChanged
    /// ``LinkDriver/maximumWriteLength(_:)`` has changed.
    case maximumLengthChanged
    /// The link has ended; this is the last event.
    ///
    /// A backend reports it before it fails the requests in progress: then
    /// ``BLELink/disconnectReason`` is set when they fail.
    case disconnected(DisconnectReason)
}

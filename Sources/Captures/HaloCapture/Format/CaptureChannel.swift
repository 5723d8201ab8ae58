public import HaloProtocol
import HaloTransport

/// The channel of a value.
public enum CaptureChannel: Hashable, Sendable {
    /// The 16-byte frames of a ring.
    case uart
    /// The long frames of a ring.
    case bigData
    /// The packets of a family, in both directions.
    ///
    /// The family is referred to, as every packet has a channel, and a copy of a family has two
    /// arrays.
    indirect case family(DeviceFamily)
    /// The data of an advertisement.
    case advertisement
    /// The data of a scan response.
    case scanResponse
    /// Any other characteristic.
    case characteristic(BluetoothUUID)
    /// A descriptor of a type, of a characteristic.
    ///
    /// If only the descriptor's handle is known, and not its characteristic, the characteristic is
    /// the unnamed one with the descriptor's handle.
    case descriptor(BluetoothUUID, of: BluetoothUUID)

    /// All channels that need no declaration.
    package static let allKnown: [CaptureChannel] =
        [.uart, .bigData] + DeviceFamilyCatalog.families.map(CaptureChannel.family)
        + [.advertisement, .scanResponse]

    static let known: [(name: String, channel: CaptureChannel)] =
        allKnown.compactMap { channel in channel.knownName.map { ($0, channel) } }

    /// The name of the channel if it needs no declaration, otherwise `nil`.
    package var knownName: String? {
        switch self {
        case .uart: "uart"
        case .bigData: "bigdata"
        case .family(let family): family.name.description
        case .advertisement: "adv"
        case .scanResponse: "scan"
        case .characteristic, .descriptor: nil
        }
    }

    /// `true` for a descriptor, which is only read and written.
    var isDescriptor: Bool {
        if case .descriptor = self { true } else { false }
    }

    /// `true` for the descriptor that switches notifications.
    var isClientConfiguration: Bool {
        if case .descriptor(AttributeUUIDs.clientConfiguration, of: _) = self {
            true
        } else {
            false
        }
    }

    /// `true` for the data of advertisements, which belong to no connection.
    package var isAdvertising: Bool { self == .advertisement || self == .scanResponse }

    /// Creates the channel of a characteristic that carries values in either direction.
    public init(_ uuid: BluetoothUUID) {
        let known = Self.known.first { $0.channel.uuids.contains(uuid) }
        self = known?.channel ?? .characteristic(uuid)
    }

    /// Creates the channel of a characteristic that carries values in a direction.
    package init(_ uuid: BluetoothUUID, _ direction: Direction) {
        let channel = CaptureChannel(uuid)
        self = channel.uuid(direction) == uuid ? channel : .characteristic(uuid)
    }

    /// Returns the characteristic that carries values of the channel in a direction; `nil` if there
    /// is none, as for advertisements and for descriptors.
    public func uuid(_ direction: Direction) -> BluetoothUUID? {
        let uuids = uuids
        return direction == .toDevice ? uuids.first : uuids.last
    }

    /// The channel's characteristics: the written one, then the notifying one; both may be the
    /// same.
    package var uuids: [BluetoothUUID] {
        switch self {
        case .uart: [RingServices.uartWrite, RingServices.uartNotify]
        case .bigData: [RingServices.bigDataWrite, RingServices.bigDataNotify]
        case .family(let family):
            [family.written.characteristic, family.notified.characteristic]
        case .advertisement, .scanResponse, .descriptor: []
        case .characteristic(let uuid): [uuid]
        }
    }

    /// The name of the channel, or its UUID if it has no name.
    package var words: String { name { $0.lowercased } }

    /// Returns the name of the channel; `name` returns that of a characteristic without a fixed
    /// one.
    func name(_ name: (BluetoothUUID) -> String) -> String {
        switch self {
        case .characteristic(let uuid): name(uuid)
        case .descriptor(let type, of: let uuid):
            name(uuid) + Self.descriptorSeparator + type.lowercased
        case .uart, .bigData, .family, .advertisement, .scanResponse: knownName ?? ""
        }
    }

    static let descriptorSeparator = ":"

    package var packetKind: PacketKind? {
        switch self {
        case .uart: .uart
        case .bigData: .bigData
        case .family(let family): .family(family)
        case .advertisement, .scanResponse: .advertisement
        case .characteristic(let uuid):
            CharacteristicCatalog.entry(uuid).map { .characteristic($0) }
        case .descriptor: nil
        }
    }

    static func isKnown(_ name: CaptureName) -> Bool { known.contains { $0.name == name.text } }
}

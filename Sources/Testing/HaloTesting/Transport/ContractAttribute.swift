public import HaloProtocol
public import HaloTransport

/// The characteristics of the device with which the transport contract is checked: one for each
/// behaviour of a device.
public enum ContractAttribute: UInt32, CaseIterable, Sendable, Codable {
    /// A characteristic that can be read.
    case text = 1
    /// A characteristic that can be read, and whose value is longer than one packet.
    case longText
    /// A characteristic that can be written in both modes. The device records the values.
    case record
    /// A characteristic that notifies once at each subscription, and then on demand.
    case first
    /// A characteristic that notifies on demand.
    case second
    /// A characteristic that sends indications, which the central confirms.
    case confirmed
    /// A characteristic whose written bytes are notified by ``first`` and ``second`` in turn,
    /// before the write is acknowledged.
    case echo
    /// A characteristic that refuses every request with ``ContractPeripheral/refusal``.
    case refusing
    /// A characteristic that never responds.
    case silent

    /// The service of all these characteristics.
    public static let service = BluetoothUUID(
        high: 0x4841_4C4F_0000_4C4E, low: 0x8B5A_0000_0000_0000)
    /// The UUID of a service that the device adds on demand.
    package static let extraService = BluetoothUUID(
        high: 0x4841_4C4F_0000_4C4E, low: 0x8B5A_0000_0000_0001)
    /// A descriptor of ``text``, which can be read: Characteristic User Description.
    package static let descriptorUUID = BluetoothUUID(0x2901)

    /// The characteristic's UUID.
    public var uuid: BluetoothUUID {
        BluetoothUUID(high: Self.service.high, low: Self.service.low | UInt64(rawValue) << 16)
    }

    /// The characteristic's properties.
    public var properties: GATTProperties {
        switch self {
        case .text, .longText: .read
        case .record: [.write, .writeWithoutResponse]
        case .first, .second: .notify
        case .confirmed: .indicate
        case .echo: .write
        case .refusing, .silent: [.read, .write]
        }
    }

    var id: AttributeID { AttributeID(rawValue) }
}

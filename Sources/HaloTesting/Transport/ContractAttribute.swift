public import HaloProtocol
public import HaloTransport

/// The characteristics of the device that the transport contract is checked with: one for each
/// way in which a device can behave.
public enum ContractAttribute: UInt32, CaseIterable, Sendable {
    /// Can be read.
    case text = 1
    /// Can be read, and is longer than one packet holds.
    case longText
    /// Can be written in both ways; the device remembers what was.
    case record
    /// Sends values by itself: one at once when somebody subscribes, then those it is told to.
    case first
    /// Sends values by itself, when it is told to.
    case second
    /// Sends values that are to be confirmed.
    case confirmed
    /// Each byte that is written has the device send it by ``first`` and ``second`` in turn,
    /// before it says yes to the write.
    case echo
    /// Says no to everything, with an error of its own.
    case refusing
    /// Never answers.
    case silent

    /// The service that all of them belong to.
    public static let service = BluetoothUUID(
        high: 0x4841_4C4F_0000_4C4E, low: 0x8B5A_0000_0000_0000)
    /// A service that comes when the device is told to have another one.
    public static let extraService = BluetoothUUID(
        high: 0x4841_4C4F_0000_4C4E, low: 0x8B5A_0000_0000_0001)
    /// A descriptor of ``text``, which can be read: Characteristic User Description.
    public static let descriptorUUID = BluetoothUUID(0x2901)

    /// Which characteristic it is.
    public var uuid: BluetoothUUID {
        BluetoothUUID(high: Self.service.high, low: Self.service.low | UInt64(rawValue) << 16)
    }

    /// What can be done with it.
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

    /// Which attribute of the device it is, in the device's own numbers.
    var id: AttributeID { AttributeID(rawValue) }
}

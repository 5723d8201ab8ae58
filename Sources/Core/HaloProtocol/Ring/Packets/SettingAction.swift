/// The first byte of the packets of a setting.
public protocol SettingCode: FieldCode {
    /// The code of a request for the setting.
    static var read: Self { get }
    /// The code of a request that changes the setting.
    static var write: Self { get }
    /// `true` if a request with the code does not change the ring.
    var onlyReads: Bool { get }
}

/// The byte after the opcode of most setting commands: read or write.
public enum SettingAction: UInt8, SettingCode {
    case read = 1
    case write = 2

    @inlinable public var onlyReads: Bool { self == .read }
}

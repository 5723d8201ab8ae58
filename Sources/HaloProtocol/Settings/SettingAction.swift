/// Whether a setting is read or written: the byte behind the opcode of most setting commands.
@frozen
public enum SettingAction: UInt8, FieldCode {
    /// The ring is asked for its setting.
    case read = 1
    /// The ring is given a setting.
    case write = 2

    /// The action in words.
    public var label: FieldName {
        switch self {
        case .read: "read"
        case .write: "write"
        }
    }
}

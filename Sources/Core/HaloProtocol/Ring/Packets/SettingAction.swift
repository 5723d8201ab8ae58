/// The byte after the opcode of most setting commands: read or write.
@usableFromInline
enum SettingAction: UInt8, FieldCode {
    case read = 1
    case write = 2

    @inlinable @inline(__always)
    init(reads: Bool) {
        self = reads ? .read : .write
    }

    @usableFromInline static let labels = FieldLabels<SettingAction>()
}

/// A line beneath a header, with its indentation.
struct BtmonLine {
    let indent: Int
    let text: ArraySlice<UInt8>

    /// The value after a label, or `nil` if the line begins differently.
    func value(_ label: StaticString) -> TextCursor? {
        var cursor = TextCursor(text)
        guard cursor.skip(label) else { return nil }
        cursor.skipSpaces()
        return cursor
    }

    /// The bytes of a dump line (up to sixteen, followed by their ASCII form); `nil` for other
    /// lines.
    var dump: ContiguousArray<UInt8>? {
        var bytes = ContiguousArray<UInt8>()
        var cursor = TextCursor(text)
        while bytes.count < 16, let byte = cursor.byte() {
            guard cursor.next == nil || cursor.skip(" ") else { return nil }
            bytes.append(byte)
        }
        return bytes.isEmpty || cursor.next ?? 0x20 != 0x20 ? nil : bytes
    }
}

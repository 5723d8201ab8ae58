import HaloProtocol

struct LogBytes: Hashable, Sendable {
    var bytes: ContiguousArray<UInt8>
    /// `true` if the program cut the value: points of omission follow the bytes.
    var isCut = false
}

extension LogBytes {
    /// Reads bytes from the cursor on; `nil` without any.
    ///
    /// Groups of two digits each, or of more without spaces, each perhaps after `0x`. Between them
    /// is one separator.
    init?(_ cursor: inout TextCursor) {
        var bytes = ContiguousArray<UInt8>()
        var end = cursor
        while true {
            _ = cursor.skip("0x")
            let count = bytes.count
            while let byte = cursor.byte() { bytes.append(byte) }
            guard bytes.count > count, !cursor.isInWord else {
                bytes.removeLast(bytes.count - count)
                break
            }
            end = cursor
            _ = cursor.skip(" ") || cursor.skip("-") || cursor.skip(":")
        }
        cursor = end
        guard !bytes.isEmpty else { return nil }
        self.init(bytes: bytes, isCut: Self.isCut(end))
    }

    /// `true` if points of omission come next.
    static func isCut(_ cursor: TextCursor) -> Bool {
        var cursor = cursor
        cursor.skipSpaces()
        return cursor.starts(with: "...") || cursor.starts(with: "\u{2026}")
    }
}

extension TextCursor {
    /// The UUID of 36 characters that is the whole text.
    var longUUID: BluetoothUUID? {
        guard rest.count == 36 else { return nil }
        return try? BluetoothUUID(parsing: String(decoding: rest, as: UTF8.self))
    }

    /// Reads a UUID of 36 characters, or of four digits.
    mutating func readUUID() -> BluetoothUUID? {
        if let uuid = TextCursor(rest.prefix(36)).longUUID {
            self = TextCursor(rest.dropFirst(36))
            return uuid
        }
        var copy = self
        _ = copy.skip("0x")
        guard let number = copy.hexadecimal(), number.digits == 4,
            let short = UInt32(exactly: number.value)
        else { return nil }
        self = copy
        return BluetoothUUID(short)
    }

    /// Reads a handle behind `0x`.
    mutating func readHandle() -> UInt16? {
        var copy = self
        guard copy.skip("0x"), let number = copy.hexadecimal(),
            let handle = UInt16(exactly: number.value), handle > 0
        else { return nil }
        self = copy
        return handle
    }
}

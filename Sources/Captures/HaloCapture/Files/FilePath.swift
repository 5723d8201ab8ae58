import HaloProtocol

/// The path of a file as the bytes that the system has, which need not be UTF-8.
package struct FilePath: Hashable, Sendable {
    /// The bytes without the NUL behind them.
    package let bytes: [UInt8]

    package init(bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
    }

    package init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// The path as text. A path that is no UTF-8 has `\xNN` in place of each byte beyond ASCII, so
    /// the text is for people and not for opening the file.
    package var text: String {
        let text = String(decoding: bytes, as: UTF8.self)
        return text.utf8.elementsEqual(bytes) ? text : PrintableText.escaped(bytes)
    }

    /// The path in quotation marks, safe for a terminal.
    package var quoted: String { PrintableText.quoted(bytes) }

    /// The folder with its slash; empty for a file of the current folder.
    var folder: FilePath {
        FilePath(bytes: bytes[..<(bytes.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0)])
    }

    package var cString: [CChar] { bytes.map { CChar(bitPattern: $0) } + [0] }

    package func appending(_ text: String) -> FilePath { FilePath(bytes: bytes + text.utf8) }

    /// Returns the path without a suffix, which it need not have.
    package func removing(suffix: String) -> FilePath {
        let end = Array(suffix.utf8)
        return bytes.suffix(end.count).elementsEqual(end)
            ? FilePath(bytes: bytes.dropLast(end.count)) : self
    }
}

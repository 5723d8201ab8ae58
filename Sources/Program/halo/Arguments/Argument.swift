import HaloCapture

/// An argument of the program as the bytes that the system has, which need not be UTF-8.
struct Argument: Hashable, Sendable, ExpressibleByStringLiteral {
    let bytes: [UInt8]

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    init(stringLiteral text: String) {
        bytes = Array(text.utf8)
    }

    /// The argument as text; bytes that are no UTF-8 are escaped.
    var text: String { path.text }

    /// The argument as text, with U+FFFD for what is no UTF-8: an escape would look like
    /// hexadecimal digits.
    var unescapedText: String { String(decoding: bytes, as: UTF8.self) }

    var path: FilePath { FilePath(bytes: bytes) }

    /// `true` for `-x` and `--xyz`, but not for `-`, which is a file.
    var isOption: Bool { bytes.first == UInt8(ascii: "-") && bytes.count > 1 }

    func dropFirst(_ count: Int) -> Argument { Argument(bytes: Array(bytes.dropFirst(count))) }

    /// The arguments of this program, without its name.
    static var ofProgram: [Argument] {
        (0..<Int(CommandLine.argc)).dropFirst().compactMap { index in
            CommandLine.unsafeArgv[index].map { Argument(bytes: FilePath(cString: $0).bytes) }
        }
    }
}

extension FilePath {
    /// `-`: standard input where a file is read, and standard output where one is written.
    var isStandard: Bool { bytes == [UInt8(ascii: "-")] }
}

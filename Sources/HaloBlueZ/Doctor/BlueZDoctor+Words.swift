#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol

extension DBusError {
    /// Whether a policy says no.
    var isDenied: Bool { kind == .remote && name == BusErrorName.accessDenied }

    /// Whether the bus does not let the program's user in.
    var isUserRefused: Bool {
        kind == .notAuthenticated
            && details == DBusAuthenticationError(.rejected).description
    }

    /// Which policy says no: what the bus says first. Behind it stands the whole call.
    var policy: String? { details?.split(separator: ";").first.map(String.init) }
}

extension BlueZDoctor {
    /// As much of a foreign text as is shown.
    private static let lengthLimit = 160
    /// As much of a list of addresses.
    static let addressLimit = 600

    /// Text of somebody else: between quotes, without anything that could steer a terminal, and no
    /// longer than a line or two.
    func said(_ text: String?, limit: Int = lengthLimit) -> String? {
        guard let text, !text.isEmpty else { return nil }
        let bytes = text.utf8
        let isLong = bytes.count > limit
        return PrintableText.quoted(bytes.prefix(limit)) + (isLong ? "…" : "")
    }

    /// A command that only root may run.
    func command(_ text: String) -> String { facts.computer.isRoot ? text : "sudo \(text)" }

    /// A path, if a shell takes it for what it is.
    static func shellWord(_ path: String) -> String? {
        let isPlain = path.utf8.allSatisfy { character in
            switch character {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "/._-+:".utf8.contains(character)
            }
        }
        return isPlain && path.first == "/" && path.utf8.count <= lengthLimit ? path : nil
    }
}
#endif

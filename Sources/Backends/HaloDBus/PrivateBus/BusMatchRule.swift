#if os(Linux)
struct BusMatchRule: Hashable, Sendable {
    private(set) var type: DBusMessageType?
    private(set) var sender: String?
    private(set) var destination: String?
    private(set) var interface: String?
    private(set) var member: String?
    private(set) var path: String?
    private(set) var pathNamespace: DBusObjectPath?
    private(set) var arguments: [Int: Argument] = [:]

    enum Argument: Hashable, Sendable {
        /// `argN`: the argument is this string.
        case text(String)
        /// `argNpath`: the argument is this string or path; or one of the two ends with a slash
        /// and is a prefix of the other.
        case path(String)
        /// `arg0namespace`, for the index 0 only: the argument is this name, or begins with it and
        /// a dot.
        case namespace(String)

        func matches(_ value: DBusValue) -> Bool {
            switch (self, value) {
            case (.text(let own), .string(let other)): own == other
            case (.namespace(let own), .string(let other)):
                own == other || other.hasPrefix(own + ".")
            case (.path(let own), .string(let other)): Self.isRelated(own, other)
            case (.path(let own), .objectPath(let other)): Self.isRelated(own, other.text)
            default: false
            }
        }

        private static func isRelated(_ one: String, _ other: String) -> Bool {
            one == other || one.hasSuffix("/") && other.hasPrefix(one)
                || other.hasSuffix("/") && one.hasPrefix(other)
        }
    }

    init?(_ text: String) {
        guard text.utf8.count <= Self.maximumLength, let pairs = Self.pairs(text) else {
            return nil
        }
        var seen: Set<String> = []
        for (key, value) in pairs {
            guard seen.insert(key).inserted, add(key, value) else { return nil }
        }
        if path != nil && pathNamespace != nil { return nil }
    }

    static let maximumLength = 1024

    private mutating func add(_ key: String, _ value: String) -> Bool {
        switch key {
        case "type":
            switch value {
            case "signal": type = .signal
            case "method_call": type = .call
            case "method_return": type = .reply
            case "error": type = .error
            default: return false
            }
        case "sender": sender = value
        case "destination": destination = value
        case "interface": interface = value
        case "member": member = value
        case "path": path = value
        case "path_namespace":
            guard let path = try? DBusObjectPath(value) else { return false }
            pathNamespace = path
        case "eavesdrop": return value == "true" || value == "false"
        default: return addArgument(key, value)
        }
        return switch key {
        case "sender", "destination": DBusName.isBusName(value)
        case "interface": DBusName.isInterface(value)
        case "member": DBusName.isMember(value)
        case "path": DBusObjectPath.fault(in: value.utf8) == nil
        default: true
        }
    }

    private mutating func addArgument(_ key: String, _ value: String) -> Bool {
        guard key.hasPrefix("arg") else { return false }
        let rest = key.dropFirst(3)
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        guard let index = Int(digits), index < 64, arguments[index] == nil else { return false }
        switch rest.dropFirst(digits.count) {
        case "": arguments[index] = .text(value)
        case "path": arguments[index] = .path(value)
        case "namespace" where index == 0: arguments[index] = .namespace(value)
        default: return false
        }
        return true
    }

    /// Returns the keys and values. Within apostrophes each character is literal; outside of them a
    /// backslash escapes an apostrophe.
    private static func pairs(_ text: String) -> [(String, String)]? {
        var pairs: [(String, String)] = []
        var rest = text.utf8[...]
        while true {
            rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            guard !rest.isEmpty else { return pairs }
            guard let equals = rest.firstIndex(of: UInt8(ascii: "=")), equals > rest.startIndex
            else { return nil }
            let key = String(decoding: rest[..<equals], as: UTF8.self)
            rest = rest[equals...].dropFirst()
            guard let value = nextValue(&rest) else { return nil }
            pairs.append((key, value))
        }
    }

    private static func nextValue(_ rest: inout Substring.UTF8View) -> String? {
        var value: [UInt8] = []
        var isQuoted = false
        loop: while let character = rest.popFirst() {
            switch character {
            case UInt8(ascii: "'"): isQuoted.toggle()
            case UInt8(ascii: "\\") where !isQuoted && rest.first == UInt8(ascii: "'"):
                _ = rest.popFirst()
                value.append(UInt8(ascii: "'"))
            case UInt8(ascii: ",") where !isQuoted: break loop
            default: value.append(character)
            }
        }
        return isQuoted ? nil : String(decoding: value, as: UTF8.self)
    }

    /// `true` if a message matches. The functions return `true` for the names of the sender, and of
    /// the receiver.
    func matches(
        _ message: DBusMessage, sender isSender: (String) -> Bool,
        destination isDestination: (String) -> Bool
    ) -> Bool {
        if let type, type != message.type { return false }
        if let member, member != message.member { return false }
        if let interface, interface != message.interface { return false }
        if let path, path != message.path?.text { return false }
        if let pathNamespace, message.path?.isInside(pathNamespace) != true { return false }
        if let sender, sender != message.sender, !isSender(sender) { return false }
        if let destination, destination != message.destination, !isDestination(destination) {
            return false
        }
        return arguments.allSatisfy { index, argument in
            message.body.indices.contains(index) && argument.matches(message.body[index])
        }
    }
}
#endif

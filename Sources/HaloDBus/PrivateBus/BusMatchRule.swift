#if os(Linux)
/// What a client of the private bus wants to hear, as it said: all that the specification knows.
struct BusMatchRule: Hashable, Sendable {
    /// How one of the values is compared.
    enum Argument: Hashable, Sendable {
        /// It is that text.
        case text(String)
        /// It is that path, or one of the two is a folder, with a slash at the end, of the other.
        case path(String)
        /// It is that name, or begins with it and a dot.
        case namespace(String)
    }

    private(set) var type: DBusMessageType?
    private(set) var sender: String?
    private(set) var destination: String?
    private(set) var interface: String?
    private(set) var member: String?
    private(set) var path: String?
    private(set) var pathNamespace: DBusObjectPath?
    private(set) var arguments: [Int: Argument] = [:]

    /// A rule as text; nil if it is none.
    init?(_ text: String) {
        guard text.utf8.count <= Self.maximumLength, let pairs = Self.pairs(text) else {
            return nil
        }
        var seen: Set<String> = []
        for (key, value) in pairs {
            guard seen.insert(key).inserted, take(key, value) else { return nil }
        }
        if path != nil && pathNamespace != nil { return nil }
    }

    static let maximumLength = 1024

    private mutating func take(_ key: String, _ value: String) -> Bool {
        switch key {
        case "type":
            switch value {
            case "signal": type = .signal
            case "method_call": type = .call
            case "method_return": type = .answer
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
        default: return takeArgument(key, value)
        }
        return switch key {
        case "sender", "destination": DBusName.isBusName(value)
        case "interface": DBusName.isInterface(value)
        case "member": DBusName.isMember(value)
        case "path": DBusObjectPath.fault(in: value.utf8) == nil
        default: true
        }
    }

    private mutating func takeArgument(_ key: String, _ value: String) -> Bool {
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

    /// Keys with their values. Within apostrophes everything stands for itself; outside of them
    /// a backslash keeps an apostrophe from beginning a quotation.
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
            guard let value = takeValue(&rest) else { return nil }
            pairs.append((key, value))
        }
    }

    private static func takeValue(_ rest: inout Substring.UTF8View) -> String? {
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

    /// Whether a message is meant; `isSender` and `isDestination`
    /// know what other names its two sides have.
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

extension BusMatchRule.Argument {
    fileprivate func matches(_ value: DBusValue) -> Bool {
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

extension DBusMessage {
    /// The object that is asked, or that says something.
    var path: DBusObjectPath? {
        switch kind {
        case .call(let path, _, _), .signal(let path, _, _): path
        case .answer, .error: nil
        }
    }

    /// The interface of a method or a signal.
    var interface: String? {
        switch kind {
        case .call(_, let interface, _): interface
        case .signal(_, let interface, _): interface
        case .answer, .error: nil
        }
    }

    /// The name of a method or a signal.
    var member: String? {
        switch kind {
        case .call(_, _, let member), .signal(_, _, let member): member
        case .answer, .error: nil
        }
    }
}
#endif

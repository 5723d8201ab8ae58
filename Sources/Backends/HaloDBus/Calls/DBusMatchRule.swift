#if os(Linux)
/// A match rule: the bus delivers the messages that match.
///
/// A criterion that is `nil` matches everything.
package struct DBusMatchRule: Hashable, Sendable {
    /// A criterion for one argument.
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

    private var type: DBusMessageType?
    /// The name of the sender to match; a well-known name stands for its owner.
    private var sender: String?
    private var destination: String?
    private var path: DBusObjectPath?
    /// The path of an object to match with all objects below it; ignored if ``path`` is set.
    private var pathNamespace: DBusObjectPath?
    private var interface: String?
    private var member: String?
    private var arguments: [Int: Argument] = [:]

    /// Creates a rule for signals.
    package init(
        sender: String? = nil, path: DBusObjectPath? = nil, pathNamespace: DBusObjectPath? = nil,
        interface: String? = nil, member: String? = nil, firstArgument: String? = nil
    ) {
        type = .signal
        self.sender = sender
        self.path = path
        self.pathNamespace = pathNamespace
        self.interface = interface
        self.member = member
        arguments[0] = firstArgument.map { .text($0) }
    }

    package static func ownerChange(of name: String) -> DBusMatchRule {
        DBusMatchRule(
            sender: DBusName.bus, path: .bus, interface: DBusName.bus,
            member: DBusMessageBus.nameOwnerChanged, firstArgument: name)
    }

    /// The rule for signals in the syntax of `AddMatch`.
    package var text: String {
        var parts = ["type='signal'"]
        func add(_ key: String, _ value: String?) {
            guard let value else { return }
            // An apostrophe ends the quotation, is written escaped, and begins another one.
            let words = value.split(separator: "'", omittingEmptySubsequences: false)
            parts.append("\(key)='\(words.joined(separator: "'\\''"))'")
        }
        add("sender", sender)
        add("path", path?.text)
        add("path_namespace", path == nil ? pathNamespace?.text : nil)
        add("interface", interface)
        add("member", member)
        if case .text(let text)? = arguments[0] { add("arg0", text) }
        return parts.joined(separator: ",")
    }

    /// The well-known name whose owner has to be known to match signals.
    var watchedName: String? {
        guard let sender, sender != DBusName.bus, DBusName.isWellKnown(sender) else { return nil }
        return sender
    }

    /// `true` if a signal matches. `owner` returns the unique name of a well-known name's owner.
    func matches(_ signal: DBusSignal, owner: (String) -> String?) -> Bool {
        matches(
            signal.path, signal.interface, signal.member, signal.values, from: signal.sender
        ) { name in
            DBusName.isWellKnown(name) && signal.sender != nil && owner(name) == signal.sender
        }
    }

    /// `true` if a message matches. The functions return `true` for the names of the sender, and of
    /// the receiver.
    func matches(
        _ message: DBusMessage, sender isSender: (String) -> Bool,
        destination isDestination: (String) -> Bool
    ) -> Bool {
        if let type, type != message.type { return false }
        if let destination, destination != message.destination, !isDestination(destination) {
            return false
        }
        let subject = message.subject
        return matches(
            subject?.path, subject?.interface, subject?.member, message.body,
            from: message.sender, isSender)
    }

    private func matches(
        _ path: DBusObjectPath?, _ interface: String?, _ member: String?, _ body: [DBusValue],
        from sender: String?, _ isSender: (String) -> Bool
    ) -> Bool {
        if let own = self.member, own != member { return false }
        if let own = self.interface, own != interface { return false }
        if let own = self.path {
            guard own == path else { return false }
        } else if let pathNamespace {
            guard path?.isInside(pathNamespace) == true else { return false }
        }
        for (index, argument) in arguments {
            guard body.indices.contains(index), argument.matches(body[index]) else { return false }
        }
        guard let own = self.sender else { return true }
        return own == sender || isSender(own)
    }

    // MARK: The syntax of `AddMatch`

    static let maximumLength = 1024
    private static let types: [String: DBusMessageType] = [
        "signal": .signal, "method_call": .call, "method_return": .reply, "error": .error,
    ]

    /// Parses a rule; `nil` if it is invalid.
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

    private mutating func add(_ key: String, _ value: String) -> Bool {
        switch key {
        case "type":
            guard let found = Self.types[value] else { return false }
            type = found
        case "sender": sender = value
        case "destination": destination = value
        case "interface": interface = value
        case "member": member = value
        case "path", "path_namespace":
            guard let found = try? DBusObjectPath(value) else { return false }
            if key == "path" { path = found } else { pathNamespace = found }
        case "eavesdrop": return value == "true" || value == "false"
        default: return addArgument(key, value)
        }
        return switch key {
        case "sender", "destination": DBusName.isBusName(value)
        case "interface": DBusName.isInterface(value)
        case "member": DBusName.isMember(value)
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
}
#endif

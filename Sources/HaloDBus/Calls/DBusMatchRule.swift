#if os(Linux)
/// A filter for signals: the bus delivers those that match.
///
/// A criterion that is `nil` matches everything.
package struct DBusMatchRule: Hashable, Sendable {
    /// The name of the sender to match; a well-known name stands for its owner.
    package var sender: String?
    /// The object path to match.
    package var path: DBusObjectPath?
    /// The path of an object to match with all objects below it; ignored if ``path`` is set.
    package var pathNamespace: DBusObjectPath?
    /// The interface of the signal to match.
    package var interface: String?
    /// The name of the signal to match.
    package var member: String?
    /// Criteria for the signal's arguments, by index from 0 to 63. The bus refuses a rule with
    /// another index.
    package var arguments: [Int: Argument]

    /// A criterion for one argument.
    package enum Argument: Hashable, Sendable, ExpressibleByStringLiteral {
        /// `argN`: the argument is this string.
        case text(String)
        /// `argNpath`: the argument is this string or path; or one of the two ends with a slash
        /// and is a prefix of the other.
        case path(String)
        /// `arg0namespace`, for the index 0 only: the argument is this name, or begins with it and
        /// a dot.
        case namespace(String)

        /// Creates ``text(_:)``.
        package init(stringLiteral text: String) { self = .text(text) }

        /// `true` if an argument matches.
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

    /// Creates a rule.
    package init(
        sender: String? = nil, path: DBusObjectPath? = nil, pathNamespace: DBusObjectPath? = nil,
        interface: String? = nil, member: String? = nil, arguments: [Int: Argument] = [:]
    ) {
        self.sender = sender
        self.path = path
        self.pathNamespace = pathNamespace
        self.interface = interface
        self.member = member
        self.arguments = arguments
    }

    /// Returns the rule for ``DBusMessageBus/nameOwnerChanged`` of one name.
    package static func ownerChange(of name: String) -> DBusMatchRule {
        DBusMatchRule(
            sender: DBusName.bus, path: .bus, interface: DBusName.bus,
            member: DBusMessageBus.nameOwnerChanged, arguments: [0: .text(name)])
    }

    /// The rule in the syntax of `AddMatch`.
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
        for (index, argument) in arguments.sorted(by: { $0.key < $1.key }) {
            switch argument {
            case .text(let text): add("arg\(index)", text)
            case .path(let text): add("arg\(index)path", text)
            case .namespace(let text): add("arg\(index)namespace", text)
            }
        }
        return parts.joined(separator: ",")
    }

    /// The well-known name whose owner has to be known to match signals.
    var watchedName: String? {
        guard let sender, sender != DBusName.bus, DBusName.isWellKnown(sender) else { return nil }
        return sender
    }

    /// `true` if a signal matches. `owner` returns the unique name of a well-known name's owner.
    func matches(_ signal: DBusSignal, owner: (String) -> String?) -> Bool {
        if let member, member != signal.member { return false }
        if let interface, interface != signal.interface { return false }
        if let path {
            guard path == signal.path else { return false }
        } else if let pathNamespace {
            guard signal.path.isInside(pathNamespace) else { return false }
        }
        for (index, argument) in arguments {
            guard signal.values.indices.contains(index), argument.matches(signal.values[index])
            else { return false }
        }
        guard let sender else { return true }
        return sender == signal.sender
            || DBusName.isWellKnown(sender) && signal.sender != nil
                && owner(sender) == signal.sender
    }
}
#endif

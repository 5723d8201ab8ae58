#if os(Linux)
/// A filter for signals: the bus delivers those that match.
///
/// A criterion that is `nil` matches everything.
package struct DBusMatchRule: Hashable, Sendable {
    /// The name of the sender to match; a well-known name stands for its owner.
    package var sender: String?
    package var path: DBusObjectPath?
    /// The path of an object to match with all objects below it; ignored if ``path`` is set.
    package var pathNamespace: DBusObjectPath?
    package var interface: String?
    package var member: String?
    /// The first argument to match: a string (`arg0`).
    package var firstArgument: String?

    package init(
        sender: String? = nil, path: DBusObjectPath? = nil, pathNamespace: DBusObjectPath? = nil,
        interface: String? = nil, member: String? = nil, firstArgument: String? = nil
    ) {
        self.sender = sender
        self.path = path
        self.pathNamespace = pathNamespace
        self.interface = interface
        self.member = member
        self.firstArgument = firstArgument
    }

    package static func ownerChange(of name: String) -> DBusMatchRule {
        DBusMatchRule(
            sender: DBusName.bus, path: .bus, interface: DBusName.bus,
            member: DBusMessageBus.nameOwnerChanged, firstArgument: name)
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
        add("arg0", firstArgument)
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
        if let firstArgument, signal.values.first != .string(firstArgument) { return false }
        guard let sender else { return true }
        return sender == signal.sender
            || DBusName.isWellKnown(sender) && signal.sender != nil
                && owner(sender) == signal.sender
    }
}
#endif

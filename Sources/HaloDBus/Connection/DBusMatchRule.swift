#if os(Linux)
/// Which signals a connection wants to hear.
public struct DBusMatchRule: Hashable, Sendable {
    /// Who sends them; a well-known name stands for whoever owns it.
    public var sender: String?
    /// Of which object they are.
    public var path: DBusObjectPath?
    /// Under which object they are; excludes ``path``.
    public var pathNamespace: DBusObjectPath?
    /// Of which interface they are.
    public var interface: String?
    /// Which signal it is.
    public var member: String?
    /// What the first value is, which has to be text.
    public var firstArgument: String?

    /// A rule; what is not given may be anything.
    public init(
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

    /// The bus says that a name has another owner, or none.
    public static func ownerChange(of name: String) -> DBusMatchRule {
        DBusMatchRule(
            sender: DBusName.bus, path: .bus, interface: DBusName.bus,
            member: DBusName.ownerChanged, firstArgument: name)
    }

    /// The rule in the words of the bus.
    public var text: String {
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

    /// Whether a signal is meant; `owner` knows whose a well-known name is.
    func matches(_ signal: DBusSignal, owner: (String) -> String?) -> Bool {
        if let member, member != signal.member { return false }
        if let interface, interface != signal.interface { return false }
        if let path {
            guard path == signal.path else { return false }
        } else if let pathNamespace {
            guard signal.path.isInside(pathNamespace) else { return false }
        }
        if let firstArgument {
            guard case .string(firstArgument)? = signal.values.first else { return false }
        }
        guard let sender else { return true }
        return sender == signal.sender
            || DBusName.isWellKnown(sender) && signal.sender != nil
                && owner(sender) == signal.sender
    }
}
#endif

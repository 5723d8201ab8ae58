#if os(Linux)
/// Values that one property of one object had one after the other, as the object told them.
///
/// They are what many signals would say each, all in the same words but for the bytes.
public struct DBusPropertyValues: Sendable {
    /// Who told them, and of what.
    let source: DBusPropertySource
    /// The values, in the order in which they came.
    public internal(set) var values: [[UInt8]]

    /// Values of a property.
    public init(
        _ values: [[UInt8]], of name: String, _ interface: String, at path: DBusObjectPath,
        sender: String? = nil
    ) {
        self.init(
            source: DBusPropertySource(path, interface, name, sender: sender), values: values)
    }

    init(source: DBusPropertySource, values: [[UInt8]]) {
        self.source = source
        self.values = values
    }

    /// The object.
    public var path: DBusObjectPath { source.path }
    /// The interface that the property belongs to.
    public var interface: String { source.interface }
    /// The property's name.
    public var name: String { source.name }
    /// Who told them, by the name that the bus gave.
    public var sender: String? { source.sender }

    /// The signals that said so.
    public var signals: [DBusSignal] { values.map { source.signal(saying: $0) } }
}

/// Who tells a property's bytes again and again, and in which words.
final class DBusPropertySource: Sendable {
    let path: DBusObjectPath
    let sender: String?
    let interface: String
    let name: String

    init(_ path: DBusObjectPath, _ interface: String, _ name: String, sender: String?) {
        self.path = path
        self.interface = interface
        self.name = name
        self.sender = sender
    }

    /// Who tells such news under such a header, if it is one for news of properties.
    convenience init?(_ header: DBusHeader, _ news: DBusPropertyNews) {
        guard
            case .signal(let path, DBusInterface.properties.name, DBusInterface.propertiesChanged) =
                header.kind, header.descriptorCount == 0,
            let interface = news.interface.string, let name = news.name.string
        else { return nil }
        self.init(path, interface, name, sender: header.sender)
    }

    /// The signal that says that the property has these bytes; without, what all of them share.
    func signal(saying bytes: [UInt8]? = nil) -> DBusSignal {
        var values = [DBusValue.string(interface)]
        if let bytes {
            let entry = DBusEntry(.string(name), .variant(.bytes(bytes)))
            values += [.dictionary(key: .string, value: .variant, [entry]), .array(.string, [])]
        }
        return DBusSignal(
            DBusInterface.propertiesChanged, of: DBusInterface.properties.name, at: path, values,
            sender: sender)
    }
}

/// One value of a property, as it was cut out of what came.
struct DBusNews {
    let source: DBusPropertySource
    /// Where the header's words are kept.
    let place: Int
    let value: [UInt8]
    /// The length of the message.
    let length: Int
}
#endif

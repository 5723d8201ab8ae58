#if os(Linux)
/// An object as it is when it is exported: what it can do, and the values of its properties.
public struct DBusObject: Sendable {
    /// Whether an object tells what objects there are below it.
    public enum Management: Hashable, Sendable {
        /// It does not.
        case none
        /// It tells of the interfaces that the objects were exported with.
        case ownInterfaces
        /// It tells of `Introspectable` and `Properties` too, as some programs do.
        case allInterfaces
    }

    /// What it can do.
    public var interfaces: [DBusInterface]
    /// The values of its properties, by interface and name; a property without a value cannot be
    /// read, as if it were not there.
    public var values: [String: [String: DBusValue]]
    /// Whether it tells what objects there are below it.
    public var management: Management

    /// An object.
    public init(
        _ interfaces: [DBusInterface] = [], values: [String: [String: DBusValue]] = [:],
        management: Management = .none
    ) {
        self.interfaces = interfaces
        self.values = values
        self.management = management
    }

    func interface(_ name: String) -> DBusInterface? { interfaces.first { $0.name == name } }

    /// The standard interfaces that it has without saying so.
    var standardInterfaces: [DBusInterface] {
        var standard = [DBusInterface.introspectable, .properties, .peer]
        if management != .none { standard.append(.objectManager) }
        return standard
    }

    /// The values that others can read of an interface.
    func readable(_ interface: DBusInterface) -> [String: DBusValue] {
        var readable: [String: DBusValue] = [:]
        for property in interface.properties where property.access != .write {
            readable[property.name] = values[interface.name]?[property.name]
        }
        return readable
    }

    /// What an object manager tells of it, in BlueZ's order.
    func description(_ management: Management) -> DBusValue {
        var described = interfaces.map {
            (name: $0.name, values: DBusValue.properties(readable($0)))
        }
        if management == .allInterfaces {
            described.insert((DBusInterface.introspectable.name, .properties([:])), at: 0)
            described.append((DBusInterface.properties.name, .properties([:])))
        }
        return DBusInterface.dictionary(described)
    }

    /// The names of the interfaces that an object manager tells of, in BlueZ's order.
    func interfaceNames(_ management: Management) -> [String] {
        let own = interfaces.map(\.name)
        guard management == .allInterfaces else { return own }
        return [DBusInterface.properties.name, DBusInterface.introspectable.name] + own
    }
}
#endif

#if os(Linux)
package struct DBusObject: Sendable {
    /// The form of the interface `ObjectManager` that an object has.
    package enum ObjectManagement: Hashable, Sendable {
        case none
        /// Lists the interfaces that the objects below were exported with.
        case ownInterfaces
        /// Lists `Introspectable` and `Properties`, too, as gdbus does.
        case allInterfaces
    }

    package var interfaces: [DBusInterface]
    /// By interface and name; a property without a value appears not to exist.
    package var values: [String: [String: DBusValue]]
    package var objectManager: ObjectManagement

    package init(
        _ interfaces: [DBusInterface] = [], values: [String: [String: DBusValue]] = [:],
        objectManager: ObjectManagement = .none
    ) {
        self.interfaces = interfaces
        self.values = values
        self.objectManager = objectManager
    }

    func interface(_ name: String) -> DBusInterface? { interfaces.first { $0.name == name } }

    var standardInterfaces: [DBusInterface] {
        var standard = [DBusInterface.introspectable, .properties, .peer]
        if objectManager != .none { standard.append(.objectManager) }
        return standard
    }

    func values(of interface: DBusInterface) -> [String: DBusValue] {
        (values[interface.name] ?? [:]).filter { interface.property($0.key) != nil }
    }

    /// Returns the interfaces with values as an object manager lists them, in gdbus's order.
    func description(_ management: ObjectManagement) -> DBusValue {
        var described = interfaces.map {
            (name: $0.name, values: DBusValue.properties(values(of: $0)))
        }
        if management == .allInterfaces {
            described.insert((DBusInterface.introspectable.name, .properties([:])), at: 0)
            described.append((DBusInterface.properties.name, .properties([:])))
        }
        return DBusInterface.dictionary(described)
    }

    /// Returns the names of the interfaces as an object manager lists them, in gdbus's order.
    func interfaceNames(_ management: ObjectManagement) -> [String] {
        let own = interfaces.map(\.name)
        guard management == .allInterfaces else { return own }
        return [DBusInterface.properties.name, DBusInterface.introspectable.name] + own
    }

    /// Returns the XML description of an object and of the paths below it.
    static func description(of object: DBusObject?, children: [String]) -> String {
        var text = """
            <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
            "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
            <node>

            """
        let standard = object?.standardInterfaces ?? [.introspectable, .peer]
        for interface in standard + (object?.interfaces ?? []) { text += describe(interface) }
        for child in children { text += "  <node name=\"\(escaped(child))\"/>\n" }
        return text + "</node>\n"
    }

    private static func describe(_ interface: DBusInterface) -> String {
        var text = "  <interface name=\"\(escaped(interface.name))\">\n"
        for method in interface.methods {
            let arguments =
                method.inputs.map { describe($0, " direction=\"in\"") }
                + method.outputs.map { describe($0, " direction=\"out\"") }
            text += describe("method", method.name, arguments.joined())
        }
        for signal in interface.signals {
            text += describe("signal", signal.name, signal.inputs.map { describe($0) }.joined())
        }
        for property in interface.properties {
            text += "    <property name=\"\(escaped(property.name))\" type=\"\(property.type)\""
            text += " access=\"\(property.access.rawValue)\"/>\n"
        }
        return text + "  </interface>\n"
    }

    private static func describe(_ kind: String, _ name: String, _ arguments: String) -> String {
        let opening = "    <\(kind) name=\"\(escaped(name))\""
        return arguments.isEmpty
            ? "\(opening)/>\n" : "\(opening)>\n\(arguments)    </\(kind)>\n"
    }

    private static func describe(
        _ argument: DBusInterface.Argument, _ direction: String = ""
    ) -> String {
        let name = argument.name.isEmpty ? "" : " name=\"\(escaped(argument.name))\""
        return "      <arg\(name) type=\"\(argument.type)\"\(direction)/>\n"
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }
}
#endif

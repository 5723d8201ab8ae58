#if os(Linux)
extension DBusObject {
    /// The description of an object, as programs and people read it.
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
            text += describe("signal", signal.name, signal.arguments.map { describe($0) }.joined())
        }
        for property in interface.properties {
            text += "    <property name=\"\(escaped(property.name))\" type=\"\(property.type)\""
            text += " access=\"\(property.access.rawValue)\""
            guard property.announcement != .value else {
                text += "/>\n"
                continue
            }
            text += ">\n      <annotation"
            text += " name=\"org.freedesktop.DBus.Property.EmitsChangedSignal\""
            text += " value=\"\(property.announcement.rawValue)\"/>\n    </property>\n"
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

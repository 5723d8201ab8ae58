#if os(Linux)
/// The error replies of a connection to calls that its objects do not answer.
///
/// Clients distinguish errors by name, some by text: a stand-in for another service replies as
/// that service does.
package enum DBusErrorStyle: Sendable {
    case standard
    /// As BlueZ's libraries reply. libdbus knows only objects and methods, and treats a method with
    /// other types as another one. gdbus has few names for faults of properties. Objects and
    /// methods were seen from 5.66, properties are quoted from the source.
    case gdbus

    struct Call {
        let member: String
        let interface: String?
        let arguments: [DBusValue]
        let path: DBusObjectPath

        var signature: String { arguments.map(\.type).code }
    }

    /// `true` if an empty interface name stands for all interfaces of an object.
    var knowsAllInterfaces: Bool { self == .standard }

    func unknownObject(_ call: Call) -> DBusRefusal {
        switch self {
        case .standard: .unknownObject(call.path)
        case .gdbus: DBusRefusal(DBusErrorName.unknownObject, text(call))
        }
    }

    func unknownInterface(_ call: Call) -> DBusRefusal {
        switch self {
        case .standard: unknownInterface(ofProperty: call.interface ?? "", at: call.path)
        case .gdbus: unknownMethod(call)
        }
    }

    func unknownMethod(_ call: Call) -> DBusRefusal {
        DBusRefusal(DBusErrorName.unknownMethod, text(call))
    }

    func wrongTypes(_ call: Call, _ expected: [DBusType]) -> DBusRefusal {
        let types = expected.code
        return switch self {
        case .standard:
            .invalidArguments("Type of message, '(\(call.signature))', does not match '(\(types))'")
        case .gdbus: unknownMethod(call)
        }
    }

    private func text(_ call: Call) -> String {
        unknownMethod(call.member, signature: call.signature, interface: call.interface)
    }

    /// Returns the text for a method that does not exist; gdbus has the same one for an object.
    package func unknownMethod(
        _ member: String, signature: String, interface: String?
    ) -> String {
        let (none, end) = self == .standard ? ("(none)", "") : ("(null)", "\n")
        return "Method \"\(member)\" with signature \"\(signature)\" on interface "
            + "\"\(interface ?? none)\" doesn't exist\(end)"
    }

    func unknownInterface(ofProperty interface: String, at path: DBusObjectPath) -> DBusRefusal {
        switch self {
        case .standard:
            DBusRefusal(
                DBusErrorName.unknownInterface,
                "No such interface '\(interface)' on object at path \(path)")
        case .gdbus: .invalidArguments("No such interface '\(interface)'")
        }
    }

    func unknownProperty(_ name: String, of interface: String, isWritten: Bool) -> DBusRefusal {
        let text = "No such property '\(name)'"
        return switch self {
        case .standard:
            DBusRefusal(DBusErrorName.unknownProperty, "\(text) on interface '\(interface)'")
        case .gdbus where isWritten: DBusRefusal(DBusErrorName.unknownProperty, text)
        case .gdbus: .invalidArguments(text)
        }
    }

    func wrongType(ofProperty name: String, _ type: DBusType) -> DBusRefusal {
        switch self {
        case .standard: .invalidArguments("Property '\(name)' is of type '\(type)'")
        case .gdbus:
            DBusRefusal(DBusErrorName.invalidSignature, "Invalid signature for '\(name)'")
        }
    }
}
#endif

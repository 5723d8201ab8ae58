#if os(Linux)
/// The error replies of a connection to calls that its objects do not answer.
///
/// Clients distinguish errors by name, some by text: a stand-in for another service replies as
/// that service does. The defaults have a name of the specification for each case.
package protocol DBusErrorStyle: Sendable {
    /// `true` if an empty interface name stands for all interfaces of an object.
    var knowsAllInterfaces: Bool { get }

    func unknownObject(_ call: DBusUnansweredCall) -> DBusRefusal
    func unknownInterface(_ call: DBusUnansweredCall) -> DBusRefusal
    func unknownMethod(_ call: DBusUnansweredCall) -> DBusRefusal
    /// Returns the error for arguments of other types than the method's.
    func wrongTypes(_ call: DBusUnansweredCall, _ expected: [DBusType]) -> DBusRefusal

    func unknownInterface(ofProperty interface: String, at path: DBusObjectPath) -> DBusRefusal
    func unknownProperty(_ name: String, of interface: String, isWritten: Bool) -> DBusRefusal
    /// Returns the error for writing a value of another type than the property's.
    func wrongType(ofProperty name: String, _ type: DBusType) -> DBusRefusal
}

extension DBusErrorStyle {
    package var knowsAllInterfaces: Bool { true }

    package func unknownObject(_ call: DBusUnansweredCall) -> DBusRefusal {
        .unknownObject(call.path)
    }

    package func unknownInterface(_ call: DBusUnansweredCall) -> DBusRefusal {
        unknownInterface(ofProperty: call.interface ?? "", at: call.path)
    }

    package func unknownMethod(_ call: DBusUnansweredCall) -> DBusRefusal {
        DBusRefusal(
            DBusErrorName.unknownMethod,
            "Method \"\(call.member)\" with signature \"\(call.signature)\" on interface "
                + "\"\(call.interface ?? "(none)")\" doesn't exist")
    }

    package func wrongTypes(_ call: DBusUnansweredCall, _ expected: [DBusType]) -> DBusRefusal {
        let types = expected.map(\.code).joined()
        return .invalidArguments(
            "Type of message, '(\(call.signature))', does not match '(\(types))'")
    }

    package func unknownInterface(
        ofProperty interface: String, at path: DBusObjectPath
    ) -> DBusRefusal {
        DBusRefusal(
            DBusErrorName.unknownInterface,
            "No such interface '\(interface)' on object at path \(path)")
    }

    package func unknownProperty(
        _ name: String, of interface: String, isWritten: Bool
    ) -> DBusRefusal {
        DBusRefusal(
            DBusErrorName.unknownProperty, "No such property '\(name)' on interface '\(interface)'")
    }

    package func wrongType(ofProperty name: String, _ type: DBusType) -> DBusRefusal {
        .invalidArguments("Property '\(name)' is of type '\(type)'")
    }
}
#endif

#if os(Linux)
/// An error reply of an exported object.
package struct DBusRefusal: Error, Hashable, Sendable {
    /// The error's name: `org.bluez.Error.Failed`.
    package let name: String
    /// The text for people.
    package let details: String

    /// Creates an error reply; an invalid name becomes ``DBusErrorName/failed``.
    package init(_ name: String, _ details: String = "") {
        self.name = DBusName.isInterface(name) ? name : DBusErrorName.failed
        self.details = details
    }

    /// ``DBusErrorName/failed``: a generic error.
    package static func failed(_ details: String) -> DBusRefusal {
        DBusRefusal(DBusErrorName.failed, details)
    }

    /// ``DBusErrorName/invalidArguments``: the arguments do not fit the method.
    package static func invalidArguments(_ details: String) -> DBusRefusal {
        DBusRefusal(DBusErrorName.invalidArguments, details)
    }

    /// ``DBusErrorName/accessDenied``: the operation is forbidden.
    package static func accessDenied(_ details: String) -> DBusRefusal {
        DBusRefusal(DBusErrorName.accessDenied, details)
    }

    /// ``DBusErrorName/notSupported``: the operation is not supported.
    package static func notSupported(_ details: String) -> DBusRefusal {
        DBusRefusal(DBusErrorName.notSupported, details)
    }

    static func unknownObject(_ path: DBusObjectPath) -> DBusRefusal {
        DBusRefusal(DBusErrorName.unknownObject, "No such object path '\(path)'")
    }

    static func readOnly(_ name: String) -> DBusRefusal {
        DBusRefusal(DBusErrorName.propertyReadOnly, "Property '\(name)' is not writable")
    }

    static let noReply = DBusRefusal(DBusErrorName.noReply, "The object gave no answer")
    static let limitExceeded = DBusRefusal(
        DBusErrorName.limitsExceeded, "Too many calls are waiting for an answer")
}

/// A call that no exported object answers.
package struct DBusUnansweredCall {
    package let member: String
    package let interface: String?
    package let arguments: [DBusValue]
    package let path: DBusObjectPath

    /// The signature of the arguments.
    package var signature: String { arguments.map(\.type.code).joined() }
}

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
    /// Returns the error for reading a property that is write only.
    func notReadable(_ name: String) -> DBusRefusal
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

    package func notReadable(_ name: String) -> DBusRefusal {
        .accessDenied("Property '\(name)' is not readable")
    }

    package func wrongType(ofProperty name: String, _ type: DBusType) -> DBusRefusal {
        .invalidArguments("Property '\(name)' is of type '\(type)'")
    }
}

/// The defaults of ``DBusErrorStyle``.
struct StandardErrors: DBusErrorStyle {}
#endif

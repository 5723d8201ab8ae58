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
#endif

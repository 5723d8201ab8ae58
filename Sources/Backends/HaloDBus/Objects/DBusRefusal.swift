#if os(Linux)
package struct DBusRefusal: Error, Hashable, Sendable {
    /// The error's name: `org.bluez.Error.Failed`.
    package let name: String
    package let details: String

    /// Creates an error reply; an invalid name becomes ``DBusErrorName/failed``.
    package init(_ name: String, _ details: String = "") {
        self.name = DBusName.isInterface(name) ? name : DBusErrorName.failed
        self.details = details
    }

    package static func failed(_ details: String) -> DBusRefusal {
        DBusRefusal(DBusErrorName.failed, details)
    }

    package static func invalidArguments(_ details: String) -> DBusRefusal {
        DBusRefusal(DBusErrorName.invalidArguments, details)
    }

    package static func accessDenied(_ details: String) -> DBusRefusal {
        DBusRefusal(DBusErrorName.accessDenied, details)
    }

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

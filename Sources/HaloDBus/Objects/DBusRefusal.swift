#if os(Linux)
/// An error as an object answers it.
public struct DBusRefusal: Error, Hashable, Sendable {
    /// The error's name: `org.bluez.Error.Failed`.
    public let name: String
    /// What is said about it, for people.
    public let details: String

    /// An error; a name that is none becomes that of ``failed(_:)``.
    public init(_ name: String, _ details: String = "") {
        self.name = DBusName.isInterface(name) ? name : Self.prefix + "Failed"
        self.details = details
    }

    /// Something went wrong.
    public static func failed(_ details: String) -> DBusRefusal { standard("Failed", details) }

    /// The values are not what the method takes.
    public static func invalidArguments(_ details: String) -> DBusRefusal {
        standard("InvalidArgs", details)
    }

    /// It may not be done.
    public static func accessDenied(_ details: String) -> DBusRefusal {
        standard("AccessDenied", details)
    }

    /// It cannot be done.
    public static func notSupported(_ details: String) -> DBusRefusal {
        standard("NotSupported", details)
    }

    static func unknownObject(_ path: DBusObjectPath) -> DBusRefusal {
        standard("UnknownObject", "No such object path '\(path)'")
    }

    static func unknownInterface(_ name: String, _ path: DBusObjectPath) -> DBusRefusal {
        standard("UnknownInterface", "No such interface '\(name)' on object at path \(path)")
    }

    static func unknownMethod(
        _ name: String, _ signature: String, _ interface: String
    ) -> DBusRefusal {
        standard(
            "UnknownMethod",
            "Method \"\(name)\" with signature \"\(signature)\" on interface \"\(interface)\""
                + " doesn't exist")
    }

    static func unknownProperty(_ name: String, _ interface: String) -> DBusRefusal {
        standard("UnknownProperty", "No such property '\(name)' on interface '\(interface)'")
    }

    static func readOnly(_ name: String) -> DBusRefusal {
        standard("PropertyReadOnly", "Property '\(name)' is not writable")
    }

    static let noReply = standard("NoReply", "The object gave no answer")
    static let tooMuch = standard("LimitsExceeded", "Too many calls are waiting for an answer")

    static func standard(_ name: String, _ details: String) -> DBusRefusal {
        DBusRefusal(prefix + name, details)
    }

    private static let prefix = "org.freedesktop.DBus.Error."
}
#endif

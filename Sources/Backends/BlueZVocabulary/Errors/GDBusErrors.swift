#if os(Linux)
package import HaloDBus

/// The error replies of BlueZ's libraries to calls that its objects do not answer.
///
/// libdbus knows only objects and methods, and treats a method with other types as another one.
/// gdbus has few names for faults of properties. Objects and methods were seen from 5.66,
/// properties are quoted from the source.
package struct GDBusErrors: DBusErrorStyle {
    /// Creates the style.
    package init() {}

    /// `false`: gdbus knows no interface without a name.
    package var knowsAllInterfaces: Bool { false }

    package func unknownObject(_ call: DBusUnansweredCall) -> DBusRefusal {
        DBusRefusal(DBusErrorName.unknownObject, Self.text(call))
    }

    package func unknownInterface(_ call: DBusUnansweredCall) -> DBusRefusal {
        unknownMethod(call)
    }

    package func unknownMethod(_ call: DBusUnansweredCall) -> DBusRefusal {
        DBusRefusal(DBusErrorName.unknownMethod, Self.text(call))
    }

    package func wrongTypes(_ call: DBusUnansweredCall, _ expected: [DBusType]) -> DBusRefusal {
        unknownMethod(call)
    }

    package func unknownInterface(
        ofProperty interface: String, at path: DBusObjectPath
    ) -> DBusRefusal { .invalidArguments("No such interface '\(interface)'") }

    package func unknownProperty(
        _ name: String, of interface: String, isWritten: Bool
    ) -> DBusRefusal {
        DBusRefusal(
            isWritten ? DBusErrorName.unknownProperty : DBusErrorName.invalidArguments,
            "No such property '\(name)'")
    }

    package func wrongType(ofProperty name: String, _ type: DBusType) -> DBusRefusal {
        DBusRefusal(DBusErrorName.invalidSignature, "Invalid signature for '\(name)'")
    }

    private static func text(_ call: DBusUnansweredCall) -> String {
        text(call.member, signature: call.signature, interface: call.interface)
    }

    /// Returns the text for a method, or an object, that does not exist.
    package static func text(_ member: String, signature: String, interface: String?) -> String {
        "Method \"\(member)\" with signature \"\(signature)\" on interface "
            + "\"\(interface ?? "(null)")\" doesn't exist\n"
    }
}
#endif

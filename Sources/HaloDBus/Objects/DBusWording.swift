#if os(Linux)
/// In whose words a connection refuses what is asked of its objects and cannot be.
///
/// Programs tell errors apart by their names, and some by their texts: who stands in for another
/// service refuses as that one does.
package enum DBusWording: Hashable, Sendable {
    /// Each case has a name of its own, as in the specification.
    case plain
    /// As BlueZ's daemon does: libdbus knows objects and methods only, of which one with other
    /// types is another one, and gdbus has few names for properties. Objects and methods as seen
    /// of 5.66, properties as its source has them.
    case gdbus

    /// What is asked, as far as a refusal tells it.
    struct Question {
        let member: String
        let interface: String?
        let arguments: [DBusValue]
        let path: DBusObjectPath

        var signature: String { arguments.map(\.type.code).joined() }
    }

    func unknownObject(_ question: Question) -> DBusRefusal {
        switch self {
        case .plain:
            .standard("UnknownObject", "No such object path '\(question.path)'")
        case .gdbus: .standard("UnknownObject", Self.nothing(question))
        }
    }

    func unknownInterface(_ question: Question) -> DBusRefusal {
        switch self {
        case .plain: .unknownInterface(question.interface ?? "", question.path)
        case .gdbus: .standard("UnknownMethod", Self.nothing(question))
        }
    }

    func unknownMethod(_ question: Question) -> DBusRefusal {
        switch self {
        case .plain:
            .unknownMethod(question.member, question.signature, question.interface ?? "(none)")
        case .gdbus: .standard("UnknownMethod", Self.nothing(question))
        }
    }

    func wrongTypes(_ question: Question, _ expected: [DBusType]) -> DBusRefusal {
        let types = expected.map(\.code).joined()
        return switch self {
        case .plain:
            .invalidArguments(
                "Type of message, '(\(question.signature))', does not match '(\(types))'")
        case .gdbus: .standard("UnknownMethod", Self.nothing(question))
        }
    }

    private static func nothing(_ question: Question) -> String {
        "Method \"\(question.member)\" with signature \"\(question.signature)\" on interface "
            + "\"\(question.interface ?? "(null)")\" doesn't exist\n"
    }
}

/// Refusals of properties.
extension DBusWording {
    /// Whether an interface without a name stands for all of them, as the specification has it.
    var knowsAllInterfaces: Bool { self == .plain }

    func unknownInterface(ofProperty interface: String, at path: DBusObjectPath) -> DBusRefusal {
        switch self {
        case .plain: .unknownInterface(interface, path)
        case .gdbus: .invalidArguments("No such interface '\(interface)'")
        }
    }

    func unknownProperty(_ name: String, of interface: String, isWritten: Bool) -> DBusRefusal {
        switch self {
        case .plain: .unknownProperty(name, interface)
        case .gdbus where isWritten: .standard("UnknownProperty", "No such property '\(name)'")
        case .gdbus: .invalidArguments("No such property '\(name)'")
        }
    }

    func notReadable(_ name: String) -> DBusRefusal {
        switch self {
        case .plain: .accessDenied("Property '\(name)' is not readable")
        case .gdbus: .invalidArguments("Property '\(name)' is not readable")
        }
    }

    func wrongType(ofProperty name: String, _ type: DBusType) -> DBusRefusal {
        switch self {
        case .plain: .invalidArguments("Property '\(name)' is of type '\(type)'")
        case .gdbus: .standard("InvalidSignature", "Invalid signature for '\(name)'")
        }
    }
}
#endif

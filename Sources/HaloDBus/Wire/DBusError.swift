#if os(Linux)
/// The reason why an operation on the bus failed.
package struct DBusError: Error, Hashable, Sendable {
    /// A category of errors; more can be added.
    package struct Kind: Hashable, Sendable, CustomStringConvertible {
        /// A short text for people.
        package let description: String

        private init(_ description: String) { self.description = description }

        /// No bus listens at the address, or this user may not connect.
        package static let unreachable = Kind("no bus can be reached")
        /// The text is no address of a bus.
        package static let invalidAddress = Kind("that is no address of a bus")
        /// The bus rejected the authentication.
        package static let notAuthenticated = Kind("the bus does not let us in")
        /// The connection has ended: closed here, or by the bus.
        package static let disconnected = Kind("the connection has ended")
        /// The callee replied with an error: ``DBusError/name`` and ``DBusError/details``.
        package static let remote = Kind("the other side refuses")
        /// No reply came before the timeout.
        package static let timedOut = Kind("no answer came in time")
        /// The caller, or its task, cancelled the call.
        package static let cancelled = Kind("the call was cancelled")
        /// Bytes are not valid D-Bus, or a message cannot be encoded.
        package static let malformed = Kind("that is no valid message")
        /// A queue or a buffer is full.
        package static let limitExceeded = Kind("more is waiting than is kept")
        /// The reply has other values than expected.
        package static let unexpectedReply = Kind("the answer is not what was expected")
        /// The bus does not pass file descriptors.
        package static let noDescriptors = Kind("no descriptors can be sent")
    }

    /// The category.
    package let kind: Kind
    /// The error's name as the callee replied it: `org.bluez.Error.Failed`.
    package let name: String?
    /// The text of the callee, or of the system.
    package let details: String?
    /// The fault in the bytes, if the kind is ``Kind/malformed``.
    package let wire: DBusWireError?

    /// Creates an error.
    package init(
        _ kind: Kind, name: String? = nil, details: String? = nil, wire: DBusWireError? = nil
    ) {
        self.kind = kind
        self.name = name
        self.details = details
        self.wire = wire
    }
}

extension DBusError: CustomStringConvertible {
    /// One sentence. Control characters of foreign texts, which could steer a terminal, are
    /// replaced.
    package var description: String {
        let more = [name, details, wire?.description].compactMap { $0 }
        return more.isEmpty
            ? "\(kind)" : "\(kind): \(Self.harmless(more.joined(separator: ": ")))"
    }

    private static func harmless(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: scalars.append("\u{FFFD}")
            default: scalars.append(scalar)
            }
        }
        return String(scalars)
    }
}

/// A fault in the bytes of a message, or in a message that is to be encoded.
package struct DBusWireError: Error, Hashable, Sendable {
    /// A category of faults; more can be added.
    package struct Kind: Hashable, Sendable, CustomStringConvertible {
        /// A short text for people.
        package let description: String

        private init(_ description: String) { self.description = description }

        /// The bytes end too early.
        package static let truncated = Kind("more bytes are due")
        /// The first byte is neither `l` nor `B`.
        package static let wrongEndianness = Kind("no byte order")
        /// The protocol's version is not 1.
        package static let wrongVersion = Kind("a version that is not known")
        /// The message type is invalid.
        package static let wrongMessageType = Kind("no type of message")
        /// A message or an array is longer than allowed.
        package static let tooLong = Kind("longer than allowed")
        /// Containers are nested deeper than allowed.
        package static let tooDeep = Kind("deeper than allowed")
        /// A signature is invalid.
        package static let wrongSignature = Kind("no valid signature")
        /// An object path is invalid.
        package static let wrongPath = Kind("no valid object path")
        /// The name of a bus, an interface, a member or an error is invalid.
        package static let wrongName = Kind("no valid name")
        /// A string is not UTF-8, contains NUL, or does not end with NUL.
        package static let wrongText = Kind("no valid text")
        /// A boolean is neither 0 nor 1.
        package static let wrongBoolean = Kind("neither true nor false")
        /// Padding is not zero.
        package static let wrongPadding = Kind("padding that is not zero")
        /// A value has another type than its container declares.
        package static let wrongType = Kind("a value of another type")
        /// A required header field is missing, or a field occurs twice.
        package static let wrongHeader = Kind("a header field missing, or there twice")
        /// The serial number is zero.
        package static let wrongSerial = Kind("no serial number")
        /// Bytes are left over.
        package static let excess = Kind("more bytes than are due")
        /// A value names a file descriptor that did not come with the message.
        package static let missingDescriptor = Kind("a descriptor that did not come")
    }

    /// The category.
    package let kind: Kind
    /// The offset in bytes.
    package let offset: Int

    /// Creates a fault.
    package init(_ kind: Kind, at offset: Int) {
        self.kind = kind
        self.offset = offset
    }
}

extension DBusWireError: CustomStringConvertible {
    /// One sentence, with the position.
    package var description: String { "\(kind) at byte \(offset)" }
}
#endif

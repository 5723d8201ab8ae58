#if os(Linux)
/// What an object can do, under one name.
public struct DBusInterface: Hashable, Sendable {
    /// A method.
    public struct Method: Hashable, Sendable {
        /// The method's name.
        public let name: String
        /// The values that it takes.
        public let inputs: [Argument]
        /// The values that it gives.
        public let outputs: [Argument]

        /// A method.
        public init(_ name: String, _ inputs: [Argument] = [], returns outputs: [Argument] = []) {
            self.name = name
            self.inputs = inputs
            self.outputs = outputs
        }
    }

    /// A value that a method or a signal has.
    public struct Argument: Hashable, Sendable {
        /// What it is called, for those who read the description.
        public let name: String
        /// Its type.
        public let type: DBusType

        /// A value.
        public init(_ name: String, _ type: DBusType) {
            self.name = name
            self.type = type
        }
    }

    /// A property: a value that can be read or written by name.
    public struct Property: Hashable, Sendable {
        /// What others may do with a property.
        public enum Access: String, Hashable, Sendable {
            /// They can read it.
            case read
            /// They can write it.
            case write
            /// They can do both.
            case readwrite
        }

        /// What is said when a property changes, in the words of descriptions.
        public enum Announcement: String, Hashable, Sendable {
            /// Its new value.
            case value = "true"
            /// That it has changed.
            case invalidation = "invalidates"
            /// Nothing.
            case nothing = "false"
            /// Nothing, for it never does.
            case constant = "const"
        }

        /// The property's name.
        public let name: String
        /// The type of its value.
        public let type: DBusType
        /// What others may do with it.
        public let access: Access
        /// What is said when it changes.
        public let announcement: Announcement

        /// A property.
        public init(
            _ name: String, _ type: DBusType, _ access: Access = .read,
            announces announcement: Announcement = .value
        ) {
            self.name = name
            self.type = type
            self.access = access
            self.announcement = announcement
        }
    }

    /// A signal.
    public struct Signal: Hashable, Sendable {
        /// The signal's name.
        public let name: String
        /// The values that it has.
        public let arguments: [Argument]

        /// A signal.
        public init(_ name: String, _ arguments: [Argument] = []) {
            self.name = name
            self.arguments = arguments
        }
    }

    /// The interface's name.
    public let name: String
    /// Its methods.
    public let methods: [Method]
    /// Its properties.
    public let properties: [Property]
    /// Its signals.
    public let signals: [Signal]

    /// An interface.
    public init(
        _ name: String, methods: [Method] = [], properties: [Property] = [],
        signals: [Signal] = []
    ) {
        self.name = name
        self.methods = methods
        self.properties = properties
        self.signals = signals
    }

    func method(_ name: String) -> Method? { methods.first { $0.name == name } }

    func property(_ name: String) -> Property? { properties.first { $0.name == name } }
}
#endif

#if os(Linux)
/// The description of an interface: its methods, properties and signals.
package struct DBusInterface: Hashable, Sendable {
    package struct Method: Hashable, Sendable {
        /// The name of the method.
        package let name: String
        package let inputs: [Argument]
        /// The results.
        package let outputs: [Argument]

        /// Creates a method.
        package init(_ name: String, _ inputs: [Argument] = [], returns outputs: [Argument] = []) {
            self.name = name
            self.inputs = inputs
            self.outputs = outputs
        }
    }

    /// An argument, or a result.
    package struct Argument: Hashable, Sendable {
        /// The name, for readers of the description; may be empty.
        package let name: String
        /// The type of the value.
        package let type: DBusType

        /// Creates an argument, or a result.
        package init(_ name: String, _ type: DBusType) {
            self.name = name
            self.type = type
        }
    }

    package struct Property: Hashable, Sendable {
        /// The permitted access.
        package enum Access: String, Hashable, Sendable {
            /// Read only.
            case read
            /// Read and write.
            case readwrite
        }

        /// The name of the property.
        package let name: String
        /// The type of the value.
        package let type: DBusType
        /// The permitted access.
        package let access: Access

        /// Creates a property.
        package init(_ name: String, _ type: DBusType, _ access: Access = .read) {
            self.name = name
            self.type = type
            self.access = access
        }
    }

    package struct Signal: Hashable, Sendable {
        /// The name of the signal.
        package let name: String
        package let arguments: [Argument]

        /// Creates a signal.
        package init(_ name: String, _ arguments: [Argument] = []) {
            self.name = name
            self.arguments = arguments
        }
    }

    package let name: String
    package let methods: [Method]
    package let properties: [Property]
    package let signals: [Signal]

    package init(
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

/// The standard interfaces, which every exported object has.
extension DBusInterface {
    static let introspectable = DBusInterface(
        DBusIntrospectable.interfaceName,
        methods: [
            Method(DBusIntrospectable.introspect, returns: [Argument("xml_data", .string)])
        ])

    static let peer = DBusInterface(
        DBusPeer.interfaceName,
        methods: [
            Method(DBusPeer.ping),
            Method(DBusPeer.getMachineID, returns: [Argument("machine_uuid", .string)]),
        ])

    private static let values = DBusType.dictionary(key: .string, value: .variant)
    private static let interfaces = DBusType.dictionary(key: .string, value: values)

    static let properties = DBusInterface(
        DBusProperties.interfaceName,
        methods: [
            Method(
                DBusProperties.get, [Argument("interface", .string), Argument("name", .string)],
                returns: [Argument("value", .variant)]),
            Method(
                DBusProperties.set,
                [
                    Argument("interface", .string), Argument("name", .string),
                    Argument("value", .variant),
                ]),
            Method(
                DBusProperties.getAll, [Argument("interface", .string)],
                returns: [Argument("properties", values)]),
        ],
        signals: [
            Signal(
                DBusProperties.propertiesChanged,
                [
                    Argument("interface", .string), Argument("changed_properties", values),
                    Argument("invalidated_properties", .array(.string)),
                ])
        ])

    static let objectManager = DBusInterface(
        DBusObjectManager.interfaceName,
        methods: [
            Method(
                DBusObjectManager.getManagedObjects,
                returns: [
                    Argument("objects", .dictionary(key: .objectPath, value: interfaces))
                ])
        ],
        signals: [
            Signal(
                DBusObjectManager.interfacesAdded,
                [Argument("object", .objectPath), Argument("interfaces", interfaces)]),
            Signal(
                DBusObjectManager.interfacesRemoved,
                [Argument("object", .objectPath), Argument("interfaces", .array(.string))]),
        ])

    /// Encodes interfaces with the values of their properties, `a{sa{sv}}`.
    static func dictionary(_ interfaces: [(name: String, values: DBusValue)]) -> DBusValue {
        .dictionary(
            key: .string, value: values,
            interfaces.map { DBusEntry(.string($0.name), $0.values) })
    }

    /// Encodes objects with their interfaces, `a{oa{sa{sv}}}`.
    static func dictionary(_ objects: [(path: DBusObjectPath, value: DBusValue)]) -> DBusValue {
        .dictionary(
            key: .objectPath, value: interfaces,
            objects.map { DBusEntry(.objectPath($0.path), $0.value) })
    }
}
#endif

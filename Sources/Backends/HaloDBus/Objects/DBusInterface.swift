#if os(Linux)
package struct DBusInterface: Hashable, Sendable {
    /// A method; or a signal, whose arguments are inputs.
    package struct Method: Hashable, Sendable {
        package let name: String
        package let inputs: [Argument]
        package let outputs: [Argument]

        package init(_ name: String, _ inputs: [Argument] = [], returns outputs: [Argument] = []) {
            self.name = name
            self.inputs = inputs
            self.outputs = outputs
        }
    }

    package struct Argument: Hashable, Sendable {
        /// The name, for readers of the description; may be empty.
        package let name: String
        package let type: DBusType

        package init(_ name: String, _ type: DBusType) {
            self.name = name
            self.type = type
        }
    }

    package struct Property: Hashable, Sendable {
        package enum Access: String, Hashable, Sendable {
            case read
            case readwrite
        }

        package let name: String
        package let type: DBusType
        package let access: Access

        package init(_ name: String, _ type: DBusType, _ access: Access = .read) {
            self.name = name
            self.type = type
            self.access = access
        }
    }

    package let name: String
    package let methods: [Method]
    package let properties: [Property]
    package let signals: [Method]

    package init(
        _ name: String, methods: [Method] = [], properties: [Property] = [],
        signals: [Method] = []
    ) {
        self.name = name
        self.methods = methods
        self.properties = properties
        self.signals = signals
    }

    func method(_ name: String) -> Method? { methods.first { $0.name == name } }

    func property(_ name: String) -> Property? { properties.first { $0.name == name } }

    // MARK: The standard interfaces, which every exported object has

    static let introspectable = DBusInterface(
        "org.freedesktop.DBus.Introspectable",
        methods: [.init("Introspect", returns: [.init("xml_data", .string)])])

    static let peer = DBusInterface(
        "org.freedesktop.DBus.Peer",
        methods: [
            .init("Ping"),
            .init("GetMachineId", returns: [.init("machine_uuid", .string)]),
        ])

    private static let interfaces = DBusType.dictionary(key: .string, value: .options)
    private static let interface = Argument("interface", .string)
    private static let property = Argument("name", .string)
    private static let object = Argument("object", .objectPath)

    static let properties = DBusInterface(
        DBusProperties.interfaceName,
        methods: [
            .init(DBusProperties.get, [interface, property], returns: [.init("value", .variant)]),
            .init(DBusProperties.set, [interface, property, .init("value", .variant)]),
            .init(DBusProperties.getAll, [interface], returns: [.init("properties", .options)]),
        ],
        signals: [
            .init(
                DBusProperties.propertiesChanged,
                [
                    interface, .init("changed_properties", .options),
                    .init("invalidated_properties", .array(.string)),
                ])
        ])

    static let objectManager = DBusInterface(
        DBusObjectManager.interfaceName,
        methods: [
            .init(
                DBusObjectManager.getManagedObjects,
                returns: [.init("objects", .dictionary(key: .objectPath, value: interfaces))])
        ],
        signals: [
            .init(DBusObjectManager.interfacesAdded, [object, .init("interfaces", interfaces)]),
            .init(
                DBusObjectManager.interfacesRemoved,
                [object, .init("interfaces", .array(.string))]),
        ])

    /// Encodes interfaces with the values of their properties, `a{sa{sv}}`.
    static func dictionary(_ interfaces: [(name: String, values: DBusValue)]) -> DBusValue {
        .dictionary(
            key: .string, value: .options,
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

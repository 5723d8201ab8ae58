#if os(Linux)
extension DBusInterface {
    /// Every object: what it can do, as text.
    static let introspectable = DBusInterface(
        "org.freedesktop.DBus.Introspectable",
        methods: [Method("Introspect", returns: [Argument("xml_data", .string)])])

    /// Every path: whether anybody is there.
    static let peer = DBusInterface(
        "org.freedesktop.DBus.Peer",
        methods: [
            Method("Ping"),
            Method("GetMachineId", returns: [Argument("machine_uuid", .string)]),
        ])

    private static let values = DBusType.dictionary(key: .string, value: .variant)
    private static let interfaces = DBusType.dictionary(key: .string, value: values)

    /// Objects with properties.
    static let properties = DBusInterface(
        "org.freedesktop.DBus.Properties",
        methods: [
            Method(
                "Get", [Argument("interface", .string), Argument("name", .string)],
                returns: [Argument("value", .variant)]),
            Method(
                "Set",
                [
                    Argument("interface", .string), Argument("name", .string),
                    Argument("value", .variant),
                ]),
            Method(
                "GetAll", [Argument("interface", .string)],
                returns: [Argument("properties", values)]),
        ],
        signals: [
            Signal(
                propertiesChanged,
                [
                    Argument("interface", .string), Argument("changed_properties", values),
                    Argument("invalidated_properties", .array(.string)),
                ])
        ])

    /// Objects that tell what objects there are below them.
    static let objectManager = DBusInterface(
        "org.freedesktop.DBus.ObjectManager",
        methods: [
            Method(
                "GetManagedObjects",
                returns: [
                    Argument("objects", .dictionary(key: .objectPath, value: interfaces))
                ])
        ],
        signals: [
            Signal(
                interfacesAdded,
                [Argument("object", .objectPath), Argument("interfaces", interfaces)]),
            Signal(
                interfacesRemoved,
                [Argument("object", .objectPath), Argument("interfaces", .array(.string))]),
        ])

    static let propertiesChanged = "PropertiesChanged"
    static let interfacesAdded = "InterfacesAdded"
    static let interfacesRemoved = "InterfacesRemoved"

    /// The interfaces with their properties' values, `a{sa{sv}}`.
    static func dictionary(_ interfaces: [(name: String, values: DBusValue)]) -> DBusValue {
        .dictionary(
            key: .string, value: values,
            interfaces.map { DBusEntry(.string($0.name), $0.values) })
    }

    /// Objects with their interfaces, `a{oa{sa{sv}}}`.
    static func dictionary(_ objects: [(path: DBusObjectPath, value: DBusValue)]) -> DBusValue {
        .dictionary(
            key: .objectPath, value: interfaces,
            objects.map { DBusEntry(.objectPath($0.path), $0.value) })
    }
}
#endif

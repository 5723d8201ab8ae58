import HaloTesting

@testable import HaloDBus

/// What no capture gives: messages as the daemon sends them, what a bus says before them,
/// addresses, and bytes that decide.
enum BusSeed {
    static let dbus: [[UInt8]] =
        messages.map { [0] + $0 }
        + [letIn, otherUser, noDescriptors].map { [1] + Array($0.utf8) }
        + addresses.map { [2] + Array($0.utf8) }
        + decisions(200).map { [3] + $0 }

    static let blueZ = decisions(600)

    private static let letIn = "OK 0123456789abcdef0123456789abcdef\r\nAGREE_UNIX_FD\r\n"
    private static let otherUser = "REJECTED EXTERNAL\r\nDATA\r\n" + letIn
    private static let noDescriptors = "OK 0123456789abcdef0123456789ABCDEF\r\nERROR no\r\n"
    private static let addresses = [
        "unix:path=/run/dbus/system_bus_socket,guid=0123456789abcdef0123456789abcdef",
        "tcp:host=localhost,port=1;unix:abstract=a%20b;unix:runtime=yes",
    ]

    private static func decisions(_ longest: Int) -> [[UInt8]] {
        (1...24).map { FuzzBytes(seed: UInt64($0), count: longest * $0 / 24).all }
    }

    private static let properties = "org.freedesktop.DBus.Properties"
    private static let manager = "org.freedesktop.DBus.ObjectManager"
    private static let device = path("/org/bluez/hci0/dev_00_AA_01_01_00_01")
    private static let notifier = path("\(device)/service001e/char0021")

    private static func path(_ text: String) -> DBusObjectPath {
        (try? DBusObjectPath(text)) ?? .root
    }

    private static let deviceValues = DBusValue.properties([
        "Address": .string("00:AA:01:01:00:01"), "RSSI": .int16(-50),
        "UUIDs": .strings(["6e40fff0-b5a3-f393-e0a9-e50e24dcca9e"]),
        "Adapter": .objectPath(path("/org/bluez/hci0")), "Paired": .boolean(false),
        "ManufacturerData": .dictionary(
            key: .uint16, value: .variant,
            [DBusEntry(.uint16(0xFFFF), .variant(.bytes([1, 2, 3])))]),
    ])

    private static let interfaces = DBusValue.dictionary(
        key: .string, value: .dictionary(key: .string, value: .variant),
        [DBusEntry(.string("org.bluez.Device1"), deviceValues)])

    private static func signal(
        _ member: String, of interface: String, at path: DBusObjectPath, _ body: [DBusValue]
    ) -> DBusMessage {
        var message = DBusMessage(
            .signal(path: path, interface: interface, member: member), body: body)
        message.sender = ":1.5"
        return message
    }

    private static let messages = [
        signal("InterfacesAdded", of: manager, at: .root, [.objectPath(device), interfaces]),
        signal(
            "InterfacesRemoved", of: manager, at: .root,
            [.objectPath(device), .strings(["org.bluez.Device1"])]),
        signal(
            "PropertiesChanged", of: properties, at: notifier,
            [
                .string("org.bluez.GattCharacteristic1"),
                .properties(["Value": .bytes(Array(0..<20))]), .strings([]),
            ]),
        signal(
            "PropertiesChanged", of: properties, at: device,
            [.string("org.bluez.Device1"), deviceValues, .strings(["RSSI"])]),
        DBusMessage(.reply(to: 7), body: [.unixFD(0), .uint16(247)], descriptorCount: 1),
        DBusMessage(
            .error(name: "org.bluez.Error.Failed", to: 8), body: [.string("Not connected")]),
        DBusMessage(
            .call(
                path: notifier, interface: "org.bluez.GattCharacteristic1", member: "WriteValue"),
            destination: ":1.9",
            body: [.bytes([1, 2, 3]), .properties(["type": .string("request")])]),
    ].compactMap { try? $0.encoded() }
}

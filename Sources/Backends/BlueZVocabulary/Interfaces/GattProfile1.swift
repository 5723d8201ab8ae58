#if os(Linux)
/// `org.bluez.GattProfile1`: a program's request for connections to devices with some services.
package enum GattProfile1 {
    package static let interfaceName = "org.bluez.GattProfile1"

    package static let uuids = "UUIDs"
}
#endif

#if os(Linux)
/// `org.bluez.GattProfile1`: an object of a program that requests connections to devices with
/// certain services.
package enum GattProfile1 {
    package static let interfaceName = "org.bluez.GattProfile1"

    package static let uuids = "UUIDs"
}
#endif

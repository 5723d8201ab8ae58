#if os(Linux)
package import HaloDBus

/// `org.bluez.Bearer.BREDR1`: a device's link over Bluetooth Classic alone; as ``BearerLE1``.
package enum BearerBREDR1 {
    package static let interfaceName = "org.bluez.Bearer.BREDR1"

    package static let interface = bearer(interfaceName)
}
#endif

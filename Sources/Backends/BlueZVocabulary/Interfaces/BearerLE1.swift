#if os(Linux)
package import HaloDBus

/// `org.bluez.Bearer.LE1`: a device's link over low energy alone. From 5.84 on, if the daemon was
/// started with `--experimental`.
package enum BearerLE1 {
    package static let interfaceName = "org.bluez.Bearer.LE1"

    package static let interface = bearer(interfaceName)
}
#endif

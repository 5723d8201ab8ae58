#if os(Linux)
/// Words that properties of an adapter have for values.
extension Adapter1 {
    /// Of ``roles``: it connects to devices.
    package static let centralRole = "central"
    /// Of ``roles``: it can be a device.
    package static let peripheralRole = "peripheral"
    /// Of ``roles``: it can be both at a time.
    package static let bothRoles = "central-peripheral"
}
#endif

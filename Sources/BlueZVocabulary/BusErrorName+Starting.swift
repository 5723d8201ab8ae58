#if os(Linux)
extension BusErrorName {
    /// How the names begin that say why a program was not started that would have the name.
    package static let spawn = "org.freedesktop.DBus.Error.Spawn."
}
#endif

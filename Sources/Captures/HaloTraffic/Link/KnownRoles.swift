/// The roles of connections whose beginnings are not in the log, as known before it is read.
struct KnownRoles: Sendable {
    /// The role of all of them, by the options of the import.
    var given: DeviceRole?
    /// The roles decided by an earlier pass, by the numbers of the connections from 0.
    var decided: [Int: DeviceRole] = [:]

    /// The role of a connection, or `nil` if it has to be decided.
    func role(of connection: Int) -> DeviceRole? { decided[connection] ?? given }
}

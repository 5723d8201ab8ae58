/// The roles of connections whose beginnings are not in the log, as known before it is read.
struct KnownRoles: Sendable {
    /// The role of all of them, by the options of the import.
    private let given: DeviceRole?
    /// The roles decided by an earlier pass, by the numbers of the connections from 0.
    private let decided: [Int: DeviceRole]

    init(given: DeviceRole? = nil, decided: [Int: DeviceRole] = [:]) {
        self.given = given
        self.decided = decided
    }

    /// The role of a connection, or `nil` if it has to be decided.
    func role(of connection: Int) -> DeviceRole? { decided[connection] ?? given }
    /// `true` if the options give the role.
    var isGiven: Bool { given != nil }
}

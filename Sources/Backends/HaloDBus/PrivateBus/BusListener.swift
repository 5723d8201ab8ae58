#if os(Linux)

struct BusListener: Sendable {
    let socket: Int32
    let access: PrivateBus.Access

    /// `true` if a user may connect. `nil` means that the system does not report the user.
    func admits(_ user: UInt32?) -> Bool {
        switch access {
        case .user: user == SystemSocket.userID || user == 0
        case .everyone: true
        }
    }
}
#endif

@testable import HaloTraffic

/// The rules for connections: they are numbered in order, announced before their other events, and
/// have no event after their end.
struct ConnectionRules {
    /// The violations of the rules.
    private(set) var violations: [String] = []
    private var announced: Set<Int> = []
    private var ended: Set<Int> = []

    mutating func receive(_ event: ConversationEvent, on connection: Int) {
        if case .connected = event {
            if connection != announced.count { violations.append("number \(connection)") }
            announced.insert(connection)
        } else if connection != noConnection {
            if !announced.contains(connection) { violations.append("unannounced \(connection)") }
            if ended.contains(connection) { violations.append("ended \(connection)") }
        }
        switch event {
        case .advertised, .odd: break
        default: if connection == noConnection { violations.append("nobody's \(event)") }
        }
        if case .disconnected = event { ended.insert(connection) }
    }
}

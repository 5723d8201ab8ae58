@testable import HaloTraffic

/// Which connections things are told of: numbered as they are met, announced before anything else,
/// and not heard of again once they have ended.
struct ConnectionRules {
    /// What broke them.
    private(set) var violations: [String] = []
    private var announced: Set<Int> = []
    private var ended: Set<Int> = []

    mutating func take(_ event: ConversationEvent, on connection: Int) {
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

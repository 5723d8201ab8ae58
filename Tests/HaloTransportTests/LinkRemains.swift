@testable import HaloTransport

extension BLELink {
    /// What is begun on the link and not over; empty where nothing is.
    var remains: [String] {
        drain.read { state in
            [
                ("operations", state.operations.count), ("waiting", state.waiting.count),
                ("actions", state.outbox.count), ("sinks", state.sinks.count),
                ("subscriptions", state.subscriptions.count),
                ("discoveries", state.discovery.waiters.count),
            ].filter { $0.1 != 0 }.map { "\($0.1) \($0.0)" }
        }
    }

    /// What is kept for what is begun on the link; an ended link keeps nothing.
    var kept: [String] {
        drain.read { state in
            let all: [(String, Bool)] = [
                ("with the driver", !state.withDriver.isEmpty),
                ("write without response", state.unanswered != nil),
                ("timer", state.closingTimer != nil), ("driver", state.driver != nil),
                ("services", state.discovery.services != nil),
                ("discovery", state.discovery.isUnderWay),
            ]
            return all.filter { $0.1 }.map { $0.0 }
        }
    }
}

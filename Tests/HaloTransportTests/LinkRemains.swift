@testable import HaloTransport

extension BLELink {
    /// The counts of what is under way on the link, without zeros.
    var remains: [String] {
        drain.read { state in
            [
                ("operations", state.operations.count), ("queued", state.queued.count),
                ("actions", state.actions.count), ("observers", state.observers.count),
                ("subscriptions", state.subscriptions.count),
                ("discoveries", state.discovery.waiters.count),
            ].filter { $0.1 != 0 }.map { "\($0.1) \($0.0)" }
        }
    }

    /// The parts of the state that are set; none on an ended link.
    var kept: [String] {
        drain.read { state in
            let all: [(String, Bool)] = [
                ("with the driver", !state.inFlight.isEmpty),
                ("write without response", state.writeWithoutResponse != nil),
                ("timer", state.closingTimer != nil), ("driver", state.driver != nil),
                ("services", state.discovery.services != nil),
                ("discovery", state.discovery.isUnderWay),
            ]
            return all.filter { $0.1 }.map { $0.0 }
        }
    }
}

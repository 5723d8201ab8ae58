@testable import HaloTransport

extension BLELink {
    /// Reports an event, as a backend does.
    func receive(_ event: LinkEvent) { time.loop.report { [client] in client.receive(event) } }

    /// The counts of what is under way on the link, without zeros.
    var remains: [String] {
        time.loop.run {
            let all: [(String, Int)] = [
                ("operations", client.operations.count), ("queued", client.queued.count),
                ("observers", client.observers.count),
                ("subscriptions", client.subscriptions.count),
                ("discoveries", client.discovery.waiters.count),
            ]
            return all.filter { $0.1 != 0 }.map { "\($0.1) \($0.0)" }
        }
    }

    /// The parts of the state that are set; none on an ended link.
    var kept: [String] {
        time.loop.run {
            let all: [(String, Bool)] = [
                ("with the driver", !client.inFlight.isEmpty),
                ("write without response", client.writeWithoutResponse != nil),
                ("timer", client.closingTimer != nil), ("driver", client.driver != nil),
                ("services", client.discovery.services != nil),
                ("discovery", client.discovery.isUnderWay),
            ]
            return all.filter { $0.1 }.map { $0.0 }
        }
    }
}

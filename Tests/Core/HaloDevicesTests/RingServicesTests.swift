import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// Changes of a ring's services, at any moment.
@Suite(.passesTime) struct RingServicesTests {
    @Test func servicesMayChangeAtEveryMomentOfConnecting() throws {
        let usual = try virtually { air in
            let worn = air.add(OddRing())
            return try await air.duration {
                _ = try await Ring.connect(to: worn.identity, over: air)
            }
        }
        let count = 48
        for step in 0..<count {
            let moment = usual * step / count
            try virtually { air in
                let worn = air.add(OddRing())
                _ = air.time.schedule(at: air.time.now() + moment) {
                    worn.modify { $0.changeServices() }
                }
                do {
                    let ring = try await Ring.connect(to: worn.identity, over: air)
                    #expect(ring.clock.wasSet, "after \(moment)")
                    #expect(try await ring.battery().percent == 80, "after \(moment)")
                } catch {
                    Issue.record("after \(moment): \(error)")
                }
            }
        }
    }

    @Test func requestsSurviveAChangeAtEveryMoment() throws {
        for step in 0..<20 {
            let moment = Duration.milliseconds(step * 26)
            try virtually { air in
                let worn = air.add(OddRing())
                let ring = try await Ring.connect(to: worn.identity, over: air)
                _ = air.time.schedule(at: air.time.now() + moment) {
                    worn.modify { $0.changeServices() }
                }
                for _ in 0..<3 {
                    #expect(try await ring.battery().percent == 80, "after \(moment)")
                }
                #expect(ring.connectionState == .connected, "after \(moment)")
            }
        }
    }

    /// Discovery takes some seconds; the timeout of an answer is three.
    @Test func aRequestDuringDiscoveryHasItsWholeTimeout() throws {
        try virtually { air in
            let worn = air.add(OddRing(furtherServices: 5))
            var options = RingOptions()
            options.rules.attempts = 1
            options.reconnect.attemptTimeout = .seconds(60)
            let ring = try await Ring.connect(to: worn.identity, over: air, options: options)
            worn.modify { $0.changeServices() }
            try await air.clock.sleep(for: .milliseconds(300))
            let start = air.time.now()
            try await ring.set(.stressLog, to: false)
            #expect(air.time.now().duration(since: start) > .seconds(3))
            #expect(try await ring.setting(.stressLog) == false)
        }
    }

    @Test func aMeasurementGoesOnAfterTheServicesHaveChanged() throws {
        try virtually { air in
            let worn = air.add(OddRing(furtherServices: 5))
            let ring = try await Ring.connect(to: worn.identity, over: air)
            var hasChanged = false
            for try await report in ring.reports(of: .heartRate, repeating: true) {
                if !hasChanged {
                    hasChanged = true
                    worn.modify { $0.changeServices() }
                }
                if case .reading = report { break }
            }
            #expect(ring.connectionState == .connected)
        }
    }
}

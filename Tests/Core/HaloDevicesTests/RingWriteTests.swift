import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// Writes that a ring refuses.
@Suite(.passesTime) struct RingWriteTests {
    /// Faults with which the device refuses the first writes of a command.
    private static func refusing(
        _ opcode: UInt8, times: Int = 3, _ error: ATTError = .writeNotPermitted
    ) -> FaultPlan {
        FaultPlan(
            rules: (1...times).map {
                FaultRule(.refusal(error), .write($0, beginning: [opcode]))
            })
    }

    @Test(arguments: [
        ATTError.writeNotPermitted, .insufficientAuthentication, .invalidLength, .unlikely,
    ])
    func aRefusedWriteEndsTheRequestAtOnceWithTheReason(_ refusal: ATTError) throws {
        try virtually(faults: Self.refusing(Battery.opcode, refusal)) { air in
            let worn = air.add(OddRing())
            let ring = try await Ring.connect(to: worn.identity, over: air)
            let start = air.time.now()
            let error = await #expect(throws: DeviceError.self) { try await ring.battery() }
            #expect(air.time.now().duration(since: start) < .seconds(1))
            #expect(error?.kind == .bluetooth)
            #expect(error?.command == Battery.name)
            #expect(error?.bleError?.attError == refusal)
            #expect(error?.bleError?.operation == .write)
            #expect(error?.isTransient == false)
            #expect(worn.state?.written.contains { $0.opcode == Battery.opcode } == false)
            // The next request is not affected.
            #expect(try await ring.totals().steps >= 0)
        }
    }

    @Test func aSettingThatCannotBeWrittenIsAnError() throws {
        try virtually(faults: Self.refusing(AutoStress.opcode)) { air in
            let worn = air.add(OddRing())
            let ring = try await Ring.connect(to: worn.identity, over: air)
            let start = air.time.now()
            let error = await #expect(throws: DeviceError.self) {
                try await ring.set(.stressLog, to: false)
            }
            #expect(air.time.now().duration(since: start) < .seconds(1))
            #expect(error?.bleError?.attError == .writeNotPermitted)
        }
    }

    @Test func requestsWithoutAnswersFailToo() throws {
        try virtually(faults: Self.refusing(FindDevice.opcode)) { air in
            let worn = air.add(OddRing())
            let ring = try await Ring.connect(to: worn.identity, over: air)
            let error = await #expect(throws: DeviceError.self) { try await ring.findMe() }
            #expect(error?.bleError?.attError == .writeNotPermitted)
        }
    }

    @Test func aMeasurementWhoseStartIsRefusedEndsWithTheReason() throws {
        try virtually(faults: Self.refusing(RealtimeMeasurement.opcode)) { air in
            let worn = air.add(OddRing())
            let ring = try await Ring.connect(to: worn.identity, over: air)
            let start = air.time.now()
            let error = await #expect(throws: DeviceError.self) {
                for try await _ in ring.measure(.heartRate) {}
            }
            #expect(air.time.now().duration(since: start) < .seconds(1))
            #expect(error?.kind == .bluetooth)
            #expect(error?.bleError?.attError == .writeNotPermitted)
        }
    }

    @Test func connectingWaitsForNoRefusedRequest() throws {
        let usual = try virtually { air in
            let worn = air.add(OddRing())
            return try await air.duration {
                _ = try await Ring.connect(to: worn.identity, over: air)
            }
        }
        try virtually(faults: Self.refusing(SetTime.opcode)) { air in
            let worn = air.add(OddRing())
            let duration = try await air.duration {
                let ring = try await Ring.connect(to: worn.identity, over: air)
                #expect(!ring.clock.wasSet)
                #expect(ring.connectionState == .connected)
            }
            #expect(duration < usual + .seconds(1))
        }
    }

    /// The first request times out before the device has refused it; the second one is not
    /// answered.
    @Test func anEarlierRefusalIsNoReasonForALaterSilence() throws {
        try virtually(faults: Self.refusing(Battery.opcode, times: 1)) { air in
            let worn = air.add(OddRing(.everythingBut([TodayTotals.opcode])))
            let ring = try await Ring.connect(to: worn.identity, over: air)
            // The queue is empty: the first request is written at once.
            try await air.clock.sleep(for: .milliseconds(100))
            let first = await withTaskGroup(of: DeviceError.Kind?.self) { group in
                group.addTask { await kind { _ = try await ring.battery() } }
                group.addTask {
                    try? await air.clock.sleep(for: .milliseconds(1))
                    return nil
                }
                _ = await group.next()
                group.cancelAll()
                return await group.next() ?? nil
            }
            #expect(first == .cancelled)
            let second = await #expect(throws: DeviceError.self) { try await ring.totals() }
            #expect(second?.kind == .timedOut)
            #expect(second?.bleError == nil)
            #expect(air.faultLog.records.count == 1)
        }
    }
}

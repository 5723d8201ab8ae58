internal import HaloCapture
internal import HaloDevices
internal import HaloProtocol
package import HaloSimulator
package import HaloTransport

/// Sessions over a recorded transport.
package enum RecordingBench {
    /// The result of a session, and the trace of an observer.
    package struct Outcome: Equatable {
        package var answers: [String] = []
        package var traces: [LinkTrace] = []
        package var air: AirTrace?
    }

    package static func air(seed: UInt64 = 5) -> VirtualBluetooth {
        let air = VirtualBluetooth(seed: seed)
        let wearer = Wearer(seed: seed, restingHeartRate: 54)
        air.keepTrace(10_000)
        air.add(VirtualRing(.r10, wearer: wearer, days: 2))
        air.add(VirtualHeartRateSensor(location: .chest, wearer: wearer))
        return air
    }

    /// Reads a ring and measures with it. Optionally receives the values of a strap at the same
    /// time.
    package static func session(
        over transport: some BLETransport, withStrap: Bool = false
    ) async throws -> Outcome {
        let traces = Locked<[LinkTrace]>([])
        var outcome = Outcome()
        var options = RingOptions()
        options.observer = { trace in traces.withLock { $0.append(trace) } }
        let found = try await Ring.find(over: transport)
        let ring = try await Ring.connect(to: found.identity, over: transport, options: options)
        outcome.answers.append("\(try await ring.battery())")
        outcome.answers.append("\(try await ring.deviceInformation())")
        outcome.answers.append("\(try await ring.history(days: 2))")
        if withStrap {
            let strap = try await HeartRateSensor.connect(
                to: HeartRateSensor.find(over: transport).identity, over: transport)
            outcome.answers.append("\(String(describing: try await strap.location()))")
            var count = 0
            for try await beat in strap.measurements {
                outcome.answers.append("\(beat)")
                count += 1
                if count == 20 { break }
            }
            outcome.answers.append("\(try await ring.battery())")
            await strap.disconnect()
        }
        var beats = 0
        for try await beat in ring.measure(.heartRate) {
            outcome.answers.append("\(beat)")
            beats += 1
            if beats == 3 { break }
        }
        await ring.disconnect()
        outcome.traces = traces.withLock { $0 }
        return outcome
    }

    /// The transferred values in an observer's traces.
    package static func values(_ traces: [LinkTrace]) -> [[UInt8]] {
        traces.compactMap { trace in
            switch (trace.kind, trace.operation) {
            case (.request, .write), (.reply, .read): trace.bytes
            case (.event, _): trace.event?.isValue == true ? trace.bytes : nil
            default: nil
            }
        }
    }
}

extension LinkEvent {
    fileprivate var isValue: Bool {
        if case .value = self { true } else { false }
    }
}

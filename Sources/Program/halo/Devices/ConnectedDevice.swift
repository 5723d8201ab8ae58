import HaloDevices
import HaloProtocol

/// A connected device, with what verbs for several kinds do with it.
protocol ConnectedDevice: Sendable {
    /// The name, or the address of a device without one.
    var name: String { get }

    nonisolated(nonsending) func show(
        _ console: inout Console
    ) async throws(Failure) -> ExitStatus

    /// Measures until the task is cancelled, and hands out reports.
    func measure(
        _ kind: LiveKind, _ report: @escaping @Sendable (LiveReading) -> Void
    ) async throws(DeviceError)

    /// Does what there is to record: reads the history of some days to its end, and then measures
    /// for a time.
    nonisolated(nonsending) func use(
        for duration: Duration, days: Int, _ console: inout Console
    ) async throws(DeviceError)

    /// Waits until the device knows that a measurement has ended, also in a cancelled task.
    func waitUntilStopped() async

    func disconnect() async
}

extension ConnectedDevice {
    func waitUntilStopped() async {}

    /// Remarks that there was no value, if the time is over.
    func remarkOnNoValue(_ hasValue: Bool, _ device: String, _ console: inout Console) {
        guard !hasValue, !Task.isCancelled else { return }
        console.remark(
            "time ran out before the \(device) had a heart rate; try a longer --for")
    }

    /// Calls a function, and then disconnects, also after an error. Its output is written before,
    /// because the daemon takes two seconds or more to disconnect.
    nonisolated(nonsending) func whileConnected<Value>(
        _ console: inout Console,
        _ body: nonisolated(nonsending) (inout Console) async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result = await Result.catching { () async throws(Failure) in try await body(&console) }
        if case .success = result { console.flush() }
        await end()
        return try result.get()
    }

    /// Disconnects, also in a cancelled task.
    func end() async {
        // A cancelled task does not wait, so another one does.
        await Task { await disconnect() }.value
    }
}

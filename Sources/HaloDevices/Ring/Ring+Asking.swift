public import HaloProtocol

/// Every request of the catalogue. What comes is the ring's answer: its "no" is one, too.
extension Ring {
    /// Asks for what one frame answers.
    public nonisolated(nonsending) func ask<Request: RequestPacket>(
        _ request: Request
    ) async throws(DeviceError) -> Answer<Request.Owner.Reply>
    where Request.Owner: SingleReplyCommand, Request.Owner.Reply: ReplyPacket {
        try await core.ask(Inquiry(request))
    }

    /// Asks for what many frames answer.
    public nonisolated(nonsending) func ask<Request: RequestPacket>(
        _ request: Request
    ) async throws(DeviceError) -> Answer<Request.Owner.Assembly.Reply>
    where Request.Owner: ManyFrameCommand {
        try await core.ask(Inquiry(request))
    }

    /// Asks for a record of the second service.
    public nonisolated(nonsending) func ask<Request: BigDataRequest>(
        _ request: Request
    ) async throws(DeviceError) -> Answer<Request.Owner.Reply>
    where Request.Owner: BigDataReplyCommand {
        try await core.ask(Inquiry(request))
    }

    /// Asks for nights; naps that come with them are a part of the answer.
    public nonisolated(nonsending) func ask(
        _ request: Sleep.Request
    ) async throws(DeviceError) -> Answer<SleepHistory> {
        try await core.ask(Inquiry(request))
    }

    /// Asks for temperatures: days may come in one record, or each in its own.
    public nonisolated(nonsending) func ask(
        _ request: TemperatureSeries.Request
    ) async throws(DeviceError) -> Answer<TemperatureSeries.Reply> {
        try await core.ask(Inquiry(request))
    }

    /// Asks for what was recorded during a workout: how it is cut, and all its pieces.
    public nonisolated(nonsending) func ask(
        _ request: WorkoutDetail.Request
    ) async throws(DeviceError) -> Answer<WorkoutRecording> {
        try await core.ask(Inquiry(request))
    }

    /// Asks, and takes a refusal for an error; nothing where the ring has nothing.
    nonisolated(nonsending) func value<Value: Sendable>(
        _ inquiry: Inquiry<Value>
    ) async throws(DeviceError) -> Value? {
        switch try await core.ask(inquiry) {
        case .value(let value): return value
        case .noData: return nil
        case .refused: throw DeviceError(.notSupported, command: inquiry.command)
        }
    }

    /// Asks, and takes everything but a value for an error.
    nonisolated(nonsending) func need<Value: Sendable>(
        _ inquiry: Inquiry<Value>
    ) async throws(DeviceError) -> Value {
        guard let value = try await value(inquiry) else {
            throw DeviceError(.noData, command: inquiry.command)
        }
        return value
    }
}

public import HaloProtocol

/// Settings: what a ring does by itself, and what it knows of its wearer.
extension Ring {
    /// How a setting is.
    ///
    ///     let setting = try await ring.read(AutoHeartRate.self)
    public nonisolated(nonsending) func read<Command: SettingCommand>(
        _ command: Command.Type
    ) async throws(DeviceError) -> Command.Reading {
        let reply = try await need(Inquiry(SettingRequest<Command>.read))
        guard let reading = reply.reading else {
            throw DeviceError(.badAnswer, command: Command.name)
        }
        return reading
    }

    /// Changes a setting; gives what the ring repeats of it.
    @discardableResult
    public nonisolated(nonsending) func write<Command: SettingCommand>(
        _ command: Command.Type, _ setting: Command.Setting
    ) async throws(DeviceError) -> Command.Echo {
        let reply = try await need(Inquiry(SettingRequest<Command>.write(setting)))
        guard case .written(let echo) = reply.content else {
            throw DeviceError(.badAnswer, command: Command.name)
        }
        return echo
    }
}

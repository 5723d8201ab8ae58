public import HaloProtocol

/// A setting of a ring, with the type of its value.
///
///     let logging = try await ring.setting(.heartRateLog)
///     try await ring.set(.stressLog, to: true)
///
/// The settings of a ring depend on its hardware and firmware. A setting that the ring does not
/// have throws ``DeviceError/Kind/notSupported``.
///
/// A value has less than the packet that it is read from: an undescribed code is `nil` in it. So a
/// change of some parts edits that packet, and leaves its other bytes as the ring has sent them.
public struct RingSetting<Value: Sendable>: Sendable {
    fileprivate let read: RingRequest<Result<ReadSetting<Value>, DeviceError>>
    fileprivate let write: @Sendable (Value) throws(DeviceError) -> SettingWrite

    /// Sets the fields of a packet that are changed; throws if one cannot be sent.
    typealias Edit<Packet> =
        @Sendable (inout Packet, SettingChange<Value>) throws(DeviceError) -> Void

    /// Creates a setting from its two requests.
    ///
    /// - Parameters:
    ///   - reading: Returns the value of a reply, and the packet that leaves it as it is; `nil` if
    ///     the reply has none.
    ///   - isLacking: Returns `true` for a reply of a ring that does not have the setting.
    ///   - blank: The packet for a whole value; `edit` sets each of its fields.
    ///   - isWritten: Returns `true` for a reply that confirms a write.
    init<Reply: Sendable, Packet: Sendable>(
        read: RingRequest<Reply>,
        reading: @escaping @Sendable (Reply) -> (value: Value, packet: Packet)?,
        isLacking: @escaping @Sendable (Reply) -> Bool = { _ in false },
        blank: Packet, edit: @escaping Edit<Packet>,
        write: @escaping @Sendable (Packet) -> RingRequest<Reply>,
        isWritten: @escaping @Sendable (Reply) -> Bool
    ) {
        let change: @Sendable (Packet, SettingChange<Value>) throws(DeviceError) -> SettingWrite =
            { (packet, change) throws(DeviceError) in
                var packet = packet
                try edit(&packet, change)
                let request = write(packet)
                return request.map { [command = request.command] reply in
                    isWritten(reply)
                        ? .success(()) : .failure(DeviceError(.badReply, command: command))
                }
            }
        self.read = read.map { [command = read.command] reply in
            if isLacking(reply) { return .failure(DeviceError(.notSupported, command: command)) }
            guard let (value, packet) = reading(reply) else {
                return .failure(DeviceError(.badReply, command: command))
            }
            return .success(
                ReadSetting(value: value) { (new) throws(DeviceError) in try change(packet, new) })
        }
        self.write = { (value) throws(DeviceError) in
            try change(blank, SettingChange(ofAll: value))
        }
    }

    /// - Parameters:
    ///   - value: Returns the value of a reading; `nil` if the reading has none.
    ///   - packet: Returns the packet that leaves a reading as it is.
    init<Command: SettingCommand & SendableMetatype>(
        _ command: Command.Type, blank: Command.Setting,
        value: @escaping @Sendable (Command.Reading) -> Value?,
        packet: @escaping @Sendable (Command.Reading) -> Command.Setting,
        isLacking: @escaping @Sendable (Command.Reading) -> Bool = { _ in false },
        edit: @escaping Edit<Command.Setting>
    ) {
        self.init(
            read: RingRequest(SettingRequest<Command>.read),
            reading: { reply in
                reply.reading.flatMap { reading in
                    value(reading).map { ($0, packet(reading)) }
                }
            },
            isLacking: { $0.reading.map(isLacking) ?? false },
            blank: blank, edit: edit,
            write: { RingRequest(SettingRequest<Command>.write($0)) },
            isWritten: { $0.action == .write })
    }

    /// Creates a setting from its command, whose reading has the fields of a write.
    init<Command: SettingCommand & SendableMetatype>(
        _ command: Command.Type, blank: Command.Setting,
        value: @escaping @Sendable (Command.Setting) -> Value?,
        isLacking: @escaping @Sendable (Command.Setting) -> Bool = { _ in false },
        edit: @escaping Edit<Command.Setting>
    ) where Command.Reading == Command.Setting {
        self.init(
            command, blank: blank, value: value, packet: { $0 }, isLacking: isLacking, edit: edit)
    }
}

private typealias SettingWrite = RingRequest<Result<Void, DeviceError>>

private struct ReadSetting<Value: Sendable>: Sendable {
    let value: Value
    /// Returns the request that writes a change, and leaves the rest as it was read.
    let write: @Sendable (SettingChange<Value>) throws(DeviceError) -> SettingWrite
}

extension Ring {
    /// Reads a setting.
    public nonisolated(nonsending) func setting<Value: Sendable>(
        _ setting: RingSetting<Value>
    ) async throws(DeviceError) -> Value {
        try await require(setting.read).get().value
    }

    /// Changes a setting.
    ///
    /// A value that cannot be sent throws ``DeviceError/Kind/badValue``.
    public nonisolated(nonsending) func set<Value: Sendable>(
        _ setting: RingSetting<Value>, to value: Value
    ) async throws(DeviceError) {
        try await write(setting) { () throws(DeviceError) in try setting.write(value) }
    }

    /// Reads a setting, changes parts of it, and writes it.
    ///
    ///     try await ring.change(.goals) { $0.set(\.steps, to: 8000) }
    ///
    /// Rings have no request for a single part. The bytes of the other parts are written as they
    /// were read, also codes without a description and numbers beyond the limits; a change by
    /// another task in between is lost. Some rings confirm a write, and ignore it.
    public nonisolated(nonsending) func change<Value: Sendable>(
        _ setting: RingSetting<Value>, _ body: (inout SettingChange<Value>) -> Void
    ) async throws(DeviceError) {
        let read = try await require(setting.read).get()
        try await write(setting) { () throws(DeviceError) in
            var change = SettingChange(of: read.value)
            body(&change)
            return try read.write(change)
        }
    }

    private nonisolated(nonsending) func write<Value: Sendable>(
        _ setting: RingSetting<Value>, _ request: () throws(DeviceError) -> SettingWrite
    ) async throws(DeviceError) {
        let write: SettingWrite
        do throws(DeviceError) {
            write = try request()
        } catch {
            var error = error
            error.command = setting.read.command
            throw error
        }
        try await require(write).get()
    }
}

// MARK: - Codes of settings, as the numbers that rings have for them

extension Display.Hand: Codable {}

extension TouchGesture.App: Codable {}

extension UserPreferences.Sex: Codable {}

// MARK: - Values to fields

extension DailyPeriod {
    init(_ hours: DailyHours) { self.init(from: hours.start, to: hours.end) }
}

extension ClosedRange where Bound: FixedWidthInteger {
    /// Returns a duration in minutes, rounded; throws if it is out of the range. No negative
    /// duration is rounded to zero.
    func minutes(_ duration: Duration, _ field: FieldName) throws(DeviceError) -> Bound {
        let seconds = Int(clamping: duration.saturatedComponents.seconds)
        let rounded = seconds / 60 + (seconds % 60 >= 30 ? 1 : 0)
        return try .checked(seconds < 0 ? Swift.min(seconds / 60, -1) : rounded, field, in: self)
    }
}

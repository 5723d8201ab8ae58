internal import HaloProtocol

struct StoredDay: Sendable {
    let date: CivilDate
    /// The slots of all series, one series after another.
    var slots = [UInt8](repeating: 0, count: SlotSeries.bytesPerDay)
    var activity: [RingMemory.ActivitySlot]
    var totals = Movement.none
    var sleepMinutes = 0

    init(_ date: CivilDate, _ minutes: RingRetention.ActivityMinutes) {
        self.date = date
        activity = stride(from: 0, to: 96, by: minutes.rawValue / 15)
            .map(RingMemory.ActivitySlot.init)
    }
}

extension SlotSeries {
    func byte(of state: BodyState) -> UInt8 {
        switch self {
        case .heartRate: state.beatsPerMinute
        case .stress: state.stress
        case .variability: state.variabilityMilliseconds
        case .bloodOxygen: state.bloodOxygenPercent
        case .temperature: SkinTemperature.byte(tenthsOfCelsius: state.skinTemperatureTenths)
        case .hourEnd: 0
        }
    }

    func content(_ byte: UInt8) -> StoredEvent.Content {
        switch self {
        case .heartRate: .heartRate(byte)
        case .stress: .stress(byte)
        case .variability: .variability(byte)
        case .bloodOxygen: .bloodOxygen(byte)
        case .temperature: .temperature(byte)
        case .hourEnd: .activity
        }
    }
}

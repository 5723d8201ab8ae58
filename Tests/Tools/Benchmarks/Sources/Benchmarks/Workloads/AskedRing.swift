import HaloProtocol
import HaloSimulator
import HaloTransport

/// A ring without an air: events go in, and its output is received at once.
struct AskedRing {
    var ring: VirtualRing
    private(set) var now = Moment.origin
    /// The checksum of the ring's output so far.
    private(set) var checksum: UInt64 = 0
    private(set) var notifications = 0
    private var effects = PeripheralEffects()
    private var wake: Moment?

    /// Creates a ring that has just started.
    init(_ ring: VirtualRing, at clock: WallClock) {
        self.ring = ring
        handle(.started(clock))
    }

    /// Creates a ring that has run until a moment, and receives requests from then on.
    init(_ ring: VirtualRing, aliveUntil now: Moment) {
        self.ring = ring
        self.now = now
        handle(.changed)
    }

    /// Advances the time.
    mutating func advance(by duration: Duration) {
        let end = now + duration
        while let moment = wake, moment <= end {
            now = max(now, moment)
            wake = nil
            handle(.woken)
        }
        now = end
    }

    /// Connects, requests all stored records of some days, and disconnects.
    mutating func readEverything(today: CivilDate, days: UInt8) {
        connect()
        for day in 0..<days {
            ask(StressLog.Request(day: DaysAgo(day)).frame)
            ask(HeartRateVariabilityLog.Request(day: DaysAgo(day)).frame)
            ask(ActivityLog.Request(day: DaysAgo(day)).frame)
            if let date = today.advanced(byDays: -Int(day)) {
                ask(HeartRateLog.Request(day: date).frame)
            }
        }
        ask(TodayTotals.Request().frame)
        ask(Sleep.Request.allNights.frame)
        ask(BloodOxygen.Request.allDays.frame)
        ask(TemperatureSeries.Request.today.frame)
        handle(.disconnected)
    }

    /// Connects, and switches on all measurements that the ring makes by itself.
    mutating func switchEverythingOn() {
        connect()
        if let setting = try? AutoHeartRate.Setting(isOn: true, minutesPerMeasurement: 5) {
            ask(AutoHeartRate.Request.write(setting).frame)
        }
        ask(AutoStress.Request.write(ToggleSetting(.on)).frame)
        ask(AutoHeartRateVariability.Request.write(ToggleSetting(.on)).frame)
        ask(AutoBloodOxygen.Request.write(AutoBloodOxygen.Setting(.on)).frame)
        ask(TemperatureSetting.Request.write(.temperature, isOn: true).frame)
        handle(.disconnected)
    }

    private mutating func connect() {
        handle(.connected)
        handle(.maximumLength(244))
        for characteristic in characteristics where characteristic.properties.contains(.notify) {
            handle(.subscription(characteristic.id, isOn: true))
        }
    }

    private var characteristics: [GATTCharacteristic] {
        ring.services.flatMap(\.characteristics)
    }

    private mutating func ask(_ frame: Frame) {
        write(Array(frame.bytes), to: RingServices.uartWrite)
    }

    private mutating func ask(_ record: BigDataFrame) {
        write(record.bytes, to: RingServices.bigDataWrite)
    }

    private mutating func write(_ bytes: [UInt8], to uuid: BluetoothUUID) {
        guard let target = characteristics.first(where: { $0.uuid == uuid }) else { return }
        handle(.write(target.id, bytes, token: nil))
        advance(by: .seconds(4))
    }

    private mutating func handle(_ event: PeripheralEvent) {
        ring.handle(event, at: now, into: &effects)
        for effect in effects.all {
            switch effect {
            case .wake(let moment): wake = moment
            case .notify(_, let bytes):
                notifications += 1
                for byte in bytes { checksum = (checksum ^ UInt64(byte)) &* 0x100_0000_01B3 }
            case .value, .done, .refuse, .indicate, .disconnect, .advertise, .servicesChanged,
                .requestParameters:
                break
            }
        }
        effects.removeAll()
    }
}

/// A measurement on demand, with reports while it runs.
///
///     → 69 quantity action             action: see below
///     ← 69 quantity fault value second third beatIntervalMilliseconds…
///
///     action: two dialects; rings accept both. The vendor's app sends 00 for the heart rate and
///             25 for blood oxygen, stress and variability; others send 01 start, 02 pause,
///             03 continue, 04 stop
///     fault:  0 none, 1 not worn well, 2 nothing yet
///     value:  0 while warming up
///     second: systolic pressure, or 01 for a valid blood oxygen; third: diastolic pressure
///     beatIntervalMilliseconds: 2 bytes LE: the last time between two beats; not documented,
///             but it fits the heart rate in more than a hundred frames of an R12; one source
///             each has it from an R09, and from an H59 in a health check. Before the first heart
///             rate it may be something else: an RT02R sent 022C while it calibrated (one source)
///
/// On an R12 replies come twice a second: the heart rate, blood oxygen and stress have a value
/// after some 26 seconds, the variability after 60. An R02 is said to end by itself, after 30 to 60
/// seconds or ten values; one source saw an R02 (3.00.17) send one zero, nothing for some 25
/// seconds, ten values in five seconds, and then nothing. A ring measures one quantity at a time.
/// Quantities 4, 7, 9 and pressures of quantity 2: vendor notes only. Quantity 6: the same R02 and
/// an RT02R (3.11.00) sent a value each second for minutes without a "continue", the first one
/// after 15 to 19 seconds (one source); notes on R11CR firmware say that it ends after 40 seconds
/// without one, which may be sent from 10 seconds after the start. Quantity 11: one source.
///
/// A fault of 0 is no proof that the ring is worn: on a table that R02 reported 87 to 90 beats per
/// minute, in frames like those of a finger (one source).
public enum RealtimeMeasurement: RequestCommand, SingleReplyCommand {
    @inlinable public static var facts: CommandFacts {
        CommandFacts(0x69, "RealtimeMeasurement", "realtime measurement", .captured)
    }

    /// A request to start, pause, continue or stop a measurement.
    public struct Request: RequestPacket {
        public typealias Owner = RealtimeMeasurement

        public var quantity: Quantity
        public var action: Action
        @usableFromInline package var unclaimed = InlineBytes()

        @inlinable @inline(__always)
        public init(_ quantity: Quantity, _ action: Action = .start) {
            self.quantity = quantity
            self.action = action
        }

        /// Creates a request to start a measurement, with the bytes of the vendor's app.
        ///
        /// Only those for the heart rate, blood oxygen, stress and variability were captured.
        @inlinable
        public init(asVendor quantity: Quantity) {
            let isPlain = quantity == .heartRate || quantity == .heartRateStream
            self.init(quantity, isPlain ? .startAsVendor : .startAsVendor25)
        }

        @inlinable @inline(__always)
        public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            quantity = try io.code("quantity", packet?.quantity, .open)
            action = try io.code("action", packet?.action, .open)
            unclaimed = try io.unclaimed(packet?.unclaimed)
        }

        /// Accepts reports of this quantity, and frames that cannot be decoded.
        public func isAnswered(by frame: Frame) -> Bool {
            guard let reply = try? Reply(decoding: frame) else { return true }
            return reply.quantity == quantity
        }
    }

    /// A report of a running measurement.
    @frozen
    public struct Reply: ReplyPacket {
        public typealias Owner = RealtimeMeasurement

        public var quantity: Reported<Quantity>
        /// The reason for a missing value, or ``Fault/noFault``.
        public var fault: Reported<Fault>
        /// The value as it was sent; 0 while the sensor warms up. See ``reading``.
        public var value: UInt8
        /// The systolic pressure, or 1 for a valid blood oxygen.
        public var second: UInt8
        /// The diastolic pressure.
        public var third: UInt8
        /// The last time between two heart beats; 0 if there was none.
        public var beatIntervalMilliseconds: UInt16
        @usableFromInline package var unclaimed = InlineBytes()

        @usableFromInline static var validBloodOxygen: UInt8 { 1 }

        public init(
            _ quantity: Quantity, fault: Fault = .noFault, value: UInt8 = 0, second: UInt8 = 0,
            third: UInt8 = 0, beatIntervalMilliseconds: UInt16 = 0
        ) {
            self.quantity = Reported(quantity)
            self.fault = Reported(fault)
            self.value = value
            self.second = second
            self.third = third
            self.beatIntervalMilliseconds = beatIntervalMilliseconds
        }

        @inlinable @inline(__always)
        public init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            let quantity: Reported<Quantity> = try io.reported("quantity", packet?.quantity, .open)
            self.quantity = quantity
            fault = try io.reported("fault", packet?.fault, .open)
            let value = try io.uint8(
                "value", packet?.value, IO.isWatching ? quantity.facts.value : .measured,
                IO.isWatching ? quantity.facts.unit : .none)
            self.value = value
            if IO.isWatching, quantity == .temperature, value != 0 {
                io.means { Self.celsiusText(value) }
            }
            let unit: FieldUnit = IO.isWatching ? quantity.facts.pressureUnit : .none
            let second = try io.uint8(
                "second", packet?.second, IO.isWatching ? quantity.facts.second : .measured, unit)
            self.second = second
            if IO.isWatching, quantity == .bloodOxygen, second == Self.validBloodOxygen {
                io.means { "\(second) (valid)" }
            }
            third = try io.uint8(
                "third", packet?.third, IO.isWatching ? quantity.facts.third : .measured, unit)
            beatIntervalMilliseconds = try io.uint16(
                "beatIntervalMilliseconds", packet?.beatIntervalMilliseconds, .body(.beatInterval),
                .milliseconds)
            unclaimed = try io.unclaimed(packet?.unclaimed)
        }
    }

    /// A quantity that a ring can be requested to measure, if its hardware can.
    public enum Quantity: UInt8, FieldCode {
        /// The heart rate, once: about half a minute.
        case heartRate = 1
        /// Blood pressure (vendor notes only; no ring gave a result).
        case bloodPressure = 2
        case bloodOxygen = 3
        /// Fatigue (vendor notes only).
        case fatigue = 4
        /// Heart rate and blood pressure together.
        case healthCheck = 5
        /// The heart rate until a stop; some firmware needs repeated ``Action/resume`` requests.
        case heartRateStream = 6
        /// An electrocardiogram (vendor notes only).
        case electrocardiogram = 7
        case stress = 8
        /// Blood sugar (vendor notes only).
        case bloodSugar = 9
        /// Heart-rate variability: about a minute.
        case heartRateVariability = 10
        /// Temperature (one source).
        case temperature = 11

        public static let labels = FieldLabels<Quantity>([
            .heartRateStream: "heart rate, streaming",
            .heartRateVariability: "heart-rate variability",
        ])
    }

    /// An action, in one of the two dialects.
    public enum Action: UInt8, FieldCode {
        /// Starts, as the vendor's app does for the heart rate.
        case startAsVendor = 0x00
        case start = 0x01
        case pause = 0x02
        /// Continues, or keeps a stream from ending.
        case resume = 0x03
        /// Ends the measurement, as ``StopMeasurement`` does.
        case stop = 0x04
        /// Starts, as the vendor's app does for blood oxygen, stress and variability.
        case startAsVendor25 = 0x25

        /// `true` if the measurement runs after the action.
        public var runs: Bool { self != .pause && self != .stop }

        public static let labels = FieldLabels<Action>([
            .startAsVendor: "start, as the vendor's app", .resume: "continue",
            .startAsVendor25: "start, as the vendor's app with 25",
        ])
    }

    /// The reason for a missing value.
    public enum Fault: UInt8, FieldCode {
        case noFault = 0
        /// The ring is not worn, or not well.
        case notWorn = 1
        case nothingYet = 2

        public static let labels = FieldLabels<Fault>([.noFault: "none", .notWorn: "not worn well"])
    }

    /// A blood pressure.
    public struct Pressure: Hashable, Sendable {
        /// The higher pressure, while the heart contracts.
        public let systolicMillimetresOfMercury: UInt8
        /// The lower pressure, between beats.
        public let diastolicMillimetresOfMercury: UInt8
    }
}

/// The values of a report, by quantity: `nil` while the sensor warms up and in case of a fault.
extension RealtimeMeasurement.Reply {
    /// The value; `nil` for a fault, and for zero, which is neither a reading nor an error.
    @inlinable public var reading: UInt8? {
        fault == .noFault && value != 0 ? value : nil
    }

    /// `true` while the ring measures without a fault and has no result yet.
    public var isWarmingUp: Bool {
        guard fault == .noFault else { return false }
        return reading == nil && pressure == nil
    }

    /// The heart rate; `nil` for quantities other than the two heart rates and the health check.
    @inlinable public var beatsPerMinute: UInt8? {
        switch quantity {
        case .heartRate, .heartRateStream, .healthCheck: reading
        default: nil
        }
    }

    /// Returns a report of a valid blood oxygen.
    public static func bloodOxygen(percent: UInt8) -> RealtimeMeasurement.Reply {
        RealtimeMeasurement.Reply(.bloodOxygen, value: percent, second: validBloodOxygen)
    }

    /// Blood oxygen in percent, or `nil` if the ring does not mark it as valid.
    @inlinable public var bloodOxygenPercent: UInt8? {
        quantity == .bloodOxygen && second == Self.validBloodOxygen ? reading : nil
    }

    /// The stress score, 1 to 100; `nil` for other quantities.
    @inlinable public var stress: UInt8? { quantity == .stress ? reading : nil }

    /// Heart-rate variability in milliseconds; `nil` for other quantities.
    @inlinable public var variabilityMilliseconds: UInt8? {
        quantity == .heartRateVariability ? reading : nil
    }

    /// The blood pressure of a health check, or of quantity 2 (vendor notes only).
    public var pressure: RealtimeMeasurement.Pressure? {
        guard quantity == .bloodPressure || quantity == .healthCheck, fault == .noFault,
            second != 0, third != 0
        else { return nil }
        return RealtimeMeasurement.Pressure(
            systolicMillimetresOfMercury: second, diastolicMillimetresOfMercury: third)
    }

    @usableFromInline static func celsiusText(_ value: UInt8) -> String {
        SkinTemperature.text(value) + " °C (one source)"
    }

    /// The temperature in degrees Celsius, as one source guesses: a tenth of the value, plus 20.
    @inlinable public var celsius: Double? {
        guard quantity == .temperature, let reading else { return nil }
        return SkinTemperature.celsius(reading)
    }

    /// The last time between two heart beats; `nil` if there was none.
    ///
    /// It scatters around the heart rate. A report of a heart rate that has no value has none: some
    /// rings send other numbers in its place while they calibrate.
    @inlinable public var measuredBeatIntervalMilliseconds: UInt16? {
        switch quantity {
        case .heartRate, .heartRateStream, .healthCheck:
            if reading == nil { return nil }
        default: break
        }
        return beatIntervalMilliseconds == 0 ? nil : beatIntervalMilliseconds
    }
}

extension Reported<RealtimeMeasurement.Quantity> {
    /// The unit of the value, and what it gives away; what the two bytes after it give away, and
    /// their unit.
    @usableFromInline
    var facts:
        (
            unit: FieldUnit, value: FieldSecrecy, second: FieldSecrecy, third: FieldSecrecy,
            pressureUnit: FieldUnit
        )
    {
        switch known {
        case .heartRate, .heartRateStream:
            (.beatsPerMinute, .body(.pulse), .measured, .measured, .none)
        case .healthCheck:
            (
                .beatsPerMinute, .body(.pulse), .body(.systolic), .body(.diastolic),
                .millimetresOfMercury
            )
        case .bloodPressure:
            (.none, .measured, .body(.systolic), .body(.diastolic), .millimetresOfMercury)
        // 1 marks the value as valid.
        case .bloodOxygen: (.percent, .body(.oxygen), .measured(kept: 1), .measured, .none)
        case .stress, .fatigue: (.none, .body(.stress), .measured, .measured, .none)
        case .heartRateVariability:
            (.milliseconds, .body(.variability), .measured, .measured, .none)
        case .temperature: (.none, .body(.skinTemperature), .measured, .measured, .none)
        case .bloodSugar: (.none, .body(.sugar), .measured, .measured, .none)
        case .electrocardiogram, nil: (.none, .measured, .measured, .measured, .none)
        }
    }
}

/// A measurement that starts now and reports while it runs.
///
///     → 69 quantity action             action: see below
///     ← 69 quantity fault value second third interval…
///
///     action: two dialects, and rings take both. The vendor's app sends 00 for the heart rate and
///             25 for blood oxygen, stress and variability; others send 01 start, 02 pause,
///             03 continue, 04 stop
///     fault:  0 none, 1 not worn well, 2 nothing yet
///     value:  0 while warming up
///     second: systolic pressure, or 01 where a blood oxygen is valid; third: diastolic pressure
///     interval: 2 bytes LE: the last time between two beats in milliseconds; documented by nobody,
///             but it fits the heart rate in more than a hundred frames
///
/// On an R12 replies come twice a second: the heart rate, blood oxygen and stress have a value
/// after some 26 seconds, the variability after 60. R02 is said to end by itself, after 30 to 60
/// seconds or ten values. A ring measures one quantity at a time. Types 4, 7, 9 and pressures by
/// type 2: vendor notes only. Type 6: by notes on R11CR firmware it ends after 40 seconds unless
/// told to continue, 10 seconds after the start or later. Type 11: one source.
public enum RealtimeMeasurement: RequestCommand, SingleReplyCommand {
    @inlinable public static var opcode: UInt8 { 0x69 }
    @inlinable public static var name: FieldName { "RealtimeMeasurement" }
    @inlinable public static var title: FieldName { "realtime measurement" }
    @inlinable public static var evidence: Evidence { .captured }

    /// Starts, pauses, continues or stops a measurement.
    public struct Request: RequestPacket {
        public typealias Owner = RealtimeMeasurement

        /// What to measure.
        public var quantity: Quantity
        /// What to do.
        public var action: Action
        /// What follows; zeros so far.
        public let unclaimed: InlineBytes

        /// Starts a measurement, or does something else with it.
        @inlinable @inline(__always)
        public init(_ quantity: Quantity, _ action: Action = .start) {
            self.quantity = quantity
            self.action = action
            unclaimed = InlineBytes()
        }

        /// Starts a measurement with the bytes that the vendor's app sends.
        ///
        /// Only those for the heart rate, blood oxygen, stress and variability were captured.
        @inlinable
        public init(asVendor quantity: Quantity) {
            let isPlain = quantity == .heartRate || quantity == .heartRateStream
            self.init(quantity, isPlain ? .startAsVendor : .startAsVendor25)
        }

        @inlinable @inline(__always)
        public init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
            quantity = try reader.code("quantity")
            action = try reader.code("action")
            unclaimed = try reader.unclaimed()
        }

        /// A report of another quantity is none of this one.
        public func isAnswered(by frame: Frame) -> Bool {
            guard let reply = try? Reply(decoding: frame) else { return true }
            return reply.quantity == quantity
        }

        @inlinable @inline(__always)
        public func encode(into writer: inout FrameWriter) {
            writer.code("quantity", quantity)
            writer.code("action", action)
            writer.unclaimed(unclaimed)
        }
    }

    /// A report of a measurement that runs.
    public struct Reply: ReplyPacket {
        public typealias Owner = RealtimeMeasurement

        /// What is being measured.
        public var quantity: Reported<Quantity>
        /// Why there is no value, if the ring knows.
        public var fault: Reported<Fault>
        /// The value as it was sent, 0 while warming up; see ``reading``.
        public var value: UInt8
        /// Systolic pressure, or 1 where a blood oxygen is valid.
        public var second: UInt8
        /// Diastolic pressure.
        public var third: UInt8
        /// The last time between two heart beats, 0 when there is none; see ``beatInterval``.
        public var beatIntervalMilliseconds: UInt16
        /// What follows; zeros so far.
        public let unclaimed: InlineBytes

        @usableFromInline static var validBloodOxygen: UInt8 { 1 }

        /// A report.
        @inlinable @inline(__always)
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
            unclaimed = InlineBytes()
        }

        @inlinable @inline(__always)
        public init<Sink: FieldSink>(from reader: inout FrameReader<Sink>) throws(PacketError) {
            let quantity: Reported<Quantity> = try reader.reported("quantity")
            self.quantity = quantity
            fault = try reader.reported("fault")
            let value = try reader.uint8("value", Sink.isWatching ? quantity.unit : .none)
            self.value = value
            if Sink.isWatching, quantity == .temperature, value != 0 {
                reader.means { Self.celsiusText(value) }
            }
            let unit: FieldUnit = Sink.isWatching ? quantity.pressureUnit : .none
            let second = try reader.uint8("second", unit)
            self.second = second
            if Sink.isWatching, quantity == .bloodOxygen, second == Self.validBloodOxygen {
                reader.means { "\(second) (valid)" }
            }
            third = try reader.uint8("third", unit)
            beatIntervalMilliseconds = try reader.uint16("beatInterval", .milliseconds)
            unclaimed = try reader.unclaimed()
        }

        @inlinable @inline(__always)
        public func encode(into writer: inout FrameWriter) {
            writer.reported("quantity", quantity)
            writer.reported("fault", fault)
            writer.uint8("value", value)
            writer.uint8("second", second)
            writer.uint8("third", third)
            writer.uint16("beatInterval", beatIntervalMilliseconds)
            writer.unclaimed(unclaimed)
        }
    }

    /// What a ring can be told to measure; which of it, its hardware decides.
    public enum Quantity: UInt8, FieldCode {
        /// The heart rate, once: about half a minute.
        case heartRate = 1
        /// Blood pressure (vendor notes only; no ring gave a result).
        case bloodPressure = 2
        /// Blood oxygen.
        case bloodOxygen = 3
        /// Fatigue (vendor notes only).
        case fatigue = 4
        /// Heart rate and blood pressure together.
        case healthCheck = 5
        /// The heart rate until it is stopped; it wants to be told to continue.
        case heartRateStream = 6
        /// An electrocardiogram (vendor notes only).
        case electrocardiogram = 7
        /// Stress.
        case stress = 8
        /// Blood sugar (vendor notes only).
        case bloodSugar = 9
        /// Heart-rate variability: about a minute.
        case heartRateVariability = 10
        /// Temperature (one source).
        case temperature = 11

        public var label: FieldName {
            switch self {
            case .heartRate: "heart rate"
            case .bloodPressure: "blood pressure"
            case .bloodOxygen: "blood oxygen"
            case .fatigue: "fatigue"
            case .healthCheck: "health check"
            case .heartRateStream: "heart rate, streaming"
            case .electrocardiogram: "electrocardiogram"
            case .stress: "stress"
            case .bloodSugar: "blood sugar"
            case .heartRateVariability: "heart-rate variability"
            case .temperature: "temperature"
            }
        }
    }

    /// What to do, in either dialect.
    public enum Action: UInt8, FieldCode {
        /// Starts: what the vendor's app sends for the heart rate.
        case startAsVendor = 0x00
        /// Starts.
        case start = 0x01
        /// Interrupts.
        case pause = 0x02
        /// Goes on, or asks a stream not to end yet.
        case resume = 0x03
        /// Ends; ``StopMeasurement`` does so too.
        case stop = 0x04
        /// Starts: what the vendor's app sends for blood oxygen, stress and variability.
        case startAsVendor25 = 0x25

        /// Whether the measurement runs afterwards.
        public var runs: Bool { self != .pause && self != .stop }

        public var label: FieldName {
            switch self {
            case .startAsVendor: "start, as the vendor's app"
            case .start: "start"
            case .pause: "pause"
            case .resume: "continue"
            case .stop: "stop"
            case .startAsVendor25: "start, as the vendor's app with 25"
            }
        }
    }

    /// Why a ring has no value.
    public enum Fault: UInt8, FieldCode {
        /// Nothing is wrong.
        case noFault = 0
        /// It is not worn, or not well.
        case notWorn = 1
        /// There is nothing yet.
        case nothingYet = 2

        public var label: FieldName {
            switch self {
            case .noFault: "none"
            case .notWorn: "not worn well"
            case .nothingYet: "nothing yet"
            }
        }
    }
}

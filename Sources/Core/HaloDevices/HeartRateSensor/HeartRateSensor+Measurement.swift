public import HaloProtocol
internal import HaloTransport

extension HeartRateSensor {
    /// A measurement of a heart-rate sensor, with the time of its arrival.
    public struct Measurement: Hashable, Sendable, Codable, CustomStringConvertible {
        /// The heart rate in beats per minute; many sensors report 0 when they have lost the skin.
        public let beatsPerMinute: Int
        /// `true` while the sensor touches the skin; `nil` if it cannot tell.
        public let isTouchingSkin: Bool?
        /// The energy in kilojoules since ``HeartRateSensor/resetEnergy()``; `nil` in most
        /// measurements.
        public let energyKilojoules: Int?
        /// The moment of the arrival, on the transport's timeline.
        public let moment: Moment
        /// The local time of the arrival.
        public let time: CivilDateTime
        /// The seconds by which ``time`` is ahead of UTC.
        public let secondsFromUTC: Int
        /// The beats of the measurement, the oldest first.
        public let beats: [HeartBeat]

        /// Creates a value, for previews and tests.
        public init(
            beatsPerMinute: Int, isTouchingSkin: Bool? = nil, energyKilojoules: Int? = nil,
            moment: Moment, time: CivilDateTime, secondsFromUTC: Int, beats: [HeartBeat]
        ) {
            self.beatsPerMinute = beatsPerMinute
            self.isTouchingSkin = isTouchingSkin
            self.energyKilojoules = energyKilojoules
            self.moment = moment
            self.time = time
            self.secondsFromUTC = secondsFromUTC
            self.beats = beats
        }

        /// `false` if the sensor does not touch the skin, or has no heart rate: then the other
        /// values do not come from a heart.
        public var isWorn: Bool { isTouchingSkin != false && beatsPerMinute > 0 }

        /// The time of the arrival in UTC.
        public var utc: CivilDateTime {
            WallClock(local: time, secondsFromUTC: secondsFromUTC).utc
        }

        /// `2026-01-05 09:00:07: 64 bpm`.
        public var description: String { "\(time): \(beatsPerMinute) bpm" }

        init(
            _ measurement: HeartRateMeasurement, _ beats: [SensedBeat], at moment: Moment,
            _ clock: WallClock
        ) {
            let contact = measurement.contact
            let isTouching = contact == .notSupported ? nil : contact == .detected
            self.init(
                beatsPerMinute: Int(measurement.beatsPerMinute), isTouchingSkin: isTouching,
                energyKilojoules: measurement.energyKilojoules.map { Int($0) }, moment: moment,
                time: clock.local, secondsFromUTC: clock.secondsFromUTC,
                beats: beats.map { HeartBeat($0) })
        }
    }
}

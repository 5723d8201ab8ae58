package import HaloProtocol

/// The battery of a ring: it drains by the ring's load, and charges on the dock.
///
/// Charge is counted in microamperes times microseconds, so that any division of time gives the
/// same percent. The currents are chosen, not measured: a 17 mAh battery (of an R02) lasts about
/// seven days with little load and four with every measurement on, as owners report, and about ten
/// hours with a stream. A full charge takes an hour and a half at a constant rate; owners report
/// one to two hours, and there is no capture.
package struct RingBattery: Hashable, Sendable {
    package let capacityMicroampereHours: Int
    package var isOnDock: Bool
    package var load: Load
    /// The moment up to which the charge is counted.
    package private(set) var now: Moment

    /// The charge in microamperes times microseconds.
    private var charge: Int64

    /// Creates a battery, full and of 17 mAh by default. Values are clamped, the capacity to 1 to
    /// 1,000 mAh.
    package init(
        percent: Int = 100, capacityMicroampereHours: Int = 17_000, isOnDock: Bool = false,
        load: Load = Load(), at now: Moment = .origin
    ) {
        let capacity = capacityMicroampereHours.limited(to: 1_000...1_000_000)
        self.capacityMicroampereHours = capacity
        self.isOnDock = isOnDock
        self.load = load
        self.now = now
        let parts = Int64(percent.limited(to: 0...100))
        charge = Self.full(capacity) / 100 * parts
    }

    /// The level, 0 to 100, rounded up: only an empty battery has 0.
    package var percent: UInt8 {
        UInt8(clamping: (charge + Self.full(capacityMicroampereHours) / 100 - 1) / onePercent)
    }

    /// `true` if it is empty and not charging: the ring is off.
    package var isEmpty: Bool { charge == 0 && !isOnDock }

    /// Advances time. Returns the change of percent or emptiness, if any.
    @discardableResult
    package mutating func advance(to time: Moment) -> Change? {
        guard time > now else { return nil }
        let before = (percent, isEmpty)
        let full = Self.full(capacityMicroampereHours)
        let (flow, overflow) = time.microseconds(since: now).multipliedReportingOverflow(
            by: current)
        let (sum, carry) = charge.addingReportingOverflow(flow)
        let isMuch = overflow || carry
        charge = isMuch ? (current < 0 ? 0 : full) : sum.limited(to: 0...full)
        now = time
        if isEmpty { return before.1 ? nil : .empty }
        return percent == before.0 ? nil : .percent(percent)
    }

    /// The moment of the next change of percent, or `nil` if it stays.
    package var nextChange: Moment? {
        let current = current
        guard current != 0 else { return nil }
        let percent = Int64(percent)
        let missing: Int64
        if current > 0 {
            guard percent < 100 else { return nil }
            missing = percent * onePercent + 1 - charge
        } else {
            guard charge > 0 else { return nil }
            missing = charge - (percent - 1) * onePercent
        }
        let rate = Int64(current.magnitude)
        return now.advanced(byMicroseconds: (missing + rate - 1) / rate)
    }

    /// The current into the battery in microamperes, negative while it drains.
    private var current: Int64 {
        if isOnDock { return Int64(capacityMicroampereHours) * 2 / 3 }
        return charge > 0 ? -Int64(load.microamperes) : 0
    }

    private var onePercent: Int64 { Self.full(capacityMicroampereHours) / 100 }

    private static func full(_ microampereHours: Int) -> Int64 {
        Int64(microampereHours) * 3_600_000_000
    }

    package enum Change: Hashable, Sendable {
        case percent(UInt8)
        case empty
    }

    package struct Load: Hashable, Sendable {
        package var measurements = AutomaticMeasurements.all
        /// `true` while it is worn; otherwise optical measurements draw no current.
        package var isWorn = true
        package var isConnected = false
        /// `true` during a live measurement, a workout or raw sensor values.
        package var isStreaming = false

        /// The average current in microamperes: 95 for being on, 40 for a link, 1,500 for a stream.
        /// A heart rate adds 15 s at 900 µA, and each other optical measurement twice that.
        package var microamperes: Int {
            var current = 95 + (isConnected ? 40 : 0) + (isStreaming ? 1_500 : 0)
            guard isWorn else { return current }
            if let minutes = measurements.heartRateMinutes {
                current += 13_500 / (max(Int(minutes), 5) * 60)
            }
            if measurements.bloodOxygen { current += 27_000 / 3600 }
            if measurements.stress { current += 27_000 / 1800 }
            if measurements.variability { current += 27_000 / 3600 }
            return current
        }
    }
}

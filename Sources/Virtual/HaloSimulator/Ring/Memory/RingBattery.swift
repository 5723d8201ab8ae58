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
    private var charge: Int64 = 0

    /// Creates a battery, full and of 17 mAh by default. Values are clamped, the capacity to 1 to
    /// 1,000 mAh.
    package init(
        percent: Int = 100, capacityMicroampereHours: Int = 17_000, isOnDock: Bool = false,
        load: Load = Load(), at now: Moment = .origin
    ) {
        self.capacityMicroampereHours = capacityMicroampereHours.limited(to: 1_000...1_000_000)
        self.isOnDock = isOnDock
        self.load = load
        self.now = now
        charge = onePercent * Int64(percent.limited(to: 0...100))
    }

    /// The level, 0 to 100, rounded up: only an empty battery has 0.
    package var percent: UInt8 {
        UInt8(clamping: (charge + onePercent - 1) / onePercent)
    }

    /// `true` if it is empty and not charging: the ring is off.
    package var isEmpty: Bool { charge == 0 && !isOnDock }

    /// Advances time. Returns the change of percent or emptiness, if any.
    @discardableResult
    package mutating func advance(to time: Moment) -> Change? {
        guard time > now else { return nil }
        let before = (percent, isEmpty)
        let full = onePercent * 100
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
        let percent = Int64(percent)
        guard current >= 0 else { return moment(after: charge - (percent - 1) * onePercent) }
        guard current > 0, percent < 100 else { return nil }
        return moment(after: percent * onePercent + 1 - charge)
    }

    /// The moment at which it will be empty, or `nil` if it does not drain.
    var emptyTime: Moment? { current < 0 ? moment(after: charge) : nil }

    /// The moment at which this much charge will have come or gone. Only for a current other than
    /// 0, by which it divides.
    private func moment(after charge: Int64) -> Moment {
        let rate = Int64(current.magnitude)
        return now.advanced(byMicroseconds: (charge + rate - 1) / rate)
    }

    /// The current into the battery in microamperes, negative while it drains.
    private var current: Int64 {
        if isOnDock { return Int64(capacityMicroampereHours) * 2 / 3 }
        return charge > 0 ? -Int64(load.microamperes) : 0
    }

    private var onePercent: Int64 { Int64(capacityMicroampereHours) * 36_000_000 }

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

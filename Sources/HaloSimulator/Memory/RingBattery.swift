public import HaloProtocol

/// A ring's battery: it drains by what the ring does, and is charged on the dock.
///
/// Charge is counted in whole microamperes times microseconds, so that any way to cut time into
/// steps gives the same percent. The currents are chosen, not measured, so that a 17 mAh battery
/// (that of an R02) lasts about seven days with little to do and four with everything on, as
/// owners say, and fewer hours with a live stream. A full charge takes an hour and a half at an
/// even rate; owners speak of one to two hours, and nothing was captured.
public struct RingBattery: Hashable, Sendable {
    /// How much the full battery holds.
    public let capacityMicroampereHours: Int
    /// Whether the ring lies on its dock.
    public var isOnDock: Bool
    /// What the ring does: what it takes follows from it.
    public var load: Load
    /// Until when the charge was counted.
    public private(set) var now: Moment

    /// In microamperes times microseconds.
    private var charge: Int64

    /// A battery at a moment, 17 mAh and full if nothing else is said; values beyond their limits
    /// are moved to the nearest one, the capacity to 1 to 1,000 mAh.
    public init(
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

    /// How full it is, 0 to 100: a part of a percent counts as one, so that only an empty battery
    /// has 0.
    public var percent: UInt8 {
        UInt8(clamping: (charge + Self.full(capacityMicroampereHours) / 100 - 1) / onePercent)
    }

    /// Whether nothing is left: the ring is off until it lies on its dock.
    public var isEmpty: Bool { charge == 0 && !isOnDock }

    /// Lets time pass, and says whether percent or emptiness has changed.
    @discardableResult
    public mutating func advance(to time: Moment) -> Change? {
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

    /// When percent changes next, if nothing else does; nothing if it stays.
    public var nextChange: Moment? {
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

    /// Microamperes that flow into the battery, negative if out of it.
    private var current: Int64 {
        if isOnDock { return Int64(capacityMicroampereHours) * 2 / 3 }
        return charge > 0 ? -Int64(load.microamperes) : 0
    }

    private var onePercent: Int64 { Self.full(capacityMicroampereHours) / 100 }

    private static func full(_ microampereHours: Int) -> Int64 {
        Int64(microampereHours) * 3_600_000_000
    }

    /// What has changed.
    public enum Change: Hashable, Sendable {
        /// The battery has so many percent now.
        case percent(UInt8)
        /// The battery is empty, and the ring goes off.
        case empty
    }
}

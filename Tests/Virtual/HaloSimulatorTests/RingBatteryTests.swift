import HaloProtocol
import TestSupport
import Testing

@testable import HaloSimulator

/// A ring's battery.
@Suite(.passesTime) struct RingBatteryTests {
    private static let hour: Int64 = 3_600_000_000

    private func hours(_ count: Int64) -> Moment { Moment(microseconds: count * Self.hour) }

    /// The hours until a full battery is empty.
    private func life(_ load: RingBattery.Load) -> Int {
        var battery = RingBattery(load: load)
        var hour: Int64 = 0
        while !battery.isEmpty && hour < 1000 {
            hour += 1
            battery.advance(to: hours(hour))
        }
        return Int(hour)
    }

    @Test func lastsFourToSevenDays() {
        #expect(24 * 4...24 * 5 ~= life(RingBattery.Load()))
        let little = AutomaticMeasurements(
            heartRateMinutes: 60, bloodOxygen: false, stress: false, variability: false,
            temperature: false)
        #expect(24 * 7...24 * 8 ~= life(RingBattery.Load(measurements: little)))
    }

    @Test func whateverARingDoesMoreTakesMore() {
        let base = life(RingBattery.Load(measurements: .none))
        #expect(life(RingBattery.Load(measurements: .none, isConnected: true)) < base)
        #expect(life(RingBattery.Load()) < base)
        #expect(life(RingBattery.Load(isWorn: false)) == base)
        #expect(8...14 ~= life(RingBattery.Load(isStreaming: true)))
        let rare = AutomaticMeasurements(heartRateMinutes: 30)
        #expect(life(RingBattery.Load(measurements: rare)) > life(RingBattery.Load()))
        let odd = AutomaticMeasurements(heartRateMinutes: 0)
        #expect(life(RingBattery.Load(measurements: odd)) == life(RingBattery.Load()))
    }

    /// The current of each activity, in microamperes.
    @Test func eachMeasurementTakesItsShare() {
        let none = AutomaticMeasurements.none
        func taken(_ change: (inout AutomaticMeasurements) -> Void) -> Int {
            var measurements = none
            change(&measurements)
            return RingBattery.Load(measurements: measurements).microamperes - 95
        }
        #expect(RingBattery.Load(measurements: none).microamperes == 95)
        #expect(RingBattery.Load(measurements: none, isConnected: true).microamperes == 135)
        #expect(RingBattery.Load(measurements: none, isStreaming: true).microamperes == 1595)
        #expect(taken { $0.heartRateMinutes = 5 } == 45)
        #expect(taken { $0.heartRateMinutes = 30 } == 7)
        #expect(taken { $0.bloodOxygen = true } == 7)
        #expect(taken { $0.stress = true } == 15)
        #expect(taken { $0.variability = true } == 7)
        #expect(RingBattery.Load(isWorn: false).microamperes == 95)
    }

    @Test func isFullAfterAnHourAndAHalfOnTheDock() {
        var battery = RingBattery(percent: 0, isOnDock: true)
        battery.advance(to: Moment(microseconds: Self.hour * 3 / 2 - 60_000_000))
        #expect(battery.percent >= 99)
        battery.advance(to: Moment(microseconds: Self.hour * 3 / 2))
        #expect(battery.percent == 100)
        battery.advance(to: .distantFuture)
        #expect(battery.percent == 100)
    }

    @Test func stepsOfAnySizeGiveTheSamePercent() {
        var whole = RingBattery()
        var parts = RingBattery()
        whole.advance(to: hours(50))
        var time: Int64 = 0
        while time < 50 * Self.hour {
            time = min(time + 77_777_777, 50 * Self.hour)
            parts.advance(to: Moment(microseconds: time))
        }
        #expect(parts == whole)
        #expect(whole.percent < 60)
    }

    @Test(arguments: [false, true])
    func theNextChangeIsWhenThePercentChanges(_ isOnDock: Bool) {
        var battery = RingBattery(percent: 50, isOnDock: isOnDock)
        battery.advance(to: Moment(microseconds: 12_345))
        var percent = battery.percent
        while let next = battery.nextChange {
            #expect(battery.advance(to: next.advanced(byMicroseconds: -1)) == nil)
            let change = battery.advance(to: next)
            percent = isOnDock ? percent + 1 : percent - 1
            #expect(change == (percent == 0 ? .empty : .percent(percent)))
        }
        #expect(battery.percent == (isOnDock ? 100 : 0))
    }

    @Test func anEmptyBatterySaysSoOnceAndWakesOnTheDock() {
        var battery = RingBattery(percent: 1)
        #expect(battery.advance(to: hours(1000)) == .empty)
        #expect(battery.isEmpty && battery.percent == 0)
        #expect(battery.nextChange == nil)
        #expect(battery.advance(to: hours(1001)) == nil)
        battery.isOnDock = true
        #expect(!battery.isEmpty)
        #expect(battery.advance(to: hours(1002)) == .percent(67))
    }

    @Test func aPartOfAPercentCountsAsOne() {
        var battery = RingBattery()
        battery.advance(to: Moment(microseconds: 1))
        #expect(battery.percent == 100)
        var low = RingBattery(percent: 1)
        low.advance(to: Moment(microseconds: Self.hour / 2))
        #expect(low.percent == 1 && !low.isEmpty)
    }

    @Test func valuesBeyondTheirLimitsGoToTheNearest() {
        #expect(RingBattery(percent: 1000).percent == 100)
        #expect(RingBattery(percent: -5).percent == 0)
        #expect(RingBattery(capacityMicroampereHours: 0).capacityMicroampereHours == 1_000)
        #expect(RingBattery(capacityMicroampereHours: .max).capacityMicroampereHours == 1_000_000)
    }

    @Test func timeBeyondAllBoundsDoesNoHarm() {
        var battery = RingBattery(at: Moment(microseconds: .min))
        #expect(battery.advance(to: .distantFuture) == .empty)
        #expect(battery.advance(to: .origin) == nil)
        #expect(battery.now == .distantFuture)
        battery.isOnDock = true
        #expect(battery.nextChange == .distantFuture)
    }
}

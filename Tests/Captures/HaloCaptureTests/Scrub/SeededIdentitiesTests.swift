import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloCapture

/// The substitutes for names, addresses, days and values of a body.
@Suite(.computes) struct SeededIdentitiesTests {
    private static let seeds = 0..<UInt64(Thoroughness.scaled(120))

    /// Zeros stay zeros, and the kind of a random address is kept. No address keeps its value.
    @Test func noAddressStaysItself() {
        for seed in Self.seeds {
            var random = SplitMix(seed: seed)
            var identities = SeededIdentities()
            for old in [0x5A, 0x5B, 0x77, 0x10] as [UInt64] {
                let short = identities.address(old, &random)
                #expect(short != old && short <= 0xFF, "seed \(seed)")
                let known = identities.address(old, &random)
                #expect(known == short)
            }
            let gap = identities.address(0xC122_0044_0066, &random)
            #expect(gap & 0xC000_FF00_FF00 == 0xC000_0000_0000, "seed \(seed)")
            #expect(gap & 0xFF_0000 != 0 && gap & 0xFF != 0, "seed \(seed)")
            #expect(identities.addresses.count == 5)
        }
        var random = SplitMix(seed: 1)
        var identities = SeededIdentities()
        let zero = identities.address(0, &random)
        #expect(zero == 0)
    }

    /// A ring's name ends with two bytes of its address. If several addresses match, the lowest one
    /// is used.
    @Test(arguments: [[0x11_5566, 0x22_5566], [0x22_5566, 0x11_5566]] as [[UInt64]])
    func aNameEndsWithTheSubstituteForItsAddress(addresses: [UInt64]) throws {
        var random = SplitMix(seed: 5)
        var identities = SeededIdentities()
        for address in addresses { _ = identities.address(address, &random) }
        let lowest = try #require(identities.addresses[0x11_5566])
        let bytes = [UInt8(truncatingIfNeeded: lowest >> 8), UInt8(truncatingIfNeeded: lowest)]
        let name = identities.text(Array("R02_5566".utf8), .names, &random)
        #expect(String(decoding: name, as: UTF8.self) == "R02_" + HexText.bytes(bytes))
        let other = identities.text(Array("R02_5567".utf8), .names, &random)
        #expect(other.starts(with: "R02_".utf8) && other.count == 8)
    }

    /// Names of a model with a part of an address, by their lengths.
    @Test(
        arguments: [
            ("R02_55D2", true), ("R02X_55D2", true), ("COLMI R02_55d2", true), ("R02", false),
            ("R02_55D", false), ("R02_55D2A", false), ("R02_55DG", false), ("R0_55D2", false),
            ("R02XY_55D2", false), ("R02x_55D2", false), ("S02_55D2", false), ("RA2_55D2", false),
            ("R0A_55D2", false), ("COLMI_55D2", false), ("R02-55D2", false), ("", false),
        ] as [(String, Bool)])
    func modelsAreRecognised(name: String, isModel: Bool) {
        #expect(SeededIdentities.isModelWithAddress(Array(name.utf8)) == isModel)
    }

    /// Each character is replaced by one of its kind, and each byte by a random one.
    @Test(arguments: ["abc", "XYZ", "0189", "éü", "Ωя", "中文", "🙂🙃"])
    func charactersStayOfTheirSort(text: String) {
        let old = Array(text.utf8)
        var found = [Set<UInt8>](repeating: [], count: old.count)
        for seed in 0..<60 as Range<UInt64> {
            var random = SplitMix(seed: seed)
            var identities = SeededIdentities()
            let new = identities.text(old, .names, &random)
            #expect(new.count == old.count && new != old)
            let made = String(decoding: new, as: UTF8.self)
            #expect(made.utf8.elementsEqual(new), "\(new)")
            #expect(made.unicodeScalars.count == text.unicodeScalars.count)
            for (place, byte) in new.enumerated() { found[place].insert(byte) }
        }
        for (place, byte) in old.enumerated() {
            // The first byte of a letter of Latin-1, and of four bytes.
            #expect((found[place].count > 1) == ![0xC3, 0xF0].contains(byte), "\(place)")
        }
    }

    /// Bytes that are not UTF-8 are replaced one by one. Zeros are kept, and separators in texts.
    @Test func strangeBytesAreDrawn() {
        var random = SplitMix(seed: 2)
        var identities = SeededIdentities()
        let strange = identities.text([0xFF, 0, 0x41], .names, &random)
        #expect(strange.count == 3 && strange[1] == 0 && strange[0] != 0 && strange[2] != 0)
        let spaced = identities.text(Array("a b-c".utf8), .names, &random)
        #expect(spaced[1] == UInt8(ascii: " ") && spaced[3] == UInt8(ascii: "-"))
        // Where there is nothing but separators, they are drawn at last.
        let separator = identities.text(Array("~".utf8), .names, &random)
        #expect(separator.count == 1 && 0x21...0x2F ~= separator[0])
        #expect(identities.texts.count == 3)
        _ = identities.text(Array("~".utf8), .names, &random)
        #expect(identities.texts.count == 3)
    }

    /// `[_Zw` is 孟婷 in UTF-16: two separators that may be one character are drawn as well.
    @Test func separatorsThatMayBeACharacterAreDrawn() {
        var random = SplitMix(seed: 2)
        var identities = SeededIdentities()
        let wide = identities.text(Array("[_Zw".utf8), .names, &random)
        #expect(wide.prefix(2).allSatisfy { 0x21...0x2F ~= $0 })
        let narrow = identities.text(Array("a[_w".utf8), .names, &random)
        #expect(narrow[1...2].elementsEqual("[_".utf8))
    }

    /// A thousand texts are searched for, those that only advertisements have last.
    @Test func aThousandTextsAreLookedFor() {
        var random = SplitMix(seed: 2)
        var identities = SeededIdentities()
        func name(_ number: Int) -> [UInt8] { Array("name \(number)".utf8) }
        for number in 0..<1_002 { identities.note(name(number), .names, isOwn: false) }
        identities.note(name(0), .names, isOwn: false)
        for number in [1_001, 5_000] { identities.note(name(number), .names, isOwn: true) }
        identities.drawNoted(&random)
        #expect(identities.wanted.count == 1_000 && identities.texts.count == 1_003)
        #expect(identities.wanted.prefix(3) == [name(1_001), name(5_000), name(0)])
        #expect(identities.wanted.last == name(997))
    }

    /// Beyond four megabytes of texts, each gets another substitute each time.
    @Test func theTextsHaveALimit() {
        var random = SplitMix(seed: 2)
        var identities = SeededIdentities()
        func text(_ number: Int) -> [UInt8] {
            Array(repeating: UInt8(ascii: "a"), count: 65_000) + Array("\(number)".utf8)
        }
        for number in 0..<100 { identities.note(text(number), .names, isOwn: true) }
        identities.drawNoted(&random)
        #expect(identities.texts.count == 65)
        let known = identities.text(text(64), .names, &random)
        #expect(identities.text(text(64), .names, &random) == known)
        let unknown = identities.text(text(65), .names, &random)
        #expect(unknown != text(65) && identities.text(text(65), .names, &random) != unknown)
        #expect(identities.texts.count == 65)
    }

    // MARK: The calendar

    private static func date(_ year: Int, _ month: Int, _ day: Int) throws -> CivilDate {
        try CivilDate(year: year, month: month, day: day)
    }

    /// Calendars are shifted by whole weeks, from one to ten years in either direction.
    @Test func calendarsAreShiftedByWeeks() throws {
        var ways: Set<Bool> = []
        for seed in Self.seeds {
            var random = SplitMix(seed: seed)
            let calendar = ShiftedCalendar(&random)
            #expect(calendar.days % 7 == 0 && 364...3_640 ~= abs(calendar.days))
            ways.insert(calendar.days > 0)
            let day = try Self.date(2050, 3, 1)
            #expect(calendar.shifted(day) == day.advanced(byDays: calendar.days))
            #expect(calendar.shifted(seconds: 0) == 0)
            let later = calendar.shifted(seconds: 2_000_000_000)
            #expect(Int(later) == 2_000_000_000 + calendar.days * 86_400)
        }
        #expect(ways.count == 2)
    }

    /// Days of other centuries are not shifted. Days at the ends of this century wrap around.
    @Test func calendarsEndWithTheCentury() throws {
        let before = try Self.date(1999, 12, 31)
        let first = try Self.date(2001, 1, 1)
        let last = try Self.date(2099, 12, 31)
        let behind = try Self.date(2100, 1, 1)
        for seed in Self.seeds {
            var random = SplitMix(seed: seed)
            let calendar = ShiftedCalendar(&random)
            #expect(calendar.shifted(before) == nil && calendar.shifted(behind) == nil)
            let days = calendar.days
            let early = days < -366 ? days + 36_525 : days
            #expect(calendar.shifted(first) == first.advanced(byDays: early))
            #expect(
                calendar.shifted(last) == last.advanced(byDays: days > 0 ? days - 36_525 : days))
        }
    }

    /// An unknown year (2000) is that of the first date with a year, or 2024.
    @Test(arguments: [(nil, 2024), (2023, 2023), (2001, 2001), (2000, 2024)] as [(Int?, Int)])
    func aForgottenYearIsThatOfTheOthers(learnt: Int?, year: Int) throws {
        for seed in 0..<40 as Range<UInt64> {
            var random = SplitMix(seed: seed)
            var calendar = ShiftedCalendar(&random)
            calendar.learn(nil)
            if let learnt { calendar.learn(try Self.date(learnt, 5, 5)) }
            if learnt == 2023 { calendar.learn(try Self.date(2030, 5, 5)) }
            let known = try Self.date(year, 10, 10)
            let forgotten = try Self.date(2000, 10, 10)
            let moved = try #require(calendar.shifted(known))
            let expected = try Self.date(2000, moved.month, moved.day)
            #expect(calendar.shifted(forgotten) == expected, "seed \(seed)")
        }
    }

    // MARK: The body

    /// Random values reach both ends of their range, in steps that a body's values may have.
    @Test(
        arguments: [
            (.oxygen, 92...99, 1), (.pulse, 50...128, 4), (.stress, 12...88, 6),
            (.variability, 18...95, 6), (.skinTemperature, 150...172, 1), (.sugar, 70...150, 3),
            (.systolic, 102...138, 3), (.diastolic, 62...88, 3),
            (.hundredthsOfCelsius, 3450...3720, 8), (.beatInterval, 480...1200, 40),
            (.beatTicks, 490...1230, 40), (.age, 19...79, nil),
            (.height, 150...197, nil), (.weight, 46...112, nil),
            (.pulseFloor, 40...55, nil), (.pulseCeiling, 100...180, nil),
            (.goalMinutes, 20...120, nil), (.speed, 20...250, nil), (.stepRate, 60...180, nil),
            (.nightMinutes, 240...560, nil),
        ] as [(BodyQuantity, ClosedRange<UInt64>, UInt64?)])
    func valuesOfABodyStayInTheirRange(
        sample: BodyQuantity, range: ClosedRange<UInt64>, step: UInt64?
    ) {
        var random = SplitMix(seed: 11)
        var body = SeededBody()
        var last: UInt64?
        var found: ClosedRange<UInt64>?
        var longest: UInt64 = 0
        for _ in 0..<20_000 {
            let value = body.next(sample, &random)
            if let last { longest = max(longest, max(value, last) - min(value, last)) }
            found = min(found?.lowerBound ?? value, value)...max(found?.upperBound ?? value, value)
            last = value
        }
        #expect(found == range)
        if let step { #expect(longest == step) } else { #expect(longest > 8) }
    }

    /// The ends of ranges that are too long to be drawn completely, up to the highest goals.
    @Test(
        arguments: [
            (.slotSteps, 8...1900), (.slotEnergy, 5...900), (.slotMetres, 6...1400),
            (.light, 2000...52_000), (.goalSteps, 3000...19_500),
            (.goalCalories, 100_000...900_000), (.goalMetres, 2000...15_000),
        ] as [(BodyQuantity, ClosedRange<UInt64>)])
    func longRangesHaveTheirEnds(sample: BodyQuantity, range: ClosedRange<UInt64>) {
        let walk = sample.walk
        #expect(walk.range == range && walk.step == (sample == .light ? 900 : nil))
    }

    /// The first total is at least one, and at most 3.2 times its original.
    @Test func smallTotalsStaySmall() throws {
        for seed in Self.seeds {
            var random = SplitMix(seed: seed)
            var totals = SeededTotals()
            totals.learn(.steps, 1)
            totals.draw(&random)
            var again = SplitMix(seed: seed)
            let percent = again.remainder(in: 40...160)
            let new = try #require(totals.value(.steps, 1))
            #expect((1...max(1, 2 * percent / 100)).contains(new), "seed \(seed)")
        }
    }

    // MARK: Kinds

    @Test func kindsHaveNames() {
        let names = ["addresses", "names", "serials", "dates", "health", "unknown", "comments"]
        #expect(ScrubKind.all.map(\.name) == names)
        #expect(
            ScrubKind.all == [
                .addresses, .names, .serials, .dates, .health, .unknown, .comments,
            ])
        #expect(names.map { ScrubKind(named: $0) } == ScrubKind.all.map { Optional($0) })
        #expect(ScrubKind.all.map(\.description) == names)
        for other in ["", "address", "Names", "names "] { #expect(ScrubKind(named: other) == nil) }
        let options = ScrubOptions(keeping: [.names])
        #expect(ScrubKind.all.filter { options.keeps($0) } == [.names])
        #expect(ScrubOptions().kept.isEmpty)
    }

    @Test func aReportNamesTheFirstHundred() {
        var report = ScrubReport()
        for line in 1...103 {
            report.note(ScrubReport.Obscured(line: line, channel: .uart, reason: "\(line)"))
        }
        #expect(report.obscuredCount == 103)
        #expect(report.obscured.map(\.line) == Array(1...100))
        report.count(.names)
        report.count(.names, 4)
        report.count(.dates, 2)
        #expect(report.replaced == [.names: 5, .dates: 2])
    }
}

import HaloCapture
import TestSupport
import Testing

@testable import HaloTraffic

/// Controllers' reports of advertisements. The events were written by bumble 0.0.236.
@Suite(.computes) struct LinkAdvertisingTests {
    private static let address = "C1:22:33:44:55:66r"
    private static let two =
        "04 3E 1D 02 02 00 01 66 55 44 33 22 C1 03 02 01 06 C4 04 01 66 55 44 33 22 C1 04 03 09 "
        + "F0 F1 7F"
    private static let extended =
        "04 3E 1D 0D 01 13 00 01 66 55 44 33 22 C1 01 02 03 7F BA 00 00 00 00 00 00 00 00 00 03 "
        + "02 01 06"
    /// Two reports of one advertisement: the first announces more data.
    private static let parts =
        "04 3E 35 0D 02 21 00 01 66 55 44 33 22 C1 01 02 03 7F BA 00 00 00 00 00 00 00 00 00 02 "
        + "01 02 01 00 01 66 55 44 33 22 C1 01 02 03 7F BA 00 00 00 00 00 00 00 00 00 01 03"

    private func lines(_ events: [String]) -> [String] {
        var feed = LinkFeed()
        for event in events { feed.h4(event, .toHost) }
        feed.finish()
        return feed.lines
    }

    @Test func emitsEachReport() {
        #expect(
            lines([Self.two]) == [
                "adv \(Self.address) -60 02 01 06", "scan \(Self.address) - 03 09 F0 F1",
            ])
        #expect(lines([Self.extended]) == ["adv \(Self.address) -70 02 01 06"])
    }

    @Test func joinsReportsOfOneAdvertisement() {
        #expect(lines([Self.parts]) == ["adv \(Self.address) -70 01 02 03"])
    }

    @Test func dropsUnfinishedPackets() {
        // The first part alone, then another advertisement's.
        let first =
            "04 3E 1C 0D 01 21 00 01 66 55 44 33 22 C1 01 02 03 7F BA 00 00 00 00 00 00 00 00 00 "
            + "02 01 02"
        let other = Self.extended.replacing("22 C1", with: "22 C2")
        #expect(
            lines([first, other]) == ["odd 4", "adv C2:22:33:44:55:66r -70 02 01 06"])
        #expect(lines([first]) == ["odd 4"])
        let endless = lines([String](repeating: first, count: 1000))
        // More than an advertisement can have, and then the last ones.
        #expect(endless == ["odd 4", "odd 4"])
    }

    @Test func anonymousAdvertisementsHaveNoAddress() {
        #expect(
            lines([Self.extended.replacing("13 00 01", with: "13 00 FF")])
                == ["adv - -70 02 01 06"])
    }

    /// Reports of advertisements that are directed at the recorder: in the old form, and with the
    /// addressee, which is left out.
    @Test func directedAdvertisementsHaveNoData() {
        #expect(
            lines(["04 3E 0C 02 01 01 01 66 55 44 33 22 C1 00 C4"])
                == ["adv \(Self.address) -60 "])
        let report = "01 01 66 55 44 33 22 C1 01 06 05 04 03 02 41 "
        #expect(
            lines(["04 3E 22 0B 02 \(report) C4 \(report) 7F"]) == [
                "adv \(Self.address) -60 ", "adv \(Self.address) - ",
            ])
        #expect(lines(["04 3E 11 0B 01 \(report)"]) == ["odd 0"])
    }

    @Test func endsAtEveryByte() {
        let directed = "04 3E 12 0B 01 01 01 66 55 44 33 22 C1 01 06 05 04 03 02 41 C4"
        for event in [Self.two, Self.extended, Self.parts, directed] {
            let whole = bytes(event)
            for count in 3..<whole.count {
                var feed = LinkFeed()
                var cut = Array(whole[..<count])
                feed.h4(cut, .toHost)
                #expect(feed.lines == ["odd 0"])
                // And with a length that fits what is left.
                cut[2] = UInt8(count - 3)
                feed.probe.lines = []
                feed.h4(cut, .toHost)
                #expect(feed.lines.count <= 2)
            }
        }
    }
}

import HaloProtocol
import TestSupport
import Testing

@Suite(.computes) struct LEDStripTests {
    @Test func commandsAreAsDescribed() throws {
        #expect(HexText.bytes(LEDStripCommand.Switch(.on).bytes) == "CC2333")
        #expect(HexText.bytes(LEDStripCommand.Switch(.off).bytes) == "CC2433")
        #expect(
            HexText.bytes(LEDStripCommand.Colour(red: 0x5A, green: 0, blue: 0x9D).bytes)
                == "565A009D00F0AA")
        #expect(HexText.bytes(LEDStripCommand.Colour(white: 0x30).bytes) == "56000000300FAA")
        #expect(HexText.bytes(LEDStripCommand.Show(.greenFade, speed: 31).bytes) == "BB271F44")
        #expect(HexText.bytes(LEDStripCommand.StatusRequest().bytes) == "EF0177")
        let time = CivilDateTime(
            try CivilDate(year: 2016, month: 2, day: 28),
            try CivilTime(hour: 5, minute: 7, second: 24))
        #expect(HexText.bytes(LEDStripClock(time).bytes) == "101410021C050718070001")
    }

    @Test(
        arguments: [
            [0xCC, 0x23, 0x33], [0xCC, 0x24, 0x33], [0x56, 0xDE, 0xAD, 0xFF, 0x01, 0x0F, 0xAA],
            [0x56, 1, 2, 3, 0, 0xF0, 0xAA], [0xBB, 0x99, 0, 0x44], [0xEF, 0x01, 0x77],
            [0x10, 0x14, 0x10, 2, 28, 5, 7, 24, 0, 0, 1],
        ] as [[UInt8]])
    func commandsSurviveBothDirections(bytes: [UInt8]) throws {
        let type = DeviceFamily.ledStrip.packet(.toDevice, startingWith: bytes[0])
        let form = try #require(type).form
        #expect(try form.reencode(bytes) == bytes)
        for length in 0..<bytes.count {
            #expect(kind { try form.reencode(Array(bytes[..<length])) } == .truncated)
        }
        #expect(kind { try form.reencode(bytes + [0]) } == .trailingBytes)
        var broken = bytes
        broken[bytes.count - 1] ^= 1
        #expect(kind { try form.reencode(broken) } == .wrongMarker)
    }

    @Test(arguments: [
        ("66152341200 0FF00000006 99", LEDStripCommand.Power.on, LEDStripMode.steady),
        ("66 15 23 27 20 1F FF 00 00 00 06 99", .on, .greenFade),
        ("66 15 24 34 20 10 FF 00 00 00 06 99", .off, .yellowStrobe),
        ("66 15 23 41 20 00 00 00 00 30 06 99", .on, .steady),
    ])
    func statusSurvivesBothDirections(
        text: String, power: LEDStripCommand.Power, mode: LEDStripMode
    ) throws {
        let digits = text.utf8.compactMap(HexText.value(ofDigit:))
        let bytes = stride(from: 0, to: digits.count, by: 2).map {
            digits[$0] << 4 | digits[$0 + 1]
        }
        let status = try LEDStripStatus(decoding: bytes)
        #expect(status.bytes == bytes)
        #expect(status.power == power)
        #expect(status.mode == mode)
    }

    @Test func aStatusIsDarkByDefault() {
        #expect(
            LEDStripStatus(power: .on).bytes
                == [0x66, 0x15, 0x23, 0x41, 0x20, 0, 0, 0, 0, 0, 0x06, 0x99])
    }

    @Test func unknownModesAreKept() throws {
        let status = try LEDStripStatus(
            decoding: [0x66, 1, 2, 0x99, 4, 5, 6, 7, 8, 9, 10, 0x99])
        #expect(status.mode.known == nil)
        #expect(status.bytes == [0x66, 1, 2, 0x99, 4, 5, 6, 7, 8, 9, 10, 0x99])
    }
}

import HaloProtocol
import TestSupport
import Testing

/// A printed value shows its fields by name, not its storage.
@Suite(.computes) struct PrintedValueTests {
    @Test func printsAMeasurement() throws {
        let value = try HeartRateMeasurement(
            beatsPerMinute: 61, contact: .detected, energyKilojoules: 7, rrIntervals: [800, 812])
        #expect(
            String(describing: value) == "HeartRateMeasurement(beatsPerMinute: 61, contact: "
                + "HaloProtocol.HeartRateMeasurement.Contact.detected, "
                + "energyKilojoules: Optional(7), rrIntervals: [800, 812])")
    }

    @Test func printsADayOfTotals() throws {
        let date = try DecimalDate(CivilDate(year: 2026, month: 11, day: 22))
        let day = try DailyTotals.Day(daysAgo: 12, date: date)
        #expect(
            Mirror(reflecting: day).children.map { "\($0.label ?? ""): \($0.value)" }
                == ["offset: 18", "date: \(date)"])
    }

    @Test func printsCapabilities() {
        let labels = Mirror(reflecting: SetTime.Reply()).children.compactMap(\.label)
        #expect(labels.count == 12)
        #expect(
            labels.suffix(4) == [
                "mediaFeatures", "companionFeatures", "contactTens", "stressFeatures",
            ])
    }

    @Test func printsHours() throws {
        let hours = (0..<24).map { (minimum: UInt8($0), maximum: UInt8($0) + 100) }
        let values = Mirror(reflecting: try HourlyRanges(hours)).children.first
        #expect(values?.label == "values")
        #expect(values?.value as? [UInt8] == hours.flatMap { [$0.minimum, $0.maximum] })
    }
}

/// Explanations of packets whose types are the program's own.
@Suite(.computes) struct OwnPacketTests {
    private struct Thermometer: BytePacket {
        static var name: PacketName { PacketName("Thermometer") }
        let tenths: UInt16
        let site: UInt8

        init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            tenths = try io.uint16("tenths", packet?.tenths, .open)
            site = try io.uint8("site", packet?.site, .open, in: 1...9)
        }
    }

    private struct Lamp: FramePacket {
        static var name: PacketName { PacketName("Lamp") }
        static var opcode: UInt8 { 0x5A }
        let level: UInt8
        let unclaimed: InlineBytes

        init<IO: FrameIO>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            level = try io.uint8("level", packet?.level, .open, in: 1...9)
            unclaimed = try io.unclaimed(packet?.unclaimed)
        }
    }

    @Test func bytesAreExplainedAsTheirType() {
        let explanation = Explanation(
            of: [0x2C, 0x01, 2], as: Thermometer.self, title: "a reading")
        #expect(explanation.reading == "Thermometer(tenths: 300, site: 2)")
        #expect(explanation.heading == "Thermometer: a reading")
        #expect(explanation.reencoded == [0x2C, 0x01, 2])
        let refused = Explanation(of: [0xFF, 0xFF, 0], as: Thermometer.self)
        #expect(refused.status == .refused)
        #expect(refused.problem?.contains("site") == true)
    }

    @Test func framesAreExplainedAsTheirType() throws {
        let explanation = Explanation(of: try Frame(opcode: 0x5A, payload: [7]), as: Lamp.self)
        #expect(explanation.reading == "Lamp(level: 7)")
        #expect(explanation.fields.map(\.name) == ["opcode", "level", "unclaimed", "checksum"])
        #expect(explanation.status == .decoded)
        #expect(
            explanation.description == """
                Lamp: Lamp
                  0      5A                       opcode     Lamp
                  1      07                       level      7
                  2–9    00 00 00 00 00 00 00 00  unclaimed  zero
                  10–14  00 00 00 00 00
                  15     61                       checksum   right
                """)
        let refused = Explanation(of: try Frame(opcode: 0x5B, payload: [7]), as: Lamp.self)
        #expect(refused.status == .refused && refused.reencoded == nil)
    }
}

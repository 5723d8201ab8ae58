import HaloProtocol
import TestSupport
import Testing

@Suite(.computes) struct CharacteristicTests {
    /// A value of each characteristic in the catalogue.
    static let values: [(UInt16, [UInt8])] = [
        (0x2A19, [100]), (0x2A19, [255]), (0x2A19, [0]),
        (0x2A23, [0xFF, 0xEE, 0xDD, 0xFE, 0xFF, 0xCC, 0xBB, 0xAA]),
        (0x2A23, [1, 2, 3, 4, 5, 6, 7, 8]),
        (0x2A24, Array("R02".utf8)), (0x2A25, []), (0x2A25, [0]),
        (0x2A26, Array("R02_3.00.06_240523".utf8)), (0x2A27, Array("R02_V3.0\0\0".utf8)),
        (0x2A28, Array("a\0b\0".utf8)), (0x2A29, Array("智能戒指 €𝄞".utf8)),
        (0x2A2A, []), (0x2A2A, [1, 2, 3]), (0x2A37, [0x16, 60, 0, 4]),
        (0x2A38, [3]), (0x2A38, [7]), (0x2A39, [1]),
        (0x2A50, [1, 0x34, 0x12, 0x78, 0x56, 0x13, 0x02]),
        (0x2A50, [9, 0, 0, 0, 0, 0xFF, 0xFF]),
    ]

    @Test(arguments: values)
    func survivesBothDirections(number: UInt16, bytes: [UInt8]) throws {
        let entry = try #require(
            CharacteristicCatalog.entry(BluetoothUUID(UInt32(number))))
        #expect(try entry.form.reencode(bytes) == bytes)
        var recorder = FieldRecorder()
        #expect(try entry.form.record(bytes, &recorder) == bytes)
        #expect(recorder.fields.reduce(0) { $0 + $1.length } == bytes.count)
    }

    @Test func theCatalogueIsOrderedAndComplete() {
        let numbers = CharacteristicCatalog.entries.map(\.number)
        #expect(numbers == numbers.sorted())
        #expect(Set(numbers) == Set(Self.values.map(\.0)))
        #expect(CharacteristicCatalog.entry(RingServices.uartNotify) == nil)
    }

    @Test(
        arguments: [
            (0x2A19, 1), (0x2A23, 8), (0x2A38, 1), (0x2A39, 1), (0x2A50, 7),
        ] as [(UInt16, Int)])
    func refusesOtherLengths(number: UInt16, length: Int) throws {
        let form = try #require(
            CharacteristicCatalog.entry(BluetoothUUID(UInt32(number)))
        ).form
        for count in 0...16 where count != length {
            let bytes = [UInt8](repeating: 1, count: count)
            #expect(
                kind { try form.reencode(bytes) }
                    == (count < length ? .truncated : .trailingBytes))
        }
    }

    @Test func batteryLevelKeepsReservedValues() throws {
        #expect(try BatteryLevel(percent: 100).percent == 100)
        #expect(try BatteryLevel(decoding: [101]).percent == nil)
        #expect(throws: ValueError.self) { try BatteryLevel(percent: 101) }
    }

    @Test func controlPointRefusesUnknownOperations() {
        #expect(HeartRateControlPoint.resetEnergy.bytes == [1])
        #expect(kind { try HeartRateControlPoint(decoding: [2]) } == .unknownCode)
        #expect(HeartRateControlPoint.notSupportedError == 0x80)
    }

    @Test func systemIDIsMadeOfAnAddress() throws {
        let value = SystemID(address: 0xAABB_CCDD_EEFF)
        #expect(value.bytes == [0xFF, 0xEE, 0xDD, 0xFE, 0xFF, 0xCC, 0xBB, 0xAA])
        #expect(value.address == 0xAABB_CCDD_EEFF)
        #expect(try SystemID(decoding: [1, 2, 3, 4, 5, 6, 7, 8]).address == nil)
        #expect(throws: ValueError.self) {
            try SystemID(manufacturerIdentifier: 1 << 40, organizationIdentifier: 0)
        }
    }

    @Test func productVersionIsDecimal() throws {
        #expect(PnPID.Version(rawValue: 0x0213).description == "2.1.3")
        #expect(try PnPID.Version(major: 12, minor: 3, patch: 4).rawValue == 0x1234)
        #expect(PnPID.Version(rawValue: 0x0A00).numbers == nil)
        #expect(PnPID.Version(rawValue: 0x000F).description == "000F")
        let tooMuch: [(UInt8, UInt8, UInt8)] = [(100, 0, 0), (0, 10, 0), (0, 0, 10)]
        for (major, minor, patch) in tooMuch {
            #expect(throws: ValueError.self) {
                try PnPID.Version(major: major, minor: minor, patch: patch)
            }
        }
    }

    @Test func textIsSplitFromItsNULs() throws {
        let text = try DeviceInformationText(decoding: Array("R02_V3.0\0\0".utf8))
        #expect(text.text == "R02_V3.0")
        #expect(text.trailingNULs == 2)
        #expect(try DeviceInformationText("R02_V3.0\0\0") == text)
        #expect(throws: ValueError.self) {
            try DeviceInformationText(String(repeating: "€", count: 171))
        }
    }

    @Test func textIsRenderedSafely() throws {
        let text = try DeviceInformationText("\u{1B}[2J\"\\ü")
        #expect(text.description == #""\x1B[2J\x22\x5C\xC3\xBC""#)
    }

    @Test(
        arguments: [
            ([0x80], 0), ([0x41, 0xC0, 0x80], 1), ([0xC1, 0xBF], 0), ([0xE0, 0x9F, 0xBF], 1),
            ([0xED, 0xA0, 0x80], 1), ([0xF0, 0x8F, 0x80, 0x80], 1), ([0xF4, 0x90, 0x80, 0x80], 1),
            ([0xF5, 0x80, 0x80, 0x80], 0), ([0xFF], 0), ([0xE2, 0x82], 2), ([0xE2, 0x82, 0x41], 2),
            ([0xE2, 0x82, 0xAC, 0xC3], 4), ([0xC3, 0xC3], 1),
        ] as [([UInt8], Int)])
    func reportsWhereTextEnds(bytes: [UInt8], offset: Int) {
        do {
            _ = try DeviceInformationText(decoding: bytes)
            Issue.record("accepted \(bytes)")
        } catch {
            #expect(error.kind == .notText)
            #expect(error.offset == offset)
        }
    }

    /// All strings of up to two bytes, and three bytes behind each lead, against the standard
    /// library.
    @Test func agreesWithTheStandardLibraryAboutUTF8() {
        func check(_ bytes: [UInt8]) -> Bool {
            let ours = (try? DeviceInformationText(decoding: bytes)) != nil
            return ours == String(decoding: bytes, as: UTF8.self).utf8.elementsEqual(bytes)
        }
        let interesting: [UInt8] = [0, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xE0, 0xFF]
        for first in UInt8.min...UInt8.max {
            #expect(check([first]))
            for second in UInt8.min...UInt8.max {
                if !check([first, second]) { Issue.record("\(first) \(second)") }
            }
            for second in interesting where first >= 0xC0 {
                for third in interesting {
                    if !check([first, second, third]) { Issue.record("\(first) …") }
                    for fourth in interesting where !check([first, second, third, fourth]) {
                        Issue.record("\(first) \(second) \(third) \(fourth)")
                    }
                }
            }
        }
    }
}

@Suite(.computes) struct BluetoothUUIDTests {
    @Test func shortFormsEqualTheirLongOnes() throws {
        let long = try BluetoothUUID(parsing: "00002a37-0000-1000-8000-00805F9B34FB")
        #expect(long == CharacteristicCatalog.heartRateMeasurement.uuid)
        #expect(long == (try BluetoothUUID(parsing: "2A37")))
        #expect(long == (try BluetoothUUID(parsing: "00002A37")))
        #expect(Set([long, BluetoothUUID(0x2A37)]).count == 1)
        #expect(long.short16 == 0x2A37)
        #expect(long.description == "2A37")
        #expect(BluetoothUUID(0x1234_5678).short16 == nil)
        #expect(BluetoothUUID(0x1234_5678).description == "12345678")
    }

    @Test(arguments: [
        (RingServices.uart, "6E40FFF0-B5A3-F393-E0A9-E50E24DCCA9E"),
        (RingServices.uartWrite, "6E400002-B5A3-F393-E0A9-E50E24DCCA9E"),
        (RingServices.uartNotify, "6E400003-B5A3-F393-E0A9-E50E24DCCA9E"),
        (RingServices.bigData, "DE5BF728-D711-4E47-AF26-65E3012A5DC7"),
        (RingServices.bigDataNotify, "DE5BF729-D711-4E47-AF26-65E3012A5DC7"),
        (RingServices.bigDataWrite, "DE5BF72A-D711-4E47-AF26-65E3012A5DC7"),
        (LEDStripServices.commandService, "FFD5"), (LEDStripServices.commands, "FFD9"),
        (LEDStripServices.statusService, "FFD0"), (LEDStripServices.status, "FFD4"),
    ])
    func readsAsWritten(uuid: BluetoothUUID, text: String) throws {
        #expect(uuid.description == text)
        #expect(try BluetoothUUID(parsing: text.lowercased()) == uuid)
        #expect((uuid.short32 == nil) == (text.count > 8))
    }

    @Test(arguments: [
        ("", 0), ("2A3", 3), ("2A3G", 3), ("0x2A37", 6), ("２Ａ", 6),
        ("6E40FFF0+B5A3-F393-E0A9-E50E24DCCA9E", 8),
        ("6E40FFF0-B5A3-F393-E0A9-E50E24DCCA9-", 35),
        ("6E40FFF0B5A3F393E0A9E50E24DCCA9E", 32),
    ])
    func refusesOtherText(text: String, offset: Int) {
        do {
            _ = try BluetoothUUID(parsing: text)
            Issue.record("accepted \(text)")
        } catch {
            #expect(error.offset == offset)
        }
    }
}

import HaloProtocol
import TestSupport
import Testing

@Suite(.computes) struct AdvertisingTests {
    /// One structure of each kind, and its content.
    static let everything: [AdvertisingStructure.Content] = [
        .flags([.generalDiscoverable, .classicNotSupported]),
        .services(.short([0x180D, 0xFFF0]), isComplete: false),
        .services(.short([0x180D]), isComplete: true),
        .services(.medium([0x1234_5678]), isComplete: false),
        .services(.medium([]), isComplete: true),
        .services(.long([RingServices.uart]), isComplete: false),
        .services(.long([RingServices.uart, RingServices.bigData]), isComplete: true),
        .name(AdvertisedName("R02"), isComplete: false),
        .name(AdvertisedName("R02_341C"), isComplete: true),
        .name(AdvertisedName(bytes: [0xE2, 0x82]), isComplete: false),
        .transmitPower(-59),
        .shortServiceData(0x180F, [100]),
        .mediumServiceData(0x1234_5678, []),
        .longServiceData(RingServices.uart, [1, 2]),
        .manufacturerData(company: 0x1234, [5, 6]),
        .other(type: 0x19, [0xC0, 0x03]),
        .other(type: 0x00, []),
    ]

    @Test func survivesBothDirections() throws {
        let value = try AdvertisingData(structures: Self.everything.map(AdvertisingStructure.init))
        #expect(value.structures.map(\.content) == Self.everything)
        #expect(try AdvertisingData(decoding: value.bytes) == value)
        #expect(AdvertisingData(lenient: value.bytes) == value)
        var recorder = FieldRecorder()
        let bytes = ContiguousArray(value.bytes)
        _ = try AdvertisingData(decoding: bytes.span, sink: &recorder)
        #expect(recorder.fields.reduce(0) { $0 + $1.length } == bytes.count)
        #expect(recorder.fields.contains { $0.name == "structures[1].services[1].uuid" })
        #expect(value.name?.text == "R02_341C")
        #expect(value.transmitPowerDecibelMilliwatts == -59)
        #expect(value.companies == [0x1234])
    }

    @Test func keepsPadding() throws {
        for count in 0...29 {
            let bytes: [UInt8] = [2, 1, 6] + [UInt8](repeating: 0, count: count)
            #expect(try AdvertisingData(decoding: bytes).bytes == bytes)
            let lenient = AdvertisingData(lenient: bytes)
            #expect(lenient.bytes == bytes)
            #expect(lenient.fault == nil)
        }
    }

    @Test(
        arguments: [
            ([2, 1, 6, 5, 9, 65, 66], 1, .truncated, 4),
            ([2, 1, 6, 255], 1, .truncated, 4),
            ([2, 1, 6, 0, 0, 1], 1, .notZero, 5),
            ([2, 1, 6, 4, 3, 1, 2, 3, 2, 10, 4], 3, .impossibleCount, 5),
            ([3, 0x20, 1, 2, 1, 1], 2, .impossibleCount, 2),
            ([2, 0xFF, 1], 1, .impossibleCount, 2),
            ([1], 0, .truncated, 1),
        ] as [([UInt8], Int, PacketError.Kind, Int)])
    func reportsFaultsAndKeepsTheRest(
        bytes: [UInt8], structures: Int, fault: PacketError.Kind, offset: Int
    ) {
        let lenient = AdvertisingData(lenient: bytes)
        #expect(lenient.structures.count == structures)
        #expect(lenient.fault?.kind == fault)
        #expect(lenient.fault?.offset == offset)
        #expect(lenient.bytes == bytes)
        do {
            _ = try AdvertisingData(decoding: bytes)
            Issue.record("accepted")
        } catch {
            #expect(error.kind == fault)
            #expect(error.offset == offset)
        }
    }

    @Test func anyBytesCanBeReadAndAreGivenBack() throws {
        var random = RepeatableNoise(seed: 1)
        for _ in 0..<10_000 {
            let length = Int.random(in: 0...62, using: &random)
            let bytes = (0..<length).map { _ in
                Bool.random(using: &random)
                    ? UInt8.random(in: 0...22, using: &random)
                    : UInt8.random(in: .min ... .max, using: &random)
            }
            let lenient = AdvertisingData(lenient: bytes)
            #expect(lenient.bytes == bytes)
            let strict = try? AdvertisingData(decoding: bytes)
            #expect((strict == nil) == (lenient.fault != nil))
            if let strict { #expect(strict == lenient) }
        }
    }

    @Test func refusesWhatDoesNotFit() throws {
        let longest = try AdvertisingStructure(
            .manufacturerData(company: 1, [UInt8](repeating: 1, count: 252)))
        #expect(longest.bytes.count == 256)
        #expect(throws: ValueError("body", allowed: 0...254, found: 255)) {
            try AdvertisingStructure(
                .manufacturerData(company: 1, [UInt8](repeating: 1, count: 253)))
        }
        #expect(throws: ValueError("length", allowed: 0...1650, found: 1792)) {
            try AdvertisingData(structures: Array(repeating: longest, count: 7))
        }
        #expect(try !AdvertisingData(structures: [longest]).fitsLegacy)
    }

    @Test func otherBecomesWhatItsBytesSay() throws {
        #expect(
            try AdvertisingStructure(.other(type: 1, [6])).content
                == .flags([.generalDiscoverable, .classicNotSupported]))
        #expect(
            try AdvertisingStructure(.other(type: 1, [])).content == .other(type: 1, []))
    }

    @Test func beaconSurvivesBothDirections() throws {
        let uuid = try BluetoothUUID(parsing: "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0")
        let beacon = IBeacon(uuid: uuid, major: 1, minor: 0x0203, powerAtOneMetre: -59)
        let bytes = beacon.advertisement().bytes
        #expect(
            HexText.bytes(bytes)
                == "0201061AFF4C000215E2C56DB5DFFB48D2B060D0F5A71096E000010203C5")
        #expect(try IBeacon.find(in: try AdvertisingData(decoding: bytes)) == beacon)
        #expect(try IBeacon(decoding: beacon.bytes) == beacon)
        for length in 0..<beacon.bytes.count {
            #expect(kind { try IBeacon(decoding: beacon.bytes.prefix(length)) } == .truncated)
        }
        #expect(try IBeacon.find(in: AdvertisingData(decoding: [4, 0xFF, 0x4C, 0, 0x10])) == nil)
    }
}

@Suite(.computes) struct RingRecognitionTests {
    static let uart = RingServices.uart
    static let short = RingServices.advertisedShort
    static let heart = StandardServices.heartRate
    static let ycbt = BluetoothUUID(
        high: 0xBE94_0000_7333_BE46, low: 0xB7AE_689E_7172_2BD5)
    static let sold = BluetoothUUID(0x56FF)

    @Test(
        arguments: [
            ("R02_341C", [], [], .ring, .possible),
            ("colmi r10_ab12", [], [], .ring, .possible),
            ("Colmi R02", [], [], .ring, .possible),
            ("Colmi R02\0", [], [], .unknown, .none),
            ("RT02", [], [], .ring, .possible),
            ("R11C_0000", [short], [], .ring, .likely),
            ("boAtring", [], [0x1234], .ring, .likely),
            ("whatever", [uart], [], .ring, .strong),
            (nil, [uart], [], .ring, .strong),
            (nil, [], [0x1234], .ring, .possible),
            (nil, [short], [], .unknown, .none),
            (nil, [], [0x004C], .unknown, .none),
            ("SEAT", [], [], .unknown, .none),
            ("SE_1234", [], [], .ring, .possible),
            ("R00_1234", [], [], .unknown, .none),
            ("R2", [], [], .unknown, .none),
            ("Router", [], [], .unknown, .none),
            ("R100_12", [], [], .lookAlike(.r100), .possible),
            ("COLMI R100", [], [], .unknown, .none),
            ("r10m", [], [0x1234], .lookAlike(.r10M), .possible),
            ("TK5", [uart], [], .ring, .strong),
            ("R02_341C", [heart], [], .heartRateSensor, .strong),
            ("R100_12", [heart], [], .lookAlike(.r100), .likely),
            ("R02 FCF4", [], [], .lookAlike(.ycbt), .possible),
            ("R02 FCF4", [heart], [], .lookAlike(.ycbt), .likely),
            ("R10M FCF4", [heart], [0x7810], .lookAlike(.r10M), .likely),
            ("Ale-Hop2211 E1C7", [heart], [0x7810], .lookAlike(.ycbt), .likely),
            (nil, [], [0x7810], .lookAlike(.ycbt), .possible),
            (nil, [ycbt, heart], [], .lookAlike(.ycbt), .strong),
            ("R02 FCF4", [uart], [0x7810], .ring, .strong),
            ("SMART_RING", [], [], .ring, .possible),
            ("SMART_RING", [uart], [0x594A], .ring, .strong),
            ("SMART_RING", [], [0x594A], .lookAlike(.jring), .likely),
            ("SMART_RING", [sold], [0x594A], .lookAlike(.jring), .strong),
            ("Anko01234567", [], [], .lookAlike(.anko), .possible),
            ("Anko01234567", [sold], [], .lookAlike(.anko), .strong),
            ("Anko0123456", [], [], .unknown, .none),
            ("Ankor 1234567", [], [], .unknown, .none),
            ("triones-12", [], [], .family(.ledStrip), .possible),
            ("LEDBlue-7", [LEDStripServices.commandService], [], .family(.ledStrip), .likely),
            ("", [], [], .unknown, .none),
        ]
            as [(
                String?, [BluetoothUUID], [UInt16], RingRecognition.Classification,
                RingRecognition.Confidence
            )])
    func classifies(
        name: String?, services: [BluetoothUUID], companies: [UInt16],
        classification: RingRecognition.Classification, confidence: RingRecognition.Confidence
    ) {
        let device = AdvertisedDevice(
            name: name.map { AdvertisedName($0) }, services: services, companies: companies)
        #expect(device.recognition.classification == classification)
        #expect(device.recognition.confidence == confidence)
    }

    @Test func theDiscoveredServicesProveIt() {
        let eleven = AdvertisedDevice(name: AdvertisedName("R11_0102")).recognition
        #expect(eleven.possibleLookAlike == .daRings)
        #expect(eleven.confirmed(byServices: [Self.uart]).classification == .ring)
        #expect(eleven.confirmed(byServices: [Self.uart]).confidence == .certain)
        #expect(eleven.confirmed(byServices: [Self.short]).classification == .lookAlike(.daRings))
        let two = AdvertisedDevice(name: AdvertisedName("R02_0102")).recognition
        #expect(two.confirmed(byServices: []).classification == .lookAlike(.unnamed))
        #expect(two.confirmed(byServices: []).clues == [.ringName, .ringServiceMissing])
        let ycbt = two.confirmed(byServices: [Self.heart, Self.ycbt])
        #expect(ycbt.classification == .lookAlike(.ycbt) && ycbt.confidence == .certain)
        let smart = AdvertisedDevice(name: AdvertisedName("SMART_RING")).recognition
        #expect(smart.confirmed(byServices: [Self.uart]).classification == .ring)
        #expect(smart.confirmed(byServices: []).classification == .lookAlike(.jring))
        #expect(smart.confirmed(byServices: [Self.sold]).classification == .lookAlike(.jring))
        let anko = AdvertisedDevice(name: AdvertisedName("Anko01234567")).recognition
        #expect(anko.confirmed(byServices: [Self.sold]).classification == .lookAlike(.anko))
    }

    @Test func readsAdvertisementAndScanResponse() throws {
        let advertisement = try AdvertisingData(structures: [
            AdvertisingStructure(.services(.long([Self.uart]), isComplete: true)),
            AdvertisingStructure(.name(AdvertisedName("R0"), isComplete: false)),
        ])
        let response = try AdvertisingData(structures: [
            AdvertisingStructure(.name(AdvertisedName("R02_341C"), isComplete: true)),
            AdvertisingStructure(.manufacturerData(company: 0x1234, [])),
        ])
        let recognition = AdvertisedDevice(advertisement, scanResponse: response).recognition
        #expect(recognition.clues == [.ringName, .ringService, .ringCompany])
    }
}

import CaptureSupport
import HaloCapture
import HaloProtocol
import HaloTesting
import HaloTransport
import TestSupport
import Testing

@testable import HaloTraffic

/// The names of attributes by their handles.
@Suite(.computes) struct HandleResolverTests {
    private var survey = Survey()

    private struct Survey {
        var sink = SurveySink()
        var number = 0

        mutating func tell(
            _ event: ConversationEvent, _ value: [UInt8] = [], on connection: Int = 0
        ) {
            number += 1
            let position = FilePosition(number: number, offset: 0, microseconds: Int64(number))
            let kept = ContiguousArray(value)
            sink.receive(event, kept.span, on: connection, at: position)
        }

        func attributes(
            _ options: ImportOptions = ImportOptions(), connection: Int = 0
        ) -> [UInt16: TrafficAttribute] {
            let connections = HandleResolver(sink.connections, options).connections(
                names: sink.heard)
            let attributes = connections[connection].attributes
            return Dictionary(uniqueKeysWithValues: attributes.map { ($0.handle ?? 0, $0) })
        }
    }

    private static func answers(_ survey: inout Survey, handle: UInt16, count: Int = 4) {
        for index in 0..<count {
            survey.tell(
                .transferred(handle, .notified), RingSamples.frame(0x03, [UInt8(index), 1]))
        }
    }

    @Test mutating func optionsOverrideDiscovery() {
        survey.tell(.characteristic(BluetoothUUID(0x2A19), value: 3, .read))
        survey.tell(.transferred(3, .read), [100])
        var options = ImportOptions()
        #expect(survey.attributes(options)[3]?.basis == .discovered)
        options.handles = [3: BluetoothUUID(0x2A37)]
        #expect(survey.attributes(options)[3]?.uuid == BluetoothUUID(0x2A37))
        #expect(survey.attributes(options)[3]?.basis == .mapped)
    }

    @Test mutating func discoveriesElsewhereCountForThatDevice() {
        let address = DeviceAddress(1, isRandom: true)
        survey.tell(.connected(address, .remote))
        survey.tell(.characteristic(BluetoothUUID(0x2A19), value: 3, .read))
        survey.tell(.disconnected(reason: nil))
        survey.tell(.connected(address, .remote), on: 1)
        survey.tell(.transferred(3, .read), [100], on: 1)
        survey.tell(.connected(DeviceAddress(1), .remote), on: 2)
        survey.tell(.transferred(3, .read), [100], on: 2)
        survey.tell(.connected(nil, .unknown), on: 3)
        survey.tell(.transferred(3, .read), [100], on: 3)
        #expect(survey.attributes(connection: 1)[3]?.basis == .discoveredElsewhere)
        #expect(survey.attributes(connection: 1)[3]?.uuid == BluetoothUUID(0x2A19))
        #expect(survey.attributes(connection: 2)[3]?.basis == .unknown)
        #expect(survey.attributes(connection: 3)[3]?.uuid == .unnamed(handle: 3))
    }

    @Test(arguments: [1, 2] as [UInt16])
    mutating func aSwitchFollowsTheValueThatItSwitches(distance: UInt16) {
        survey.tell(.transferred(0x30 + distance, .write), [1, 0])
        survey.tell(.transferred(0x30, .notified), [9])
        let attributes = survey.attributes()
        #expect(attributes[0x30 + distance]?.basis == .subscribed)
        #expect(attributes[0x30 + distance]?.uuid == AttributeUUIDs.clientConfiguration)
        #expect(attributes[0x30 + distance]?.subscribes == 0x30)
    }

    @Test mutating func otherWritesAreNoSwitches() {
        for value in [[4, 0], [1, 1], [1], [1, 0, 0]] as [[UInt8]] {
            var survey = Survey()
            survey.tell(.transferred(0x30, .notified), [9])
            survey.tell(.transferred(0x31, .write), [1, 0])
            survey.tell(.transferred(0x31, .write), value)
            #expect(survey.attributes()[0x31]?.basis == .unknown)
        }
        survey.tell(.transferred(0x30, .notified), [9])
        survey.tell(.transferred(0x33, .write), [1, 0])
        #expect(survey.attributes()[0x33]?.basis == .unknown)
    }

    @Test mutating func framesOfARingAreRecognised() {
        survey.tell(.transferred(0x50, .command), RingSamples.question)
        Self.answers(&survey, handle: 0x52)
        let attributes = survey.attributes()
        #expect(attributes[0x50]?.uuid == RingServices.uartWrite)
        #expect(attributes[0x52]?.uuid == RingServices.uartNotify)
        #expect(attributes[0x52]?.basis == .recognised)
    }

    @Test mutating func oneWrongSumIsEnoughToDoubt() {
        Self.answers(&survey, handle: 0x52)
        survey.tell(.transferred(0x52, .notified), [UInt8](repeating: 7, count: 16))
        #expect(survey.attributes()[0x52]?.basis == .unknown)
    }

    @Test mutating func zerosAreNoFrames() {
        for _ in 0..<9 {
            survey.tell(.transferred(0x52, .notified), [UInt8](repeating: 0, count: 16))
        }
        #expect(survey.attributes()[0x52]?.basis == .unknown)
    }

    @Test mutating func oneOfTwoIsTheChannel() {
        Self.answers(&survey, handle: 0x52, count: 3)
        Self.answers(&survey, handle: 0x62, count: 9)
        let attributes = survey.attributes()
        #expect(attributes[0x52]?.basis == .unknown)
        #expect(attributes[0x62]?.uuid == RingServices.uartNotify)
    }

    @Test mutating func bigDataIsRecognisedInPieces() throws {
        let frame = try BigDataFrame(id: 0x27, payload: (0..<100).map { UInt8($0) })
        survey.tell(.transferred(0x56, .command), try BigDataFrame(id: 0x27, payload: [0xFF]).bytes)
        var rest = frame.bytes[...]
        while !rest.isEmpty {
            survey.tell(.transferred(0x58, .notified), Array(rest.prefix(20)))
            rest = rest.dropFirst(20)
        }
        let attributes = survey.attributes()
        #expect(attributes[0x56]?.uuid == RingServices.bigDataWrite)
        #expect(attributes[0x58]?.uuid == RingServices.bigDataNotify)
    }

    @Test mutating func aWrongSumIsNoBigData() throws {
        var bytes = try BigDataFrame(id: 0x27, payload: (0..<30).map { UInt8($0) }).bytes
        bytes[20] ^= 1
        survey.tell(.transferred(0x58, .notified), bytes)
        #expect(survey.attributes()[0x58]?.basis == .unknown)
    }

    @Test mutating func theRestHasTheLayoutOfKnownRings() {
        survey.tell(.transferred(0x10, .write), RingSamples.question)
        Self.answers(&survey, handle: 0x12)
        survey.tell(.transferred(0x20, .read), Array("RT11".utf8))
        survey.tell(.transferred(0x22, .read), Array("RT11".utf8))
        let attributes = survey.attributes()
        #expect(attributes[0x20]?.uuid == CharacteristicCatalog.firmwareRevision.uuid)
        #expect(attributes[0x20]?.basis == .layout)
        #expect(attributes[0x22]?.basis == .unknown)
    }

    @Test mutating func heartRatesAreRecognised() {
        for rate in [72, 73, 75, 74, 0, 74, 76, 80, 84] as [UInt8] {
            survey.tell(.transferred(0x25, .notified), [0x00, rate])
        }
        #expect(survey.attributes()[0x25]?.uuid == CharacteristicCatalog.heartRateMeasurement.uuid)
    }

    @Test func otherPairsOfBytesAreNoHeartRates() {
        for values in [[72, 200, 72, 200, 72, 200, 72, 200], [72, 73, 74, 75]] as [[UInt8]] {
            var survey = Survey()
            for value in values { survey.tell(.transferred(0x25, .notified), [0x00, value]) }
            #expect(survey.attributes()[0x25]?.basis == .unknown)
        }
        var written = Survey()
        for _ in 0..<9 { written.tell(.transferred(0x25, .notified), [0x00, 72]) }
        written.tell(.transferred(0x25, .command), [1])
        #expect(written.attributes()[0x25]?.basis == .unknown)
    }

    @Test func noiseIsNotRecognised() {
        for seed in 0..<200 as Range<UInt64> {
            var choice = FuzzBytes(seed: seed, count: 400)
            var survey = Survey()
            for _ in 0..<10 {
                survey.tell(.transferred(0x25, .notified), choice.bytes(16))
                survey.tell(.transferred(0x27, .command), choice.bytes(16))
            }
            let attributes = survey.attributes()
            #expect(attributes[0x25]?.basis == .unknown, "seed \(seed)")
            #expect(attributes[0x27]?.basis == .unknown, "seed \(seed)")
        }
    }

    @Test mutating func servicesAreNarrow() {
        survey.tell(.service(BluetoothUUID(0x1800), first: 1, last: 0xFFFF, isPrimary: true))
        survey.tell(.service(BluetoothUUID(0x180F), first: 5, last: 9, isPrimary: true))
        survey.tell(.characteristic(BluetoothUUID(0x2A19), value: 7, [.read, .notify]))
        survey.tell(.characteristic(BluetoothUUID(0x2A00), value: 3, .read))
        #expect(survey.attributes()[7]?.service == BluetoothUUID(0x180F))
        #expect(survey.attributes()[3]?.service == BluetoothUUID(0x1800))
    }

    // MARK: Limits

    @Test mutating func attributesHaveALimit() {
        for connection in 0..<3 {
            for handle in 1...20_000 as ClosedRange<UInt16> {
                survey.tell(.transferred(handle, .notified), [1], on: connection)
            }
        }
        let count = survey.sink.connections.reduce(0) { $0 + $1.handles.count }
        #expect(count == TrafficSurvey.attributeLimit)
        let beyond = survey.sink.findings.first { $0.oddity == .beyondLimits }
        #expect(beyond?.count == 60_000 - TrafficSurvey.attributeLimit)
    }

    @Test mutating func discoveryHasALimit() {
        for index in 0..<50_000 as Range<UInt32> {
            let handle = UInt16(truncatingIfNeeded: index)
            survey.tell(.descriptor(BluetoothUUID(index), handle: handle), on: Int(index) & 1)
        }
        let count = survey.sink.connections.reduce(0) { $0 + $1.table.count }
        #expect(count <= TrafficSurvey.attributeLimit)
    }

    @Test mutating func connectionsAndDevicesHaveLimits() {
        for index in 0..<5000 {
            survey.tell(.connected(nil, .remote), on: index)
            let address = DeviceAddress(UInt64(index))
            survey.tell(
                .advertised(address, strength: -60, isScanResponse: false), on: noConnection)
        }
        #expect(survey.sink.connections.count == TrafficSurvey.connectionLimit)
        #expect(survey.sink.heard.devices.count == TrafficSurvey.deviceLimit)
    }

    @Test mutating func channelsOfALogHaveALimit() {
        for index in 0..<258 as Range<UInt32> {
            let channel = CaptureChannel(BluetoothUUID(0x1000 + index), .toDevice)
            survey.tell(.value(.toDevice, channel, nil), [1])
        }
        #expect(survey.sink.connections.first?.channels.count == 256)
        let known = CaptureChannel(BluetoothUUID(0x1000), .toDevice)
        survey.tell(.value(.toDevice, known, nil), [2])
        #expect(survey.sink.connections.first?.channels[known]?.written.count == 2)
        #expect(survey.sink.findings.map(\.count) == [2])
    }

    /// Long frames are joined for the notifications of sixty-four attributes.
    @Test mutating func joinedAttributesHaveALimit() throws {
        let frame = try BigDataFrame(id: 0x27, payload: (0..<30).map { UInt8($0) }).bytes
        for handle in 1...65 as ClosedRange<UInt16> {
            survey.tell(.transferred(handle, .notified), Array(frame.prefix(18)))
            survey.tell(.transferred(handle, .notified), Array(frame.dropFirst(18)))
        }
        let found = survey.sink.connections.first?.handles.filter(\.fromDevice.hasBigData)
        #expect(found?.map(\.handle) == Array(1...64))
    }
}

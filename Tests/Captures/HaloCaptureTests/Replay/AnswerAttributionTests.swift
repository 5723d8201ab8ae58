import CaptureSupport
import HaloProtocol
import TestSupport
import Testing

@testable import HaloCapture

/// The request that a ring's value answers, the kind of a reply, and the risk of a write.
@Suite(.computes) struct AnswerAttributionTests {
    private static func ask(
        _ answers: inout AnswerAttribution, _ request: Int, _ channel: CaptureChannel,
        _ bytes: [UInt8]
    ) {
        answers.note(request, channel, bytes)
    }

    private static func answers(
        _ answers: inout AnswerAttribution, _ channel: CaptureChannel, _ values: [[UInt8]]
    ) -> [Int?] {
        values.map { answers.request(for: channel, $0) }
    }

    private static func frame(_ opcode: UInt8, _ payload: [UInt8]) -> [UInt8] {
        RingSamples.frame(opcode, payload)
    }

    // MARK: Requests

    @Test func framesAnswerTheLastRequestOfTheirOpcode() {
        var answers = AnswerAttribution()
        Self.ask(&answers, 0, .uart, Self.frame(0x03, []))
        Self.ask(&answers, 1, .uart, Self.frame(0x15, [1]))
        Self.ask(&answers, 2, .uart, Self.frame(0x03, []))
        Self.ask(&answers, 3, .uart, [])
        Self.ask(&answers, 4, .characteristic(BluetoothUUID(0xFFE1)), [0x03])
        var wrong = Self.frame(0x15, [])
        wrong[15] ^= 1
        let values = [
            Self.frame(0x03, [0x40]), Self.frame(0x15, []), Self.frame(0x16, []), wrong, [],
            Self.frame(0x95, [0xEE]), Self.frame(0x83, [0xEE]),
        ]
        #expect(Self.answers(&answers, .uart, values) == [2, 1, nil, nil, nil, 1, 2])
        let other = CaptureChannel.characteristic(BluetoothUUID(0xFFE1))
        #expect(Self.answers(&answers, other, [[0x03], Self.frame(0x03, [])]) == [nil, nil])
    }

    /// All pieces of a record answer the same request as the first one, up to the record's length.
    @Test(
        arguments: [
            ([[0xBC, 0x27, 0, 0, 1, 2], [3]], [7, nil]),
            ([[0xBC, 0x27, 1, 0, 1, 2], [3], [4]], [7, 7, nil]),
            ([[0xBC, 0x27, 1, 0, 1, 2, 3], [4]], [7, nil]),
            ([[0xBC, 0x27, 4, 0, 1, 2], [3, 4], [5], [6], [7]], [7, 7, 7, 7, nil]),
            ([[0xBC, 0x27, 4, 0, 1, 2], [3, 4, 5, 6], [7]], [7, 7, nil]),
            ([[0xBC, 0x27, 4, 0, 1, 2], [3, 4, 5, 6, 7], [8]], [7, 7, nil]),
            ([[0xBC, 0x27, 4, 0, 1], [3]], [nil, nil]), ([[0xBB, 0x27, 4, 0, 1, 2]], [nil]),
            ([[0xBC, 0x28, 1, 0, 1, 2], [3], [4]], [nil, nil, nil]),
            (
                [
                    [0xBC, 0x27, 0, 1, 1, 2], [UInt8](repeating: 3, count: 255), [4], [5],
                ], [7, 7, 7, nil]
            ),
        ] as [([[UInt8]], [Int?])])
    func piecesStayTogether(values: [[UInt8]], expected: [Int?]) {
        var answers = AnswerAttribution()
        Self.ask(&answers, 7, .bigData, [0xBC, 0x27, 0, 0, 0xFF, 0xFF])
        #expect(Self.answers(&answers, .bigData, values) == expected)
    }

    /// The record of a nap answers the latest request for a record. A new request ends an
    /// incomplete record.
    @Test func recordsWithoutARequestAnswerTheLastOne() {
        var answers = AnswerAttribution()
        let nap: [UInt8] = [0xBC, 0x3E, 2, 0, 0, 0]
        #expect(Self.answers(&answers, .bigData, [nap, [1], [2], [3]]) == [nil, nil, nil, nil])
        Self.ask(&answers, 1, .bigData, [0xBC, 0x27])
        Self.ask(&answers, 2, .bigData, [0xBC, 0x2A])
        Self.ask(&answers, 3, .bigData, [0xBC])
        Self.ask(&answers, 4, .bigData, [0xBB, 0x27])
        #expect(Self.answers(&answers, .bigData, [nap, [1]]) == [2, 2])
        Self.ask(&answers, 5, .bigData, [0xBC, 0x2E])
        #expect(Self.answers(&answers, .bigData, [[2], nap]) == [nil, 5])
    }

    // MARK: Kinds

    /// Each frame, the kind of its reply, and whether all its bytes are compared.
    @Test(
        arguments: [
            (RingSamples.frame(0x03, [0x40]), "Battery 03.00", false),
            (RingSamples.frame(0x03, [0xFF]), "Battery 03.00", true),
            (RingSamples.frame(0x43, [0x25]), "ActivityLog 43.01", false),
            (RingSamples.frame(0x43, [0xEF]), "ActivityLog 43.01", false),
            (RingSamples.frame(0x43, [0xF0]), "ActivityLog 43.F0", false),
            (RingSamples.frame(0x43, [0xFF]), "ActivityLog 43.FF", true),
            (RingSamples.frame(0x15, [0x02]), "HeartRateLog 15.02", false),
            (RingSamples.frame(0x15, [0xFE]), "HeartRateLog 15.FE", false),
            (RingSamples.frame(0x15, [0xFF]), "HeartRateLog 15.FF", true),
            (RingSamples.frame(0x16, [0x01]), "AutoHeartRate 16.01", true),
            (RingSamples.frame(0x48, [0x05]), "TodayTotals 48.00", false),
            (RingSamples.frame(0x61, [0x05]), "NotificationSwitches 61.00", true),
            (RingSamples.frame(0x01, [0x05]), "SetTime 01.00", true),
            (RingSamples.frame(0x04, [0x05]), "PhoneName 04.05", true),
            (RingSamples.frame(0x7A, [0x05]), "HourlySeries 7A.05", true),
        ] as [([UInt8], String, Bool)])
    func framesHaveKinds(bytes: [UInt8], words: String, isCompared: Bool) throws {
        let frame = try Frame(decoding: bytes)
        let kind = try #require(AnswerKind(frame, comparesSettings: false))
        let strict = try #require(AnswerKind(frame, comparesSettings: true))
        #expect(kind.description == words && strict.description == words)
        let contents = [kind, strict].map { kind in
            if case .frame(_, _, let content) = kind { content } else { [UInt8]() }
        }
        #expect(contents == [[], isCompared ? bytes : []])
        #expect((kind == strict) == !isCompared)
    }

    @Test(arguments: [0x73, 0x69, 0x78] as [UInt8])
    func unsolicitedValuesAreNoAnswers(opcode: UInt8) throws {
        let frame = try Frame(decoding: RingSamples.frame(opcode, [1]))
        #expect(AnswerKind(frame, comparesSettings: false) == nil)
        #expect(AnswerKind(frame, comparesSettings: true) == nil)
    }

    @Test func kindsHaveWords() throws {
        let refusal = try Frame(decoding: RingSamples.frame(0x83, [0xEE]))
        let kinds: [AnswerKind?] = [
            AnswerKind(refusal, comparesSettings: true), AnswerKind.record(id: 0x27),
            AnswerKind.record(id: 0xF7), AnswerKind.value(.bigData),
            AnswerKind.acknowledged, AnswerKind.refused(code: 0x0E),
        ]
        #expect(
            kinds.map { $0?.description ?? "" } == [
                "refusal of Battery 03", "Sleep 27", "record F7", "value of bigdata",
                "acknowledged", "refused with 0E",
            ])
    }

    /// The number of a day's records, and of their values, depends on the day.
    @Test func onlySomeKindsCountOnce() throws {
        let record = AnswerKind.frame(opcode: 0x43, part: 1)
        let value = AnswerKind.value(.bigData)
        #expect(record.isOneMore(after: record) && value.isOneMore(after: value))
        #expect(!record.isOneMore(after: nil) && !record.isOneMore(after: value))
        for kind in [
            AnswerKind.frame(opcode: 0x15, part: 1), AnswerKind.refusal(opcode: 0x43),
            AnswerKind.record(id: 0x27), AnswerKind.acknowledged,
            AnswerKind.refused(code: 1),
        ] { #expect(!kind.isOneMore(after: kind), "\(kind)") }
    }

    // MARK: Listening

    @Test func aListenerCollectsAnswersAndTheTimeOfTheFirst() {
        var listener = AnswerListener(comparesSettings: false)
        let rate = CaptureChannel.characteristic(BluetoothUUID(0x2A37))
        listener.ask(0, .uart, Self.frame(0x43, [0]))
        listener.subscribe(1, rate)
        listener.subscribe(2, rate)
        listener.undoSubscription(2, rate)
        listener.undoSubscription(0, rate)
        let values: [(CaptureChannel, [UInt8])] = [
            (.uart, Self.frame(0x43, [0xF0])), (.uart, Self.frame(0x43, [0x25, 1])),
            (.uart, Self.frame(0x43, [0x25, 2])), (rate, [0, 72]), (rate, [0, 73]),
            (.uart, Self.frame(0x03, [0x40])), (.uart, [1, 2, 3]),
            (.characteristic(BluetoothUUID(0x2A38)), [1]),
        ]
        for (number, (channel, bytes)) in values.enumerated() {
            listener.receive(channel, bytes, at: Moment(microseconds: Int64(number) * 10))
        }
        #expect(listener.heard.count == 2)
        #expect(
            listener.heard[0]?.kinds == [
                AnswerKind.frame(opcode: 0x43, part: 0xF0),
                AnswerKind.frame(opcode: 0x43, part: 1),
            ])
        #expect(listener.heard[0]?.first == .origin)
        #expect(listener.heard[1]?.kinds == [AnswerKind.value(rate)])
        #expect(listener.heard[1]?.first?.microseconds == 30)
        #expect(listener.workoutSecond == nil)
    }

    // MARK: Risks and shapes

    /// The bytes that follow the beginning of a record belong to it, up to its length.
    @Test(
        arguments: [
            ([[0xBC, 0x27, 2, 0, 0, 0], [1], [2], [3]], [.known, .known, .known, .unknown]),
            ([[0xBC, 0x27, 2, 0, 0, 0], [1, 2], [3]], [.known, .known, .unknown]),
            ([[0xBC, 0x27, 2, 0, 0, 0], [1, 2, 3], [4]], [.known, .known, .unknown]),
            ([[0xBC, 0x03, 1, 0, 0, 0], [1], [2]], [.dangerous, .dangerous, .unknown]),
            ([[0xBC, 0xF7, 1, 0, 0, 0], [1], [2]], [.unknown, .unknown, .unknown]),
            ([[0xBC, 0x03, 1, 0, 0], [1]], [.dangerous, .unknown]),
            ([[0xBC, 0x03], [0xBC], []], [.dangerous, .unknown, .unknown]),
            ([[0xBC, 0x27, 0, 0, 0xFF, 0xFF, 9], [1]], [.unknown, .unknown]),
            // A record that is never written to its end does not cover a whole one.
            (
                [[0xBC, 0x27, 0, 1, 0, 0], [0xBC, 0x03, 0, 0, 0xFF, 0xFF], [1]],
                [.known, .dangerous, .unknown]
            ),
            (
                [[0xBC, 0x27, 0, 1, 0, 0], [UInt8](repeating: 1, count: 255), [1], [1]],
                [.known, .known, .known, .unknown]
            ),
        ] as [([[UInt8]], [RequestRisk])])
    func piecesAreAsRiskyAsTheirRecord(writes: [[UInt8]], expected: [RequestRisk]) {
        var classifier = RiskClassifier()
        #expect(writes.map { classifier.risk(of: $0, writtenTo: .bigData) } == expected)
    }

    /// A device may obey a frame that is cut off.
    @Test(
        arguments: [
            ([0x08], "may turn the ring off: only its charger wakes it again"),
            ([0x08, 1], "turns the ring off: only its charger wakes it again"),
            ([0x08, 5], "restarts the ring, by one source, or turns it off"),
            ([0x03], nil), ([0x03, 0x08], nil), ([], nil),
        ] as [([UInt8], String?)])
    func theDangerIsThatOfTheAction(bytes: [UInt8], danger: String?) {
        let facts = RequestRisk.danger(of: bytes, writtenTo: .uart)
        #expect(facts?.danger?.description == danger)
        #expect((RequestRisk(of: bytes, writtenTo: .uart) == .dangerous) == (danger != nil))
    }

    @Test func otherChannelsHaveARiskOfTheirOwn() {
        var classifier = RiskClassifier()
        #expect(classifier.risk(of: [0xBC, 0x03, 1, 0, 0, 0], writtenTo: .bigData) == .dangerous)
        #expect(classifier.risk(of: RingSamples.question, writtenTo: .uart) == .known)
        #expect(classifier.risk(of: [], writtenTo: .uart) == .unknown)
        let lamp = CaptureChannel.characteristic(BluetoothUUID(0xFFE1))
        #expect(classifier.risk(of: [1], writtenTo: lamp) == .unknown)
        #expect(classifier.risk(of: [1], writtenTo: .bigData) == .dangerous)
        #expect(classifier.risk(of: [1], writtenTo: .bigData) == .unknown)
    }

    /// Requests for two days differ only in an argument; reading and writing a setting are
    /// different shapes.
    @Test func shapesAreTheSameWhereOnlyArgumentsDiffer() throws {
        func shape(_ bytes: [UInt8]) throws -> RequestShape {
            try #require(RequestShape(.uart, bytes))
        }
        let day = try shape(Self.frame(0x15, [0x00, 0xCF, 0x30, 0x69]))
        let other = try shape(Self.frame(0x15, [0x00, 0x1F, 0x32, 0x69]))
        #expect(day == other && day.hashValue == other.hashValue)
        // 0x69321F00 and 0x6930CF00.
        #expect(day.distance(to: other) == 86_016 && other.distance(to: day) == 86_016)
        #expect(day.distance(to: day) == 0)
        let reading = try shape(Self.frame(0x16, [1]))
        let writing = try shape(Self.frame(0x16, [2, 1, 5]))
        #expect(reading != writing && reading != day)
        #expect(reading == reading && writing == writing)
        #expect(RequestShape(.uart, [1, 2, 3]) == nil)
        #expect(RequestShape(.characteristic(BluetoothUUID(0x2A19)), [1]) == nil)
    }
}

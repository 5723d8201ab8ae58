import HaloCapture
import HaloProtocol
import HaloTesting
import TestSupport
import Testing

@testable import HaloTraffic

/// The logs of programs in their own forms.
@Suite(.computes) struct ProgramLogTests {
    /// A part of a log, and its values.
    struct Log: CustomTestStringConvertible, Sendable {
        let program: any LogReader.Type
        let text: String
        let values: [String]
        var notes: [TrafficOddity] = []
        var microseconds: Int64 = 0

        var testDescription: String { "\(program.format): \(text.prefix(60).debugDescription)" }
    }

    private static let write = "6e400002-b5a3-f393-e0a9-e50e24dcca9e"
    private static let notify = "6e400003-b5a3-f393-e0a9-e50e24dcca9e"
    /// 22:54:15.123, in microseconds.
    private static let time: Int64 = 82_455_123_000

    static let logs = [
        Log(
            program: NRFConnectLog.self,
            text: """
                nRF Connect, 2025-12-11
                R12 (XX:XX:XX:XX:55:A6)
                V\t22:54:15.120\tWriting command to characteristic \(write)
                D\t22:54:15.123\tgatt.writeCharacteristic(\(write), value=0x010203)
                I\t22:54:15.124\tData written to \(write), value: (0x) 01-02-03
                A\t22:54:15.124\t"(0x) 01-02-03" sent
                I\t22:54:15.130\tData written to \(write), value: (0x) 01-02-03
                I\t22:54:15.140\tData written to descr. 00002902-0000-1000-8000-00805f9b34fb, \
                value: (0x) 01-00
                I\t22:54:15.150\tNotification received from \(notify), value: (0x) 03-52
                A\t22:54:15.150\t"(0x) 03-52" received
                I\t22:54:15.160\tRead Response received from 00002a19-0000-1000-8000-00805f9b34fb, \
                value: (0x) 64, "100%"
                I\t22:54:15.170\tIndication received from \(notify), value: (0x)
                I\t22:54:15.180\tNotification received from \(notify), value: (0x) 03-52...
                """,
            values: [
                "> uart command 01 02 03", "> uart 01 02 03", "< uart notified 03 52",
                "< 2A19 read 64", "< uart indicated ",
            ], notes: [.cutByRecorder], microseconds: 1_765_493_655_123_000),
        // A phone's own log has the call with its value, and the end without.
        Log(
            program: NRFConnectLog.self,
            text: """
                D    22:54:15.123    gatt.writeCharacteristic(\(write), value=0x03FF, WRITE COMMAND)
                I    22:54:15.130    Data written to \(write)
                D    22:54:15.140    gatt.writeCharacteristic(\(write), value=0x04FF, WRITE REQUEST)
                D    22:54:15.150    gatt.writeCharacteristic(\(write), value=0x05FF)
                """,
            values: ["> uart command 03 FF", "> uart 04 FF", "> uart 05 FF"], microseconds: time),
        // Without the ends of writes, each has its own kind, and none comes after its answer.
        Log(
            program: NRFConnectLog.self,
            text: """
                V\t22:54:15.120\tWriting request to characteristic \(write)
                D\t22:54:15.123\tgatt.writeCharacteristic(\(write), value=0x01)
                I\t22:54:15.125\tNotification received from \(notify), value: (0x) 03
                I\t22:54:15.126\tData written to \(write), value: (0x) 01
                V\t22:54:15.130\tWriting command to characteristic \(write)
                D\t22:54:15.131\tgatt.writeCharacteristic(\(write), value=0x02)
                V\t22:54:15.140\tWriting request to characteristic \(write)
                D\t22:54:15.141\tgatt.writeCharacteristic(\(write), value=0x03)
                """,
            values: [
                "> uart write 01", "< uart notified 03", "> uart command 02", "> uart write 03",
            ], microseconds: time),
        Log(
            program: NRFConnectLog.self,
            text: """
                [22:54:15.1230] Normal: Updated Value of Characteristic 2A37 to 1648 3C.
                [22:54:15.1230] Application: "1648 3C" value received.
                """,
            values: ["< 2A37 16 48 3C"], microseconds: time),
        Log(
            program: NRFConnectLog.self,
            text: """
                22:54:15.123\tAttribute value changed, handle: 0x2A, value (0x): 01-06
                22:54:15.124\tAttribute value written, handle: 0x2A, value (0x): 01-06
                22:54:15.130\tAttribute value changed, handle: 0x2C, value (0x): 07
                22:54:15.140\tAttribute value read, handle: 0x03, value (0x): 52-31
                """,
            values: ["> 0x002A write 01 06", "< 0x002C notified 07", "< 0x0003 read 52 31"],
            microseconds: time + 1000),
    ]

    @Test(arguments: logs)
    func readsTheFormsOfAProgram(_ log: Log) {
        for end in ["\n", "\r\n"] {
            let text = Array((log.text + "\n").replacing("\n", with: end).utf8)
            #expect(TrafficFormat.detect(ContiguousArray(text).span) == log.program.format)
            for length in [1, 7, 1 << 16] {
                let sink = TextSink.read(text, LogParser(log.program), inPiecesOf: length)
                #expect(sink.values == log.values)
                #expect(sink.notes == log.notes)
                #expect(sink.records.first?.microseconds == log.microseconds)
                #expect(sink.error == nil)
            }
        }
    }

    /// A line of another program is no value, and a log without values says so.
    @Test(arguments: logs)
    func readsNoOtherForms(_ log: Log) {
        let others = [
            TextHexLineTests.notify, "rx 03 52 00", "value: 03", "", "[", "]# write", "\u{0}",
        ]
        for program in LogParser.programs {
            let parser = LogParser(program)
            let sink = TextSink.read(Array((others.joined(separator: "\n") + "\n").utf8), parser)
            #expect(sink.values == [])
            #expect(sink.error != nil)
            guard program != log.program else { continue }
            let foreign = TextSink.read(Array((log.text + "\n").utf8), parser)
            #expect(foreign.values == [], "\(program) read what \(log.program) wrote")
        }
    }

    /// Every cut and every damaged byte is survived, and a line without its end is no value.
    @Test(arguments: logs)
    func survivesDamage(_ log: Log) {
        let text = Array(log.text.utf8)
        let whole = Set(log.values)
        for count in stride(from: 0, to: text.count, by: 3) {
            let sink = TextSink.read(Array(text.prefix(count)), LogParser(log.program))
            #expect(sink.values.count <= log.values.count)
            #expect(Set(sink.values).subtracting(whole).count <= 1)
        }
        var choice = FuzzBytes(seed: 5, count: 4_000)
        for _ in 0..<200 {
            var damaged = text
            for _ in 0..<4 {
                damaged[Int(choice.integer(UInt16.self)) % text.count] = choice.byte()
            }
            _ = TextSink.read(damaged, LogParser(log.program))
        }
    }

    /// A value that was read counts as read.
    @Test func readsAreCountedAsReads() throws {
        let text = "22:54:15.1\tAttribute value read, handle: 0x03, value (0x): 64\n"
        let report = try ImportPasses.survey(Array(text.utf8))
        let attribute = try #require(report.connections.first?.attributes.first)
        #expect([attribute.read.count, attribute.notified.count] == [1, 0])
    }

    /// The report does not depend on which of two values of one characteristic comes first.
    @Test func bothDirectionsOfACharacteristicAreCounted() throws {
        let text = """
            I\t22:54:15.1\tNotification received from \(Self.write), value: (0x) 01
            I\t22:54:15.2\tData written to \(Self.write), value: (0x) 02

            """
        for _ in 0..<8 {
            let report = try ImportPasses.survey(Array(text.utf8))
            let attributes = try #require(report.connections.first?.attributes)
            #expect(attributes.map(\.written.count) == [1])
            #expect(attributes.map(\.notified.count) == [1])
        }
    }
}

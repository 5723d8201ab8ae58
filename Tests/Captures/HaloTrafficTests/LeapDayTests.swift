import CaptureSupport
import HaloCapture
import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloTraffic

/// The 29th of February and the adjacent days, in every text and file that contains a day.
@Suite(.computes) struct LeapDayTests {
    private static let packed = "03520000000000000000000000000055"

    private func hexLine(_ time: String) -> TextSink {
        TextSink.read(Array("\(time) rx \(Self.packed)\n".utf8), HexLineParser())
    }

    @Test(arguments: LeapDay.all)
    func linesOfBytesNameIt(_ day: LeapDay) {
        let noon = (day.seconds + 43_200) * 1_000_000
        for (time, hours) in [
            ("12:00:00", 0), ("12:00:00Z", 0), ("12:00:00+08:00", -8), ("00:30:00-11:30", 0),
            ("23:00:00+11:00", 0),
        ] as [(String, Int64)] {
            for separator in [" ", "T"] {
                let sink = hexLine(day.description + separator + time)
                #expect(
                    sink.records.map(\.microseconds) == [noon + hours * 3_600_000_000],
                    "\(separator)\(time)")
            }
        }
    }

    @Test(arguments: LeapDay.all)
    func aLineBeforeTheOthersNamesIt(_ day: LeapDay) {
        let text = """
            nRF Connect, \(day.description)
            I\t23:59:59.900\tNotification received from 2a37, value: (0x) 00-48
            I\t00:00:00.100\tNotification received from 2a37, value: (0x) 00-49

            """
        let sink = TextSink.read(Array(text.utf8), HexLineParser())
        let midnight = (day.seconds + 86_400) * 1_000_000
        #expect(sink.records.map(\.microseconds) == [midnight - 100_000, midnight + 100_000])
    }

    @Test(arguments: LeapDay.all)
    func btmonNamesIt(_ day: LeapDay) {
        let text = """
            > ACL Data RX: Handle 64 flags 0x02 dlen 10  #2 [hci0] \(day.description) 06:00:00.5
                  ATT: Handle Value Notification (0x1b) len 5
                    Handle: 0x0022
                      Data: 010203

            """
        let sink = TextSink.read(Array(text.utf8), BtmonTextParser())
        #expect(sink.records.map(\.microseconds) == [(day.seconds + 21_600) * 1_000_000 + 500_000])
    }

    /// A phone's time in microseconds is written as a day into the capture, and parsed again.
    @Test(arguments: LeapDay.all)
    func recordedFilesAreImportedWithIt(_ day: LeapDay) throws {
        for second in [0, 1, 86_399] as [Int64] {
            var script = SnoopScript()
            script.time = (day.seconds + second) * 1_000_000
            script.connect()
            script.say(SnoopScript.conversation)
            let time = second == 0 ? "00:00:00" : second == 1 ? "00:00:01" : "23:59:59"
            let clock = "clock: \(day.description) \(time) +00:00"
            let text = try ImportPasses.text(script.bytes)
            #expect(text.split(separator: "\n").contains("# \(clock)"), "\(text.prefix(200))")
            let report = try ImportPasses.survey(script.bytes)
            #expect(report.firstMicroseconds == (day.seconds + second) * 1_000_000)

            let wall = RecordedConversations(try Capture(reading: text)).clock
            #expect(wall?.utc.secondsSince1970 == UInt32(day.seconds + second))
        }
    }

    @Test(arguments: LeapDay.all)
    func packetLoggersAreImportedWithIt(_ day: LeapDay) throws {
        let event: [UInt8] = [
            0x3E, 0x13, 0x01, 0x00, 0x40, 0x00, 0x00, 0x01, 0x66, 0x55, 0x44, 0x33, 0x22, 0xC1,
            0x18, 0, 0, 0, 0x2A, 0, 5,
        ]
        let value: [UInt8] = [0x1B, 0x12, 0x00, 0x01]
        for order in [ByteOrder.big, .little] {
            var file = ContainersFile(order)
            let packets = [(1 as UInt8, event), (3, HCISamples.fromController(0x40, value))]
            for (type, packet) in packets {
                let bytes = Array(packet.dropFirst(type == 1 ? 0 : 1))
                file.putLogger(
                    type, bytes, seconds: UInt32(day.seconds + 86_399), microseconds: 999_999)
            }
            var options = ImportOptions()
            options.format = .packetLogger
            let text = try ImportPasses.text(file.bytes, options)
            #expect(text.contains("clock: \(day.description) 23:59:59 +00:00"), "\(text)")
        }
    }

    @Test(arguments: LeapDay.none)
    func aDayThatIsNoneIsNotBelieved(_ day: String) {
        #expect(hexLine("\(day) 12:00:00").records.allSatisfy { $0.microseconds == 0 })
        #expect(hexLine("[\(day) 12:00:00]").records.allSatisfy { $0.microseconds == 0 })
    }
}

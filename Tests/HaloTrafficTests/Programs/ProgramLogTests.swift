import HaloCapture
import HaloProtocol
import HaloTesting
import Testing

@testable import HaloTraffic

/// The logs of programs in their own forms.
@Suite struct ProgramLogTests {
    /// A part of a log, and its values.
    struct Log: CustomTestStringConvertible, Sendable {
        let format: TrafficFormat
        let text: String
        let values: [String]
        var notes: [TrafficOddity] = []
        var microseconds: Int64 = 0

        var testDescription: String { "\(format): \(text.prefix(60).debugDescription)" }
    }

    private static let write = "6e400002-b5a3-f393-e0a9-e50e24dcca9e"
    private static let notify = "6e400003-b5a3-f393-e0a9-e50e24dcca9e"
    /// 22:54:15.123, in microseconds.
    private static let time: Int64 = 82_455_123_000

    static let nrfConnect = [
        Log(
            format: .nrfConnect,
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
            format: .nrfConnect,
            text: """
                D    22:54:15.123    gatt.writeCharacteristic(\(write), value=0x03FF, WRITE COMMAND)
                I    22:54:15.130    Data written to \(write)
                D    22:54:15.140    gatt.writeCharacteristic(\(write), value=0x04FF, WRITE REQUEST)
                D    22:54:15.150    gatt.writeCharacteristic(\(write), value=0x05FF)
                """,
            values: ["> uart command 03 FF", "> uart 04 FF", "> uart 05 FF"], microseconds: time),
        // Without the ends of writes, each has its own kind, and none comes after its answer.
        Log(
            format: .nrfConnect,
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
            format: .nrfConnect,
            text: """
                [22:54:15.1230] Normal: Updated Value of Characteristic 2A37 to 1648 3C.
                [22:54:15.1230] Application: "1648 3C" value received.
                """,
            values: ["< 2A37 16 48 3C"], microseconds: time),
        Log(
            format: .nrfConnect,
            text: """
                22:54:15.123\tAttribute value changed, handle: 0x2A, value (0x): 01-06
                22:54:15.124\tAttribute value written, handle: 0x2A, value (0x): 01-06
                22:54:15.130\tAttribute value changed, handle: 0x2C, value (0x): 07
                22:54:15.140\tAttribute value read, handle: 0x03, value (0x): 52-31
                """,
            values: ["> 0x002A write 01 06", "< 0x002C notified 07", "< 0x0003 read 52 31"],
            microseconds: time + 1000),
    ]

    static let phones = [
        Log(
            format: .lightBlue,
            text: """
                22:54:15.123 \u{2014} Characteristic (\(notify)) notified: <03520000 00000055>
                22:54:15.200 - Characteristic (\(write)) wrote new value: <0300>
                22:54:15.300 - Characteristic (2A19) read: <64> \tthe battery
                22:54:15.400 - Characteristic (2A19) notified: <0352
                22:54:15.500 \u{2013} Characteristic (\(write)) wrote: <0A>
                22:54:15.600 \u{2013} Characteristic (2A05) indicated: <0100 FFFF>
                """,
            values: [
                "< uart notified 03 52 00 00 00 00 00 55", "> uart 03 00", "< 2A19 read 64",
                "> uart 0A", "< 2A05 indicated 01 00 FF FF",
            ], notes: [.cutByRecorder], microseconds: time),
        Log(
            format: .gadgetbridge,
            text: """
                22:54:15.123 [binder] DEBUG BtLEQueue - characteristic changed: \(notify) \
                value:  0x03 0x52 0x0
                22:54:15.124 [x] DEBUG ColmiR0xDeviceSupport - Received: 03 52 00
                22:54:15.130 [x] DEBUG WriteAction - writing to characteristic: \(write): \
                0x 3 0x0 0xff
                22:54:15.140 [x] DEBUG BtLEQueue - characteristic read: \
                00002a19-0000-1000-8000-00805f9b34fb - value: 0x64
                22:54:15.150 [x] DEBUG BtLEQueue - characteristic changed: \(notify) value: 0x03 …
                22:54:15.160 [x] DEBUG WriteAction - writing to characteristic: \(write) value: 0x10
                22:54:15.170 [x] DEBUG BtLEQueue - characteristic changed: \(notify) value: …
                """,
            values: [
                "< uart notified 03 52 00", "> uart 03 00 FF", "< 2A19 read 64", "> uart 10",
            ],
            notes: [.cutByRecorder, .cutByRecorder], microseconds: time),
        Log(
            format: .packetLoggerText,
            text: """
                Jun 08 22:54:15.123  ATT Send         0x0041  C4:64:E3:00:00:01  Write Command - \
                Handle:0x0010 - \(write) - Value: 0300 01
                Jun 08 22:54:15.200  ATT Receive      0x0041  Ring  Handle Value Notification - \
                Handle:0x0012 - Value: 0352  41 20 09 00 05 00 04 00 1B 12 00 03 52
                Jun 08 22:54:15.250  ATT Receive      0x0041  Ring  Handle Value Notification - \
                Handle:0x0012 - Value: 0353  41 20 09 00 05 00 04 00 1B
                Jun 08 22:54:15.300  ATT Receive      0x0041  RECV  Handle Value Notification - \
                Handle:0x0012 - Value: 0352 0000 …
                \tOpcode: 0x1B
                 L2CAP Receive    0x0041  RECV  Channel ID: 0x0004  Length: 0x0006 (06) \
                [ 1B 12 00 03 52 00 ]
                Jun 08 22:54:15.400  ATT Receive      0x0041  RECV  Handle Value Notification - \
                Handle:0x0012 - Value: 0352 0000...
                 L2CAP Receive    0x0041  RECV  Channel ID: 0x0004  Length: 0x0006 (06) \
                [ 1B 12 ... ]
                Jun 08 22:54:15.400  ATT Send         0x0041  SEND  Prepare Write Request - \
                Handle:0x0010 - Offset:0x0000 - Value: 0352
                Jun 08 22:54:15.500  HCI Event        0x0041  RECV  Disconnection Complete  \
                05 04 00 41 00 13
                """,
            values: [
                "> acl 41 00 0A 00 06 00 04 00 52 10 00 03 00 01",
                "< acl 41 20 09 00 05 00 04 00 1B 12 00 03 52",
                "< acl 41 20 09 00 05 00 04 00 1B 12 00 03 53",
                "< acl 41 20 0A 00 06 00 04 00 1B 12 00 03 52 00", "< event 05 04 00 41 00 13",
            ], notes: [.cutByRecorder, .cutByRecorder], microseconds: time),
    ]

    static let computers = [
        Log(
            format: .gatttool,
            text: """
                [C0:A1:62:1B:93:45][LE]> characteristics
                handle: 0x0011, char properties: 0x10, char value handle: 0x0012, uuid: \(notify)
                handle: 0x0013, uuid: 00002902-0000-1000-8000-00805f9b34fb
                [C0:A1:62:1B:93:45][LE]> char-write-cmd 0x0010 0300
                [C0:A1:62:1B:93:45][LE]> char-write-req 18 0A02
                Characteristic value was written successfully
                [C0:A1:62:1B:93:45][LE]> char-read-hnd  0x18
                Characteristic value/descriptor: 64
                Notification handle = 0x0012 value: 03 52 00\u{20}
                Indication   handle = 0x0022 value: 01
                $ gatttool -b C0:A1:62:1B:93:45 --char-write-req -a 0x0024 -n 0100
                Characteristic value/descriptor: 65
                [C0:A1:62:1B:93:45][LE]> char-write-req 0x0013 0100
                [C0:A1:62:1B:93:45][LE]> connect C0:A1:62:1B:93:46
                Notification handle = 0x0012 value: 01
                """,
            values: [
                "> 0x0010 command 03 00", "> 0x0018 write 0A 02", "< 0x0018 read 64",
                "< uart notified 03 52 00", "< 0x0022 indicated 01", "> 0x0024 write 01 00",
                "> 0x0013 write 01 00", "< 0x0012 notified 01",
            ]),
        Log(
            format: .bluetoothctl,
            text: """
                [NEW] Characteristic (Handle 0x0000)
                \t/org/bluez/hci0/dev_C0_A1_62_1B_93_45/service000e/char0011
                \t\(notify)
                \tNordic UART RX
                [CHG] Attribute /org/bluez/hci0/dev_C0_A1_62_1B_93_45/service000e/char0011 Value:
                  03 52 00 00 00 00 00 00 00 00 00 00 00 00 00 55  .R.............U
                  01                                               .
                \r\u{1B}[K[\u{1B}[0;94mR12:/service000e/char000f\u{1B}[0m]# write "0x03 0x00 16"
                Attempting to write /org/bluez/hci0/dev_C0_A1_62_1B_93_45/service000e/char000f
                [R12:/service000e/char0018]> read
                Attempting to read /org/bluez/hci0/dev_C0_A1_62_1B_93_45/service000e/char0018
                [CHG] Attribute /org/bluez/hci0/dev_C0_A1_62_1B_93_45/service000e/char0018 Value:
                  64                                               d
                  64                                               d
                [R12:/service000e/char000f]# write "010 10 0x10"
                Attempting to write /org/bluez/hci0/dev_C0_A1_62_1B_93_45/service000e/char000f
                [R12:/service000e/char000f]# write hello
                [R12:/service000e/char000f]# write "0x05" 20
                [R12:/service000e/char000f]# write 0x03 0 command
                Attempting to write /org/bluez/hci0/dev_C0_A1_62_1B_93_45/service000e/char000f
                Attempting to read /org/bluez/hci0/dev_C0_A1_62_1B_93_45/service000e/char0018
                Failed to read: org.bluez.Error.NotPermitted
                [CHG] Device C0:A1:62:1B:93:45 ManufacturerData.Value:
                  01 02                                            ..
                [CHG] Attribute /org/bluez/hci0/dev_C0_A1_62_1B_93_45/service000e/char0018 Value:
                  63                                               c
                [CHG] Attribute /org/bluez/hci0/dev_FF_FF_FF_FF_FF_FF/service000e/char0011 Value:
                  05                                               .
                """,
            values: [
                "< uart notified 03 52 00 00 00 00 00 00 00 00 00 00 00 00 00 55 01",
                "> 0x0010 write 03 00 10", "< 0x0019 read 64", "> 0x0010 write 08 0A 10",
                "> 0x0010 command 03",
                "< 0x0019 notified 63", "< 0x0012 notified 05",
            ], notes: [.cutByRecorder, .cutByRecorder]),
        Log(
            format: .bleak,
            text: #"""
                2025-12-11 22:54:15,123 bleak.backends.bluezdbus.client DEBUG: Write \#
                Characteristic \#(write) | /org/bluez/hci0/dev_C0_A1/service000e/char000f: \#
                bytearray(b'\x03\x00')
                2025-12-11 22:54:15,124 bleak.backends.bluezdbus.client DEBUG: Write \#
                Characteristic \#(write) | /org/bluez/hci0/dev_C0_A1/service000e/char000f: \#
                bytearray(b'\x03\x00
                2025-12-11 22:54:15,130 bleak.backends.bluezdbus.manager DEBUG: received D-Bus \#
                signal: org.freedesktop.DBus.Properties.PropertiesChanged \#
                (/org/bluez/hci0/dev_C0_A1/service000e/char0011): \#
                ['org.bluez.GattCharacteristic1', {'Value': <dbus_fast.signature.Variant ('ay', \#
                bytearray(b"\x03R'"))>}, []]
                DEBUG:bleak.backends.bluezdbus.client:DBUS: path: \#
                /org/bluez/hci0/dev_C0_A1/service001d/char0039, domain: \#
                org.bluez.GattCharacteristic1, body: {'Value': [8, 112, 0, 177]}
                DEBUG: received D-Bus signal: (/org/bluez/hci0/dev_C0_A1/service000e/char0011): \#
                ['org.bluez.GattCharacteristic1', {'Notifying': True}, []]
                DEBUG: received D-Bus signal: (/org/bluez/hci0/dev_FF_FF/service000e/char000f): \#
                ['org.bluez.GattCharacteristic1', {'Value': bytearray(b'\x05')}, []]
                DEBUG: received D-Bus signal: (/org/bluez/hci0/dev_C0_A1/service0017/char0018): \#
                ['org.bluez.GattCharacteristic1', {'Value': bytearray(b'd')}, []]
                bleak.client DEBUG: Read Characteristic 00002a19-0000-1000-8000-00805f9b34fb | \#
                /org/bluez/hci0/dev_C0_A1/service0017/char0018: bytearray(b'd')
                2022-06-08 09:43:53,855 bleak.backends.corebluetooth.client DEBUG: Read \#
                Characteristic f000aa65-0451-4000-b000-000000000000 : bytearray(b'\x7f')
                """#,
            values: [
                "> uart 03 00", "< 0x0012 notified 03 52 27", "< 0x003A notified 08 70 00 B1",
                "< 0x0010 notified 05", "< 2A19 read 64",
                "< F000AA65-0451-4000-B000-000000000000 read 7F",
            ], notes: [.cutByRecorder], microseconds: 1_765_493_655_123_000),
        Log(
            format: .esphome,
            text: """
                [22:54:15.123][VV][basen_bms_ble:151]: Notification received (handle 0x11): \
                3A.16.2B.18 (4)
                [22:54:16][V][basen_bms_ble:401]: Send command (handle 0x15): 3A.16.24 (3)
                [22:54:16][D][jk_bms_ble:401]: Write register: AA.55.90 (3)
                [22:54:16][D][basen_bms_ble:311]:   3A.16.2B.18 (4)
                [22:54:16][VV][basen_bms_ble:151]: Notification received (handle 0x11): 3A.16 (20)
                [22:54:16][VV][basen_bms_ble:151]: Notification received (handle 0x11): 3A.16 (1)
                [22:54:16][VV][basen_bms_ble:151]: Indication received (handle 0x13): 3B (1)
                """,
            values: [
                "< 0x0011 notified 3A 16 2B 18", "> 0x0015 3A 16 24", "> unnamed AA 55 90",
                "< 0x0013 notified 3B",
            ], notes: [.cutByRecorder, .cutByRecorder], microseconds: time),
        Log(
            format: .arduinoBLE,
            text: """
                22:54:15.123 -> HCI EVENT RX <- 043E130100000000004ED25A38FFFF08000000C80007
                22:54:15.160 -> Connected
                HCI ACLDATA TX -> 0200000C00080004001B0500AABBCCDDEE
                HCI COMMAND TX -> 01030C00
                HCI COMMAND TX -> 01030C00 and so on
                HCI ACLDATA RX <- 0900
                """,
            values: [
                "< event 3E 13 01 00 00 00 00 00 4E D2 5A 38 FF FF 08 00 00 00 C8 00 07",
                "> acl 00 00 0C 00 08 00 04 00 1B 05 00 AA BB CC DD EE", "> command 03 0C 00",
            ], notes: [.cutByRecorder, .unknownPacket], microseconds: time),
    ]

    @Test(arguments: nrfConnect + phones + computers)
    func readsTheFormsOfAProgram(_ log: Log) throws {
        for end in ["\n", "\r\n"] {
            let text = Array((log.text + "\n").replacing("\n", with: end).utf8)
            #expect(TrafficFormat.detect(ContiguousArray(text).span) == log.format)
            for length in [1, 7, 1 << 16] {
                let parser = try #require(LogParser(log.format, LogNames()))
                let sink = TextSink.read(text, parser, inPiecesOf: length)
                #expect(sink.values == log.values)
                #expect(sink.notes == log.notes)
                #expect(sink.records.first?.microseconds == log.microseconds)
                #expect(sink.error == nil)
            }
        }
    }

    /// A line of another program is no value, and a log without values says so.
    @Test(arguments: nrfConnect + phones + computers)
    func readsNoOtherForms(_ log: Log) throws {
        let others = [
            TextHexLineTests.notify, "rx 03 52 00", "value: 03", "", "[", "]# write", "\u{0}",
        ]
        for format in TrafficFormat.all {
            guard let parser = LogParser(format, LogNames()) else { continue }
            let sink = TextSink.read(Array((others.joined(separator: "\n") + "\n").utf8), parser)
            #expect(sink.values == [])
            #expect(sink.error != nil)
            guard format != log.format else { continue }
            let foreign = TextSink.read(Array((log.text + "\n").utf8), parser)
            #expect(foreign.values == [], "\(format) read what \(log.format) wrote")
        }
    }

    /// Every cut and every damaged byte is survived, and a line without its end is no value.
    @Test(arguments: nrfConnect + phones + computers)
    func survivesDamage(_ log: Log) throws {
        let text = Array(log.text.utf8)
        let whole = Set(log.values)
        for count in stride(from: 0, to: text.count, by: 3) {
            let parser = try #require(LogParser(log.format, LogNames()))
            let sink = TextSink.read(Array(text.prefix(count)), parser)
            #expect(sink.values.count <= log.values.count)
            if log.format != .bluetoothctl {
                #expect(Set(sink.values).subtracting(whole).count <= 1)
            }
        }
        var choice = FuzzBytes(seed: 5, count: 4_000)
        for _ in 0..<200 {
            var damaged = text
            for _ in 0..<4 {
                damaged[Int(choice.integer(UInt16.self)) % text.count] = choice.byte()
            }
            let parser = try #require(LogParser(log.format, LogNames()))
            _ = TextSink.read(damaged, parser)
        }
    }

    /// A value that was read counts as read.
    @Test func readsAreCountedAsReads() throws {
        let text = "22:54:15.1 - Characteristic (2A19) read: <64>\n"
        let report = try ImportPasses.survey(Array(text.utf8))
        let attribute = try #require(report.connections.first?.attributes.first)
        #expect([attribute.read.count, attribute.notified.count] == [1, 0])
    }

    /// The report does not depend on which of two values of one characteristic comes first.
    @Test func bothDirectionsOfACharacteristicAreCounted() throws {
        let text = """
            22:54:15.1 - Characteristic (\(Self.write)) notified: <01>
            22:54:15.2 - Characteristic (\(Self.write)) wrote new value: <02>

            """
        for _ in 0..<8 {
            let report = try ImportPasses.survey(Array(text.utf8))
            let attributes = try #require(report.connections.first?.attributes)
            #expect(attributes.map(\.written.count) == [1])
            #expect(attributes.map(\.notified.count) == [1])
        }
    }

    @Test func theOptionsNameWhatAProgramDoesNot() throws {
        let names = LogNames(unnamed: [.toDevice: RingServices.uartWrite])
        let parser = try #require(LogParser(.esphome, names))
        let line = "[22:54:16][D][jk_bms_ble:401]: Write register: AA.55.90 (3)\n"
        #expect(TextSink.read(Array(line.utf8), parser).values == ["> uart AA 55 90"])
    }
}

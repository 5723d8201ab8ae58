import Foundation
import HaloCapture
import HaloCaptureFoundation
import HaloDevices
import HaloFoundation
import HaloProtocol
import HaloTraffic
import HaloTransport
import TestSupport
import Testing

/// UUIDs, bytes, files and messages of errors.
@Suite(.computes) struct BytesAndFilesTests {
    @Test(arguments: [
        "6E400002-B5A3-F393-E0A9-E50E24DCCA9E", "00112233-4455-6677-8899-AABBCCDDEEFF",
        "0000180D-0000-1000-8000-00805F9B34FB",
    ])
    func uuidsAreTheSame128Bits(_ text: String) throws {
        let uuid = try #require(UUID(uuidString: text))
        let bluetooth = try BluetoothUUID(parsing: text)
        #expect(BluetoothUUID(uuid) == bluetooth)
        #expect(UUID(bluetooth) == uuid)
    }

    @Test func aShortUUIDHasALongForm() {
        let text = "0000180D-0000-1000-8000-00805F9B34FB"
        #expect(UUID(StandardServices.heartRate).uuidString == text)
        #expect(BluetoothUUID(UUID(StandardServices.heartRate)) == StandardServices.heartRate)
    }

    @Test func identitiesAndUUIDsAreStoredAsText() throws {
        let identity = PeripheralIdentity("C0:DE:00:00:00:01")
        let json = try JSONEncoder().encode([identity])
        #expect(String(decoding: json, as: UTF8.self) == #"["C0:DE:00:00:00:01"]"#)
        #expect(try JSONDecoder().decode([PeripheralIdentity].self, from: json) == [identity])
        let long = try BluetoothUUID(parsing: "6E400002-B5A3-F393-E0A9-E50E24DCCA9E")
        let uuids = [BluetoothUUID(0x2A37), long]
        let texts = try JSONEncoder().encode(uuids)
        #expect(
            String(decoding: texts, as: UTF8.self)
                == #"["2A37","6E400002-B5A3-F393-E0A9-E50E24DCCA9E"]"#)
        #expect(try JSONDecoder().decode([BluetoothUUID].self, from: texts) == uuids)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([BluetoothUUID].self, from: Data(#"["2A3"]"#.utf8))
        }
    }

    @Test func dataHoldsTheBytesOfFramesAndPackets() throws {
        let frame = try Frame(opcode: 3)
        #expect(Data(frame) == Data([3] + [UInt8](repeating: 0, count: 14) + [3]))
        #expect(try Frame(decoding: Data(frame)) == frame)
        let big = try BigDataFrame(id: 0x27, payload: [1, 2, 3])
        #expect(try BigDataFrame(decoding: Data(big)) == big)
        let advertised = AdvertisingData.connectable(name: "R02", services: [])
        #expect(Data(advertised) == Data(advertised.bytes))
    }

    private let folder = TestFolder()

    private static let text = """
        halo-capture 2
        * connected mtu 247
        > uart 03 00 00 00 00 00 00 00 00 00 00 00 00 00 00 03
        + 40ms
        < uart 03 55 00 00 00 00 00 00 00 00 00 00 00 00 00 58

        """

    @Test func aCaptureGoesToAFileAndBack() throws {
        let capture = try Capture(reading: Self.text)
        let file = URL(filePath: folder.path("a ring ä.capture"))
        try capture.write(to: file)
        #expect(try String(contentsOf: file, encoding: .utf8) == Self.text)
        #expect(try Capture(contentsOf: file).lines == capture.lines)
    }

    @Test func trafficGoesToAFileAndBack() throws {
        let capture = try Capture(reading: Self.text)
        let file = URL(filePath: folder.path("a ring ä.pcapng"))
        try capture.export(as: .pcapng, to: file)
        let bytes = try capture.exported(as: .pcapng)
        #expect(try Data(contentsOf: file) == Data(bytes))
        #expect(try Capture(importing: file).lines == Capture(importing: bytes).lines)
        try Data([1, 2, 3]).write(to: file)
        let content = #expect(throws: FileReadingError<TrafficError>.self) {
            try Capture(importing: file)
        }
        guard case .content = content else {
            Issue.record("\(String(describing: content))")
            return
        }
    }

    @Test func onlyFilesAreReadAndWritten() throws {
        let page = try #require(URL(string: "https://example.com/ring.capture"))
        let reading = #expect(throws: CaptureFileError.self) { try Capture(contentsOf: page) }
        #expect(reading?.file?.operation == .open)
        #expect(reading?.file?.path == "https://example.com/ring.capture")
        let capture = try Capture(reading: Self.text)
        let writing = #expect(throws: FileError.self) { try capture.write(to: page) }
        #expect(writing?.operation == .create)
        #expect(throws: ExportError.self) { try capture.export(as: .pcapng, to: page) }
        for url in [page, URL(filePath: "/no such folder/ring.pcapng")] {
            let error = #expect(throws: FileReadingError<TrafficError>.self) {
                try Capture(importing: url)
            }
            guard case .file(let file) = error else {
                Issue.record("\(url)")
                return
            }
            #expect(file.operation == .open && !file.reason.isEmpty)
        }
    }

    /// Alerts, which take errors as Foundation has them, show the texts of the errors themselves.
    @Test func alertsShowTheTextsOfErrors() throws {
        let device = DeviceError(.notWorn, command: "RealtimeMeasurement")
        let bluetooth = BLEError(.alreadyConnected, .connect)
        let value = ValueError("sleepsAfterMinutes", allowed: 0...255, found: -1)
        let rows: [(any LocalizedError & CustomStringConvertible, String, String?)] = [
            (device, device.title, device.advice), (bluetooth, bluetooth.title, bluetooth.advice),
            (value, value.title, nil),
        ]
        for (error, title, advice) in rows {
            #expect(error.localizedDescription == title)
            #expect(error.failureReason == "\(error)")
            #expect(error.recoverySuggestion == advice)
        }
        #expect(device.advice != nil && bluetooth.advice != nil)
    }

    @Test func alertsNameNoPackets() throws {
        let packet = #expect(throws: PacketError.self) {
            try Battery.Reply(decoding: Frame(opcode: 4, payload: []))
        }
        let errors: [(any LocalizedError & CustomStringConvertible, String)] = [
            (try #require(packet), "The device sent what this app cannot read."),
            (
                FrameError(.wrongChecksum, at: 15, expected: 1, found: 2),
                "The device sent what this app cannot read."
            ),
            (BigDataFault(.overflow), "The device sent what this app cannot read."),
            (SessionError(.incomplete), "The reply is incomplete."),
            (ATTError.readNotPermitted, "The device refused the request."),
            (
                BLEError(.refused, .write, uuid: BluetoothUUID(0x2A37)),
                "Writing failed: the device refused."
            ),
            (BLEError(.bluetoothOff, .scan), "Bluetooth is switched off."),
        ]
        for (error, sentence) in errors {
            #expect(error.localizedDescription == sentence)
            #expect(error.failureReason == error.description)
        }
    }

    @Test func errorsOfFilesAndTextsHaveOneSentence() {
        let errors: [any LocalizedError & CustomStringConvertible] = [
            FileError(.open, "x", reason: "it is not there"),
            CaptureFileError(FileError(.open, "x", reason: "it is not there")),
            TextError("UUID", expected: "a hyphen", at: 8),
        ]
        for error in errors {
            let stop = error.description.hasSuffix(".") ? "" : "."
            #expect(error.localizedDescription == error.description + stop)
        }
        #expect(errors[0].localizedDescription.hasSuffix("it is not there."))
    }
}

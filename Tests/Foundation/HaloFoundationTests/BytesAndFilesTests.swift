import Foundation
import HaloCapture
import HaloDevices
import HaloFoundation
import HaloProtocol
import HaloTraffic
import HaloTransport
import TestSupport
import Testing

/// UUIDs, bytes, files and messages of errors.
@Suite struct BytesAndFilesTests {
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

    /// The sentence of an alert, and what the person can do, of each error that an app shows.
    @Test func alertsOfADevice() {
        let rows: [(DeviceError, String, String?)] = [
            (
                DeviceError(SessionError(.timedOut), command: "HeartRateLog"),
                "The device did not answer.", "Bring the device near, and try again."
            ),
            (
                DeviceError(BLEError(.timedOut, .connect)), "Connecting took longer than allowed.",
                "Bring the device near, and try again."
            ),
            (
                DeviceError(BLEError(.bluetoothOff, .scan)), "Bluetooth is switched off.",
                "Switch Bluetooth on."
            ),
            (
                DeviceError(
                    BLEError(.disconnected, .write, disconnectReason: DisconnectReason(.bondLost))),
                "There is no link to the device.",
                "Remove the device in the system's Bluetooth settings, and pair it again."
            ),
            (
                DeviceError(ValueError("intervalMinutes", allowed: 1...255, found: 300)),
                "Interval must be between 1 and 255 minutes.", nil
            ),
            (
                DeviceError(.notWorn, command: "RealtimeMeasurement"),
                "The ring is not worn, or not properly.",
                "Put the ring on so that its sensor touches the inside of the finger."
            ),
            (
                DeviceError(.noData, command: RealtimeMeasurement.name), "The device has no value.",
                "Put the ring on so that its sensor touches the inside of the finger."
            ),
            (DeviceError(.noData, command: Battery.name), "The device has no value.", nil),
            (
                DeviceError(.disconnected, disconnectReason: DisconnectReason(.local)),
                "There is no link to the device.", nil
            ),
            (
                DeviceError(.disconnected), "There is no link to the device.",
                "Bring the device near, and try again."
            ),
            (
                DeviceError(.notFound), "No device was found.",
                "Bring the device near. Charge it, and close other apps that use it."
            ),
            (DeviceError(.bluetoothOff), "Bluetooth is switched off.", "Switch Bluetooth on."),
            (
                DeviceError(.unauthorized), "The program may not use Bluetooth.",
                "Allow Bluetooth for this app in the system's settings."
            ),
            (DeviceError(.cancelled), "The task was cancelled.", nil),
        ]
        for (error, sentence, advice) in rows {
            #expect(error.localizedDescription == sentence)
            #expect(error.failureReason == "\(error)")
            #expect(error.recoverySuggestion == advice)
        }
    }

    /// Of an error of Bluetooth that has no kind of its own, the alert has the cause.
    @Test func alertsOfBluetooth() {
        let again = "Try again. If that does not help, switch Bluetooth off and on."
        let rows: [(BLEError, String, String?)] = [
            (BLEError(.noBluetooth, .scan), "This system has no Bluetooth.", nil),
            (
                BLEError(.bondLost, .connect), "The device has forgotten the bond.",
                "Remove the device in the system's Bluetooth settings, and pair it again."
            ),
            (
                BLEError(.alreadyConnected, .connect),
                "Connecting failed: the device is connected already.",
                "Close other apps that use the device."
            ),
            (
                BLEError(.tooLong, .write),
                "Writing failed: the value is too long for one write.", nil
            ),
            (
                BLEError(.noSuchAttribute, .subscribe),
                "Subscribing failed: the device has no such service or characteristic.", nil
            ),
            (BLEError(.refused, .unsubscribe), "Unsubscribing failed: the device refused.", nil),
            (
                BLEError(.backend, .read),
                "Reading failed: the Bluetooth service reported an error.", again
            ),
        ]
        for (cause, sentence, advice) in rows {
            let error = DeviceError(cause)
            #expect(error.kind == .bluetooth)
            #expect(error.localizedDescription == sentence)
            #expect(error.recoverySuggestion == advice)
        }
        #expect(DeviceError(.bluetooth).localizedDescription == "Bluetooth failed.")
    }

    /// A field in words, with the unit at the end of its name.
    @Test(arguments: [
        (ValueError("steps", allowed: 0...10, found: -1), "Steps must be between 0 and 10."),
        (
            ValueError("sleepsAfterMinutes", allowed: 0...255, found: -1),
            "Sleeps after must be between 0 and 255 minutes."
        ),
        (
            ValueError("warningBeatsPerMinute", allowed: 0...255, found: 300),
            "Warning must be between 0 and 255 beats per minute."
        ),
        (
            ValueError("minutesPerMeasurement", allowed: 1...255, found: 0),
            "Minutes per measurement must be between 1 and 255."
        ),
        (ValueError("minutes", allowed: 1...240, found: 0), "Minutes must be between 1 and 240."),
    ])
    func alertsOfValues(_ error: ValueError, _ sentence: String) {
        #expect(error.localizedDescription == sentence)
        #expect(error.failureReason == "\(error)")
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

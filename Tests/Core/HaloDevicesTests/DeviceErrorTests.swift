import HaloDevices
import HaloProtocol
import HaloTransport
import TestSupport
import Testing

/// Tables of errors of Bluetooth and of the session, as errors of devices.
@Suite(.passesTime) struct DeviceErrorTests {
    private static let kinds: [(kind: DeviceError.Kind, words: String, isTransient: Bool)] = [
        (.bluetooth, "Bluetooth failed", false),
        (.notFound, "no device was found", true),
        (.wrongDevice, "the device does not speak this protocol", false),
        (.disconnected, "there is no link to the device", true),
        (.timedOut, "the device did not answer", true),
        (.badReply, "the reply is not valid", true),
        (.notSupported, "the device does not support this", false),
        (.cancelled, "the task was cancelled", false),
        (.replaced, "another measurement has begun", false),
        (.overloaded, "too many requests are waiting", true),
        (.badValue, "the value cannot be sent", false),
        (.noData, "the device has no value", false),
        (.silent, "the device fell silent", true),
        (.uncertainDay, "the day of the answer is not certain", true),
        (.bluetoothOff, "Bluetooth is switched off", true),
        (.unauthorized, "the program may not use Bluetooth", false),
        (.notWorn, "the ring is not worn, or not properly", true),
    ]

    @Test func kindsHaveTheirWordsAndSayWhetherToTryAgain() {
        #expect(Set(Self.kinds.map(\.kind)).count == Self.kinds.count)
        for (kind, words, isTransient) in Self.kinds {
            #expect("\(kind)" == words)
            #expect("\(DeviceError(kind))" == "\(words).")
            #expect(DeviceError(kind).isTransient == isTransient, "\(words)")
        }
    }

    @Test(arguments: [
        (BLEError.Kind.cancelled, DeviceError.Kind.cancelled), (.disconnected, .disconnected),
        (.wrongDevice, .wrongDevice), (.overloaded, .overloaded), (.notFound, .notFound),
        (.bluetoothOff, .bluetoothOff), (.unauthorized, .unauthorized), (.timedOut, .timedOut),
        (.noBluetooth, .bluetooth), (.refused, .bluetooth), (.noSuchAttribute, .bluetooth),
        (.notPermitted, .bluetooth), (.tooLong, .bluetooth), (.alreadyConnected, .bluetooth),
        (.notSupported, .bluetooth), (.backend, .bluetooth),
    ])
    func errorsOfBluetoothKeepTheirMeaning(_ error: BLEError.Kind, _ kind: DeviceError.Kind) {
        let reason = DisconnectReason(.remote)
        for operation in [BLEError.Operation.read, .discover, .write, .scan, .connect] {
            let below = BLEError(error, operation, disconnectReason: reason)
            let told = DeviceError(below)
            #expect(told.kind == kind)
            #expect(told.bleError == below)
            #expect(told.disconnectReason == reason)
        }
        let told = DeviceError(BLEError(error, .read))
        if kind == .bluetooth { #expect(told.isTransient == BLEError(error, .read).isTransient) }
        #expect(told.disconnectReason == nil)
    }

    @Test(arguments: [
        (SessionError.Kind.timedOut, DeviceError.Kind.timedOut), (.incomplete, .badReply),
        (.malformed, .badReply), (.cancelled, .cancelled), (.disconnected, .disconnected),
        (.overloaded, .overloaded), (.otherRequest, .badReply), (.tooLong, .badReply),
        (.writeFailed, .bluetooth),
    ])
    func errorsOfTheSessionKeepTheirMeaning(
        _ error: SessionError.Kind, _ kind: DeviceError.Kind
    ) {
        let below = SessionError(error)
        let reason = DisconnectReason(.outOfReach)
        let refused = BLEError(.notPermitted, .write)
        let told = DeviceError(
            below, command: Battery.name, bleError: refused, disconnectReason: reason)
        #expect(told.kind == kind)
        #expect(told.command == Battery.name)
        #expect(told.sessionError == below)
        #expect(told.disconnectReason == (error == .disconnected ? reason : nil))
        let saysWrite = error == .timedOut || error == .writeFailed
        #expect(told.bleError == (saysWrite ? refused : nil))
        #expect(DeviceError(below).kind == kind)
    }

    @Test func anErrorSaysItsCommandAndItsCause() throws {
        var error = DeviceError(.timedOut, command: Battery.name)
        #expect("\(error)" == "Battery: the device did not answer.")
        error.bleError = BLEError(.refused, .write, attError: .unlikely)
        let refusal = """
            Battery: the device did not answer (writing failed: the device refused, \
            ATT error 0x0E (something went wrong in the device); trying again will not help).
            """
        #expect("\(error)" == refusal)
        error.disconnectReason = DisconnectReason(.outOfReach)
        #expect(
            "\(error)" == "Battery: the device did not answer (the device is out of reach).")
        let value = DeviceError(
            ValueError("percent", allowed: 0...100, found: 101), command: Battery.name)
        #expect(value.kind == .badValue)
        #expect("\(value)".hasPrefix("Battery: the value cannot be sent ("))
        #expect("\(value)".hasSuffix(")."))
        for kind in [BLEError.Kind.notFound, .bluetoothOff] {
            let told = DeviceError(BLEError(kind, .scan))
            #expect("\(told)" == "\(told.kind).", "the kind says all")
        }
    }

    /// The title of an alert, and what the person can do, without Foundation.
    @Test func anAlertHasItsTextsWithoutFoundation() {
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
            #expect(error.title == sentence && error.advice == advice, "\(error)")
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
            #expect(error.title == sentence && error.advice == advice, "\(error)")
            #expect(cause.title == sentence && cause.advice == advice, "\(cause)")
        }
        #expect(DeviceError(.bluetooth).title == "Bluetooth failed.")
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
        #expect(error.title == sentence)
    }
}

import HaloDevices
import HaloProtocol
import HaloTransport
import Testing

/// Tables of errors of Bluetooth and of the session, as errors of devices.
struct DeviceErrorTests {
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
}

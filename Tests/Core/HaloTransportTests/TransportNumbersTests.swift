import HaloProtocol
import HaloTransport
import TestSupport
import Testing

/// Tables: the numbers of the specification, and the words of errors and reasons.
@Suite(.passesTime) struct TransportNumbersTests {
    /// Bluetooth Core Specification, volume 3, part F, table 3.4; 0x80 is the heart-rate profile's.
    @Test(arguments: [
        (ATTError.invalidHandle, 0x01 as UInt8, "there is no such attribute"),
        (.readNotPermitted, 0x02, "it cannot be read"),
        (.writeNotPermitted, 0x03, "it cannot be written"),
        (.invalidPDU, 0x04, "the request makes no sense"),
        (.insufficientAuthentication, 0x05, "the link is not authenticated"),
        (.requestNotSupported, 0x06, "the request is not known"),
        (.invalidOffset, 0x07, "the value is shorter"),
        (.insufficientAuthorization, 0x08, "it is not allowed"),
        (.invalidLength, 0x0D, "the length is impossible"),
        (.unlikely, 0x0E, "something went wrong in the device"),
        (.insufficientEncryption, 0x0F, "the link is not encrypted"),
        (.insufficientResources, 0x11, "the device has no room"),
        (.valueNotAllowed, 0x13, "the value is impossible"),
        (.controlPointNotSupported, 0x80, "the command is not supported, or a service's own error"),
    ])
    func attCodesAreThoseOfTheSpecification(
        _ error: ATTError, _ code: UInt8, _ words: String
    ) {
        #expect(error.code == code)
        #expect("\(error)" == "ATT error 0x\(HexText.byte(code)) (\(words))")
    }

    /// Bluetooth Core Specification, volume 3, part G, table 3.5.
    @Test(arguments: [
        (GATTProperties.broadcast, 0x01 as UInt8, false, false), (.read, 0x02, false, false),
        (.writeWithoutResponse, 0x04, true, false), (.write, 0x08, true, false),
        (.notify, 0x10, false, true), (.indicate, 0x20, false, true),
        (.signedWrite, 0x40, false, false), (.extended, 0x80, false, false),
    ])
    func propertiesAreThoseOfTheSpecification(
        _ property: GATTProperties, _ bit: UInt8, canWrite: Bool, canSubscribe: Bool
    ) {
        #expect(property.rawValue == bit)
        #expect(property.canWrite == canWrite)
        #expect(property.canSubscribe == canSubscribe)
        #expect(property.union([.write, .notify]).canWrite)
        #expect(property.union([.write, .notify]).canSubscribe)
    }

    private static let kinds: [(BLEError.Kind, String, isTransient: Bool)] = [
        (.noBluetooth, "this system has no Bluetooth", false),
        (.unauthorized, "the program may not use Bluetooth", false),
        (.bluetoothOff, "Bluetooth is switched off", true),
        (.notFound, "the device was not found", true),
        (.timedOut, "it took longer than allowed", true),
        (.cancelled, "it was cancelled", false),
        (.disconnected, "the link has ended", true),
        (.refused, "the device refused", false),
        (.noSuchAttribute, "the device has no such service or characteristic", false),
        (.notPermitted, "the characteristic does not allow it", false),
        (.tooLong, "the value is too long for one write", false),
        (.alreadyConnected, "the device is connected already", true),
        (.notSupported, "this backend cannot do it", false),
        (.backend, "the Bluetooth service reported an error", true),
        (.overloaded, "too many operations are waiting", true),
        (.wrongDevice, "the device does not speak the protocol that was expected", false),
        (.bondLost, "the device has forgotten the bond", false),
    ]

    @Test func kindsHaveWordsAndAdvice() {
        #expect(Set(Self.kinds.map(\.0)).count == Self.kinds.count)
        for (kind, words, isTransient) in Self.kinds {
            let error = BLEError(kind, .read)
            #expect("\(kind)" == words)
            #expect(error.isTransient == isTransient, "\(words)")
            let advice = isTransient ? "; it may help to try again" : "; trying again will not help"
            let expected = kind == .cancelled ? "" : advice
            #expect("\(error)" == "reading failed: \(words)\(expected).")
            // The backend's words come after the kind's, or instead of them.
            let told = "\(BLEError(kind, .read, details: "ten"))"
            let isInstead = kind == .noBluetooth || kind == .backend
            let cause = isInstead ? "ten" : "\(words), in the backend's words \"ten\""
            #expect(told == "reading failed: \(cause)\(expected).")
        }
    }

    @Test func operationsHaveWords() {
        let operations: [(BLEError.Operation, String)] = [
            (.scan, "looking for devices"), (.connect, "connecting"),
            (.discover, "discovering services"), (.read, "reading"),
            (.write, "writing"), (.subscribe, "subscribing"),
            (.unsubscribe, "unsubscribing"), (.receive, "waiting for values"),
            (.readRSSI, "reading the signal strength"),
            (.adapter, "reading the state of the adapter"), (.host, "hosting a device"),
            (.disconnect, "closing the link"), (.pair, "pairing"),
        ]
        #expect(Set(operations.map(\.0)).count == operations.count)
        for (operation, words) in operations { #expect("\(operation)" == words) }
    }

    @Test func reasonsHaveWords() {
        let reasons: [(DisconnectReason.Kind, String)] = [
            (.local, "closed by the app"), (.remote, "closed by the device"),
            (.outOfReach, "the device is out of reach"),
            (.adapterGone, "Bluetooth was switched off"),
            (.backendGone, "the Bluetooth service is gone"),
            (.noResponse, "the device did not answer"),
            (.bondLost, "the keys of the bond did not fit"),
        ]
        #expect(Set(reasons.map(\.0)).count == reasons.count)
        for (kind, words) in reasons {
            #expect("\(DisconnectReason(kind))" == words)
            #expect("\(DisconnectReason(kind, details: "ten"))" == "\(words) (\"ten\")")
            let error = BLEError(.disconnected, .write, disconnectReason: DisconnectReason(kind))
            #expect(error.isTransient == (kind != .local && kind != .bondLost))
            // Who has closed the link knows whether to try again.
            let end = kind == .local ? "." : "; "
            #expect("\(error)".hasPrefix("writing failed: the link has ended, \(words)\(end)"))
        }
    }

    @Test func traceKindsHaveWords() {
        let kinds: [LinkTrace.Kind] = [.request, .reply, .event]
        #expect(kinds.map(\.description) == ["request", "reply", "event"])
        #expect(Set(kinds).count == 3)
    }
}

/// The effects of a device.
@Suite(.passesTime) struct PeripheralEffectsTests {
    private static let token = ResponseToken(7)
    private static let attribute = AttributeID(3)

    @Test func effectsAreInOrder() {
        var effects = PeripheralEffects()
        #expect(effects.all == [])
        effects.respond([1], to: Self.token)
        effects.accept(Self.token)
        effects.refuse(.unlikely, Self.token)
        effects.notify(Self.attribute, [2])
        effects.wake(at: .origin)
        effects.wake(at: nil)
        effects.append(.disconnect)
        #expect(
            effects.all == [
                .value([1], Self.token), .done(Self.token), .refuse(.unlikely, Self.token),
                .notify(Self.attribute, [2]), .wake(.origin), .wake(nil), .disconnect,
            ])
        effects.removeAll()
        #expect(effects.all == [])
    }

    /// A write without a response is neither accepted nor refused.
    @Test func writesWithoutTokenHaveNoResponse() {
        var effects = PeripheralEffects()
        effects.accept(nil)
        effects.refuse(.unlikely, nil)
        #expect(effects.all == [])
    }
}

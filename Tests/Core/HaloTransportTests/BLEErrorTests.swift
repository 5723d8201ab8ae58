import HaloProtocol
import HaloTransport
import TestSupport
import Testing

/// The description of an error.
@Suite(.passesTime) struct BLEErrorTests {
    @Test func descriptionHasOperationCauseAndAdvice() {
        let uuid = BluetoothUUID(0x2A37)
        #expect(
            BLEError(.refused, .read, uuid: uuid, attError: .insufficientEncryption).description
                == "reading 2A37 failed: the device refused, ATT error 0x0F (the link is not "
                + "encrypted); trying again will not help.")
        #expect(
            BLEError(
                .disconnected, .receive, uuid: uuid, disconnectReason: DisconnectReason(.outOfReach)
            ).description
                == "waiting for values of 2A37 failed: the link has ended, the device is out "
                + "of reach; it may help to try again.")
        #expect(
            BLEError(.refused, .write, attError: ATTError(code: 0x9A)).description
                == "writing failed: the device refused, ATT error 0x9A; trying again will not "
                + "help.")
        let ends: [(BLEError.Operation, String)] = [
            (.subscribe, "subscribing to 2A37 failed: "),
            (.unsubscribe, "unsubscribing from 2A37 failed: "),
        ]
        for (operation, beginning) in ends {
            let error = BLEError(.refused, operation, uuid: uuid)
            #expect(error.description.hasPrefix(beginning), "\(error)")
        }
    }

    /// For these two kinds only the backend knows the cause: its words come first.
    @Test(arguments: [BLEError.Kind.noBluetooth, .backend])
    func backendsWordsReplaceTheKindsWords(_ kind: BLEError.Kind) {
        #expect(
            BLEError(kind, .connect, details: "there is no adapter called hci7").description
                .hasPrefix("connecting failed: there is no adapter called hci7; "))
        #expect(
            BLEError(kind, .connect).description.hasPrefix("connecting failed: \(kind); "))
    }

    @Test func wordsOfOthersAreEscaped() {
        let nasty = "a\u{1B}[2J\"\nb"
        let error = BLEError(
            .backend, .connect, disconnectReason: DisconnectReason(.backendGone, details: nasty),
            details: nasty)
        #expect(!error.description.unicodeScalars.contains { $0.value < 0x20 })
        #expect(error.description.contains("a\\x1B[2J\\x22\\x0Ab"))
    }

    @Test func everyCodeHasItsOwnWords() {
        let codes = (0...UInt8.max).map { ATTError(code: $0).description }
        #expect(Set(codes).count == codes.count)
    }

    @Test func onlyErrorsThatMayPassAreTransient() {
        #expect(
            BLEError(.disconnected, .read, disconnectReason: DisconnectReason(.remote)).isTransient)
        #expect(
            !BLEError(.disconnected, .read, disconnectReason: DisconnectReason(.local)).isTransient)
        #expect(BLEError(.overloaded, .write).isTransient)
        #expect(!BLEError(.tooLong, .write).isTransient)
        #expect(!BLEError(.cancelled, .write).isTransient)
    }
}

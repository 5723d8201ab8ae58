import CoreBluetooth
import Foundation
import HaloProtocol
import HaloTransport
import Testing

@testable import HaloCoreBluetooth

/// The errors of the system, one by one.
@Suite struct ErrorTests {
    static let ofLinks: [(CBError.Code, BLEError.Kind, BLEError.Kind, DisconnectReason.Kind)] = [
        (.unknown, .backend, .backend, .remote),
        (.invalidParameters, .backend, .backend, .remote),
        (.invalidHandle, .noSuchAttribute, .backend, .remote),
        (.notConnected, .disconnected, .backend, .remote),
        (.outOfSpace, .backend, .backend, .remote),
        (.operationCancelled, .backend, .backend, .remote),
        (.connectionTimeout, .timedOut, .timedOut, .outOfReach),
        (.peripheralDisconnected, .disconnected, .disconnected, .remote),
        (.uuidNotAllowed, .notSupported, .notSupported, .remote),
        (.alreadyAdvertising, .backend, .backend, .remote),
        (.connectionFailed, .backend, .backend, .remote),
        (.connectionLimitReached, .overloaded, .overloaded, .remote),
        (.unknownDevice, .backend, .notFound, .remote),
        (.operationNotSupported, .notSupported, .notSupported, .remote),
        (.peerRemovedPairingInformation, .bondLost, .bondLost, .bondLost),
        (.encryptionTimedOut, .bondLost, .bondLost, .bondLost),
        (.tooManyLEPairedDevices, .backend, .backend, .remote),
    ]

    @Test(arguments: ofLinks)
    func convertsErrorsOfLinks(
        _ row: (CBError.Code, BLEError.Kind, BLEError.Kind, DisconnectReason.Kind)
    ) {
        let (code, request, connecting, reason) = row
        let error = SystemError(CBError(code))
        #expect(error.error(.read).kind == request)
        let end: DisconnectReason.Kind? = request == .disconnected ? .remote : nil
        #expect(error.error(.read).disconnectReason?.kind == end)
        #expect(error.connectError.kind == connecting)
        #expect(error.connectError.operation == .connect)
        #expect(error.disconnectReason.kind == reason)
        for details in [
            error.error(.read).details, error.connectError.details, error.disconnectReason.details,
        ] {
            #expect(details?.hasPrefix("CBErrorDomain \(code.rawValue): ") == true)
        }
    }

    @Test(arguments: UInt8.min...UInt8.max)
    func convertsErrorsOfTheAttributeProtocol(_ code: UInt8) throws {
        let system = try #require(CBATTError.Code(rawValue: Int(code)))
        let uuid = BluetoothUUID(0x2A37)
        let error = SystemError(CBATTError(system)).error(.write, uuid)
        #expect(error.kind == .refused)
        #expect(error.attError == ATTError(code: code))
        #expect(error.uuid == uuid)
        #expect(error.details?.hasPrefix("CBATTErrorDomain \(code): ") == true)
    }

    @Test func keepsErrorsThatNobodyKnows() throws {
        for error in [
            NSError(domain: "CBErrorDomain", code: 4711),
            NSError(domain: "CBATTErrorDomain", code: 256),
            NSError(domain: "CBATTErrorDomain", code: -1),
            NSError(domain: NSPOSIXErrorDomain, code: 5),
        ] {
            let converted = SystemError(error).error(.discover)
            #expect(converted.kind == .backend)
            #expect(converted.details?.hasPrefix("\(error.domain) \(error.code): ") == true)
            #expect(SystemError(error).disconnectReason.kind == .remote)
        }
    }

    @Test func shortensLongTexts() {
        let text = String(repeating: "long ", count: 100)
        let error = NSError(domain: "x", code: 1, userInfo: [NSLocalizedDescriptionKey: text])
        #expect(SystemError(error).details == "x 1: \(text.prefix(200))")
    }

    @Test func aLostBondIsKnownByItsText() {
        let error = NSError(
            domain: CBATTErrorDomain, code: 14,
            userInfo: [NSLocalizedDescriptionKey: "Peer removed pairing information"])
        #expect(SystemError(error).error(.read).kind == .bondLost)
        #expect(SystemError(error).disconnectReason.kind == .bondLost)
    }
}

/// Values of the system.
@Suite struct ValueTests {
    @Test func uuidsKeepTheirBits() {
        for uuid in [
            BluetoothUUID(0x180D), BluetoothUUID(0x0001_2345),
            BluetoothUUID(high: 0x6E40_FFF0_B5A3_F393, low: 0xE0A9_E50E_24DC_CA9E),
        ] {
            #expect(BluetoothUUID(uuid.system) == uuid)
            #expect(BluetoothUUID(uuid.systemInFull) == uuid)
            #expect(uuid.systemInFull.data.count == 16)
        }
        #expect(BluetoothUUID(0x180D).system.data.count == 2)
    }

    @Test func descriptorsHaveValuesOfSeveralTypes() {
        #expect(bytes(ofDescriptor: Data([1, 2])) == [1, 2])
        #expect(bytes(ofDescriptor: "ab") == [0x61, 0x62])
        #expect(bytes(ofDescriptor: NSNumber(value: 0x0201)) == [1, 2])
        #expect(bytes(ofDescriptor: nil) == nil)
        #expect(bytes(ofDescriptor: [1]) == nil)
    }

    @Test(arguments: [127, -127]) func anUnknownRSSIIsNone(_ number: Int) {
        #expect(Discovery.rssi(NSNumber(value: number)) == nil)
    }

    @Test func anRSSIIsKept() { #expect(Discovery.rssi(-60) == -60) }
}

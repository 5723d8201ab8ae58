#if canImport(CoreBluetooth)
internal import CoreBluetooth
internal import Foundation
internal import HaloProtocol
internal import HaloTransport

/// An error of the system, by its domain and its code.
///
/// The code is read as a number: the system reports codes that its enumerations do not list.
///
/// `BLEError.details` keeps the domain, the code and the text of the error.
struct SystemError {
    let code: CBError.Code?
    let attError: ATTError?
    /// The domain, the code and the text.
    let details: String
    let isOfBond: Bool

    private static let longestText = 200

    init(_ error: any Error) {
        let error = error as NSError
        let text = String(error.localizedDescription.prefix(Self.longestText))
        details = "\(error.domain) \(error.code): \(text)"
        let isOfLink = error.domain == CBErrorDomain
        code = isOfLink ? CBError.Code(rawValue: error.code) : nil
        attError =
            error.domain == CBATTErrorDomain
            ? UInt8(exactly: error.code).map { ATTError(code: $0) } : nil
        // Some systems report a lost bond with the code of the one domain in the other one.
        isOfBond =
            code == .peerRemovedPairingInformation || code == .encryptionTimedOut
            || attError == .unlikely && text.lowercased().contains("pairing")
    }

    func error(_ operation: BLEError.Operation, _ uuid: BluetoothUUID? = nil) -> BLEError {
        let kind: BLEError.Kind =
            switch code {
            case _ where isOfBond: .bondLost
            case nil: attError == nil ? .backend : .refused
            case .notConnected, .peripheralDisconnected: .disconnected
            case .connectionTimeout: .timedOut
            case .invalidHandle: .noSuchAttribute
            case .uuidNotAllowed, .operationNotSupported: .notSupported
            case .connectionLimitReached: .overloaded
            default: .backend
            }
        let reason = kind == .disconnected ? DisconnectReason(.remote, details: details) : nil
        return BLEError(
            kind, operation, uuid: uuid, attError: kind == .refused ? attError : nil,
            disconnectReason: reason, details: details)
    }

    var connectError: BLEError {
        switch code {
        case .unknownDevice: BLEError(.notFound, .connect, details: details)
        case .notConnected, .invalidHandle: BLEError(.backend, .connect, details: details)
        default: error(.connect)
        }
    }

    /// The reason for the end of a link that the app has not closed.
    var disconnectReason: DisconnectReason {
        if isOfBond { return DisconnectReason(.bondLost, details: details) }
        return DisconnectReason(
            code == .connectionTimeout ? .outOfReach : .remote, details: details)
    }
}
#endif

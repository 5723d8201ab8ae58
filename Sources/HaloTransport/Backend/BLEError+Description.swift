internal import HaloProtocol

extension BLEError: CustomStringConvertible {
    /// One sentence: what was asked of what, what went wrong and why, and whether it helps to
    /// try again. The words of devices and backends are made safe for a terminal.
    public var description: String {
        let subject = uuid.map { " \($0)" } ?? ""
        return "\(operation)\(subject) failed: \(cause); "
            + (isTransient ? "it may help to try again." : "trying again will not help.")
    }

    private var cause: String {
        // These kinds only say where something is wrong; the backend's words say what is.
        if kind == .unsupported || kind == .backend, let details {
            return PrintableText.escaped(details.utf8)
        }
        let words = details.map { ", in the backend's words \(PrintableText.quoted($0.utf8))" }
        return "\(kind)\(explanation)\(words ?? "")"
    }

    private var explanation: String {
        if let reason { return ", \(reason)" }
        if let attError { return ", \(attError)" }
        return ""
    }
}

extension BLEError.Kind: CustomStringConvertible {
    /// What went wrong.
    public var description: String {
        switch self {
        case .unsupported: "this computer has no Bluetooth"
        case .unauthorized: "the program may not use Bluetooth"
        case .poweredOff: "Bluetooth is switched off"
        case .notFound: "no such device was heard of"
        case .timedOut: "it took longer than allowed"
        case .cancelled: "it was cancelled"
        case .disconnected: "the link has ended"
        case .refused: "the device said no"
        case .noSuchAttribute: "the device has no such service or characteristic"
        case .notPermitted: "the characteristic cannot be used so"
        case .tooLong: "the value is longer than one write can be"
        case .alreadyConnected: "the device is connected already"
        case .notSupportedHere: "this backend cannot do it"
        case .backend: "the Bluetooth service reported an error"
        case .overloaded: "too much is waiting already"
        case .bondLost: "the device has forgotten the bond with this computer"
        case .wrongDevice: "the device does not speak the protocol that was expected"
        default: "something went wrong"
        }
    }
}

extension BLEError.Operation: CustomStringConvertible {
    /// What was being done.
    public var description: String {
        switch self {
        case .scan: "looking for devices"
        case .connect: "connecting"
        case .discover: "finding out what the device consists of"
        case .read: "reading"
        case .write: "writing"
        case .subscribe: "subscribing to"
        case .unsubscribe: "unsubscribing from"
        case .receive: "waiting for what comes"
        case .pair: "pairing"
        case .readRSSI: "reading the signal's strength"
        case .adapter: "asking for the adapter's state"
        case .host: "being a device"
        case .disconnect: "closing the link"
        default: "using Bluetooth"
        }
    }
}

extension ATTError: CustomStringConvertible {
    /// The code, and its meaning where it has one.
    public var description: String {
        let number = "ATT error 0x\(HexText.byte(code))"
        return meaning.map { "\(number) (\($0))" } ?? number
    }

    private var meaning: String? {
        switch self {
        case .invalidHandle: "there is no such attribute"
        case .readNotPermitted: "it cannot be read"
        case .writeNotPermitted: "it cannot be written"
        case .invalidPDU: "the request makes no sense"
        case .insufficientAuthentication: "the link is not authenticated"
        case .requestNotSupported: "the request is not known"
        case .invalidOffset: "the value is shorter"
        case .insufficientAuthorization: "it is not allowed"
        case .invalidLength: "the length is impossible"
        case .unlikely: "something went wrong in the device"
        case .insufficientEncryption: "the link is not encrypted"
        case .insufficientResources: "the device has no room"
        case .valueNotAllowed: "the value is impossible"
        case .controlPointNotSupported: "the command is not supported, or a service's own error"
        default: nil
        }
    }
}

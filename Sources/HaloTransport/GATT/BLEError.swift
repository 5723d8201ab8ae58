public import HaloProtocol

/// An error of a Bluetooth operation: the kind of error, the operation, and details.
public struct BLEError: Error, Hashable, Sendable {
    /// The kinds of errors; a list that can grow.
    public struct Kind: Hashable, Sendable {
        let code: UInt8

        /// The computer has no Bluetooth.
        public static let unsupported = Kind(code: 0)
        /// The program has no permission to use Bluetooth.
        public static let unauthorized = Kind(code: 1)
        /// Bluetooth is switched off.
        public static let bluetoothOff = Kind(code: 2)
        /// The backend does not know the device, or no longer knows it.
        public static let notFound = Kind(code: 3)
        /// The deadline of the operation has passed.
        public static let timedOut = Kind(code: 4)
        /// The operation was cancelled, or the task that waited for it.
        public static let cancelled = Kind(code: 5)
        /// The link has ended, for the reason in ``BLEError/reason``.
        public static let disconnected = Kind(code: 6)
        /// The device has refused the request with ``BLEError/attError``.
        public static let refused = Kind(code: 7)
        /// The device has no such service, characteristic or descriptor.
        public static let noSuchAttribute = Kind(code: 8)
        /// The properties of the characteristic do not allow the operation.
        public static let notPermitted = Kind(code: 9)
        /// The value is longer than ``BLELink/maximumWriteLength(_:)``.
        public static let tooLong = Kind(code: 10)
        /// The device is already connected, to this program or to another one.
        public static let alreadyConnected = Kind(code: 11)
        /// The backend does not support the operation.
        public static let notSupportedHere = Kind(code: 12)
        /// The system's Bluetooth service reported the error in ``BLEError/details``.
        public static let backend = Kind(code: 13)
        /// Too many operations are waiting.
        public static let overloaded = Kind(code: 14)
        /// The device does not speak the expected protocol.
        public static let wrongDevice = Kind(code: 15)
        /// The device has deleted the bond: the bond must be removed from this computer, too.
        public static let bondLost = Kind(code: 16)
    }

    /// The kinds of operations; a list that can grow.
    public struct Operation: Hashable, Sendable {
        let code: UInt8

        /// Scanning.
        public static let scan = Operation(code: 0)
        /// Connecting.
        public static let connect = Operation(code: 1)
        /// Discovering the services.
        public static let discover = Operation(code: 2)
        /// Reading a value.
        public static let read = Operation(code: 3)
        /// Writing a value.
        public static let write = Operation(code: 4)
        /// Switching notifications on.
        public static let subscribe = Operation(code: 5)
        /// Waiting for notifications or events.
        public static let receive = Operation(code: 6)
        /// Reading the RSSI.
        public static let readRSSI = Operation(code: 7)
        /// Reading the state of the adapter.
        public static let adapter = Operation(code: 8)
        /// Hosting a device on this computer.
        public static let host = Operation(code: 9)
        /// Pairing.
        public static let pair = Operation(code: 12)
        /// Switching notifications off.
        public static let unsubscribe = Operation(code: 11)
        /// Closing the link.
        public static let disconnect = Operation(code: 10)
    }

    /// The kind of error.
    public let kind: Kind
    /// The operation that failed.
    public let operation: Operation
    /// The service, characteristic or descriptor of the operation.
    public var uuid: BluetoothUUID?
    /// The error code of the device, if it has refused a request.
    public var attError: ATTError?
    /// The reason for the link's end, if that is why the operation failed.
    public var reason: DisconnectReason?
    /// The message of the system's Bluetooth service, unchanged.
    public var details: String?

    /// Creates an error of an operation.
    public init(
        _ kind: Kind, _ operation: Operation, uuid: BluetoothUUID? = nil,
        attError: ATTError? = nil, reason: DisconnectReason? = nil, details: String? = nil
    ) {
        self.kind = kind
        self.operation = operation
        self.uuid = uuid
        self.attError = attError
        self.reason = reason
        self.details = details
    }

    /// `true` if a retry may succeed without a change of the program. After the link's end, the
    /// retry needs a new link.
    public var isTransient: Bool {
        switch kind {
        case .disconnected: reason?.kind != .local && reason?.kind != .bondLost
        case .notFound, .timedOut, .alreadyConnected, .backend, .overloaded, .bluetoothOff: true
        default: false
        }
    }
}

extension BLEError {
    /// `true` if discovered services are stale; ``LinkEvent/servicesChanged`` may follow only
    /// later.
    package var isStale: Bool { kind == .noSuchAttribute || attError == .invalidHandle }
}

/// A completion handler: called with the result of an operation.
public typealias BLECompletion<Value> = @Sendable (Result<Value, BLEError>) -> Void

extension BLEError: CustomStringConvertible {
    /// One sentence: the operation, the cause, and whether a retry may help. The words of devices
    /// and backends are made safe for a terminal.
    public var description: String {
        let subject = uuid.map { " \($0)" } ?? ""
        return "\(operation)\(subject) failed: \(cause); "
            + (isTransient ? "it may help to try again." : "trying again will not help.")
    }

    private var cause: String {
        // The kind tells where the error is; only the backend's message tells what it is.
        if kind == .unsupported || kind == .backend, let details {
            return PrintableText.escaped(details.utf8)
        }
        let words = details.map { ", in the backend's words \(PrintableText.quoted($0.utf8))" }
        return "\(kind)\(explanation)\(words ?? "")"
    }

    private var explanation: String {
        if kind == .timedOut, operation == .scan { return ", and no device matched" }
        if let reason { return ", \(reason)" }
        if let attError { return ", \(attError)" }
        return ""
    }
}

extension BLEError.Kind: CustomStringConvertible {
    /// The kind of error as the end of a sentence.
    public var description: String {
        switch self {
        case .unsupported: "this computer has no Bluetooth"
        case .unauthorized: "the program may not use Bluetooth"
        case .bluetoothOff: "Bluetooth is switched off"
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
    /// The operation as the beginning of a sentence.
    public var description: String {
        switch self {
        case .scan: "looking for devices"
        case .connect: "connecting"
        case .discover: "discovering services"
        case .read: "reading"
        case .write: "writing"
        case .subscribe: "subscribing to"
        case .unsubscribe: "unsubscribing from"
        case .receive: "waiting for values"
        case .pair: "pairing"
        case .readRSSI: "reading the signal strength"
        case .adapter: "reading the state of the adapter"
        case .host: "hosting a device"
        case .disconnect: "closing the link"
        default: "using Bluetooth"
        }
    }
}

extension ATTError: CustomStringConvertible {
    /// The code, and its meaning where it is known.
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

/// The reason for the end of a link.
public struct DisconnectReason: Hashable, Sendable {
    /// The kinds of reasons; a list that can grow.
    public struct Kind: Hashable, Sendable {
        let code: UInt8

        /// The app has closed the link.
        public static let local = Kind(code: 0)
        /// The device has closed it.
        public static let remote = Kind(code: 1)
        /// Supervision timeout: the device is out of reach or switched off.
        public static let outOfReach = Kind(code: 2)
        /// The computer's Bluetooth adapter was switched off or removed.
        public static let adapterGone = Kind(code: 3)
        /// The backend has lost the system's Bluetooth service.
        public static let backendGone = Kind(code: 4)
        /// The device did not respond to a request within the 30 seconds of an ATT transaction.
        public static let noResponse = Kind(code: 5)
        /// The keys of the bond do not match: the device has deleted the bond, or made another.
        public static let bondLost = Kind(code: 6)
    }

    /// The side or the cause that ended the link.
    public let kind: Kind
    /// The message of the system's Bluetooth service, if there is one.
    public let details: String?

    /// Creates a reason of a kind.
    public init(_ kind: Kind, details: String? = nil) {
        self.kind = kind
        self.details = details
    }
}

extension DisconnectReason: CustomStringConvertible {
    /// The reason in words. Words of the backend are made safe for a terminal.
    public var description: String {
        details.map { "\(kind) (\(PrintableText.quoted($0.utf8)))" } ?? "\(kind)"
    }
}

extension DisconnectReason.Kind: CustomStringConvertible {
    /// The side or the cause that ended the link, in words.
    public var description: String {
        switch self {
        case .local: "closed by the app"
        case .remote: "closed by the device"
        case .outOfReach: "the device is out of reach"
        case .adapterGone: "Bluetooth was switched off"
        case .noResponse: "the device did not answer"
        case .bondLost: "the keys of the bond did not fit"
        default: "the Bluetooth service is gone"
        }
    }
}

/// The ATT error code with which a device refuses a request.
public struct ATTError: Error, Hashable, Sendable {
    /// The code in the error response.
    public let code: UInt8

    /// Creates an error from its code; 0x80 to 0x9F are defined by services.
    public init(code: UInt8) { self.code = code }

    /// No attribute has the handle.
    public static let invalidHandle = ATTError(code: 0x01)
    /// The attribute cannot be read.
    public static let readNotPermitted = ATTError(code: 0x02)
    /// The attribute cannot be written.
    public static let writeNotPermitted = ATTError(code: 0x03)
    /// The request is malformed.
    public static let invalidPDU = ATTError(code: 0x04)
    /// The link must be authenticated first.
    public static let insufficientAuthentication = ATTError(code: 0x05)
    /// The device does not support the request.
    public static let requestNotSupported = ATTError(code: 0x06)
    /// The offset lies behind the end of the value.
    public static let invalidOffset = ATTError(code: 0x07)
    /// The link must be authorized first.
    public static let insufficientAuthorization = ATTError(code: 0x08)
    /// The attribute cannot have a value of this length.
    public static let invalidLength = ATTError(code: 0x0D)
    /// Unlikely error: the device has failed in another way.
    public static let unlikely = ATTError(code: 0x0E)
    /// The link must be encrypted first.
    public static let insufficientEncryption = ATTError(code: 0x0F)
    /// The device has not enough memory.
    public static let insufficientResources = ATTError(code: 0x11)
    /// The attribute cannot have this value.
    public static let valueNotAllowed = ATTError(code: 0x13)
    /// Control point not supported: the heart-rate control point has only one command.
    public static let controlPointNotSupported = ATTError(
        code: HeartRateControlPoint.notSupportedError)
}

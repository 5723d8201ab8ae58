public import HaloProtocol

/// The reason for which something that was asked of Bluetooth did not happen.
public struct BLEError: Error, Hashable, Sendable {
    /// The kinds of errors; a list that can grow.
    public struct Kind: Hashable, Sendable {
        let code: UInt8

        /// The computer has no Bluetooth.
        public static let unsupported = Kind(code: 0)
        /// The program may not use it.
        public static let unauthorized = Kind(code: 1)
        /// It is switched off.
        public static let poweredOff = Kind(code: 2)
        /// The device was not heard of, or is not known here.
        public static let notFound = Kind(code: 3)
        /// It took longer than allowed.
        public static let timedOut = Kind(code: 4)
        /// The task that waited was cancelled, or the attempt was.
        public static let cancelled = Kind(code: 5)
        /// The link has ended; ``BLEError/reason`` says why.
        public static let disconnected = Kind(code: 6)
        /// The device answered with an error; ``BLEError/attError`` says which.
        public static let refused = Kind(code: 7)
        /// The device has no such service, characteristic or descriptor.
        public static let noSuchAttribute = Kind(code: 8)
        /// The characteristic cannot be used so: its properties say it.
        public static let notPermitted = Kind(code: 9)
        /// The value is longer than what can be written.
        public static let tooLong = Kind(code: 10)
        /// The device is connected already, here or elsewhere.
        public static let alreadyConnected = Kind(code: 11)
        /// The backend cannot do this.
        public static let notSupportedHere = Kind(code: 12)
        /// What the backend talks to failed; ``BLEError/details`` has its words.
        public static let backend = Kind(code: 13)
        /// Too much is waiting already.
        public static let overloaded = Kind(code: 14)
        /// The device does not speak the protocol that it was taken for.
        public static let wrongDevice = Kind(code: 15)
        /// The device has forgotten the bond with this computer: it has to be removed here, too.
        public static let bondLost = Kind(code: 16)
    }

    /// The kinds of operations; a list that can grow.
    public struct Operation: Hashable, Sendable {
        let code: UInt8

        /// Looking for devices.
        public static let scan = Operation(code: 0)
        /// Connecting.
        public static let connect = Operation(code: 1)
        /// Discovering the services.
        public static let discover = Operation(code: 2)
        /// Reading a value.
        public static let read = Operation(code: 3)
        /// Writing a value.
        public static let write = Operation(code: 4)
        /// Asking for values as they come.
        public static let subscribe = Operation(code: 5)
        /// Waiting for what comes.
        public static let receive = Operation(code: 6)
        /// Asking for the signal's strength.
        public static let readRSSI = Operation(code: 7)
        /// Asking for the state of the adapter.
        public static let adapter = Operation(code: 8)
        /// Making a device of this computer.
        public static let host = Operation(code: 9)
        /// Pairing.
        public static let pair = Operation(code: 12)
        /// Asking for values no longer.
        public static let unsubscribe = Operation(code: 11)
        /// Closing the link.
        public static let disconnect = Operation(code: 10)
    }

    /// What went wrong.
    public let kind: Kind
    /// What was asked for.
    public let operation: Operation
    /// The service or characteristic that it was about.
    public var uuid: BluetoothUUID?
    /// What the device said.
    public var attError: ATTError?
    /// Why the link ended.
    public var reason: DisconnectReason?
    /// The words of the backend, as they came.
    public var details: String?

    /// Says what went wrong with what.
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

    /// `true` if the same may succeed later, with nothing changed in the program; after a link has
    /// ended, over a new one.
    public var isTransient: Bool {
        switch kind {
        case .disconnected: reason?.kind != .local && reason?.kind != .bondLost
        case .notFound, .timedOut, .alreadyConnected, .backend, .overloaded, .poweredOff: true
        default: false
        }
    }
}

extension BLEError {
    /// `true` if the device's services are no longer those that were found; that they have changed
    /// may be told a little later.
    package var isStale: Bool { kind == .noSuchAttribute || attError == .invalidHandle }
}

/// What is called when something that was asked of Bluetooth is complete.
public typealias BLECompletion<Value> = @Sendable (Result<Value, BLEError>) -> Void

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

/// The reason for which a link has ended.
public struct DisconnectReason: Hashable, Sendable {
    /// The kinds of reasons; a list that can grow.
    public struct Kind: Hashable, Sendable {
        let code: UInt8

        /// The app has closed the link.
        public static let local = Kind(code: 0)
        /// The device has closed it.
        public static let remote = Kind(code: 1)
        /// The device is out of reach, or off: it was not heard of for the supervision timeout.
        public static let outOfReach = Kind(code: 2)
        /// The computer's Bluetooth went away.
        public static let adapterGone = Kind(code: 3)
        /// The backend lost what it talks to.
        public static let backendGone = Kind(code: 4)
        /// The device did not answer a request in the time that Bluetooth gives it.
        public static let noResponse = Kind(code: 5)
        /// The keys of the bond did not fit: the device has forgotten it, or has another one.
        public static let bondLost = Kind(code: 6)
    }

    /// The party or the cause that ended it.
    public let kind: Kind
    /// The words of the backend, if it has any.
    public let details: String?

    /// A reason.
    public init(_ kind: Kind, details: String? = nil) {
        self.kind = kind
        self.details = details
    }
}

extension DisconnectReason: CustomStringConvertible {
    /// The reason in words; those of the backend are made safe for a terminal.
    public var description: String {
        details.map { "\(kind) (\(PrintableText.quoted($0.utf8)))" } ?? "\(kind)"
    }
}

extension DisconnectReason.Kind: CustomStringConvertible {
    /// The party or the cause that ended it.
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

/// The code with which a device refuses to do something with an attribute.
public struct ATTError: Error, Hashable, Sendable {
    /// The code.
    public let code: UInt8

    /// An error by its code; 0x80 to 0x9F are the service's own.
    public init(code: UInt8) { self.code = code }

    /// There is no such attribute.
    public static let invalidHandle = ATTError(code: 0x01)
    /// The attribute cannot be read.
    public static let readNotPermitted = ATTError(code: 0x02)
    /// The attribute cannot be written.
    public static let writeNotPermitted = ATTError(code: 0x03)
    /// The request makes no sense.
    public static let invalidPDU = ATTError(code: 0x04)
    /// The link must be authenticated first.
    public static let insufficientAuthentication = ATTError(code: 0x05)
    /// The device does not know the request.
    public static let requestNotSupported = ATTError(code: 0x06)
    /// The value is shorter than the place that is asked for.
    public static let invalidOffset = ATTError(code: 0x07)
    /// The attribute must not be used so.
    public static let insufficientAuthorization = ATTError(code: 0x08)
    /// The value has a length that the attribute cannot have.
    public static let invalidLength = ATTError(code: 0x0D)
    /// Something went wrong in the device.
    public static let unlikely = ATTError(code: 0x0E)
    /// The link must be encrypted first.
    public static let insufficientEncryption = ATTError(code: 0x0F)
    /// The device has no room for it.
    public static let insufficientResources = ATTError(code: 0x11)
    /// A value that the attribute cannot have.
    public static let valueNotAllowed = ATTError(code: 0x13)
    /// The heart-rate control point knows only one command.
    public static let controlPointNotSupported = ATTError(
        code: HeartRateControlPoint.notSupportedError)
}

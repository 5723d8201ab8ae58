public import HaloProtocol

/// An error of a Bluetooth operation: the kind of error, the operation, and details.
public struct BLEError: Error, Hashable, Sendable {
    /// The kinds of errors; a list that can grow.
    public struct Kind: Hashable, Sendable, CustomStringConvertible {
        /// The kind of error as the end of a sentence.
        public let description: String

        private init(_ description: String) { self.description = description }

        /// The computer has no Bluetooth.
        public static let unsupported = Kind("this computer has no Bluetooth")
        /// The program has no permission to use Bluetooth.
        public static let unauthorized = Kind("the program may not use Bluetooth")
        /// Bluetooth is switched off.
        public static let bluetoothOff = Kind("Bluetooth is switched off")
        /// The backend does not know the device, or no longer knows it.
        public static let notFound = Kind("no such device was heard of")
        /// The deadline of the operation has passed.
        public static let timedOut = Kind("it took longer than allowed")
        /// The operation was cancelled, or the task that waited for it.
        public static let cancelled = Kind("it was cancelled")
        /// The link has ended, for the reason in ``BLEError/reason``.
        public static let disconnected = Kind("the link has ended")
        /// The device has refused the request with ``BLEError/attError``.
        public static let refused = Kind("the device said no")
        /// The device has no such service, characteristic or descriptor.
        public static let noSuchAttribute = Kind("the device has no such service or characteristic")
        /// The properties of the characteristic do not allow the operation.
        public static let notPermitted = Kind("the characteristic cannot be used so")
        /// The value is longer than ``BLELink/maximumWriteLength(_:)``.
        public static let tooLong = Kind("the value is longer than one write can be")
        /// The device is already connected, to this program or to another one.
        public static let alreadyConnected = Kind("the device is connected already")
        /// The backend does not support the operation.
        public static let notSupportedHere = Kind("this backend cannot do it")
        /// The system's Bluetooth service reported the error in ``BLEError/details``.
        public static let backend = Kind("the Bluetooth service reported an error")
        /// Too many operations are waiting.
        public static let overloaded = Kind("too much is waiting already")
        /// The device does not speak the expected protocol.
        public static let wrongDevice = Kind(
            "the device does not speak the protocol that was expected")
        /// The device has deleted the bond: the bond must be removed from this computer, too.
        public static let bondLost = Kind("the device has forgotten the bond with this computer")
    }

    /// The kinds of operations; a list that can grow.
    public struct Operation: Hashable, Sendable, CustomStringConvertible {
        /// The operation as the beginning of a sentence.
        public let description: String

        private init(_ description: String) { self.description = description }

        /// Scanning.
        public static let scan = Operation("looking for devices")
        /// Connecting.
        public static let connect = Operation("connecting")
        /// Discovering the services.
        public static let discover = Operation("discovering services")
        /// Reading a value.
        public static let read = Operation("reading")
        /// Writing a value.
        public static let write = Operation("writing")
        /// Switching notifications on.
        public static let subscribe = Operation("subscribing to")
        /// Waiting for notifications or events.
        public static let receive = Operation("waiting for values")
        /// Reading the RSSI.
        public static let readRSSI = Operation("reading the signal strength")
        /// Reading the state of the adapter.
        public static let adapter = Operation("reading the state of the adapter")
        /// Hosting a device on this computer.
        public static let host = Operation("hosting a device")
        /// Pairing.
        public static let pair = Operation("pairing")
        /// Switching notifications off.
        public static let unsubscribe = Operation("unsubscribing from")
        /// Closing the link.
        public static let disconnect = Operation("closing the link")
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

public import HaloProtocol

/// An error of a Bluetooth operation: the kind of error, the operation, and details.
///
/// ``title`` and ``advice`` are for the person who uses the app, ``description`` is for a report.
public struct BLEError: Error, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The kinds of errors; a list that can grow.
    public struct Kind: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
        /// The name, as in Swift code.
        public let rawValue: String

        /// Creates a kind from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The computer or phone has no Bluetooth.
        public static let noBluetooth = Kind(rawValue: "noBluetooth")
        /// The program has no permission to use Bluetooth.
        public static let unauthorized = Kind(rawValue: "unauthorized")
        /// Bluetooth is switched off.
        public static let bluetoothOff = Kind(rawValue: "bluetoothOff")
        /// The backend does not know the device, or no longer knows it.
        public static let notFound = Kind(rawValue: "notFound")
        /// The deadline of the operation has passed.
        public static let timedOut = Kind(rawValue: "timedOut")
        /// The operation was cancelled, or the task that waited for it.
        public static let cancelled = Kind(rawValue: "cancelled")
        /// The link has ended, for the reason in ``BLEError/disconnectReason``.
        public static let disconnected = Kind(rawValue: "disconnected")
        /// The device has refused the request with ``BLEError/attError``.
        public static let refused = Kind(rawValue: "refused")
        /// The device has no such service, characteristic or descriptor.
        public static let noSuchAttribute = Kind(rawValue: "noSuchAttribute")
        /// The properties of the characteristic do not allow the operation.
        public static let notPermitted = Kind(rawValue: "notPermitted")
        /// The value is longer than ``BLELink/maximumWriteLength(for:)``.
        public static let tooLong = Kind(rawValue: "tooLong")
        /// The device is already connected, to this program or to another one.
        public static let alreadyConnected = Kind(rawValue: "alreadyConnected")
        /// The backend does not support the operation.
        public static let notSupported = Kind(rawValue: "notSupported")
        /// The system's Bluetooth service reported the error in ``BLEError/details``.
        public static let backend = Kind(rawValue: "backend")
        /// Too many operations are waiting.
        public static let overloaded = Kind(rawValue: "overloaded")
        /// The device does not speak the expected protocol.
        public static let wrongDevice = Kind(rawValue: "wrongDevice")
        /// The device has deleted the bond: the bond must be removed from this computer, too.
        public static let bondLost = Kind(rawValue: "bondLost")

        /// The kind of error as the end of a sentence.
        public var description: String {
            switch self {
            case .noBluetooth: "this system has no Bluetooth"
            case .unauthorized: "the program may not use Bluetooth"
            case .bluetoothOff: "Bluetooth is switched off"
            case .notFound: "the device was not found"
            case .timedOut: "it took longer than allowed"
            case .cancelled: "it was cancelled"
            case .disconnected: "the link has ended"
            case .refused: "the device refused"
            case .noSuchAttribute: "the device has no such service or characteristic"
            case .notPermitted: "the characteristic does not allow it"
            case .tooLong: "the value is too long for one write"
            case .alreadyConnected: "the device is connected already"
            case .notSupported: "this backend cannot do it"
            case .backend: "the Bluetooth service reported an error"
            case .overloaded: "too many operations are waiting"
            case .wrongDevice: "the device does not speak the protocol that was expected"
            case .bondLost: "the device has forgotten the bond"
            default: "it failed"
            }
        }

        /// The person's next step after an error of this kind; `nil` if there is none.
        package var advice: String? {
            switch self {
            case .unauthorized: "Allow Bluetooth for this app in the system's settings."
            case .bluetoothOff: "Switch Bluetooth on."
            case .bondLost: DisconnectReason(.bondLost).advice
            case .notFound: "Bring the device near. Charge it, and close other apps that use it."
            case .alreadyConnected: "Close other apps that use the device."
            case .timedOut, .overloaded: "Bring the device near, and try again."
            case .backend: "Try again. If that does not help, switch Bluetooth off and on."
            default: nil
            }
        }
    }

    /// The kinds of operations; a list that can grow.
    public struct Operation: RawRepresentable, Hashable, Sendable, Codable {
        /// The name, as in Swift code.
        public let rawValue: String

        /// Creates an operation from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Scanning.
        public static let scan = Operation(rawValue: "scan")
        /// Connecting.
        public static let connect = Operation(rawValue: "connect")
        /// Discovering the services.
        public static let discover = Operation(rawValue: "discover")
        /// Reading a value.
        public static let read = Operation(rawValue: "read")
        /// Writing a value.
        public static let write = Operation(rawValue: "write")
        /// Switching notifications on.
        public static let subscribe = Operation(rawValue: "subscribe")
        /// Waiting for notifications or events.
        public static let receive = Operation(rawValue: "receive")
        /// Reading the RSSI.
        public static let readRSSI = Operation(rawValue: "readRSSI")
        /// Reading the state of the adapter.
        public static let adapter = Operation(rawValue: "adapter")
        /// Hosting a device on this computer.
        public static let host = Operation(rawValue: "host")
        /// Pairing.
        public static let pair = Operation(rawValue: "pair")
        /// Switching notifications off.
        public static let unsubscribe = Operation(rawValue: "unsubscribe")
        /// Closing the link.
        public static let disconnect = Operation(rawValue: "disconnect")

        /// The word between the operation and its characteristic, with a space after it.
        fileprivate var preposition: String {
            switch self {
            case .receive: "of "
            case .subscribe: "to "
            case .unsubscribe: "from "
            default: ""
            }
        }
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
    public var disconnectReason: DisconnectReason?
    /// The message of the system's Bluetooth service, unchanged.
    public var details: String?

    /// Creates an error of an operation.
    public init(
        _ kind: Kind, _ operation: Operation, uuid: BluetoothUUID? = nil,
        attError: ATTError? = nil, disconnectReason: DisconnectReason? = nil, details: String? = nil
    ) {
        self.kind = kind
        self.operation = operation
        self.uuid = uuid
        self.attError = attError
        self.disconnectReason = disconnectReason
        self.details = details
    }

    /// `true` if a retry may succeed without a change of the program. After the link's end, the
    /// retry needs a new link.
    public var isTransient: Bool {
        switch kind {
        case .disconnected: disconnectReason?.kind != .local && disconnectReason?.kind != .bondLost
        case .notFound, .timedOut, .alreadyConnected, .backend, .overloaded, .bluetoothOff: true
        default: false
        }
    }

    /// One sentence: the operation, the cause, and whether a retry may help, unless the program
    /// itself is the cause. The words of devices and backends are made safe for a terminal.
    public var description: String {
        let subject = uuid.map { " \(operation.preposition)\($0)" } ?? ""
        return "\(operation)\(subject) failed: \(cause)\(outlook)."
    }

    /// The title of an alert: one sentence in English, without UUIDs and the backend's words.
    public var title: String {
        switch kind {
        case .noBluetooth, .unauthorized, .bluetoothOff, .bondLost, .notFound, .wrongDevice:
            "\(kind)".asSentence
        default: "\(operation) failed: \(kind)".asSentence
        }
    }

    /// The person's next step, in English; `nil` if there is none.
    public var advice: String? { kind == .disconnected ? disconnectReason?.advice : kind.advice }

    private var outlook: String {
        if kind == .cancelled || disconnectReason?.kind == .local { return "" }
        return isTransient ? "; it may help to try again" : "; trying again will not help"
    }

    private var cause: String {
        // The kind tells where the error is; only the backend's message tells what it is.
        if kind == .noBluetooth || kind == .backend, let details {
            return PrintableText.escaped(details.utf8)
        }
        let words = details.map { ", in the backend's words \(PrintableText.quoted($0.utf8))" }
        return "\(kind)\(explanation)\(words ?? "")"
    }

    private var explanation: String {
        if kind == .timedOut, operation == .scan { return ", and no device matched" }
        if let disconnectReason { return ", \(disconnectReason)" }
        if let attError { return ", \(attError)" }
        return ""
    }

    /// `true` if discovered services are stale; ``LinkEvent/servicesChanged`` may follow only
    /// later.
    package var isStale: Bool { kind == .noSuchAttribute || attError == .invalidHandle }
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
        case .subscribe: "subscribing"
        case .receive: "waiting for values"
        case .readRSSI: "reading the signal strength"
        case .adapter: "reading the state of the adapter"
        case .host: "hosting a device"
        case .pair: "pairing"
        case .unsubscribe: "unsubscribing"
        case .disconnect: "closing the link"
        default: "the operation"
        }
    }
}

public import HaloProtocol

/// Why something that was asked of Bluetooth did not happen.
public struct BLEError: Error, Hashable, Sendable {
    /// What went wrong; a list that can grow.
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

    /// What was asked for; a list that can grow.
    public struct Operation: Hashable, Sendable {
        let code: UInt8

        /// Looking for devices.
        public static let scan = Operation(code: 0)
        /// Connecting.
        public static let connect = Operation(code: 1)
        /// Finding out what a device consists of.
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

    /// Whether the same may succeed later, with nothing changed in the program; after a link has
    /// ended, over a new one.
    public var isTransient: Bool {
        switch kind {
        case .disconnected: reason?.kind != .local && reason?.kind != .bondLost
        case .notFound, .timedOut, .alreadyConnected, .backend, .overloaded, .poweredOff: true
        default: false
        }
    }
}

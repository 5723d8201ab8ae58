public import HaloProtocol
public import HaloTransport

/// The reason for which a device did not do what a program asked of it.
///
/// What lies beneath is kept as it came: ``bleError`` says what Bluetooth had to say,
/// ``sessionError`` what became of the conversation.
public struct DeviceError: Error, Hashable, Sendable {
    /// The kinds of errors; a list that can grow.
    public struct Kind: Hashable, Sendable {
        let code: UInt8

        /// Bluetooth failed; ``DeviceError/bleError`` says how: a write was refused, say.
        public static let bluetooth = Kind(code: 0)
        /// No device of the kind was heard of in the time that was given.
        public static let notFound = Kind(code: 1)
        /// It is a device of another kind: it lacks the service that makes it one.
        public static let wrongDevice = Kind(code: 2)
        /// There is no link, or it has ended; ``DeviceError/reason`` says why.
        public static let disconnected = Kind(code: 3)
        /// The device did not answer, as often as it was asked.
        public static let timedOut = Kind(code: 4)
        /// The answer has gaps or cannot be; ``DeviceError/sessionError`` has what came.
        public static let badAnswer = Kind(code: 5)
        /// The device says that it cannot do this, or will not.
        public static let notSupported = Kind(code: 6)
        /// The task that waited was cancelled.
        public static let cancelled = Kind(code: 7)
        /// A device measures one thing at a time, and began another one.
        public static let replaced = Kind(code: 8)
        /// Too much is waiting already.
        public static let overloaded = Kind(code: 9)
        /// A value that cannot be sent; ``DeviceError/valueError`` says why.
        public static let badValue = Kind(code: 10)
        /// The device has nothing stored where there has to be something.
        public static let noData = Kind(code: 11)
        /// The device fell silent in the middle of a measurement, and did not begin again.
        public static let silent = Kind(code: 12)
        /// The day of an answer is not certain: the ring counts days back from its own today, and
        /// that may have changed while it answered, or is not known.
        public static let uncertainDay = Kind(code: 13)
        /// Bluetooth is switched off.
        public static let bluetoothOff = Kind(code: 14)
        /// The program may not use Bluetooth.
        public static let unauthorized = Kind(code: 15)
        /// Connecting took longer than ``RingOptions/connectTimeout``,
        /// ``HeartRateSensorOptions/connectTimeout`` or ``ReconnectPolicy/attemptTimeout`` allow.
        public static let connectTimedOut = Kind(code: 16)
    }

    /// What went wrong.
    public let kind: Kind
    /// The command that it was about, if it was about one.
    public var command: FieldName?
    /// What Bluetooth said.
    public var bleError: BLEError?
    /// What became of the conversation.
    public var sessionError: SessionError?
    /// The reason for which the link ended.
    public var reason: DisconnectReason?
    /// The limit that a value does not keep, and so cannot be sent.
    public var valueError: ValueError?

    /// Says what went wrong.
    public init(
        _ kind: Kind, command: FieldName? = nil, bleError: BLEError? = nil,
        sessionError: SessionError? = nil, reason: DisconnectReason? = nil,
        valueError: ValueError? = nil
    ) {
        self.kind = kind
        self.command = command
        self.bleError = bleError
        self.sessionError = sessionError
        self.reason = reason
        self.valueError = valueError
    }

    /// What Bluetooth said, in the words of devices.
    public init(_ error: BLEError) {
        let kind: Kind =
            switch error.kind {
            case .cancelled: .cancelled
            case .disconnected: .disconnected
            case .wrongDevice: .wrongDevice
            case .overloaded: .overloaded
            case .notFound: .notFound
            case .poweredOff: .bluetoothOff
            case .unauthorized: .unauthorized
            case .timedOut: error.operation == .connect ? .connectTimedOut : .timedOut
            default: .bluetooth
            }
        self.init(kind, bleError: error, reason: error.reason)
    }

    /// What became of a request, in the words of devices.
    ///
    /// - Parameters:
    ///   - bleError: Why the request was not written, or may not have been.
    ///   - reason: Why the link has ended.
    public init(
        _ error: SessionError, command: FieldName? = nil, bleError: BLEError? = nil,
        reason: DisconnectReason? = nil
    ) {
        switch error.kind {
        case .timedOut: self.init(.timedOut, bleError: bleError)
        case .writeFailed: self = bleError.map { DeviceError($0) } ?? DeviceError(.bluetooth)
        case .cancelled: self.init(.cancelled)
        case .disconnected: self.init(.disconnected, reason: reason)
        case .overloaded: self.init(.overloaded)
        default: self.init(.badAnswer)
        }
        self.command = command
        sessionError = error
    }

    /// A value that cannot be sent.
    public init(_ error: ValueError, command: FieldName? = nil) {
        self.init(.badValue, command: command, valueError: error)
    }

    /// `true` if the same call may succeed later, with nothing changed in the program.
    public var isTransient: Bool {
        switch kind {
        case .notFound, .disconnected, .timedOut, .badAnswer, .overloaded, .silent,
            .uncertainDay, .bluetoothOff, .connectTimedOut:
            true
        case .bluetooth: bleError?.isTransient ?? false
        default: false
        }
    }
}

extension DeviceError: CustomStringConvertible {
    /// One sentence: what was asked, what went wrong, and what lies beneath.
    public var description: String {
        let subject = command.map { "\($0): " } ?? ""
        return "\(subject)\(kind)\(detail)."
    }

    private var detail: String {
        if let reason { return " (\(reason))" }
        if let valueError { return Self.inBrackets("\(valueError)") }
        if let packetError = sessionError?.packetError { return Self.inBrackets("\(packetError)") }
        if let bleError, !kind.saysAll { return Self.inBrackets("\(bleError)") }
        return ""
    }

    /// A sentence without the point at its end, which comes after the bracket.
    private static func inBrackets(_ sentence: String) -> String {
        " (\(sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence))"
    }
}

extension DeviceError.Kind {
    /// `true` if what Bluetooth said adds nothing to it.
    fileprivate var saysAll: Bool {
        self == .notFound || self == .bluetoothOff || self == .connectTimedOut
    }
}

extension DeviceError.Kind: CustomStringConvertible {
    /// What went wrong.
    public var description: String {
        switch self {
        case .bluetooth: "Bluetooth failed"
        case .notFound: "no such device was heard of"
        case .wrongDevice: "the device does not speak this protocol"
        case .disconnected: "there is no link to the device"
        case .timedOut: "the device did not answer"
        case .badAnswer: "the answer is not what it should be"
        case .notSupported: "the device does not support this"
        case .cancelled: "the task was cancelled"
        case .replaced: "another measurement has begun"
        case .overloaded: "too much is waiting already"
        case .badValue: "the value cannot be sent"
        case .noData: "the device has nothing stored"
        case .silent: "the device fell silent"
        case .uncertainDay: "the day of the answer is not certain"
        case .bluetoothOff: "Bluetooth is switched off"
        case .unauthorized: "the program may not use Bluetooth"
        case .connectTimedOut: "connecting took longer than allowed"
        default: "something went wrong"
        }
    }
}

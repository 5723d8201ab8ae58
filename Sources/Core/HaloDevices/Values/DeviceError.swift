public import HaloProtocol
public import HaloTransport

/// An error of a device: a request or a connection has failed.
///
/// The kind is all that most programs need:
///
///     do {
///         let ring = try await Ring.connect(over: transport)
///     } catch let error where error.kind == .bluetoothOff {
///         …
///     } catch let error where error.kind == .timedOut {
///         …
///     }
///
/// ``title`` and ``advice`` are for the person who uses the app, ``description`` is for a report.
/// `localizedDescription` has these texts only if the app imports HaloFoundation.
///
/// The causes are kept: ``bleError`` is the error of Bluetooth, ``sessionError`` the error of the
/// conversation.
public struct DeviceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of errors; a list that can grow.
    public struct Kind: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
        /// The name, as in Swift code.
        public let rawValue: String

        /// Creates a kind from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A Bluetooth error, such as a refused write; ``DeviceError/bleError`` has the details.
        public static let bluetooth = Kind(rawValue: "bluetooth")
        /// No device of the kind was discovered before the timeout.
        public static let notFound = Kind(rawValue: "notFound")
        /// The device is of another kind: it lacks the service that makes it one.
        public static let wrongDevice = Kind(rawValue: "wrongDevice")
        /// There is no link, or the link has ended, for the reason in
        /// ``DeviceError/disconnectReason``.
        public static let disconnected = Kind(rawValue: "disconnected")
        /// A timeout: the device did not reply to a request or its retries, or connecting exceeded
        /// ``RingOptions/connectTimeout``, ``HeartRateSensorOptions/connectTimeout``,
        /// ``LEDStripOptions/connectTimeout`` or ``ReconnectPolicy/attemptTimeout``.
        public static let timedOut = Kind(rawValue: "timedOut")
        /// The reply has gaps or is impossible; ``DeviceError/sessionError`` has the details.
        public static let badReply = Kind(rawValue: "badReply")
        /// The device refuses, or has no such function.
        public static let notSupported = Kind(rawValue: "notSupported")
        /// The task that waited was cancelled.
        public static let cancelled = Kind(rawValue: "cancelled")
        /// Another measurement has begun: a device measures one quantity at a time.
        public static let replaced = Kind(rawValue: "replaced")
        /// Too many requests are waiting already.
        public static let overloaded = Kind(rawValue: "overloaded")
        /// The value cannot be sent; ``DeviceError/valueError`` has the limits.
        public static let badValue = Kind(rawValue: "badValue")
        /// The device has no value: none is stored, or a measurement has ended without one.
        public static let noData = Kind(rawValue: "noData")
        /// The device stopped reporting during a measurement, and did not resume.
        public static let silent = Kind(rawValue: "silent")
        /// The day of a reply is not certain: the ring counts days back from its own today, which
        /// is not known, or may have changed before the end of the reply.
        public static let uncertainDay = Kind(rawValue: "uncertainDay")
        /// Bluetooth is switched off.
        public static let bluetoothOff = Kind(rawValue: "bluetoothOff")
        /// The program may not use Bluetooth.
        public static let unauthorized = Kind(rawValue: "unauthorized")
        /// The ring could not measure because it is not worn, or not properly.
        public static let notWorn = Kind(rawValue: "notWorn")
        /// The device refused a request twice, but has answered others of the same kind.
        public static let refused = Kind(rawValue: "refused")

        /// The kind in words.
        public var description: String {
            switch self {
            case .bluetooth: "Bluetooth failed"
            case .notFound: "no device was found"
            case .wrongDevice: "the device does not speak this protocol"
            case .disconnected: "there is no link to the device"
            case .timedOut: "the device did not answer"
            case .badReply: "the reply is not valid"
            case .notSupported: "the device does not support this"
            case .cancelled: "the task was cancelled"
            case .replaced: "another measurement has begun"
            case .overloaded: "too many requests are waiting"
            case .badValue: "the value cannot be sent"
            case .noData: "the device has no value"
            case .silent: "the device fell silent"
            case .uncertainDay: "the day of the answer is not certain"
            case .bluetoothOff: "Bluetooth is switched off"
            case .unauthorized: "the program may not use Bluetooth"
            case .notWorn: "the ring is not worn, or not properly"
            case .refused: "the device refused the request"
            default: "something went wrong"
            }
        }
    }

    /// The kind of error.
    public let kind: Kind
    /// The command of the request; `nil` if the error is not of a request.
    public var command: FieldName?
    /// The error of Bluetooth, if that is a cause.
    public var bleError: BLEError?
    /// The error of the conversation, if that is a cause.
    public var sessionError: SessionError?
    /// The reason for the link's end, if that is a cause.
    public var disconnectReason: DisconnectReason?
    /// The limits of a value that cannot be sent, if that is the cause.
    public var valueError: ValueError?

    /// Creates an error with its known causes, also for previews and tests.
    public init(
        _ kind: Kind, command: FieldName? = nil, bleError: BLEError? = nil,
        sessionError: SessionError? = nil, disconnectReason: DisconnectReason? = nil,
        valueError: ValueError? = nil
    ) {
        self.kind = kind
        self.command = command
        self.bleError = bleError
        self.sessionError = sessionError
        self.disconnectReason = disconnectReason
        self.valueError = valueError
    }

    package init(_ error: BLEError) {
        let ofBoth: [Kind] = [
            .cancelled, .disconnected, .wrongDevice, .overloaded, .notFound, .bluetoothOff,
            .unauthorized, .timedOut,
        ]
        self.init(
            ofBoth.first { $0.rawValue == error.kind.rawValue } ?? .bluetooth, bleError: error,
            disconnectReason: error.disconnectReason)
    }

    /// Creates the error of a device from the end of a request.
    ///
    /// - Parameters:
    ///   - bleError: The error of the request's write, if it failed.
    ///   - reason: The reason for the link's end, if it has ended.
    package init(
        _ error: SessionError, command: FieldName? = nil, bleError: BLEError? = nil,
        disconnectReason: DisconnectReason? = nil
    ) {
        switch error.kind {
        case .timedOut: self.init(.timedOut, bleError: bleError)
        case .writeFailed: self = bleError.map { DeviceError($0) } ?? DeviceError(.bluetooth)
        case .cancelled: self.init(.cancelled)
        case .disconnected: self.init(.disconnected, disconnectReason: disconnectReason)
        case .overloaded: self.init(.overloaded)
        default: self.init(.badReply)
        }
        self.command = command
        sessionError = error
    }

    package init(_ error: ValueError, command: FieldName? = nil) {
        self.init(.badValue, command: command, valueError: error)
    }

    /// `true` if the device has refused a request, or its reply is wrong or did not come: the link
    /// goes on.
    package var isOfOneRequest: Bool {
        [.notSupported, .noData, .timedOut, .badReply].contains(kind)
    }

    /// `true` if a retry may succeed without a change of the program.
    public var isTransient: Bool {
        switch kind {
        case _ where isOfLostBond: false
        case .notFound, .disconnected, .timedOut, .badReply, .overloaded, .silent,
            .uncertainDay, .bluetoothOff, .notWorn, .refused:
            true
        case .bluetooth: bleError?.isTransient ?? false
        default: false
        }
    }

    /// One sentence: the command, the kind, and the cause in brackets.
    public var description: String {
        let subject = command.map { "\($0): " } ?? ""
        return "\(subject)\(words)\(detail)."
    }

    /// The title of an alert: one sentence in English, without names of packets and fields.
    public var title: String {
        switch kind {
        case .badValue: valueError?.title ?? words.asSentence
        case .bluetooth: bleError?.title ?? words.asSentence
        default: words.asSentence
        }
    }

    /// The person's next step, in English; `nil` if there is none.
    public var advice: String? {
        switch kind {
        case .notFound: BLEError.Kind.notFound.advice
        case .disconnected where disconnectReason != nil: disconnectReason?.advice
        case .disconnected, .timedOut, .silent: bleError?.advice ?? BLEError.Kind.timedOut.advice
        case .notWorn: Self.wearingAdvice
        case .noData where command == RealtimeMeasurement.name: Self.wearingAdvice
        case .bluetoothOff: BLEError.Kind.bluetoothOff.advice
        case .unauthorized: BLEError.Kind.unauthorized.advice
        case .bluetooth: bleError?.advice
        case .badReply, .refused, .overloaded, .uncertainDay: "Try again in a moment."
        default: nil
        }
    }

    private static let wearingAdvice =
        "Put the ring on so that its sensor touches the inside of the finger."

    /// The kind in words, without the command and the cause.
    package var words: String {
        isOfConnecting ? "connecting took longer than allowed" : "\(kind)"
    }

    /// `true` if only the user can fix the cause: the device has forgotten the bond.
    var isOfLostBond: Bool { disconnectReason?.kind == .bondLost || bleError?.kind == .bondLost }

    package var isOfConnecting: Bool { kind == .timedOut && bleError?.operation == .connect }

    private var detail: String {
        if let disconnectReason { return " (\(disconnectReason))" }
        if let valueError { return Self.inBrackets("\(valueError)") }
        if let packetError = sessionError?.packetError { return Self.inBrackets("\(packetError)") }
        if let bleError, kind != .notFound, kind != .bluetoothOff, !isOfConnecting {
            return Self.inBrackets("\(bleError)")
        }
        return ""
    }

    private static func inBrackets(_ sentence: String) -> String {
        " (\(sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence))"
    }
}

/// A coding of the kind, the command and the errors of Bluetooth, but not of ``sessionError`` and
/// ``valueError``: they name fields of packets.
extension DeviceError: Codable {
    private enum CodingKeys: CodingKey {
        case kind, command, bleError, disconnectReason
    }

    /// Decodes an error. Its command is `nil` if this version has none of the name.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try values.decode(Kind.self, forKey: .kind),
            command: try values.decodeIfPresent(String.self, forKey: .command)
                .flatMap(Self.command),
            bleError: try values.decodeIfPresent(BLEError.self, forKey: .bleError),
            disconnectReason: try values.decodeIfPresent(
                DisconnectReason.self, forKey: .disconnectReason))
    }

    /// Encodes an error.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(kind, forKey: .kind)
        try values.encodeIfPresent(command?.description, forKey: .command)
        try values.encodeIfPresent(bleError, forKey: .bleError)
        try values.encodeIfPresent(disconnectReason, forKey: .disconnectReason)
    }

    private static func command(named name: String) -> FieldName? {
        let names = CommandCatalog.entries.map(\.name) + BigDataCatalog.entries.map(\.name)
        return names.first { "\($0)" == name }
    }
}

extension FixedWidthInteger {
    /// Converts a number to the type of a field; throws ``DeviceError/Kind/badValue`` if it is out
    /// of range.
    static func checked(
        _ value: Int, _ field: FieldName, in range: ClosedRange<Self> = .min ... .max
    ) throws(DeviceError) -> Self {
        guard let number = Self(exactly: value), range ~= number else {
            throw DeviceError(
                ValueError(
                    field,
                    allowed: Int64(clamping: range.lowerBound)...Int64(clamping: range.upperBound),
                    found: Int64(clamping: value)))
        }
        return number
    }
}

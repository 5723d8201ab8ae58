internal import HaloProtocol
internal import HaloTransport

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

public import Foundation
public import HaloCapture
public import HaloDevices
public import HaloProtocol
public import HaloTraffic
public import HaloTransport

// What a person reads of an error, in English: `errorDescription` is a sentence without names of
// packets and fields, `failureReason` has the details for a report, and `recoverySuggestion` says
// what the person can do. Alerts of SwiftUI and `localizedDescription` show them.

// MARK: - Devices

extension DeviceError: LocalizedError {
    /// What has failed, in one sentence.
    public var errorDescription: String? {
        switch kind {
        case .badValue: valueError?.errorDescription ?? words.asSentence
        case .bluetooth: bleError?.errorDescription ?? words.asSentence
        default: words.asSentence
        }
    }

    /// The request and the causes.
    public var failureReason: String? { description }

    /// What the person can do about it.
    public var recoverySuggestion: String? {
        switch kind {
        case .notFound: BLEError.Kind.notFound.advice
        case .disconnected where disconnectReason != nil: disconnectReason?.recoverySuggestion
        case .disconnected, .timedOut, .silent:
            bleError?.recoverySuggestion ?? BLEError.Kind.timedOut.advice
        case .notWorn: Self.wearingAdvice
        case .noData where command == RealtimeMeasurement.name: Self.wearingAdvice
        case .bluetoothOff: BLEError.Kind.bluetoothOff.advice
        case .unauthorized: BLEError.Kind.unauthorized.advice
        case .bluetooth: bleError?.recoverySuggestion
        case .badReply, .refused, .overloaded, .uncertainDay: "Try again in a moment."
        default: nil
        }
    }

    private static let wearingAdvice =
        "Put the ring on so that its sensor touches the inside of the finger."
}

extension BLEError: LocalizedError {
    /// What has failed, in one sentence.
    public var errorDescription: String? {
        switch kind {
        case .noBluetooth, .unauthorized, .bluetoothOff, .bondLost, .notFound, .wrongDevice:
            "\(kind)".asSentence
        default: "\(operation) failed: \(kind)".asSentence
        }
    }

    /// The operation and the causes.
    public var failureReason: String? { description }

    /// What the person can do about it.
    public var recoverySuggestion: String? {
        kind == .disconnected ? disconnectReason?.recoverySuggestion : kind.advice
    }
}

extension BLEError.Kind {
    fileprivate var advice: String? {
        switch self {
        case .unauthorized: "Allow Bluetooth for this app in the system's settings."
        case .bluetoothOff: "Switch Bluetooth on."
        case .bondLost: DisconnectReason(.bondLost).recoverySuggestion
        case .notFound: "Bring the device near. Charge it, and close other apps that use it."
        case .alreadyConnected: "Close other apps that use the device."
        case .timedOut, .overloaded: "Bring the device near, and try again."
        case .backend: "Try again. If that does not help, switch Bluetooth off and on."
        default: nil
        }
    }
}

extension DisconnectReason {
    fileprivate var recoverySuggestion: String? {
        switch kind {
        case .outOfReach, .noResponse, .remote: BLEError.Kind.timedOut.advice
        case .adapterGone: BLEError.Kind.bluetoothOff.advice
        case .backendGone: "Try again in a moment."
        case .bondLost:
            "Remove the device in the system's Bluetooth settings, and pair it again."
        default: nil
        }
    }
}

extension ATTError: LocalizedError {
    /// What has failed, in one sentence.
    public var errorDescription: String? { "The device refused the request." }

    /// The code of the device, in words.
    public var failureReason: String? { description }
}

// MARK: - Packets

extension ValueError: LocalizedError {
    /// The field in words, its limits and its unit. The value is left out: it may be rounded, or
    /// have another unit than the person has entered.
    public var errorDescription: String? {
        let (words, unit) = field.wordsAndUnit
        let limits = "between \(allowed.lowerBound) and \(allowed.upperBound)"
        return "\(words) must be \(limits)\(unit)".asSentence
    }

    /// The field of the packet, its limits, and the value.
    public var failureReason: String? { description }
}

extension FieldName {
    private static let units = [
        "beats per minute", "centimetres", "kilograms", "milliseconds", "millimetres of mercury",
        "minutes", "seconds", "years",
    ]

    /// The name's words, without the unit at its end, and the unit with a space before it:
    /// `intervalMinutes` is the interval in minutes.
    fileprivate var wordsAndUnit: (words: String, unit: String) {
        let words = description.reduce(into: "") { words, character in
            words += character.isUppercase ? " \(character.lowercased())" : "\(character)"
        }
        for unit in Self.units.map({ " \($0)" }) where words.hasSuffix(unit) {
            return (String(words.dropLast(unit.count)), unit)
        }
        return (words, "")
    }
}

extension SessionError: LocalizedError {
    /// What has failed, in one sentence.
    public var errorDescription: String? { "\(kind)".asSentence }

    /// The error with the fault of the packet.
    public var failureReason: String? { description }
}

/// An error of bytes: what a person can know of it is that a device has sent something else than
/// was expected.
protocol UnreadableBytes: LocalizedError, CustomStringConvertible {}

extension UnreadableBytes {
    /// What has failed, in one sentence.
    public var errorDescription: String? { "The device sent what this app cannot read." }

    /// The packet, its field and the fault.
    public var failureReason: String? { description }
}

extension BigDataFault: UnreadableBytes {}
extension FrameError: UnreadableBytes {}
extension PacketError: UnreadableBytes {}

// MARK: - Texts and files

/// An error of a text or a file, whose description is for people already.
protocol DescribedError: LocalizedError, CustomStringConvertible {}

extension DescribedError {
    /// The error's own description, with a full stop.
    public var errorDescription: String? {
        description.hasSuffix(".") ? description : "\(description)."
    }
}

extension CaptureError: DescribedError {}
extension CaptureFileError: DescribedError {}
extension ExportError: DescribedError {}
extension FileError: DescribedError {}
extension HexTextError: DescribedError {}
extension RecordingFailure: DescribedError {}
extension TextError: DescribedError {}
extension TrafficError: DescribedError {}

extension String {
    /// The words as a sentence: with a capital, and a full stop.
    fileprivate var asSentence: String { prefix(1).uppercased() + dropFirst() + "." }
}

public import Foundation
public import HaloDevices
public import HaloProtocol
public import HaloTransport

// The texts of errors where Foundation looks for them: `errorDescription` is the title, a sentence
// without names of packets and fields, `failureReason` has the details for a report, and
// `recoverySuggestion` is the advice. Alerts of SwiftUI and `localizedDescription` show them.

// MARK: - Devices

extension DeviceError: LocalizedError {
    /// The ``/HaloDevices/DeviceError/title``.
    public var errorDescription: String? { title }

    /// The request and the causes.
    public var failureReason: String? { description }

    /// The ``/HaloDevices/DeviceError/advice``.
    public var recoverySuggestion: String? { advice }
}

extension BLEError: LocalizedError {
    /// The ``/HaloTransport/BLEError/title``.
    public var errorDescription: String? { title }

    /// The operation and the causes.
    public var failureReason: String? { description }

    /// The ``/HaloTransport/BLEError/advice``.
    public var recoverySuggestion: String? { advice }
}

extension ATTError: LocalizedError {
    /// What has failed, in one sentence.
    public var errorDescription: String? { "The device refused the request." }

    /// The code of the device, in words.
    public var failureReason: String? { description }
}

// MARK: - Packets

extension ValueError: LocalizedError {
    /// The ``/HaloProtocol/ValueError/title``.
    public var errorDescription: String? { title }

    /// The field of the packet, its limits, and the value.
    public var failureReason: String? { description }
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

// MARK: - Texts

extension HexTextError: LocalizedError {
    /// The error's own description, which is for people already, with a full stop.
    public var errorDescription: String? { description.withFullStop }
}

extension TextError: LocalizedError {
    /// The error's own description, which is for people already, with a full stop.
    public var errorDescription: String? { description.withFullStop }
}

extension String {
    fileprivate var withFullStop: String { hasSuffix(".") ? self : "\(self)." }
}

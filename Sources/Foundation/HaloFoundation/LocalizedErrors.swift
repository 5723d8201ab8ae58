public import Foundation
public import HaloCapture
public import HaloDevices
public import HaloProtocol
public import HaloTraffic
public import HaloTransport

// The description of each error of the package is one complete sentence, in English. Alerts of
// SwiftUI and `localizedDescription` show it.

extension BigDataFault: LocalizedError {
    /// The error's own description.
    public var errorDescription: String? { description }
}

extension FrameError: LocalizedError {
    /// The error's own description.
    public var errorDescription: String? { description }
}

extension HexTextError: LocalizedError {
    /// The error's own description.
    public var errorDescription: String? { description }
}

extension PacketError: LocalizedError {
    /// The error's own description.
    public var errorDescription: String? { description }
}

extension SessionError: LocalizedError {
    /// The error's own description.
    public var errorDescription: String? { description }
}

extension TextError: LocalizedError {
    /// The error's own description.
    public var errorDescription: String? { description }
}

extension ValueError: LocalizedError {
    /// The error's own description.
    public var errorDescription: String? { description }
}

extension ATTError: LocalizedError {
    /// The error's own description.
    public var errorDescription: String? { description }
}

extension BLEError: LocalizedError {
    /// The error's own description.
    public var errorDescription: String? { description }
}

extension DeviceError: LocalizedError {
    /// The error's own description.
    public var errorDescription: String? { description }
}

extension CaptureError: LocalizedError {
    /// The error's own description.
    public var errorDescription: String? { description }
}

extension CaptureFileError: LocalizedError {
    /// The error's own description.
    public var errorDescription: String? { description }
}

extension FileError: LocalizedError {
    /// The error's own description.
    public var errorDescription: String? { description }
}

extension RecordingFailure: LocalizedError {
    /// The error's own description.
    public var errorDescription: String? { description }
}

extension ExportError: LocalizedError {
    /// The error's own description.
    public var errorDescription: String? { description }
}

extension TrafficError: LocalizedError {
    /// The error's own description.
    public var errorDescription: String? { description }
}

public import Foundation
public import HaloCapture
public import HaloTraffic

/// An error of a text or of a file, whose description is for people already.
protocol DescribedError: LocalizedError, CustomStringConvertible {}

extension DescribedError {
    /// The error's own description, with a full stop.
    public var errorDescription: String? {
        description.hasSuffix(".") ? description : "\(description)."
    }
}

extension CaptureError: LocalizedError, DescribedError {}
extension CaptureFileError: LocalizedError, DescribedError {}
extension ExportError: LocalizedError, DescribedError {}
extension FileError: LocalizedError, DescribedError {}
extension RecordingFailure: LocalizedError, DescribedError {}
extension TrafficError: LocalizedError, DescribedError {}

public import HaloCapture

extension Capture {
    /// The capture as a file for Wireshark or `btmon`.
    public func exported(as format: ExportFormat) throws(ExportError) -> [UInt8] {
        var exporter = CaptureExporter(format)
        for line in timedLines { try exporter.foresee(line) }
        for line in timedLines { try exporter.put(line) }
        try exporter.finish()
        return exporter.take()
    }

    /// Writes the capture to a file for Wireshark or `btmon`, which appears when it is whole.
    ///
    /// What a program says to a virtual device, or to a real one, becomes such a file if it is
    /// recorded:
    ///
    /// ```swift
    /// let recorder = CaptureRecorder()
    /// let ring = try await Ring.connect(over: RecordingTransport(bluetooth, to: recorder))
    /// _ = try await ring.battery()
    /// try recorder.capture().export(as: .pcapng, to: "ring.pcapng")
    /// ```
    public func export(as format: ExportFormat, to path: String) throws(ExportError) {
        let bytes = try exported(as: format)
        do throws(FileError) {
            var file = try FileOutput(path)
            try file.write(bytes)
            try file.commit()
        } catch {
            throw ExportError(error)
        }
    }
}

internal import HaloProtocol
internal import HaloTransport

struct RecordingHeader {
    let options: RecordingOptions
    /// The date and time of the beginning; `nil` if not known.
    var clock: WallClock?

    /// Returns the first lines of a recording that begins `offset` microseconds after the recorder.
    func lines(at offset: UInt64) -> [CaptureLine] {
        var lines: [CaptureLine] = [
            .version, .comment(CaptureText("source: \(options.source)")),
        ]
        if let device = options.device {
            lines.append(.comment(CaptureText("device: \(device)")))
        }
        if let clock {
            let local = clock.local.advanced(bySeconds: Int(clamping: offset / 1_000_000))
            lines.append(.comment(CaptureText("clock: \(local) \(clock.offset)")))
        }
        return lines
    }
}

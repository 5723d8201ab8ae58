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
            let zone = Self.zone(clock.secondsFromUTC)
            lines.append(.comment(CaptureText("clock: \(local) \(zone)")))
        }
        return lines
    }

    private static func zone(_ seconds: Int) -> String {
        let minutes = Int(clamping: seconds.magnitude) / 60
        let (hours, rest) = (DecimalText.two(minutes / 60), DecimalText.two(minutes % 60))
        return "\(seconds < 0 ? "-" : "+")\(hours):\(rest)"
    }
}

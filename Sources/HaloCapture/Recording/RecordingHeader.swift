import HaloProtocol
import HaloTransport

/// What stands at the beginning of every recording.
struct RecordingHeader {
    let options: RecordingOptions
    /// What the clock on the wall showed when the recording began; nothing if nobody said so.
    var clock: WallClock?

    /// The lines of a recording that begins so many microseconds after the recorder.
    func lines(at offset: UInt64) -> [CaptureLine] {
        var lines: [CaptureLine] = [
            .version(.current), .comment(CaptureText("source: \(options.source)")),
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
        let minutes = seconds.magnitude / 60
        let digits = { (number: UInt) in number < 10 ? "0\(number)" : "\(number)" }
        return (seconds < 0 ? "-" : "+") + digits(minutes / 60) + ":" + digits(minutes % 60)
    }
}

import HaloCapture
import HaloDevices
import HaloProtocol

/// `halo record`: a device is used, and what goes over its link becomes a capture.
enum RecordVerb: Verb {
    static let name = "record"
    static let summary = "uses a device and writes down what goes over its link"

    static var usage: String {
        """
        usage: halo record \(RecordOptions.choices)
                           [--seed N] [--for TIME] [--replace] [--json] --out FILE
               halo record --device ring|strap|ADDRESS [--adapter hciN] [--bus ADDRESS]
                           [--for TIME] [--replace] [--json] --out FILE

        Finds a device and connects to it, reads what it has stored, has it measure the heart rate
        until the time is over, and disconnects. All that goes over the link is written to a
        capture as it happens: the file can be read at any moment, also when the program was
        ended. What there is to record:

          --virtual   a virtual ring or chest strap, on virtual time
          --device    a real one, on Linux: the nearest ring or strap, or the one with an
                      address. Ctrl-C ends it before its time.
          --adapter   by which adapter of this computer; the first one if left out
          --bus       where BlueZ's daemon is, as DBUS_SYSTEM_BUS_ADDRESS says it; on the bus of
                      the system if left out

          --seed N    which virtual person wears the device; 3 if left out
          --for TIME  how long, as 90s, 10m or 2h; 1m if left out. What is stored is read to its
                      end, and the daemon takes two seconds and more to disconnect.
          --out FILE  the capture
          --replace   replace a file that is there
          --json      one JSON object: file, status (recorded, failed), packets, bytes, seconds,
                      error

        Exit status: 0 if all was recorded, 1 if not, also where the device did not do what it was
        asked for; 2 for wrong usage.

        """
    }

    static func run(_ arguments: [String], console: inout Console) async -> ExitStatus {
        let options: RecordOptions
        do throws(UsageError) {
            options = try RecordOptions(arguments)
        } catch {
            console.complain(
                """
                halo record: \(console.safe(error.reason))
                usage: halo record \(RecordOptions.choices) [--for TIME] --out FILE
                       halo record --device ring|strap|ADDRESS [--adapter hciN] --out FILE
                'halo help record' says more.
                """)
            return .wrongUsage
        }
        guard !options.wantsHelp, let source = options.source, let path = options.output else {
            console.write(usage)
            return .success
        }
        do throws(DeviceError) {
            try await source.prepare()
        } catch {
            let status = say(path, .seconds(0), error: "\(error)", options, &console)
            console.complain(DoctorVerb.advice)
            return status
        }
        return await record(source, path, options, &console)
    }

    private static func record(
        _ source: any RecordSource, _ path: String, _ options: RecordOptions,
        _ console: inout Console
    ) async -> ExitStatus {
        var recording = RecordingOptions()
        recording.device = source.device
        let recorder: CaptureRecorder
        do throws(FileError) {
            recorder = try CaptureRecorder(
                writingTo: path, replacing: options.isReplacing, options: recording)
        } catch {
            return say(path, .seconds(0), error: "\(error)", options, &console)
        }
        do throws(DeviceError) {
            let duration = try await source.record(to: recorder, for: options.duration)
            recorder.finish()
            // It may be asked to end while it still looks for the device.
            let nothing = recorder.hasBegun ? nil : "nothing was recorded"
            let problem = recorder.failure.map { "\($0)" } ?? nothing
            return say(path, duration, error: problem, options, &console)
        } catch {
            recorder.finish()
            let status = say(path, .seconds(0), error: "\(error)", options, &console)
            let kinds: [DeviceError.Kind] = [
                .bluetooth, .bluetoothOff, .unauthorized, .connectTimedOut,
            ]
            if kinds.contains(error.kind) { console.complain(DoctorVerb.advice) }
            return status
        }
    }

    /// Says what stands in the file now.
    private static func say(
        _ path: String, _ duration: Duration, error: String?, _ options: RecordOptions,
        _ console: inout Console
    ) -> ExitStatus {
        let (packets, bytes) = error == nil ? count(path) : (0, 0)
        let seconds = UInt64(clamping: duration.components.seconds)
        if options.isJSON {
            let object: JSONText.Value = .object([
                ("file", .string(path)),
                ("status", .string(error == nil ? "recorded" : "failed")),
                ("packets", .number(packets)), ("bytes", .number(bytes)),
                ("seconds", .number(seconds)), ("error", error.map { .string($0) } ?? .null),
            ])
            console.write(JSONText.text(object) + "\n")
        }
        if let error {
            console.complain("halo record: \(console.safe(error))")
            return .foundFault
        }
        if !options.isJSON {
            console.write(
                "\(PrintableText.quoted(path.utf8)): \(packets) packets in \(seconds) s, "
                    + "\(bytes) bytes\n")
        }
        return .success
    }

    private static func count(_ path: String) -> (packets: UInt64, bytes: UInt64) {
        var reader = CaptureLineReader()
        var packets: UInt64 = 0
        var bytes: UInt64 = 0
        try? FileInput.readPieces(of: path) { (piece) throws(CaptureError) in
            bytes += UInt64(piece.count)
            try reader.read(piece)
            while let line = reader.next() {
                if line.line.packet != nil { packets += 1 }
            }
        }
        return (packets, bytes)
    }
}

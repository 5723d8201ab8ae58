import HaloCapture
import HaloDevices
import HaloProtocol
import HaloTransport

#if os(Linux)
import HaloBlueZ
#endif

/// `halo record`: uses a device, and records its link as a capture.
struct RecordVerb: Verb {
    private let source: any RecordSource
    private let output: FilePath
    private var duration: Duration = .seconds(60)
    private var isReplacing = false
    private var isJSON = false

    private static let longestSeconds = 24 * 60 * 60

    static let name = "record"
    static let summary = "uses a device, and records its link as a capture"

    static let synopsis = """
        halo record --virtual \(DeviceNames.virtual.joined(separator: "|"))
                           [--seed N] [--for TIME] [--replace] [--json] --out FILE
               halo record --device ring|strap|ADDRESS [--adapter hciN] [--bus ADDRESS]
                           [--for TIME] [--replace] [--json] --out FILE
        """

    static let details = """
        Finds a device, connects, reads its history, measures the heart rate until the time is
        over, and disconnects. Each packet of the link is written to a capture when it passes. The
        file can be read at any moment, also after the program was killed.

          --virtual   a virtual ring or chest strap, on virtual time
          --device    a real device, on Linux: the nearest ring or strap, or the one with an
                      address. Ctrl-C ends the recording early.
          --adapter   the adapter of this computer; the first one if left out
          --bus       the bus of BlueZ's daemon, as in DBUS_SYSTEM_BUS_ADDRESS; the system's bus
                      if left out

          --seed N    the seed of the virtual wearer; 3 if left out
          --for TIME  the duration, as 90s, 10m or 2h; 1m if left out. The history is read to its
                      end, and the daemon takes two seconds or more to disconnect.
          --out FILE  the capture; with -, it is standard output, and the report goes to standard
                      error
          --replace   replaces an existing file, with the first packet
          --json      one JSON object: file, status (recorded, failed), packets, bytes, seconds,
                      written (path, bytes and connections; null if nothing was), error

        Exit status: 0 if everything was recorded; 1 if not, also if the device refused a request;
        2 for wrong usage.
        """

    init(_ arguments: inout ArgumentReader) throws(ArgumentError) {
        var seed: UInt64 = 3
        var (virtual, device, adapter, bus): (String?, String?, String?, String?)
        var output: FilePath?
        while let option = try arguments.next() {
            switch option {
            case "--virtual": virtual = try arguments.value(of: option)
            case "--device": device = try arguments.value(of: option)
            case "--adapter": adapter = try arguments.value(of: option)
            case "--bus": bus = try arguments.value(of: option)
            case "--seed": seed = try arguments.seed(of: option)
            case "--for": duration = try Self.duration(arguments.value(of: option))
            case "--out": output = try arguments.file(of: option)
            case "--replace": isReplacing = true
            case "--json": isJSON = true
            default: throw .unknown(option)
            }
        }
        try arguments.refuseWordsAndCommand()
        let isReal = device != nil || adapter != nil || bus != nil
        guard (virtual != nil) != isReal else {
            throw .wrongUsage("give either --virtual, or --device, --adapter or --bus")
        }
        if let virtual {
            source = try ArgumentReader.value(
                virtual, of: "--virtual", from: DeviceNames.virtual
            ) { VirtualSource($0, seed: seed) }
        } else {
            source = try Self.realSource(device, adapter: adapter, bus: bus)
        }
        guard let output else { throw .wrongUsage("--out FILE is missing") }
        self.output = output
    }

    private static func realSource(
        _ device: String?, adapter: String?, bus: String?
    ) throws(ArgumentError) -> any RecordSource {
        #if os(Linux)
        let options = try BlueZOptions(adapter: adapter, busAddress: bus)
        guard let source = BlueZSource(device: device, options) else {
            throw .wrongUsage(
                "--device takes ring, strap or an address like 30:33:47:AA:BB:CC, "
                    + "not '\(device ?? "")'")
        }
        return source
        #else
        throw .wrongUsage("real devices are recorded on Linux only")
        #endif
    }

    /// A number with the unit h, m or s behind it.
    private static func duration(_ text: String) throws(ArgumentError) -> Duration {
        let units: [Character: Int] = ["s": 1, "m": 60, "h": 3_600]
        guard let unit = text.last.flatMap({ units[$0] }), text.first != "+",
            let number = Int(text.dropLast()), number > 0, number <= longestSeconds / unit
        else {
            throw .wrongUsage(
                "--for takes a time like 90s, 10m or 2h, at most 24h, not '\(text)'")
        }
        return .seconds(number * unit)
    }

    func run(_ console: inout Console) async -> ExitStatus {
        if output.isStandard { console.leaveOutputToFile() }
        do throws(DeviceError) {
            try await source.prepare()
        } catch {
            report("\(error)", &console)
            console.suggestDoctor()
            return .foundFault
        }
        let recorder: CaptureRecorder
        do throws(FileError) {
            var options = RecordingOptions()
            options.device = source.device
            recorder =
                output.isStandard
                ? try CaptureRecorder(standardOutput: output, options: options)
                : try CaptureRecorder(
                    writingTo: output, replacing: isReplacing, options: options)
        } catch {
            report("\(error)", &console)
            return .foundFault
        }
        return await record(to: recorder, &console)
    }

    private func record(
        to recorder: CaptureRecorder, _ console: inout Console
    ) async -> ExitStatus {
        do throws(DeviceError) {
            let elapsed = try await source.record(
                to: recorder, for: duration, endingWithReader: output.isStandard)
            recorder.finish()
            #if os(Linux)
            if output.isStandard, ProgramEnding.isOutputClosed { return .success }
            #endif
            // A signal may end the recording while the device is still being searched.
            let nothing = recorder.hasBegun ? nil : "nothing was recorded"
            if let problem = recorder.failure.map({ "\($0)" }) ?? nothing {
                report(problem, of: recorder, after: elapsed, &console)
                return .foundFault
            }
            reportRecorded(recorder, elapsed, &console)
            return .success
        } catch {
            recorder.finish()
            report("\(error)", of: recorder, &console)
            let kinds: [DeviceError.Kind] = [.bluetooth, .bluetoothOff, .unauthorized]
            let connectTimedOut =
                error.kind == .timedOut && error.bleError?.operation == .connect
            if kinds.contains(error.kind) || connectTimedOut { console.suggestDoctor() }
            return .foundFault
        }
    }

    private func report(
        _ problem: String, of recorder: CaptureRecorder? = nil, after elapsed: Duration = .zero,
        _ console: inout Console
    ) {
        if isJSON { writeJSON("failed", recorder, elapsed, problem, &console) }
        console.report(problem)
        if isReplacing, recorder?.hasBegun != true, !output.isStandard, output.isFile {
            console.report(output.keptSentence)
        }
    }

    private func reportRecorded(
        _ recorder: CaptureRecorder, _ elapsed: Duration, _ console: inout Console
    ) {
        if isJSON { return writeJSON("recorded", recorder, elapsed, nil, &console) }
        console.write(
            "\(output.quoted): \(recorder.counts.packetCount) packets in "
                + "\(elapsed.components.seconds) s, \(recorder.byteCount) bytes\n")
    }

    private func writeJSON(
        _ status: String, _ recorder: CaptureRecorder?, _ elapsed: Duration, _ error: String?,
        _ console: inout Console
    ) {
        let begun = recorder.flatMap { $0.hasBegun ? $0 : nil }
        let written = begun.map {
            WrittenFile(
                path: output, byteCount: $0.byteCount, connectionCount: $0.counts.connectionCount)
        }
        console.write(
            .object([
                ("file", .string(output.text)), ("status", .string(status)),
                ("packets", .number(begun?.counts.packetCount ?? 0)),
                ("bytes", .number(written?.byteCount ?? 0)),
                ("seconds", .number(elapsed.components.seconds)),
                ("written", written.map { .object($0.members) } ?? .null),
                ("error", .text(error)),
            ]))
    }
}

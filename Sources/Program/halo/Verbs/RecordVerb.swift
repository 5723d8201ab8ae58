import HaloCapture
import HaloDevices
import HaloProtocol

struct RecordVerb: Verb {
    private let request: DeviceRequest
    private let output: FilePath
    private let duration: Duration
    private let days: Int

    private static let defaultDuration = Duration.seconds(60)

    private static let durationOption = Option.duration(
        "for",
        """
        the time to measure, like 90s, 1m30s or 2h (default: \(defaultDuration.words)). The \
        history is read before, to its end, and does not count
        """)
    private static let usualDays = 7
    private static let daysOption = Option.number(
        "days", "N", in: 1...30,
        "the days of a ring's history, today included (default: \(usualDays))")
    private static let outputOption = FileArguments.output(
        """
        the capture; with -, standard output, and the report goes to standard error. An \
        existing file is replaced when the first packet comes
        """)

    static let syntax = VerbSyntax(
        "record", "uses a device, and records its link as a capture",
        options: [outputOption, CommonOptions.force, durationOption, daysOption],
        deviceOptions: DeviceRequest.options,
        json: """
            one JSON object: type (record), file, packets, bytes, seconds, written (path, bytes \
            and connections; null if nothing was)
            """,
        examples: [
            "halo record --out ring.halo --for 2m",
            "halo record --out demo.halo --virtual=r12",
        ],
        """
        Finds a device, connects, reads its history, then measures the heart rate for a minute
        or the time of --for, and disconnects. A ring needs half a minute for its first
        value. Each packet of the link is written to a capture as it passes. The file can be
        read at any moment, even if the program was killed. Ctrl-C ends the recording early.
        A virtual device is recorded on virtual time, in no time.
        """)

    init(_ arguments: ParsedArguments) throws(Failure) {
        request = try DeviceRequest(arguments)
        duration = try arguments.value(of: Self.durationOption) ?? Self.defaultDuration
        days = try arguments.value(of: Self.daysOption) ?? Self.usualDays
        guard let output = try arguments.value(of: Self.outputOption) else {
            throw .wrongUsage("--out FILE is missing")
        }
        self.output = output
        if case .replay(let input) = request.place {
            try FileArguments.check(output, differsFrom: input)
        }
    }

    func run(_ console: inout Console) async throws(Failure) -> ExitStatus {
        ProgramEnding.cancelsTask(watchesReader: output.isStandard)
        try OutputFile.prepare(output, &console)
        // A device that cannot be used leaves no file behind.
        let access = try await open(&console)
        let recorder = try mapError(Failure.init) { () throws(FileError) in
            var options = RecordingOptions()
            options.device = access.source
            let file =
                output.isStandard
                ? try RecordingFile(standardOutput: output)
                : try RecordingFile(output, replacing: console.replacesFiles)
            return CaptureRecorder(file, options: options)
        }
        // A full disk ends the use of the device, too.
        recorder.onFailure { ProgramEnding.cancelTask() }
        let begun = access.transport.time.now()
        var problem: Failure?
        do throws(Failure) {
            try await record(access, to: recorder, &console)
        } catch {
            // A signal ends the recording, and what was recorded counts.
            if ProgramEnding.endingSignal == nil { problem = error }
        }
        recorder.finish()
        let elapsed = access.transport.time.now().duration(since: begun)
        // A reader that has closed standard output has all that it wants.
        if let failure = recorder.failure,
            !output.isStandard || !ProgramEnding.endsWithoutReader()
        {
            problem = Failure(.unusable, "\(failure)")
        }
        report(recorder, elapsed, &console)
        if let problem { throw problem }
        // A signal may come while the device is still being looked for.
        if !recorder.hasBegun { throw Self.nothingRecorded }
        return .success
    }

    private static var nothingRecorded: Failure { Failure(.unusable, "nothing was recorded") }

    private func open(_ console: inout Console) async throws(Failure) -> DeviceAccess {
        do throws(Failure) {
            return try await DeviceAccess(request, isShown: false, &console)
        } catch {
            throw ProgramEnding.endingSignal == nil ? error : Self.nothingRecorded
        }
    }

    private func record(
        _ access: DeviceAccess, to recorder: CaptureRecorder, _ console: inout Console
    ) async throws(Failure) {
        let transport = DeviceAccess.recording(access.transport, to: recorder)
        let found = try await access.find(over: transport)
        let device = try await access.connect(to: found, over: transport, setsClock: true)
        device.remarkOnOldClock(&console)
        do throws(DeviceError) {
            try await device.use(for: duration, days: days, &console)
        } catch {
            await device.waitUntilStopped()
            await device.end()
            throw Failure(error)
        }
        await device.end()
    }

    private func report(
        _ recorder: CaptureRecorder, _ elapsed: Duration, _ console: inout Console
    ) {
        let hasBegun = recorder.hasBegun && !recorder.hasLostFile
        let (packets, seconds) = (recorder.counts.packetCount, elapsed.components.seconds)
        let written = WrittenFile(
            path: output, byteCount: recorder.byteCount,
            connectionCount: recorder.counts.connectionCount)
        let text = "\(TextLayout.count(packets, "packet")) in \(seconds) s, "
        console.write(
            type: "record",
            [
                "file": output.text, "packets": hasBegun ? packets : 0,
                "bytes": hasBegun ? recorder.byteCount : 0, "seconds": seconds,
                "written": hasBegun ? written.members : nil,
            ],
            or: hasBegun ? "\(output.quoted): \(text)\(recorder.byteCount) bytes\n" : "")
        if !hasBegun, console.replacesFiles { output.remarkKept(&console) }
    }
}

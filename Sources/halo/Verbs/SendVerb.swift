import HaloCapture
import HaloDevices
import HaloProtocol
import HaloTransport

/// `halo send`: sends bytes to a ring, and explains what comes back.
struct SendVerb: Verb {
    private let request: DeviceRequest
    private let bytes: [UInt8]
    private let channel: CaptureChannel
    private let listening: Duration
    private let isPermitted: Bool

    private static let maximumLength = 512
    private static let channels = ["uart": CaptureChannel.uart, "bigdata": .bigData]

    private static let channelOption = Option<CaptureChannel>.choice(
        "channel", "NAME", from: channels.keys.sorted().reversed(),
        "uart for 16-byte frames, bigdata for longer ones; by the first byte if left out"
    ) { channels[$0] }
    private static let listenOption = Option.duration(
        "for", "the time to listen for replies; 3s if left out")
    private static let dangerousOption = Flag(
        "dangerous", "sends also what can erase the ring, turn it off or replace its firmware")

    static let syntax = VerbSyntax(
        "send", "sends bytes to a ring, and explains what comes back", forms: ["HEX …"],
        options: [channelOption, listenOption, dangerousOption] + DeviceRequest.options,
        json: """
            one JSON object a line: each packet that is sent or received, of type packet, with \
            microseconds, direction, channel, input, status, kind, packet, fields, reencoded, error
            """,
        difference: "no reply came, or one could not be decoded",
        """
        Sends a packet, and explains it and every packet that the ring sends until the time is
        over. Up to 15 bytes are filled with zeros to a frame with its checksum: 'halo send 03'
        asks for the battery. A longer packet is sent as it is.
        """)

    init(_ arguments: ParsedArguments) throws(ArgumentError) {
        request = try DeviceRequest(arguments)
        isPermitted = arguments.has(Self.dangerousOption)
        listening = try arguments.value(of: Self.listenOption) ?? .seconds(3)
        let text = arguments.allWords.map(\.text).joined(separator: " ")
        let parsed = try mapError({ (error: HexTextError) -> ArgumentError in
            .wrongUsage("these are no bytes in hexadecimal: \(error)")
        }) { () throws(HexTextError) in try HexText.parse(text) }
        guard let first = parsed.first else {
            throw .wrongUsage("say what to send: 03, for example")
        }
        let given = try arguments.value(of: Self.channelOption)
        channel = given ?? (first == BigDataFrame.marker ? .bigData : .uart)
        // A frame's sum is its last byte.
        let padding = [UInt8](repeating: 0, count: max(Frame.length - 1 - parsed.count, 0))
        bytes =
            channel == .uart && parsed.count < Frame.length
            ? parsed + padding + [parsed.reduce(0, &+)] : parsed
        let limit = channel == .uart ? Frame.length : Self.maximumLength
        guard bytes.count <= limit else {
            throw .wrongUsage("\(channel.words) takes at most \(limit) bytes, not \(bytes.count)")
        }
    }

    func run(_ console: inout Console) async throws(Failure) -> ExitStatus {
        if let facts = danger, let words = facts.danger, !isPermitted {
            throw Failure(
                .wrongUsage, "\(facts.name) \(words)",
                advice: "--dangerous sends it all the same.")
        }
        ProgramEnding.cancelsTask()
        let access = try await DeviceAccess(request, isShown: false, &console)
        let found = try await access.find()
        if found.isStrap { throw Failure(.unusable, "this device is a strap; that needs a ring") }
        do throws(BLEError) {
            let link = try await access.transport.connect(to: found.identity)
            do throws(BLEError) {
                let status = try await exchange(over: link, &console)
                await link.disconnect()
                return status
            } catch {
                await Task { await link.disconnect() }.value
                throw error
            }
        } catch {
            throw Failure(DeviceError(error))
        }
    }

    private nonisolated(nonsending) func exchange(
        over link: BLELink, _ console: inout Console
    ) async throws(BLEError) -> ExitStatus {
        let isUART = channel == .uart
        let service = isUART ? RingServices.uart : RingServices.bigData
        let writes = try await link.characteristic(
            isUART ? RingServices.uartWrite : RingServices.bigDataWrite, of: service)
        let notifies = try await link.characteristic(
            isUART ? RingServices.uartNotify : RingServices.bigDataNotify, of: service)
        var replies = try await link.notifications(of: notifies).makeAsyncIterator()
        let begun = link.time.now()
        print(bytes, .toDevice, .zero, &console)
        console.flush()
        let length = link.maximumWriteLength(.withoutResponse)
        for start in stride(from: 0, to: bytes.count, by: max(length, 1)) {
            try await link.write(
                Array(bytes[start...].prefix(length)), to: writes, .withoutResponse)
        }
        // The end of the time ends the link, and with it the notifications.
        let timer = link.time.schedule(at: begun + listening) {
            Task { await link.disconnect() }
        }
        defer { timer.cancel() }
        var count = 0
        var status = ExitStatus.success
        do throws(BLEError) {
            while let reply = try await replies.next() {
                count += 1
                let elapsed = reply.moment.duration(since: begun)
                if !print(reply.value, .fromDevice, elapsed, &console) { status = .difference }
                console.flush()
            }
        } catch {
            guard error.kind == .disconnected, link.time.now() >= begun + listening else {
                throw error
            }
        }
        if count == 0 {
            console.report(
                Failure(.difference, "the ring has not replied within \(listening.words)"))
            status = .difference
        }
        return status
    }

    /// The dangerous command among the bytes: also one whose frame is behind another one.
    private var danger: CommandFacts? {
        let starts = bytes.indices.filter { index in
            index == 0 || channel == .bigData && bytes[index] == BigDataFrame.marker
        }
        return starts.lazy.compactMap {
            RequestRisk.danger(of: Array(bytes[$0...]), writtenTo: channel)
        }.first
    }

    private func explain(_ bytes: [UInt8], _ direction: Direction) -> Explanation? {
        channel.packetKind.map { Explanation(of: bytes, as: $0, direction: direction) }
    }

    /// Prints a packet; returns `false` if it cannot be decoded.
    @discardableResult
    private func print(
        _ bytes: [UInt8], _ direction: Direction, _ elapsed: Duration, _ console: inout Console
    ) -> Bool {
        guard let explanation = explain(bytes, direction) else { return true }
        if console.isJSON {
            console.write(
                type: "packet",
                [
                    ("microseconds", .number(elapsed.wholeMicroseconds)),
                    ("direction", .string(direction.word)), ("channel", .string(channel.words)),
                    ("input", .string(HexText.bytes(bytes))),
                ] + ExplanationPrinter.members(.success(explanation)))
        } else {
            let heading = console.style.strong(explanation.heading.printable)
            console.write("\(direction.arrow) \(heading)\n")
            ExplanationPrinter.printRows(explanation, indentation: 4, to: &console)
        }
        return explanation.status == .decoded
    }
}

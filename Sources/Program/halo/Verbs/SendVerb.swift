import HaloCapture
import HaloDevices
import HaloProtocol
import HaloTransport

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
        "uart for 16-byte frames, bigdata for longer ones; by default, the first byte decides"
    ) { channels[$0] }
    private static let listenOption = Option.duration(
        "for", "the time to listen for replies (default: 3s)")
    private static let dangerousOption = Flag(
        "dangerous", "also sends what can erase the ring, turn it off or replace its firmware")

    static let syntax = VerbSyntax(
        "send", "sends bytes to a ring, and explains what comes back", forms: ["HEX …"],
        options: [channelOption, listenOption, dangerousOption],
        deviceOptions: DeviceRequest.options,
        json: """
            one JSON object a line: each packet that is sent or received, of type packet, with \
            microseconds, direction, channel, input, status, kind, packet, fields, reencoded, error
            """,
        difference: "no reply came, or one is incomplete or could not be decoded",
        examples: [
            "halo send 03",
            "halo send --virtual 16 01",
        ],
        """
        Sends a packet, and explains it and every packet that the ring sends until the time is
        up. On the channel uart, up to 15 bytes are padded with zeros to a frame with its
        checksum: 'halo send 03' reads the battery level. On the channel bigdata, for packets that
        begin with BC, all bytes are sent as they are, and the pieces of a reply are joined.
        """)

    init(_ arguments: ParsedArguments) throws(Failure) {
        request = try DeviceRequest(arguments)
        isPermitted = arguments.has(Self.dangerousOption)
        listening = try arguments.value(of: Self.listenOption) ?? .seconds(3)
        let text = arguments.allWords.map(\.unescapedText).joined(separator: " ")
        let parsed = try mapError({ (error: HexTextError) -> Failure in
            .wrongUsage("these are not hexadecimal bytes: \(error)")
        }) { () throws(HexTextError) in try HexText.parse(text) }
        guard let first = parsed.first else {
            throw .wrongUsage("say what to send: 03, for example")
        }
        let given = try arguments.value(of: Self.channelOption)
        channel = given ?? (first == BigDataFrame.marker ? .bigData : .uart)
        // A frame's sum is its last byte.
        let zeros = Frame.length - 1 - parsed.count
        bytes =
            channel == .uart && zeros >= 0
            ? parsed + [UInt8](repeating: 0, count: zeros) + [parsed.reduce(0, &+)] : parsed
        let limit = channel == .uart ? Frame.length : Self.maximumLength
        guard bytes.count <= limit else {
            throw .wrongUsage("\(channel.words) takes at most \(limit) bytes, not \(bytes.count)")
        }
    }

    func run(_ console: inout Console) async throws(Failure) -> ExitStatus {
        if let facts = danger, let words = facts.danger, !isPermitted {
            throw Failure(
                .wrongUsage, "\(facts.name) \(words)",
                advice: "--dangerous sends it anyway.")
        }
        let access = try await DeviceAccess(request, isShown: false, &console)
        let found = try await access.find([.ring])
        do throws(BLEError) {
            let link = try await access.transport.connect(to: found.identity)
            let result = await Result.catching { () async throws(BLEError) in
                try await exchange(over: link, &console)
            }
            // A task of its own: this one may be cancelled, and would not wait for the link's end.
            await Task { await link.disconnect() }.value
            return try result.get()
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
        var notifications = try await link.notifications(of: notifies).makeAsyncIterator()
        let begun = link.time.now()
        var exchange = ExchangePrinter(channel)
        exchange.printRequest(bytes, &console)
        let length = link.maximumWriteLength(for: .withoutResponse)
        for start in stride(from: 0, to: bytes.count, by: max(length, 1)) {
            try await link.write(
                Array(bytes[start...].prefix(length)), to: writes, .withoutResponse)
        }
        // The end of the time ends the link, and with it the notifications.
        let timer = link.time.schedule(at: begun + listening) {
            Task { await link.disconnect() }
        }
        defer { timer.cancel() }
        var end: BLEError?
        do throws(BLEError) {
            while let reply = try await notifications.next() {
                exchange.receive(reply.value, after: reply.moment.duration(since: begun), &console)
            }
        } catch {
            end = error
        }
        exchange.finish(&console)
        if let end {
            let isOver = link.time.now() >= begun + listening
            guard end.kind == .disconnected, isOver || danger != nil else { throw end }
            if !isOver {
                // A ring that turns itself off does not reply.
                let reason = end.disconnectReason.map { " (\($0))" } ?? ""
                console.remark("the packet was sent; then the link ended\(reason)")
                return exchange.status
            }
        }
        guard exchange.replyCount == 0 else { return exchange.status }
        // The notifications of a cancelled task end early.
        if Task.isCancelled { throw BLEError(.cancelled, .receive) }
        return console.report(
            Failure(.difference, "the ring has not replied within \(listening.words)"))
    }

    /// The dangerous command among the bytes: also one whose frame is after another one.
    private var danger: CommandFacts? {
        let starts = bytes.indices.filter { index in
            index == 0 || channel == .bigData && bytes[index] == BigDataFrame.marker
        }
        return starts.lazy.compactMap {
            RequestRisk.danger(of: Array(bytes[$0...]), writtenTo: channel)
        }.first
    }
}

/// Prints each packet of the exchange once, when it is whole.
private struct ExchangePrinter {
    /// The number of notifications.
    private(set) var replyCount = 0

    private let channel: CaptureChannel
    private var replies = CaptureExplainer()

    init(_ channel: CaptureChannel) {
        self.channel = channel
    }

    /// A difference once a reply could not be decoded.
    var status: ExitStatus { replies.foundFault ? .difference : .success }

    func printRequest(_ bytes: [UInt8], _ console: inout Console) {
        let explanation = Explanation(of: bytes, as: channel.packetKind, direction: .toDevice)
        print(.toDevice, bytes, .explained(explanation), at: .origin, &console)
        console.flush()
    }

    mutating func receive(_ bytes: [UInt8], after elapsed: Duration, _ console: inout Console) {
        replyCount += 1
        let packet = CapturePacket(unchecked: .fromDevice, nil, channel, bytes)
        replies.read(
            TimedLine(number: replyCount, moment: .origin + elapsed, line: .packet(packet)))
        printReplies(&console)
    }

    /// Ends the replies: a frame that is incomplete is a fault.
    mutating func finish(_ console: inout Console) {
        replies.finish()
        printReplies(&console)
    }

    private mutating func printReplies(_ console: inout Console) {
        while let part = replies.next() {
            guard case .packet(let reply) = part.content else { continue }
            print(
                .fromDevice, reply.packet.bytes, reply.inputMeaning, at: part.line.moment, &console)
        }
        console.flush()
    }

    private func print(
        _ direction: Direction, _ bytes: [UInt8], _ meaning: InputMeaning, at moment: Moment,
        _ console: inout Console
    ) {
        if console.isJSON {
            console.write(
                type: "packet",
                [
                    "microseconds": moment.microseconds, "direction": direction.word,
                    "channel": channel.words, "input": HexText.bytes(bytes),
                ] + ExplanationPrinter.members(meaning))
            return
        }
        switch meaning {
        case .explained(let explanation):
            let heading = console.style.strong(explanation.heading.printable)
            console.write("\(direction.arrow) \(heading)\n")
            ExplanationPrinter.printRows(explanation, indentation: 4, to: &console)
        case .unreadable(let reason):
            let error = console.style.bad("error: \(reason.printable)")
            console.write("\(direction.arrow) \(error)\n")
        }
    }
}

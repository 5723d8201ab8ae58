import HaloProtocol
public import HaloTransport

/// Asks a device what a recorded one was asked, and compares what they say, kind by kind.
///
///     let client = ReplayClient(capture)
///     let comparison = try await client.run(over: transport, to: identity)
///     print(comparison)
///
/// Compared is which kinds of answers each request has: frames of which command and which part,
/// records of which command, acknowledgements, refusals; not what they say, which depends on who
/// wears the device and when. What comes unasked is not compared.
///
/// What this package calls dangerous, and what nobody knows, is not sent to a device unless
/// ``ReplayClientOptions/permission`` allows it.
public struct ReplayClient: Sendable {
    /// How it asks.
    public let options: ReplayClientOptions

    let recording: RecordedConversations
    /// What the recorded device said to each request.
    let recorded: [Int: AnswerListener.Heard]
    /// The second of a workout that was reported last before the next request.
    let workoutSeconds: [Int: UInt16]

    /// A client that asks what is asked in a capture.
    public init(_ capture: Capture, _ options: ReplayClientOptions = ReplayClientOptions()) {
        self.options = options
        recording = RecordedConversations(capture, link: options.link)
        var listener = AnswerListener(comparesSettings: options.comparesSettings)
        var workoutSeconds: [Int: UInt16] = [:]
        var reactions = recording.reactions[...]
        func take(until line: Int, _ request: Int?) {
            while let reaction = reactions.first, reaction.line < line {
                reactions.removeFirst()
                Self.note(reaction, &listener)
            }
            if let request, let second = listener.workoutSecond {
                workoutSeconds[request] = second
            }
            listener.forgetWorkout()
        }
        for (number, request) in recording.requests.enumerated() {
            take(until: request.line, number > 0 ? number - 1 : nil)
            switch request.what {
            case .write(let channel, let bytes): listener.ask(number, channel, bytes)
            case .subscription(let channel, true): listener.subscribe(number, channel)
            case .subscription, .read: break
            }
        }
        take(until: .max, recording.requests.indices.last)
        recorded = listener.heard
        self.workoutSeconds = workoutSeconds
    }

    private static func note(_ reaction: RecordedReaction, _ listener: inout AnswerListener) {
        switch reaction.what {
        case .value(let channel, let bytes, _):
            listener.take(channel, bytes, at: reaction.moment)
        case .answer:
            guard let request = reaction.answered else { return }
            listener.note(AnswerKind(.acknowledged), request, reaction.moment)
        case .refused(let code):
            guard let request = reaction.answered else { return }
            listener.note(AnswerKind(.refused(code: code)), request, reaction.moment)
        case .acknowledged, .servicesChanged, .disconnected: break
        }
    }

    /// Connects as often as was recorded, and asks on each connection what was asked on it.
    public nonisolated(nonsending) func run(
        over transport: some BLETransport, to identity: PeripheralIdentity
    ) async throws(BLEError) -> ReplayComparison {
        var comparison = ReplayComparison()
        for conversation in recording.conversations.indices {
            let link = try await transport.connect(to: identity)
            let part = await run(conversation, on: link)
            await link.disconnect()
            comparison.exchanges += part.exchanges
            comparison.skipped += part.skipped
            comparison.interruption = part.interruption
            if part.interruption != nil { break }
        }
        return comparison
    }

    /// Asks on a link what was asked on the first connection.
    public nonisolated(nonsending) func run(on link: BLELink) async -> ReplayComparison {
        guard !recording.conversations.isEmpty else { return ReplayComparison() }
        return await run(0, on: link)
    }

    nonisolated(nonsending) private func run(
        _ conversation: Int, on link: BLELink
    ) async -> ReplayComparison {
        var run = ReplayClientRun(self, link)
        do throws(BLEError) {
            try await run.run(conversation)
        } catch {
            run.comparison.interruption = error
        }
        run.finish()
        return run.comparison
    }
}

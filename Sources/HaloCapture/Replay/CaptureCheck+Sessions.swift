import HaloProtocol

/// The sessions.
extension CaptureCheck {
    mutating func check(_ recording: RecordedConversations) {
        counts.connections += recording.conversations.count
        var values = [[Int]](repeating: [], count: recording.requests.count)
        var unasked = [[Int]](repeating: [], count: recording.conversations.count)
        var sensors = [[RecordedReaction]](repeating: [], count: recording.conversations.count)
        for (place, reaction) in recording.reactions.enumerated() {
            if case .value(Self.heartRate, _, _) = reaction.what {
                sensors[reaction.conversation].append(reaction)
            }
            guard case .value(let channel, _, _) = reaction.what else { continue }
            guard channel == .uart || channel == .bigData else { continue }
            if let request = reaction.answered ?? reaction.after {
                values[request].append(place)
            } else {
                unasked[reaction.conversation].append(place)
            }
        }
        for (number, conversation) in recording.conversations.enumerated() {
            var driver = RingSessionDriver()
            for place in unasked[number] { feed(recording.reactions[place], &driver) }
            for request in conversation.requests {
                ask(recording.requests[request], &driver)
                for place in values[request] { feed(recording.reactions[place], &driver) }
                end(recording.requests[request], &driver)
            }
            checkSensor(sensors[number])
        }
    }

    private mutating func ask(_ request: RecordedRequest, _ driver: inout RingSessionDriver) {
        guard case .write(let channel, let bytes) = request.what else { return }
        switch driver.ask(bytes, on: channel) {
        case .sent: counts.requests += 1
        case .nothing, .piece, .unknown: break
        }
    }

    private mutating func feed(_ value: RecordedReaction, _ driver: inout RingSessionDriver) {
        guard case .value(let channel, let bytes, _) = value.what else { return }
        let events = driver.feed(
            bytes, on: channel == .uart ? .uart : .bigData, isAnswer: value.answered != nil)
        for event in events { take(event, value) }
    }

    /// Frames that a ring sends by itself, and those that are more than the answer.
    private static let reports: Set<UInt8> = [
        RealtimeMeasurement.opcode, WorkoutProgress.opcode, RawSensors.opcode,
        LegacyRealtimeHeartRate.opcode, PacketSizePush.opcode,
    ]

    private mutating func take(_ event: RingEvent, _ value: RecordedReaction) {
        switch event {
        case .notification: counts.reports += 1
        case .unsolicited(let frame) where Self.reports.contains(frame.opcode):
            counts.reports += 1
        case .unsolicited, .unsolicitedRecord, .late, .lateRecord, .unknown:
            counts.unsolicited += 1
            note(.unsolicited, .note, value.line, value.moment, event.description)
        case .brokenFrame, .brokenPacket, .brokenRecord:
            // The decoders have said it of the packet.
            break
        case .dropped: break
        }
    }

    private mutating func end(_ request: RecordedRequest, _ driver: inout RingSessionDriver) {
        guard let end = driver.end() else { return }
        let (completion, hasAnswers) = end
        let isRefused = completion.received.frames.contains { $0.refusedOpcode != nil }
        guard let error = completion.error else {
            counts.completed += 1
            if isRefused { counts.refusals += 1 }
            return
        }
        switch error.kind {
        case .malformed:
            counts.incomplete += 1
            note(.malformed, .difference, request.line, request.moment, error.description)
        case .timedOut where !hasAnswers:
            counts.unanswered += 1
            note(.unanswered, .note, request.line, request.moment, "nothing came for \(request)")
        case .timedOut:
            counts.incomplete += 1
            note(
                .unmatched, .note, request.line, request.moment,
                "what came is no answer to \(request)")
        default:
            counts.incomplete += 1
            note(.incomplete, .note, request.line, request.moment, error.description)
        }
    }

    // MARK: Heart-rate sensors

    private static let heartRate = CaptureChannel(
        CharacteristicCatalog.heartRateMeasurement.uuid)

    private mutating func checkSensor(_ values: [RecordedReaction]) {
        var session = HeartRateSensorSession()
        for value in values {
            guard case .value(_, let bytes, _) = value.what else { continue }
            session.receive(bytes, at: value.moment)
            while let effect = session.nextEffect() {
                if case .measured = effect { counts.measurements += 1 }
            }
        }
        counts.beats += session.beatCount
    }
}

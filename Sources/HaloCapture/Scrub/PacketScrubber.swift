import HaloProtocol
import HaloTransport

/// Replaces what packets give away, and looks whether they still say the same kind of thing.
struct PacketScrubber: Sendable {
    /// What came of a packet.
    struct Outcome: Sendable {
        var bytes: [UInt8]
        /// What was replaced.
        var replaced: [ScrubKind: Int] = [:]
        /// Why all of it was replaced, if it was.
        var problem: String?
    }

    let options: ScrubOptions
    var random: SplitMix
    var body = SeededBody()
    var totals = SeededTotals()
    var calendar: ShiftedCalendar
    var identities = SeededIdentities()
    var secrets = KnownSecrets()
    /// What became of packets that are the same again: a log that is sent twice stays one log.
    private var memory: [ScrubPacket: Outcome] = [:]

    /// How often a draw is tried that makes something else of a packet.
    private static let mostTries = 12

    init(seed: UInt64, _ options: ScrubOptions) {
        self.options = options
        random = SplitMix(seed: seed)
        calendar = ShiftedCalendar(&random)
    }

    // MARK: First pass

    /// Notes what has to be known of the whole capture before anything is replaced.
    mutating func learn(_ packet: ScrubPacket) {
        if packet.isName { learnText(packet.bytes, .names) }
        guard let explanation = packet.explanation else { return }
        let draft = ScrubDraft(packet, explanation)
        for field in explanation.fields {
            switch (FieldCensus.secrecy(of: field, in: draft.subject), field.value) {
            case (.total(let total), .integer(let number)): totals.learn(total, number)
            case (.tagged, .bytes):
                guard let (total, number) = workoutTotal(field, draft) else { continue }
                totals.learn(total, number)
            case (.name, .bytes(let bytes)): learnText(bytes, .names)
            case (.serial, .bytes(let bytes)): learnText(bytes, .serials)
            case (.systemID, _): learnSystemID(packet.bytes)
            case (.seconds, .integer(let number)):
                calendar.learn(
                    CivilDateTime(secondsSince1970: UInt32(truncatingIfNeeded: number)).date)
            case (.decimalDate, .integer(let number)): calendar.learn(Self.date(number))
            case (.decimalDateTime, .integer(let number)):
                calendar.learn(Self.date(number >> 24))
            default: break
            }
        }
    }

    /// Notes a text that stands for itself wherever it is found.
    mutating func learnText(_ bytes: [UInt8], _ kind: ScrubKind) {
        guard !options.keeps(kind) else { return }
        // Zeros behind a text belong to its field and not to it.
        let text = Array(bytes.prefix((bytes.lastIndex { $0 != 0 } ?? -1) + 1))
        if !text.isEmpty { identities.note(text, kind) }
    }

    /// Notes an address that stands for itself wherever it is found.
    mutating func learnAddress(_ address: UInt64) {
        guard !options.keeps(.addresses), address != 0 else { return }
        _ = identities.address(address, &random)
    }

    /// Ends the first pass.
    mutating func finishLearning() {
        totals.draw(&random)
        identities.drawNoted(&random)
        secrets = KnownSecrets(identities)
    }

    // MARK: Second pass

    /// What stands for a packet.
    mutating func scrub(_ packet: ScrubPacket) -> Outcome {
        if let known = memory[packet] { return known }
        let explanation = packet.explanation
        var outcome = drawn(packet, explanation)
        if outcome.problem != nil {
            // Said of the new bytes: reports are given away as well.
            let problem = packet.explanation(of: outcome.bytes)?.problem
            outcome.problem = problem ?? ScrubReport.undescribed
        }
        if isRemembered(packet, explanation) { memory[packet] = outcome }
        return outcome
    }

    private func isRemembered(_ packet: ScrubPacket, _ explanation: Explanation?) -> Bool {
        guard let explanation, explanation.status != .unknown else {
            return packet.direction == .toDevice
        }
        return packet.subject(explanation).map { !FieldCensus.live.contains($0) } ?? false
    }

    private mutating func drawn(
        _ packet: ScrubPacket, _ explanation: Explanation?
    ) -> Outcome {
        if packet.isName { return renamed(packet) }
        guard let explanation,
            explanation.packet != nil || explanation.status == .unknown
        else { return obscured(packet) }
        for _ in 0..<Self.mostTries {
            var draft = ScrubDraft(packet, explanation)
            for field in explanation.fields { replace(field, in: &draft, packet) }
            draft.bytes = resealed(draft.bytes, like: packet)
            guard isAlike(packet, explanation, draft.bytes) else { continue }
            var outcome = Outcome(bytes: draft.bytes, replaced: draft.replaced)
            if explanation.status != .decoded { outcome.problem = ScrubReport.undescribed }
            return outcome
        }
        return obscured(packet)
    }

    /// Whether other bytes are read as the same packet, with the same fields in the same places.
    private func isAlike(
        _ packet: ScrubPacket, _ explanation: Explanation, _ bytes: [UInt8]
    ) -> Bool {
        guard let other = packet.explanation(of: bytes), other.status == explanation.status,
            other.packet == explanation.packet, other.fields.count == explanation.fields.count,
            (other.reencoded == bytes) == (explanation.reencoded == packet.bytes)
        else { return false }
        return zip(other.fields, explanation.fields).allSatisfy { new, old in
            new.name == old.name && new.offset == old.offset && new.length == old.length
                && new.role == old.role
        }
    }

    private mutating func renamed(_ packet: ScrubPacket) -> Outcome {
        guard !options.keeps(.names) else { return Outcome(bytes: packet.bytes) }
        return Outcome(
            bytes: identities.text(packet.bytes, .names, &random), replaced: [.names: 1])
    }
}

import HaloProtocol

/// A scrubber of the secrets in packets, which checks that they still decode as the same packets.
struct PacketScrubber: Sendable {
    struct Outcome: Sendable {
        var bytes: [UInt8]
        var replaced: [ScrubKind: Int] = [:]
        /// The reason why all bytes were replaced; otherwise `nil`.
        var problem: String?
    }

    /// The state of the replacements, shared with comments.
    var fields: FieldScrubber
    /// The results by packet, so that a log that is sent twice stays the same log.
    private var memory: [CapturePacket: Outcome] = [:]
    /// The few different counts of replacements in a packet, which share their memory.
    private var counts: Set<[ScrubKind: Int]> = []

    /// The packets of live values. Each of them is replaced anew, even if it equals an earlier one.
    private static let live: Set<FieldName> = [
        HeartRateMeasurement.name.subject, LegacyRealtimeHeartRate.name, RawSensors.name,
        RealtimeMeasurement.name, RingNotification.name, StopMeasurement.name, WorkoutProgress.name,
    ]

    /// The maximum number of draws for a packet that decodes differently afterwards.
    private static let mostTries = 12

    /// The maximum number of packets whose substitutes are remembered.
    private static let mostRemembered = 50_000

    init(seed: UInt64, _ options: ScrubOptions) {
        fields = FieldScrubber(seed: seed, options)
    }

    /// Returns the substitute for a whole packet, one line or all pieces of a big-data frame,
    /// without a connection and an action: on each connection it is the same.
    mutating func scrub(_ packet: CapturePacket) -> Outcome {
        if let known = memory[packet] { return known }
        let explanation = packet.explanation
        var outcome = drawn(packet, explanation)
        outcome.replaced = counts.insert(outcome.replaced).memberAfterInsert
        if outcome.problem != nil {
            // The problem of the new bytes is reported, because reports are published too.
            let problem = packet.explanation(of: outcome.bytes)?.problem
            outcome.problem = problem ?? ScrubReport.undescribed
        }
        if memory.count < Self.mostRemembered, isRemembered(packet, explanation) {
            memory[packet] = outcome
        }
        return outcome
    }

    private func isRemembered(_ packet: CapturePacket, _ explanation: Explanation?) -> Bool {
        guard let explanation, explanation.status != .unknown else {
            return packet.direction == .toDevice
        }
        return explanation.packet.map { !Self.live.contains($0.subject) } ?? false
    }

    private mutating func drawn(
        _ packet: CapturePacket, _ explanation: Explanation?
    ) -> Outcome {
        if packet.isName { return renamed(packet) }
        guard let explanation,
            explanation.packet != nil || explanation.status == .unknown
        else { return obscured(packet) }
        for _ in 0..<Self.mostTries {
            var draft = ScrubDraft(packet, explanation)
            for field in explanation.fields { fields.replace(field, in: &draft) }
            fields.redact(payload(packet), of: &draft)
            draft.bytes = resealed(draft.bytes, like: packet)
            guard isAlike(packet, explanation, draft.bytes) else { continue }
            var outcome = Outcome(bytes: draft.bytes, replaced: draft.replaced)
            if explanation.status != .decoded { outcome.problem = ScrubReport.undescribed }
            return outcome
        }
        return obscured(packet)
    }

    /// Returns the range of the bytes that do not belong to a frame. If there are none, it is
    /// empty, and may lie beyond the end.
    private func payload(_ packet: CapturePacket) -> Range<Int> {
        let (count, head) = (packet.bytes.count, BigDataFrame.headerLength)
        return switch packet.channel {
        case .uart: 1..<max(count - 1, 1)
        case .bigData: head..<max(count, head)
        default: 0..<count
        }
    }

    /// Returns `true` if other bytes decode as the same packet, with the same fields at the same
    /// offsets.
    private func isAlike(
        _ packet: CapturePacket, _ explanation: Explanation, _ bytes: [UInt8]
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

    private mutating func renamed(_ packet: CapturePacket) -> Outcome {
        guard !fields.options.keeps(.names) else { return Outcome(bytes: packet.bytes) }
        return Outcome(
            bytes: fields.identities.text(packet.bytes, .names, &fields.random),
            replaced: [.names: 1])
    }

    // MARK: Undecodable packets

    /// Returns the substitute for a packet that cannot be decoded. The opcode, the length and zeros
    /// are kept; a right checksum stays right, a wrong one stays wrong.
    private mutating func obscured(_ packet: CapturePacket) -> Outcome {
        let reason = ScrubReport.undescribed
        guard !fields.options.keeps(.unknown) else {
            var bytes = packet.bytes
            var replaced: [ScrubKind: Int] = [:]
            for found in fields.secrets.redact(&bytes) { replaced[found, default: 0] += 1 }
            return Outcome(
                bytes: resealed(bytes, like: packet), replaced: replaced, problem: reason)
        }
        let status = packet.explanation?.status
        var outcome = Outcome(bytes: [], replaced: [.unknown: 1], problem: reason)
        for _ in 0..<32 {
            var bytes = packet.bytes
            for index in bytes.indices.dropFirst(shapeLength(packet)) where bytes[index] != 0 {
                bytes[index] = strangeByte()
            }
            outcome.bytes = resealed(bytes, like: packet)
            if packet.explanation(of: outcome.bytes)?.status == status { break }
        }
        return outcome
    }

    /// Returns a random byte that does not begin a big-data frame.
    private mutating func strangeByte() -> UInt8 {
        let byte = fields.random.byte()
        return byte == BigDataFrame.marker ? byte &+ 1 : byte
    }

    /// Returns the number of leading bytes that contain only the kind of packet.
    private func shapeLength(_ packet: CapturePacket) -> Int {
        guard let first = packet.bytes.first else { return 0 }
        switch packet.channel {
        case .uart:
            let opcode = first & 0x7F
            let isKnown = [first, opcode].contains { CommandCatalog.entry(opcode: $0) != nil }
            return isKnown || packet.bytes.count == Frame.length ? 1 : 0
        case .bigData:
            guard packet.bytes.count >= 4, first == BigDataFrame.marker else { return 0 }
            let isKnown = BigDataCatalog.entry(id: packet.bytes[1], packet.direction) != nil
            return isKnown || (try? BigDataFrame(decoding: packet.bytes)) != nil ? 4 : 1
        case .family(let family):
            return family.packet(packet.direction, startingWith: first)?.start == nil ? 0 : 1
        case .advertisement, .scanResponse, .characteristic, .descriptor: return 0
        }
    }

    /// Returns the bytes with a checksum that is right or wrong, as it was in the packet.
    private mutating func resealed(_ bytes: [UInt8], like packet: CapturePacket) -> [UInt8] {
        guard bytes != packet.bytes else { return bytes }
        switch packet.channel {
        case .uart: return resealedFrame(bytes, like: packet)
        case .bigData: return resealedRecord(bytes, like: packet)
        default: return bytes
        }
    }

    private mutating func resealedFrame(
        _ bytes: [UInt8], like packet: CapturePacket
    ) -> [UInt8] {
        let payload = InlineBytes(prefix: bytes.dropFirst().prefix(Frame.payloadLength))
        guard bytes.count == Frame.length,
            let frame = try? Frame(opcode: bytes[0], payload: payload)
        else { return bytes }
        var sealed = Array(frame.bytes)
        if (try? Frame(decoding: packet.bytes)) == nil {
            sealed[Frame.length - 1] &+= fields.random.byte()
        }
        return sealed
    }

    private mutating func resealedRecord(
        _ bytes: [UInt8], like packet: CapturePacket
    ) -> [UInt8] {
        let head = BigDataFrame.headerLength
        guard bytes.count >= head, bytes[0] == BigDataFrame.marker,
            Int(bytes[2]) | Int(bytes[3]) << 8 == bytes.count - head,
            let frame = try? BigDataFrame(id: bytes[1], payload: Array(bytes[head...]))
        else { return bytes }
        var sealed = frame.bytes
        if (try? BigDataFrame(decoding: packet.bytes)) == nil { sealed[4] ^= fields.random.byte() }
        return sealed
    }
}

extension CapturePacket {
    /// `true` for the GAP characteristic Device Name: text without a decoder of its own.
    var isName: Bool { channel == .characteristic(BluetoothUUID(0x2A00 as UInt32)) }
}

extension DecodedField {
    /// The number in a field, in bytes little endian; `nil` without bytes or for more than four.
    var number: UInt64? {
        switch value {
        case .integer(let number): number
        case .bytes(let bytes):
            1...4 ~= bytes.count ? bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) } : nil
        }
    }
}

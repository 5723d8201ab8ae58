import HaloProtocol
import HaloTransport

/// Packets that nobody can read, and what holds packets together.
extension PacketScrubber {
    /// A packet of which only the outermost shape stays: opcode, announced length, zeros, and
    /// whether its checksum is right.
    mutating func obscured(_ packet: ScrubPacket) -> Outcome {
        let reason = ScrubReport.undescribed
        guard !options.keeps(.unknown) else {
            var bytes = packet.bytes
            var replaced: [ScrubKind: Int] = [:]
            for found in secrets.redact(&bytes) { replaced[found, default: 0] += 1 }
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

    /// A byte that begins no big-data frame by chance.
    private mutating func strangeByte() -> UInt8 {
        let byte = random.byte()
        return byte == BigDataFrame.marker ? byte &+ 1 : byte
    }

    /// How many bytes at the beginning say only what kind of packet it is.
    private func shapeLength(_ packet: ScrubPacket) -> Int {
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
        case .ledStrip:
            return packet.direction == .toDevice && LEDStrip.command(startingWith: first) != nil
                ? 1 : 0
        case .advertisement, .scanResponse, .characteristic: return 0
        }
    }

    /// The bytes with a checksum that is right where it was right, and wrong where it was wrong.
    mutating func resealed(_ bytes: [UInt8], like packet: ScrubPacket) -> [UInt8] {
        guard bytes != packet.bytes else { return bytes }
        switch packet.channel {
        case .uart: return resealedFrame(bytes, like: packet)
        case .bigData: return resealedRecord(bytes, like: packet)
        default: return bytes
        }
    }

    private mutating func resealedFrame(
        _ bytes: [UInt8], like packet: ScrubPacket
    ) -> [UInt8] {
        let payload = InlineBytes(prefix: bytes.dropFirst().prefix(Frame.payloadLength))
        guard bytes.count == Frame.length,
            let frame = try? Frame(opcode: bytes[0], payload: payload)
        else { return bytes }
        var sealed = Array(frame.bytes)
        if (try? Frame(decoding: packet.bytes)) == nil {
            sealed[Frame.length - 1] &+= random.byte()
        }
        return sealed
    }

    private mutating func resealedRecord(
        _ bytes: [UInt8], like packet: ScrubPacket
    ) -> [UInt8] {
        let head = BigDataFrame.headerLength
        guard bytes.count >= head, bytes[0] == BigDataFrame.marker,
            Int(bytes[2]) | Int(bytes[3]) << 8 == bytes.count - head,
            let frame = try? BigDataFrame(id: bytes[1], payload: Array(bytes[head...]))
        else { return bytes }
        var sealed = frame.bytes
        if (try? BigDataFrame(decoding: packet.bytes)) == nil { sealed[4] ^= random.byte() }
        return sealed
    }
}

public import HaloProtocol

/// Checks the way from a value to bytes and back: what a virtual device does.
public enum ReplyVerifier {
    /// A long answer, cut into frames, joins to the same answer with its last frame and not
    /// before; its frames decode; lost or misplaced frames never make another answer of it.
    public static func verify<Subject: ManyFrameCommand>(
        _ command: Subject.Type, _ reply: Subject.Assembly.Reply, chance: inout FuzzBytes
    ) throws(ContractViolation) {
        let frames = reply.frames
        var assembly = Subject.Assembly()
        for (index, frame) in frames.enumerated() {
            do throws(PacketError) {
                _ = try Subject.Part(decoding: frame)
                let answer = try assembly.receive(frame)
                if answer == (index == frames.count - 1 ? .value(reply) : nil) { continue }
            } catch {
                throw violation(Subject.name, "frame \(index) of it is refused: \(error)", frames)
            }
            throw violation(
                Subject.name, "\(reply) is something else after frame \(index)", frames)
        }
        guard let entry = CommandCatalog.entry(opcode: Subject.opcode) else { return }
        try AssemblyVerifier.verify(entry, frames, chance: &chance)
    }

    /// A record, a characteristic or an advertisement reads from its bytes as it was written.
    public static func verify<Packet: BytePacket>(
        _ packet: Packet
    ) throws(ContractViolation) {
        let bytes = packet.bytes
        let again = result { () throws(PacketError) in try Packet(decoding: bytes) }
        guard again == .success(packet) else {
            throw ContractViolation(
                "reads as \(again), not as \(packet)", packet: "\(Packet.name)", bytes: bytes)
        }
    }

    /// A packet of one frame reads as it was written.
    public static func verify<Packet: FramePacket>(
        _ packet: Packet
    ) throws(ContractViolation) {
        let frame = packet.frame
        let again = result { () throws(PacketError) in try Packet(decoding: frame) }
        guard again == .success(packet) else {
            throw ContractViolation(
                "reads as \(again), not as \(packet)", packet: "\(Packet.name)",
                bytes: frame.bytes)
        }
    }

    private static func result<Value>(
        _ body: () throws(PacketError) -> Value
    ) -> Result<Value, PacketError> {
        do throws(PacketError) { return .success(try body()) } catch { return .failure(error) }
    }

    private static func violation(
        _ command: FieldName, _ what: String, _ frames: [Frame]
    ) -> ContractViolation {
        ContractViolation(
            what, packet: "\(command).Reply", bytes: frames.flatMap { Array($0.bytes) })
    }
}

import TestSupport
import Testing

@testable import HaloProtocol

/// Refusals, and frames of opcodes that look like one.
@Suite(.computes) struct RefusalTests {
    /// Captured and described refusals, with the opcode that each refuses.
    static let refusals: [(hex: String, opcode: UInt8)] = [
        ("86EE0000000000000000000000000074", 0x06),
        ("9EEE000000000000000000000000008C", 0x1E),
        ("A1EE000000000000000000000000008F", 0x21),
        ("BCEE00000000000000000000000000AA", 0x3C),
        ("C0EE00000000000000000000000000AE", 0x40),
        ("C1EE00000000000000000000000000AF", 0x41),
        ("F3EE00000000000000000000000000E1", 0x73),
    ]

    @Test(arguments: refusals)
    func namesTheRefusedCommand(hex: String, opcode: UInt8) throws {
        let frame = try Frame(decoding: HexText.parse(hex))
        #expect(Refusal(frame)?.opcode == opcode)
        #expect(Refusal(of: opcode).frame == frame)
        for direction in [nil, Direction.fromDevice] {
            let explanation = Explanation(of: frame, direction: direction)
            #expect(explanation.packet == PacketName("Refusal"))
            #expect(explanation.fields[0].text.hasPrefix(HexText.byte(opcode)))
        }
    }

    @Test(arguments: UInt8(0)...0x7F)
    func knowsTheRefusalOfEveryOpcode(_ opcode: UInt8) {
        #expect(Refusal(of: opcode).frame.refusedOpcode == opcode)
    }

    @Test func isTheReplyOfTheRefusedCommand() throws {
        #expect(try Goals.Reply.answer(Refusal(of: 0x21).frame) == .refused)
        #expect(try DeviceFunctions.Reply.answer(Refusal(of: 0x3C).frame) == .refused)
    }

    @Test func isNoReplyOfTheCommandWithItsOpcode() {
        let goals = Refusal(of: Goals.opcode).frame
        #expect(goals.opcode == RawSensors.opcode)
        let raw = #expect(throws: PacketError.self) { try RawSensors.Reply.answer(goals) }
        #expect(raw?.found == Int64(Goals.opcode))
    }

    @Test(arguments: 2...14)
    func isNoRefusalWithBytesAfterItsCode(place: Int) throws {
        var payload = [UInt8](repeating: 0, count: place)
        payload[0] = 0xEE
        payload[place - 1] = 1
        let frame = try Frame(opcode: 0xA1, payload: InlineBytes(prefix: payload))
        #expect(Refusal(frame) == nil)
        #expect(Explanation(of: frame).packet == RawSensors.Reply.name)
    }

    @Test func isNoRefusalWithoutTheBit() throws {
        #expect(Refusal(try Frame(opcode: 0x21, payload: [0xEE])) == nil)
        #expect(Refusal(try Frame(opcode: 0xA1, payload: [0x03])) == nil)
    }
}

public import HaloCapture
public import HaloProtocol

/// The fuzz target of packets: all promises of ``PacketVerifier``, for any bytes.
///
///     let target = PacketTarget("Lamp", packets: [ByteForm(LampState.self)])
///
/// The first byte of an input chooses the packet. The next two change a byte for the decoder, the
/// others are the packet: its bytes, or the payload of its frame.
public struct PacketTarget: FuzzTarget {
    /// The name of the target.
    public let name: String
    /// Bytes that a fuzzer cannot guess easily.
    public let words: [[UInt8]]

    private let packets: [ByteForm]
    private let frames: [FrameForm]

    /// Creates the target of packets of any length, and of packets of the UART channel; of 256
    /// forms at most, because one byte chooses.
    public init(
        _ name: String, packets: [ByteForm] = [], frames: [FrameForm] = [], words: [[UInt8]] = []
    ) {
        self.name = name
        self.packets = packets
        self.frames = frames
        self.words = words
    }

    /// Verifies one packet with the bytes of an input.
    public func check(_ input: Span<UInt8>) throws(ContractViolation) {
        var bytes = FuzzBytes(input)
        let number = Int(bytes.byte())
        let offset = Int(bytes.byte())
        let bits = bytes.byte()
        guard !packets.isEmpty || !frames.isEmpty else { return }
        let index = number % (packets.count + frames.count)
        if index < packets.count {
            let change = FieldRecorder.Change(offset: offset, bits: bits)
            try PacketVerifier.verify(packets[index], bytes.rest(), change: change)
        } else {
            let form = frames[index - packets.count]
            let change = FieldRecorder.Change(
                offset: 1 + offset % Frame.payloadLength, bits: bits)
            let frame = PacketVerifier.frame(opcode: form.opcode, bytes.rest())
            try PacketVerifier.verify(form, frame, change: change)
        }
    }

    /// Returns an input for each packet of the capture and each form that decodes it; for frames,
    /// each form with its opcode.
    public func inputs(from capture: Capture) -> [[UInt8]] {
        let values = capture.lines.compactMap { $0.packet?.bytes }
        return values.flatMap { bytes in
            let decoding = packets.indices.filter { index in
                (try? packets[index].check(bytes)) != nil
            }
            let frame = try? Frame(decoding: bytes)
            let framing = frames.indices.filter { frames[$0].opcode == frame?.opcode }
            let payload = bytes.dropFirst().prefix(Frame.payloadLength)
            return decoding.map { Self.input($0, bytes[...]) }
                + framing.map { Self.input(packets.count + $0, payload) }
        }
    }

    private static func input(_ form: Int, _ bytes: ArraySlice<UInt8>) -> [UInt8] {
        [UInt8(truncatingIfNeeded: form), 0, 0] + bytes
    }
}

import HaloProtocol

/// One boundary where bytes come in: whatever they are, the check ends, and throws if a promise
/// of the codecs behind that boundary is broken.
///
/// Import this module in your own fuzz targets or tests, and call ``run(_:)-(Span<UInt8>)`` with any bytes.
public struct FuzzTarget: Sendable {
    /// The name: of the executable, of the folder with its regressions.
    public let name: String

    private let check: @Sendable (Span<UInt8>) throws(ContractViolation) -> Void

    /// A boundary by name, and what must hold there.
    public init(
        _ name: String, check: @escaping @Sendable (Span<UInt8>) throws(ContractViolation) -> Void
    ) {
        self.name = name
        self.check = check
    }

    /// Checks with the given bytes.
    public func run(_ bytes: Span<UInt8>) throws(ContractViolation) {
        try check(bytes)
    }

    /// Checks with the given bytes, in whatever holds them.
    public func run(_ bytes: some Sequence<UInt8>) throws(ContractViolation) {
        let copy = ContiguousArray(bytes)
        try check(copy.span)
    }

    /// Every boundary of HaloProtocol.
    public static let all: [FuzzTarget] = [frames, commands, assemblies]

    /// The 16-byte frame. The input is its bytes.
    public static let frames = FuzzTarget("Frames") { bytes throws(ContractViolation) in
        try FrameVerifier.verify(bytes)
    }

    /// Each command, both ways. The input is a direction (bit 1: to the device, as in `>`), a
    /// frame, of which the checksum is made anew, and which byte to change how.
    public static let commands = FuzzTarget("Commands") { bytes throws(ContractViolation) in
        var bytes = FuzzBytes(bytes)
        let isRequest = bytes.byte() & 2 != 0
        let first = bytes.byte()
        let payload = bytes.bytes(Frame.payloadLength + 1).dropLast()
        let change = FieldRecorder.Change(
            offset: bytes.integer(in: 1...Frame.payloadLength), bits: bytes.byte())
        guard let entry = CommandCatalog.entry(near: first) else { return }
        let frame = PacketVerifier.frame(opcode: entry.opcode, payload)
        guard let form = entry.form(isRequest ? .toDevice : .fromDevice) else { return }
        try PacketVerifier.verify(form, frame, change: change)
    }

    /// What joins the frames of long answers. The input is an opcode, how many frames follow,
    /// their payloads, and what is lost, doubled and misplaced.
    public static let assemblies = FuzzTarget("Assemblies") { bytes throws(ContractViolation) in
        var bytes = FuzzBytes(bytes)
        let first = bytes.byte()
        let count = bytes.integer(in: 0...UInt8.max)
        var frames: [Frame] = []
        guard let entry = CommandCatalog.entry(near: first, where: { $0.joiner != nil }) else {
            return
        }
        for _ in 0..<count where bytes.remaining > 0 {
            frames.append(
                PacketVerifier.frame(opcode: entry.opcode, bytes.bytes(Frame.payloadLength)))
        }
        try AssemblyVerifier.verify(entry, frames, chance: &bytes)
    }
}

extension CommandCatalog {
    /// The entry of an opcode; of an unknown one, some entry, so that no input is in vain.
    static func entry(
        near opcode: UInt8, where isWanted: (Entry) -> Bool = { _ in true }
    ) -> Entry? {
        if let entry = entry(opcode: opcode), isWanted(entry) { return entry }
        let wanted = entries.filter(isWanted)
        return wanted.isEmpty ? nil : wanted[Int(opcode) % wanted.count]
    }
}

import HaloProtocol

/// One boundary where bytes come in: whatever they are, the check ends, and throws if a promise
/// of the codecs behind that boundary is broken.
///
/// Import this module in your own fuzz targets and tests, and run a target with any bytes.
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

    /// A boundary by name, and what must hold there, for checks that let bytes decide.
    public init(
        deciding name: String,
        check: @escaping @Sendable (inout FuzzBytes) throws(ContractViolation) -> Void
    ) {
        self.init(name) { bytes throws(ContractViolation) in
            var bytes = FuzzBytes(bytes)
            try check(&bytes)
        }
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
    public static let all: [FuzzTarget] = [
        frames, commands, assemblies, replies, bigData, reassembler, characteristics,
        advertising, ledStrip, explanations, texts, session,
    ]
}

extension FuzzTarget {
    /// The 16-byte frame. The input is its bytes.
    public static let frames = FuzzTarget("Frames") { bytes throws(ContractViolation) in
        try FrameVerifier.verify(bytes)
    }

    /// Each command, both ways. The input is a direction (`>` or `<`), a frame, of which the
    /// checksum is made anew, and which byte to change how.
    public static let commands = FuzzTarget(deciding: "Commands") {
        bytes throws(ContractViolation) in
        let direction = bytes.direction()
        let opcode = bytes.byte()
        let payload = bytes.bytes(Frame.payloadLength + 1).dropLast()
        let change = bytes.change(1...Frame.payloadLength)
        let entry = bytes.entry(opcode, CommandCatalog.entry, of: CommandCatalog.entries)
        guard let entry, let form = entry.form(direction) else { return }
        let frame = PacketVerifier.frame(opcode: entry.opcode, payload)
        try PacketVerifier.verify(form, frame, change: change)
    }

    /// What joins the frames of long answers. The input is an opcode, how many frames follow,
    /// their payloads, and what is lost, doubled and misplaced.
    public static let assemblies = FuzzTarget(deciding: "Assemblies") {
        bytes throws(ContractViolation) in
        let opcode = bytes.byte()
        let count = bytes.byte()
        let long = CommandCatalog.entries.filter { $0.joiner != nil }
        let entry = bytes.entry(
            opcode, { opcode in long.first { $0.opcode == opcode } }, of: long)
        guard let entry else { return }
        var frames: [Frame] = []
        for _ in 0..<count where bytes.remaining > 0 {
            let payload = bytes.bytes(Frame.payloadLength)
            frames.append(PacketVerifier.frame(opcode: entry.opcode, payload))
        }
        try AssemblyVerifier.verify(entry, frames, chance: &bytes)
    }

    /// Answers made of values, written and read. The input is which kind, then its values.
    public static let replies = FuzzTarget(deciding: "Replies") {
        bytes throws(ContractViolation) in
        guard let kind = bytes.choice(of: ReplyBuilder.Kind.allCases) else { return }
        try ReplyBuilder.verify(kind, chance: &bytes)
    }

    /// Each big-data record, both ways. The input is a direction, a record id, which byte to
    /// change how, and the payload.
    public static let bigData = FuzzTarget(deciding: "BigData") {
        bytes throws(ContractViolation) in
        let direction = bytes.direction()
        let id = bytes.byte()
        let place = bytes.integer(UInt16.self)
        let bits = bytes.byte()
        let payload = bytes.rest(upTo: BigDataFrame.maximumPayloadLength)
        try BigDataVerifier.verify(payload)
        let entry = bytes.entry(
            id, { id in BigDataCatalog.entry(id: id, direction) }, of: BigDataCatalog.entries)
        guard let form = entry?.form(direction) else { return }
        let offset = payload.isEmpty ? 0 : Int(place) % payload.count
        try PacketVerifier.verify(
            form, payload, change: FieldRecorder.Change(offset: offset, bits: bits))
    }

    /// What joins notifications to big-data frames. The input is cuts and content of any
    /// notifications, or frames and what happens to them on the way.
    public static let reassembler = FuzzTarget(deciding: "Reassembler") {
        bytes throws(ContractViolation) in
        guard bytes.flag() else { return try ReassemblerVerifier.verifyStream(chance: &bytes) }
        let most = bytes.integer(UInt16.self)
        let events = Int(bytes.byte())
        var chunks: [[UInt8]] = []
        while bytes.remaining > 0 { chunks.append(bytes.bytes(bytes.length(upTo: 244))) }
        try ReassemblerVerifier.verify(
            chunks, maximumPayloadLength: Int(most), maximumEventCount: events)
    }

    /// Each standard characteristic. The input is its number, lowest byte first, which byte to
    /// change how, and its value.
    public static let characteristics = FuzzTarget(deciding: "Characteristics") {
        bytes throws(ContractViolation) in
        let number = bytes.integer(UInt16.self)
        let change = bytes.change(0...255)
        let entries = CharacteristicCatalog.entries
        let entry = bytes.entry(
            UInt8(truncatingIfNeeded: number), { _ in entries.first { $0.number == number } },
            of: entries)
        guard let entry else { return }
        try PacketVerifier.verify(entry.form, bytes.rest(), change: change)
    }

    /// Advertisements. The input is which byte to change how, and the advertisement.
    public static let advertising = FuzzTarget(deciding: "Advertising") {
        bytes throws(ContractViolation) in
        let change = bytes.change(0...255)
        let data = bytes.rest(upTo: AdvertisingData.maximumLength)
        try PacketVerifier.verify(ByteForm(AdvertisingData.self), data, change: change)
        try AdvertisingVerifier.verify(data)
    }

    /// What goes to and comes from LED strips. The input is a direction, which byte to change
    /// how, and the value.
    public static let ledStrip = FuzzTarget(deciding: "LEDStrip") {
        bytes throws(ContractViolation) in
        let direction = bytes.direction()
        let change = bytes.change(0...15)
        let value = bytes.rest(upTo: 32)
        let form =
            direction == .toDevice
            ? value.first.flatMap(LEDStrip.command) : ByteForm(LEDStripStatus.self)
        if let form { try PacketVerifier.verify(form, value, change: change) }
    }

    /// Explanations. The input is of what kind the bytes are said to be, then the bytes.
    public static let explanations = FuzzTarget(deciding: "Explanations") {
        bytes throws(ContractViolation) in
        let kind = bytes.flag() ? bytes.choice(of: PacketKind.all) : nil
        let direction = bytes.flag() ? bytes.direction() : nil
        try ExplanationVerifier.verify(bytes.rest(upTo: 2048), as: kind, direction)
    }

    /// Versions and UUIDs in words. The input is the text.
    public static let texts = FuzzTarget(deciding: "Texts") { bytes throws(ContractViolation) in
        try TextVerifier.verify(bytes.rest(upTo: 256))
    }

    /// Sessions of a ring and of a heart-rate sensor. The input is which of them, its rules, and
    /// what the app, the device and the clock do one after another.
    public static let session = FuzzTarget(deciding: "Session") {
        bytes throws(ContractViolation) in
        if bytes.byte() == 0xFF {
            try SensorSessionVerifier.verify(chance: &bytes)
        } else {
            try SessionVerifier.verify(chance: &bytes)
        }
    }
}

extension FuzzBytes {
    /// `>` is to the device, `<` from it; of other bytes one bit decides.
    mutating func direction() -> Direction { byte() & 2 != 0 ? .toDevice : .fromDevice }

    mutating func change(_ offsets: ClosedRange<Int>) -> FieldRecorder.Change {
        FieldRecorder.Change(offset: integer(in: offsets), bits: byte())
    }

    /// The entry of a number; of an unknown one, some entry, so that no input is in vain.
    func entry<Entry>(
        _ number: UInt8, _ known: (UInt8) -> Entry?, of entries: [Entry]
    ) -> Entry? {
        known(number) ?? (entries.isEmpty ? nil : entries[Int(number) % entries.count])
    }
}

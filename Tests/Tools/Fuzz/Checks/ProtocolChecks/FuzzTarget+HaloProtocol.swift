@testable package import HaloProtocol
@testable package import HaloTesting

extension FuzzTarget {
    /// All fuzz targets of HaloProtocol.
    package static let all: [FuzzTarget] = [
        frames, commands, assemblies, replies, bigData, reassembler, characteristics,
        advertising, families, explanations, texts, session,
    ]
}

extension FuzzTarget {
    /// The target of the 16-byte frame. The input is its bytes.
    package static let frames = FuzzTarget("Frames") { bytes throws(ContractViolation) in
        try FrameVerifier.verify(bytes)
    }

    /// Creates the target of one packet. The input is its payload, which is not changed for the
    /// decoder: that is faster than ``PacketVerifier/verify(_:_:)``.
    package static func packet(_ name: String, opcode: UInt8, _ form: FrameForm) -> FuzzTarget {
        FuzzTarget(deciding: name) { bytes throws(ContractViolation) in
            let frame = PacketVerifier.frame(opcode: opcode, bytes.rest())
            try PacketVerifier.verify(form, frame, change: nil)
        }
    }

    /// The target of each command, both ways. The input is a direction (`>` or `<`), a frame whose
    /// checksum is computed anew, and a change of one byte.
    package static let commands = FuzzTarget(deciding: "Commands") {
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

    /// The target of the assembly of long replies. The input is an opcode, the number of frames,
    /// their payloads, and the lost, repeated and reordered frames.
    package static let assemblies = FuzzTarget(deciding: "Assemblies") {
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

    /// The target of replies made from values, encoded and decoded. The input is the kind, then its
    /// values.
    package static let replies = FuzzTarget(deciding: "Replies") {
        bytes throws(ContractViolation) in
        guard let kind = bytes.choice(of: ReplyBuilder.Kind.allCases) else { return }
        try ReplyBuilder.verify(kind, chance: &bytes)
    }

    /// The target of each big-data record, both ways. The input is a direction, a record id, a
    /// change of one byte, and the payload.
    package static let bigData = FuzzTarget(deciding: "BigData") {
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

    /// The target of the reassembly of big-data frames. The input is the cuts and the content of
    /// any notifications, or frames and accidents on their way.
    package static let reassembler = FuzzTarget(deciding: "Reassembler") {
        bytes throws(ContractViolation) in
        guard bytes.flag() else { return try ReassemblerVerifier.verifyStream(chance: &bytes) }
        let most = bytes.integer(UInt16.self)
        let events = Int(bytes.byte())
        var chunks: [[UInt8]] = []
        while bytes.remaining > 0 { chunks.append(bytes.bytes(bytes.length(upTo: 244))) }
        try ReassemblerVerifier.verify(
            chunks, maximumPayloadLength: Int(most), maximumEventCount: events)
    }

    /// The target of each standard characteristic. The input is its number, lowest byte first, a
    /// change of one byte, and its value.
    package static let characteristics = FuzzTarget(deciding: "Characteristics") {
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

    /// The target of advertisements. The input is a change of one byte, and the advertisement.
    package static let advertising = FuzzTarget(deciding: "Advertising") {
        bytes throws(ContractViolation) in
        let change = bytes.change(0...255)
        let data = bytes.rest(upTo: AdvertisingData.maximumLength)
        try PacketVerifier.verify(ByteForm(AdvertisingData.self), data, change: change)
        try AdvertisingVerifier.verify(data)
    }

    /// The target of the families, both ways. The input is the family, a direction, a change of one
    /// byte, and the value.
    package static let families = FuzzTarget(deciding: "Families") {
        bytes throws(ContractViolation) in
        let families = DeviceFamilyCatalog.families
        let family = families[Int(bytes.integer(UInt8.self)) % families.count]
        let direction = bytes.direction()
        let change = bytes.change(0...15)
        let value = bytes.rest(upTo: 32)
        let form = family.packet(direction, startingWith: value.first)?.form
        if let form { try PacketVerifier.verify(form, value, change: change) }
    }

    /// The target of explanations. The input is the kind of the bytes, then the bytes.
    package static let explanations = FuzzTarget(deciding: "Explanations") {
        bytes throws(ContractViolation) in
        let kind = bytes.flag() ? bytes.choice(of: PacketKind.all) : nil
        let direction = bytes.flag() ? bytes.direction() : nil
        try ExplanationVerifier.verify(bytes.rest(upTo: 2048), as: kind, direction)
    }

    /// The target of versions and UUIDs as text. The input is the text.
    package static let texts = FuzzTarget(deciding: "Texts") { bytes throws(ContractViolation) in
        try TextVerifier.verify(bytes.rest(upTo: 256))
    }

    /// The target of sessions of a ring and of a heart-rate sensor. The input is the kind of
    /// session, its rules, and the successive actions of the app, the device and the clock.
    package static let session = FuzzTarget(deciding: "Session") {
        bytes throws(ContractViolation) in
        if bytes.byte() == 0xFF {
            try SensorSessionVerifier.verify(chance: &bytes)
        } else {
            try SessionVerifier.verify(chance: &bytes)
        }
    }
}

extension FuzzBytes {
    /// Returns the direction of a byte: `>` is to the device, `<` is from it. For any other byte,
    /// the same bit decides.
    mutating func direction() -> Direction { byte() & 2 != 0 ? .toDevice : .fromDevice }

    mutating func change(_ offsets: ClosedRange<Int>) -> FieldRecorder.Change {
        FieldRecorder.Change(offset: integer(in: offsets), bits: byte())
    }

    /// Returns the entry of a number; for an unknown number, some other entry, so that each input
    /// checks an entry.
    func entry<Entry>(
        _ number: UInt8, _ known: (UInt8) -> Entry?, of entries: [Entry]
    ) -> Entry? {
        known(number) ?? (entries.isEmpty ? nil : entries[Int(number) % entries.count])
    }
}

package import HaloCapture

@testable import HaloProtocol
@testable package import HaloTesting

/// All fuzz targets of HaloProtocol.
package let protocolTargets: [any FuzzTarget] = [
    FrameTarget(), CommandTarget(), AssemblyTarget(), ReplyTarget(), BigDataTarget(),
    ReassemblerTarget(), CharacteristicTarget(), AdvertisingTarget(), FamilyTarget(),
    ExplanationTarget(), TextTarget(), SessionTarget(),
]

/// The target of the 16-byte frame. The input is its bytes.
package struct FrameTarget: FuzzTarget {
    package let name = "Frames"

    package init() {}

    package func check(_ bytes: Span<UInt8>) throws(ContractViolation) {
        try FrameVerifier.verify(bytes)
    }

    package func inputs(from capture: Capture) -> [[UInt8]] {
        capture.packets.filter { $0.channel == .uart }.map(\.bytes)
    }
}

/// The target of each command, both ways. The input is a direction (`>` or `<`), a frame whose
/// checksum is computed anew, and a change of one byte.
package struct CommandTarget: FuzzTarget {
    package let name = "Commands"

    package init() {}

    package func check(_ input: Span<UInt8>) throws(ContractViolation) {
        var bytes = FuzzBytes(input)
        let direction = bytes.direction()
        let opcode = bytes.byte()
        let payload = bytes.bytes(Frame.payloadLength + 1).dropLast()
        let change = bytes.change(1...Frame.payloadLength)
        let entry = bytes.entry(opcode, CommandCatalog.entry, of: CommandCatalog.entries)
        guard let entry, let form = entry.form(direction) else { return }
        let frame = PacketVerifier.frame(opcode: entry.opcode, payload)
        try PacketVerifier.verify(form, frame, change: change)
    }

    package func inputs(from capture: Capture) -> [[UInt8]] {
        capture.packets.filter { $0.channel == .uart }.map { [$0.sign] + $0.bytes }
    }
}

/// The target of the assembly of long replies. The input is an opcode, the number of frames,
/// their payloads, and the lost, repeated and reordered frames.
package struct AssemblyTarget: FuzzTarget {
    package let name = "Assemblies"

    package init() {}

    package func check(_ input: Span<UInt8>) throws(ContractViolation) {
        var bytes = FuzzBytes(input)
        let opcode = bytes.byte()
        let count = bytes.byte()
        let long = CommandCatalog.entries.filter(\.hasManyFrames)
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

    /// Returns runs of frames of one command with long replies.
    package func inputs(from capture: Capture) -> [[UInt8]] {
        var inputs: [[UInt8]] = []
        var run: [Frame] = []
        let end = { (run: [Frame]) in
            guard let first = run.first else { return }
            let payloads = run.flatMap { Array($0.payload) }
            inputs.append([first.opcode, UInt8(clamping: run.count)] + payloads)
        }
        for packet in capture.packets
        where packet.channel == .uart && packet.direction == .fromDevice {
            guard let frame = try? Frame(decoding: packet.bytes) else { continue }
            let isLong = CommandCatalog.entry(opcode: frame.opcode)?.hasManyFrames == true
            if !isLong || frame.opcode != run.first?.opcode || run.count == 255 {
                end(run)
                run = []
            }
            if isLong { run.append(frame) }
        }
        end(run)
        return inputs
    }
}

/// The target of replies made from values, encoded and decoded. The input is the kind, then its
/// values.
package struct ReplyTarget: FuzzTarget {
    package let name = "Replies"

    package init() {}

    package func check(_ input: Span<UInt8>) throws(ContractViolation) {
        var bytes = FuzzBytes(input)
        guard let kind = bytes.choice(of: ReplyBuilder.Kind.allCases) else { return }
        try ReplyBuilder.verify(kind, chance: &bytes)
    }
}

/// The target of each big-data record, both ways. The input is a direction, a record id, a
/// change of one byte, and the payload.
package struct BigDataTarget: FuzzTarget {
    package let name = "BigData"

    package init() {}

    package func check(_ input: Span<UInt8>) throws(ContractViolation) {
        var bytes = FuzzBytes(input)
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

    package func inputs(from capture: Capture) -> [[UInt8]] {
        Direction.allCases.flatMap { direction in
            var reassembler = BigDataReassembler()
            var inputs: [[UInt8]] = []
            for packet in capture.bigData(direction) {
                reassembler.receive(packet.bytes)
                while let event = reassembler.nextEvent() {
                    guard case .frame(let frame) = event else { continue }
                    inputs.append([packet.sign, frame.id, 0, 0, 0] + frame.payload)
                }
            }
            return inputs
        }
    }
}

/// The target of the reassembly of big-data frames. The input is the cuts and the content of
/// any notifications, or frames and accidents on their way.
package struct ReassemblerTarget: FuzzTarget {
    package let name = "Reassembler"

    package init() {}

    package func check(_ input: Span<UInt8>) throws(ContractViolation) {
        var bytes = FuzzBytes(input)
        guard bytes.flag() else { return try ReassemblerVerifier.verifyStream(chance: &bytes) }
        let most = bytes.integer(UInt16.self)
        let events = Int(bytes.byte())
        var chunks: [[UInt8]] = []
        while bytes.remaining > 0 { chunks.append(bytes.bytes(bytes.length(upTo: 244))) }
        try ReassemblerVerifier.verify(
            chunks, maximumPayloadLength: Int(most), maximumEventCount: events)
    }

    /// Returns notifications as they came, up to a length.
    package func inputs(from capture: Capture) -> [[UInt8]] {
        Direction.allCases.flatMap { direction in
            var notifications: [UInt8] = [1, 0xFF, 0xFF, 0x40]
            var inputs: [[UInt8]] = []
            for packet in capture.bigData(direction) {
                for start in stride(from: 0, to: packet.bytes.count, by: 244) {
                    let piece = packet.bytes[start...].prefix(244)
                    notifications += [UInt8(piece.count)] + piece
                }
                if notifications.count <= 2048 { inputs.append(notifications) }
            }
            return inputs
        }
    }
}

/// The target of each standard characteristic. The input is its number, lowest byte first, a
/// change of one byte, and its value.
package struct CharacteristicTarget: FuzzTarget {
    package let name = "Characteristics"

    package init() {}

    package func check(_ input: Span<UInt8>) throws(ContractViolation) {
        var bytes = FuzzBytes(input)
        let number = bytes.integer(UInt16.self)
        let change = bytes.change(0...255)
        let entries = CharacteristicCatalog.entries
        let entry = bytes.entry(
            UInt8(truncatingIfNeeded: number), { _ in entries.first { $0.number == number } },
            of: entries)
        guard let entry else { return }
        try PacketVerifier.verify(entry.form, bytes.rest(), change: change)
    }

    package func inputs(from capture: Capture) -> [[UInt8]] {
        capture.packets.compactMap { packet in
            guard let number = packet.characteristic else { return nil }
            let low = UInt8(truncatingIfNeeded: number)
            let high = UInt8(truncatingIfNeeded: number >> 8)
            return [low, high, 0, 0] + packet.bytes
        }
    }
}

/// The target of advertisements. The input is a change of one byte, and the advertisement.
package struct AdvertisingTarget: FuzzTarget {
    package let name = "Advertising"

    package init() {}

    package func check(_ input: Span<UInt8>) throws(ContractViolation) {
        var bytes = FuzzBytes(input)
        let change = bytes.change(0...255)
        let data = bytes.rest(upTo: AdvertisingData.maximumLength)
        try PacketVerifier.verify(ByteForm(AdvertisingData.self), data, change: change)
        try AdvertisingVerifier.verify(data)
    }

    package func inputs(from capture: Capture) -> [[UInt8]] {
        capture.packets.filter { $0.channel == .advertisement || $0.channel == .scanResponse }
            .map { [0, 0] + $0.bytes }
    }
}

/// The target of the families, both ways. The input is the family, a direction, a change of one
/// byte, and the value.
package struct FamilyTarget: FuzzTarget {
    package let name = "Families"

    package init() {}

    package func check(_ input: Span<UInt8>) throws(ContractViolation) {
        var bytes = FuzzBytes(input)
        let families = DeviceFamilyCatalog.families
        let family = families[Int(bytes.integer(UInt8.self)) % families.count]
        let direction = bytes.direction()
        let change = bytes.change(0...15)
        let value = bytes.rest(upTo: 32)
        let form = family.packet(direction, startingWith: value.first)?.form
        if let form { try PacketVerifier.verify(form, value, change: change) }
    }

    package func inputs(from capture: Capture) -> [[UInt8]] {
        capture.packets.compactMap { packet in
            guard case .family(let family) = packet.channel else { return nil }
            let index = DeviceFamilyCatalog.families.firstIndex(of: family) ?? 0
            return [UInt8(index), packet.sign, 0, 0] + packet.bytes
        }
    }
}

/// The target of explanations. The input is the kind of the bytes, then the bytes.
package struct ExplanationTarget: FuzzTarget {
    package let name = "Explanations"

    package init() {}

    package func check(_ input: Span<UInt8>) throws(ContractViolation) {
        var bytes = FuzzBytes(input)
        let kind = bytes.flag() ? bytes.choice(of: PacketKind.all) : nil
        let direction = bytes.flag() ? bytes.direction() : nil
        try ExplanationVerifier.verify(bytes.rest(upTo: 2048), as: kind, direction)
    }

    package func inputs(from capture: Capture) -> [[UInt8]] {
        capture.packets.compactMap { packet in
            switch packet.channel {
            case .uart, .bigData, .family, .advertisement, .scanResponse: [0, 0] + packet.bytes
            default: nil
            }
        }
    }
}

/// The target of versions and UUIDs as text. The input is the text.
package struct TextTarget: FuzzTarget {
    package let name = "Texts"

    package init() {}

    package func check(_ input: Span<UInt8>) throws(ContractViolation) {
        var bytes = FuzzBytes(input)
        try TextVerifier.verify(bytes.rest(upTo: 256))
    }

    package func inputs(from capture: Capture) -> [[UInt8]] {
        capture.packets.compactMap { $0.characteristic == nil ? nil : $0.bytes }
    }
}

/// The target of sessions of a ring and of a heart-rate sensor. The input is the kind of
/// session, its rules, and the successive actions of the app, the device and the clock.
package struct SessionTarget: FuzzTarget {
    package let name = "Session"

    package init() {}

    package func check(_ input: Span<UInt8>) throws(ContractViolation) {
        var bytes = FuzzBytes(input)
        if bytes.byte() == 0xFF {
            try SensorSessionVerifier.verify(chance: &bytes)
        } else {
            try SessionVerifier.verify(chance: &bytes)
        }
    }
}

extension Capture {
    var packets: [CapturePacket] { lines.compactMap(\.packet) }

    func bigData(_ direction: Direction) -> [CapturePacket] {
        packets.filter { $0.channel == .bigData && $0.direction == direction }
    }
}

extension CapturePacket {
    /// The direction as the byte that ``FuzzBytes/direction()`` expects.
    var sign: UInt8 { UInt8(ascii: direction == .toDevice ? ">" : "<") }

    /// The number of a characteristic of the Bluetooth SIG.
    var characteristic: UInt16? {
        guard case .characteristic(let uuid) = channel else { return nil }
        return uuid.short16
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

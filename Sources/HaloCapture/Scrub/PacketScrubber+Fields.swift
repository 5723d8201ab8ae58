import HaloProtocol
import HaloTransport

/// Fields, one by one.
extension PacketScrubber {
    /// Replaces a field, if it gives anything away.
    mutating func replace(
        _ field: DecodedField, in draft: inout ScrubDraft, _ packet: ScrubPacket
    ) {
        let secrecy = FieldCensus.secrecy(of: field, in: draft.subject)
        guard let kind = secrecy.kind, !options.keeps(kind) else {
            if secrecy == .harmless && field.number != nil { return }
            guard secrecy == .harmless || secrecy == .unknown else { return }
            for found in secrets.redact(&draft.bytes, in: draft.range(field)) {
                draft.count(found)
            }
            return
        }
        let before = draft.bytes
        switch secrecy {
        case .harmless: break
        case .unknown: fill(field, &draft)
        case .unlessNone:
            if field.number != 0xFF { fill(field, &draft) }
        case .name, .serial: rename(field, kind, &draft)
        case .model: replaceModel(field, &draft)
        case .systemID: if draft.begins("systemID") { replaceSystemID(&draft) }
        case .makersData: replaceMakersData(field, &draft)
        case .seconds: shiftSeconds(field, &draft)
        case .decimalDate, .decimalDateTime: shiftDate(field, &draft)
        case .dateInParts: if draft.begins("date") { shiftParts(&draft) }
        case .sample(let sample): replaceSamples(field, sample, &draft)
        case .ranges(let sample): replaceRanges(field, sample, &draft)
        case .total(let total): replaceTotal(field, total, &draft)
        case .measured(let place): replaceMeasured(field, place, &draft)
        case .tagged: replaceTagged(field, &draft)
        case .light: if draft.begins("light") { replaceLight(&draft) }
        case .axis: replaceAxis(field, &draft)
        case .sex: replaceSex(field, &draft)
        case .sleep: replaceSleep(field, &draft)
        }
        if draft.bytes != before, secrecy != .model { draft.count(kind) }
    }

    /// Seeded bytes; zeros stay.
    mutating func fill(_ field: DecodedField, _ draft: inout ScrubDraft) {
        fill(draft.range(field), &draft)
    }

    mutating func fill(_ range: Range<Int>, _ draft: inout ScrubDraft) {
        for index in range where draft.bytes[index] != 0 { draft.bytes[index] = random.byte() }
    }

    // MARK: Texts

    private mutating func rename(
        _ field: DecodedField, _ kind: ScrubKind, _ draft: inout ScrubDraft
    ) {
        guard case .bytes(let old) = field.value, draft.range(field).count == old.count else {
            return fill(field, &draft)
        }
        // Zeros behind a text belong to its field and not to it.
        let text = Array(old.prefix((old.lastIndex { $0 != 0 } ?? -1) + 1))
        guard !text.isEmpty else { return }
        let new = identities.text(text, kind, &random)
        draft.bytes.replaceSubrange(field.offset..<(field.offset + new.count), with: new)
    }

    /// A model stays; the part of an address that some rings put behind it does not.
    private mutating func replaceModel(_ field: DecodedField, _ draft: inout ScrubDraft) {
        if case .bytes(let text) = field.value, SeededIdentities.isModelWithAddress(text) {
            rename(field, .names, &draft)
        } else {
            for found in secrets.redact(&draft.bytes, in: draft.range(field)) {
                draft.count(found)
            }
        }
    }

    // MARK: Dates

    /// The day that three bytes spell.
    static func date(_ bytes: UInt64) -> CivilDate? {
        let digits = [bytes >> 16, bytes >> 8, bytes].map {
            BinaryCodedDecimal.number(UInt8(truncatingIfNeeded: $0))
        }
        guard let year = digits[0], let month = digits[1], let day = digits[2] else { return nil }
        return try? CivilDate(year: 2000 + year, month: month, day: day)
    }

    private func shiftSeconds(_ field: DecodedField, _ draft: inout ScrubDraft) {
        guard let old = field.number else { return }
        draft.set(field, UInt64(calendar.shifted(seconds: UInt32(truncatingIfNeeded: old))))
    }

    private mutating func shiftDate(_ field: DecodedField, _ draft: inout ScrubDraft) {
        guard let old = field.number, old != 0 else { return }
        let time = field.length > 3 ? UInt64(field.length - 3) * 8 : 0
        guard let date = Self.date(old >> time), let new = calendar.shifted(date) else {
            return fill(field, &draft)
        }
        let bytes = [new.year - 2000, new.month, new.day].reduce(0 as UInt64) {
            $0 << 8 | UInt64(BinaryCodedDecimal.byte($1))
        }
        draft.set(field, bytes << time | old & (1 << time &- 1))
    }

    private mutating func shiftParts(_ draft: inout ScrubDraft) {
        var parts: [(DecodedField, Int)] = []
        for name in ["century", "yearOfCentury", "month", "day"] {
            guard let field = draft.field(name), let number = field.number else { continue }
            parts.append((field, Int(clamping: number)))
        }
        guard parts.count == 4 else {
            for part in parts { fill(part.0, &draft) }
            return
        }
        let old = try? CivilDate(
            year: parts[0].1 * 100 + parts[1].1, month: parts[2].1, day: parts[3].1)
        guard let new = old?.advanced(byDays: calendar.days) else {
            // No such day: what no year, month or day can be stays so.
            for (part, most) in zip(parts.dropFirst(), [99, 12, 28] as [UInt64]) {
                let isImpossible = part.1 > (most == 28 ? 31 : most)
                draft.set(part.0, random.remainder(in: isImpossible ? 100...0xFF : 1...most))
            }
            return
        }
        for (part, number) in zip(parts, [new.year / 100, new.year % 100, new.month, new.day]) {
            draft.set(part.0, UInt64(number))
        }
    }
}

import HaloProtocol
import HaloTransport

/// A scrubber of the secret fields in packets.
///
/// The first pass collects the secrets of the whole capture, so that a text or an address has the
/// same substitute everywhere.
struct FieldScrubber: Sendable {
    let options: ScrubOptions
    var random: SplitMix
    private(set) var secrets = KnownSecrets()
    var calendar: ShiftedCalendar
    var identities = SeededIdentities()
    private var body = SeededBody()
    private var totals = SeededTotals()
    /// The lists of bytes in comments that have an address somewhere.
    private var lists: [ListedBytes] = []

    init(seed: UInt64, _ options: ScrubOptions) {
        self.options = options
        random = SplitMix(seed: seed)
        calendar = ShiftedCalendar(&random)
    }

    // MARK: First pass

    mutating func learn(_ packet: CapturePacket) {
        if packet.isName { learnText(packet.bytes, .names) }
        let isOwn = !packet.channel.isAdvertising
        guard let explanation = packet.explanation else { return }
        let draft = ScrubDraft(packet, explanation)
        for field in explanation.fields {
            switch (field.secrecy, field.value) {
            case (.total(let total), _):
                if let number = field.number { totals.learn(total, number) }
            case (.name, .bytes(let bytes)): learnText(bytes, .names, isOwn: isOwn)
            case (.wideName, .bytes(let bytes)): learnText(bytes, isWide: true, .names)
            case (.address, _): learnAddress(in: packet.bytes[draft.range(field)], isOwn)
            case (.serial, .bytes(let bytes)): learnText(bytes, .serials)
            case (.systemID, _): learnSystemID(packet.bytes)
            case (.seconds, .integer(let number)):
                calendar.learn(
                    CivilDateTime(secondsSince1970: UInt32(truncatingIfNeeded: number)).date)
            case (.decimalDate, .integer(let number)):
                calendar.learn(Self.date(number >> Self.bitsOfTime(field)))
            default: break
            }
        }
    }

    /// Collects a text, which gets the same substitute everywhere.
    ///
    /// - Parameter isOwn: `false` for a text of an advertisement.
    mutating func learnText(
        _ bytes: [UInt8], isWide: Bool = false, _ kind: ScrubKind, isOwn: Bool = true
    ) {
        guard !options.keeps(kind) else { return }
        let text = Self.unpadded(bytes)
        if !text.isEmpty { identities.note(text, isWide: isWide, kind, isOwn: isOwn) }
    }

    /// Draws the substitute for an address, which is the same everywhere.
    mutating func learnAddress(_ address: UInt64, isOwn: Bool = true) {
        guard !options.keeps(.addresses), address != 0 else { return }
        _ = identities.address(address, &random)
        if isOwn { identities.noteOwn(address) }
    }

    /// The maximum number of lists that wait for the addresses of packets.
    private static let mostLists = 1000

    /// Collects the address in a list. Of bytes that do not stand alone, the other lines may say
    /// which are an address.
    mutating func learnAddress(in list: ListedBytes, isOwn: Bool) {
        if let address = list.address {
            learnAddress(address, isOwn: isOwn)
        } else if lists.count < Self.mostLists {
            lists.append(list)
        } else {
            learnAddresses(in: list)
        }
    }

    /// Collects all addresses that a list may have, except where one of them is known.
    private mutating func learnAddresses(in list: ListedBytes) {
        for address in list.addresses(besides: identities.isKnown) {
            learnAddress(address, isOwn: false)
        }
    }

    mutating func finishLearning() {
        totals.draw(&random)
        identities.drawNotedAddresses(&random)
        for list in lists { learnAddresses(in: list) }
        lists = []
        identities.drawNoted(&random)
        secrets = KnownSecrets(identities)
    }

    // MARK: Second pass

    mutating func replace(_ field: DecodedField, in draft: inout ScrubDraft) {
        guard let kind = field.secrecy.kind, !options.keeps(kind) else { return }
        let before = draft.bytes
        switch field.secrecy {
        case .open, .text: break
        case .unknown: fill(field, &draft)
        case .measured(let kept):
            if field.number != UInt64(kept) { fill(field, &draft) }
        case .name, .serial: rename(field, kind, &draft)
        case .wideName: rename(field, isWide: true, kind, &draft)
        case .model:
            // A model with an ending of the address is a name.
            if case .bytes(let text) = field.value, SeededIdentities.isModelWithAddress(text) {
                rename(field, .names, &draft)
            }
        case .systemID: if draft.begins("systemID") { replaceSystemID(&draft) }
        case .manufacturerData, .address: replaceMakersData(field, &draft)
        case .seconds:
            change(field, &draft) {
                UInt64($0.calendar.shifted(seconds: UInt32(truncatingIfNeeded: $1)))
            }
        case .decimalDate: shiftDate(field, &draft)
        case .datePart: if draft.begins("date") { shiftParts(&draft) }
        case .body(let quantity): change(field, &draft) { $0.sample(quantity, for: $1) }
        case .samples(let quantity):
            for index in draft.range(field) {
                draft.bytes[index] = byte(quantity, for: draft.bytes[index])
            }
        case .ranges(let quantity): replaceRanges(field, quantity, &draft)
        case .total(let total):
            if field.number != 0 { change(field, &draft) { $0.totals.value(total, $1) } }
        case .pulseOfWorkout: replaceWorkoutPulse(field, &draft)
        case .light: if draft.begins("light") { replaceLight(&draft) }
        case .axis: replaceAxis(field, &draft)
        case .sex: replaceSex(field, &draft)
        case .sleep: replaceSleep(field, &draft)
        case .layout:
            if draft.field(.layout(isDescribed: false)) != nil { fill(field, &draft) }
        }
        if draft.bytes != before { draft.count(kind) }
    }

    /// Replaces known secrets in the payload of a packet whose secret fields are replaced. They may
    /// extend over several fields. Fields of a kind that is kept stay.
    func redact(_ payload: Range<Int>, of draft: inout ScrubDraft) {
        let kept = draft.fields.filter(isKept).map(draft.range)
        var start = payload.lowerBound
        for range in kept + [payload.upperBound..<payload.upperBound] {
            let end = max(start, range.lowerBound)
            for found in secrets.redact(&draft.bytes, in: start..<end) { draft.count(found) }
            start = max(start, range.upperBound)
        }
        for field in draft.fields where field.secrecy.isText && !isKept(field) {
            let range = draft.range(field)
            for found in secrets.redact(&draft.bytes, in: range, isText: true) {
                draft.count(found)
            }
        }
    }

    private func isKept(_ field: DecodedField) -> Bool {
        guard let kind = field.secrecy.kind else { return false }
        return options.keeps(kind) && kind != .unknown
    }

    /// Returns a text without its trailing zeros, which are padding of the field.
    private static func unpadded(_ bytes: [UInt8]) -> [UInt8] {
        Array(bytes.prefix((bytes.lastIndex { $0 != 0 } ?? -1) + 1))
    }

    /// Replaces bytes with seeded ones; zeros are kept.
    private mutating func fill(_ field: DecodedField, _ draft: inout ScrubDraft) {
        fill(draft.range(field), &draft)
    }

    /// Replaces a number. Fills the field if it has no number, or if there is no new one.
    private mutating func change(
        _ field: DecodedField, _ draft: inout ScrubDraft,
        _ new: (inout FieldScrubber, UInt64) -> UInt64?
    ) {
        guard let old = field.number, let new = new(&self, old) else { return fill(field, &draft) }
        draft.set(field, min(new, ScrubDraft.most(field)))
    }

    private mutating func fill(_ range: Range<Int>, _ draft: inout ScrubDraft) {
        for index in range where draft.bytes[index] != 0 { draft.bytes[index] = random.byte() }
    }

    // MARK: Texts

    private mutating func rename(
        _ field: DecodedField, isWide: Bool = false, _ kind: ScrubKind, _ draft: inout ScrubDraft
    ) {
        guard case .bytes(let old) = field.value, draft.range(field).count == old.count else {
            return fill(field, &draft)
        }
        let text = Self.unpadded(old)
        guard !text.isEmpty else { return }
        let new = identities.text(text, isWide: isWide, kind, &random)
        draft.bytes.replaceSubrange(field.offset..<(field.offset + new.count), with: new)
    }

    // MARK: Dates

    /// Returns the date in three bytes of decimal digits; `nil` if there is no such day.
    static func date(_ bytes: UInt64) -> CivilDate? {
        let digits = [bytes >> 16, bytes >> 8, bytes].map {
            BinaryCodedDecimal.number(UInt8(truncatingIfNeeded: $0))
        }
        guard let year = digits[0], let month = digits[1], let day = digits[2] else { return nil }
        return try? CivilDate(year: 2000 + year, month: month, day: day)
    }

    /// Returns the number of bits that follow the three bytes of a date in the same field.
    private static func bitsOfTime(_ field: DecodedField) -> UInt64 {
        UInt64(max(field.length - 3, 0)) * 8
    }

    private mutating func shiftDate(_ field: DecodedField, _ draft: inout ScrubDraft) {
        guard let old = field.number, old != 0 else { return }
        let time = Self.bitsOfTime(field)
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
        for part: FieldSecrecy.DatePart in [.century, .yearOfCentury, .month, .day] {
            guard let field = draft.field(.datePart(part)), let number = field.number else {
                continue
            }
            parts.append((field, Int(clamping: number)))
        }
        guard parts.count == 4 else {
            for part in parts { fill(part.0, &draft) }
            return
        }
        let old = try? CivilDate(
            year: parts[0].1 * 100 + parts[1].1, month: parts[2].1, day: parts[3].1)
        guard let new = old?.advanced(byDays: calendar.days) else {
            // There is no such day: impossible years, months and days stay impossible.
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

    // MARK: Samples

    /// Returns the next value of a seeded body. Zero, which means "none", is kept.
    private mutating func sample(_ quantity: BodyQuantity, for old: UInt64) -> UInt64 {
        old == 0 ? 0 : body.next(quantity, &random)
    }

    private mutating func byte(_ quantity: BodyQuantity, for old: UInt8) -> UInt8 {
        UInt8(clamping: sample(quantity, for: UInt64(old)))
    }

    /// Replaces pairs of minimum and maximum, which keep their order.
    private mutating func replaceRanges(
        _ field: DecodedField, _ quantity: BodyQuantity, _ draft: inout ScrubDraft
    ) {
        let range = draft.range(field)
        for index in stride(from: range.lowerBound, to: range.upperBound, by: 2) {
            let old = draft.bytes[index]
            draft.bytes[index] = byte(quantity, for: old)
            guard range.contains(index + 1) else { continue }
            let isOrdered = old <= draft.bytes[index + 1]
            draft.bytes[index + 1] = byte(quantity, for: draft.bytes[index + 1])
            let (least, most) = (draft.bytes[index], draft.bytes[index + 1])
            if least != 0, most != 0, (least <= most) != isOrdered {
                draft.bytes[index] = most
                draft.bytes[index + 1] = least
            }
        }
    }

    // MARK: Workouts

    /// Replaces the lowest, average and highest heart rate, which keep their order.
    private mutating func replaceWorkoutPulse(_ field: DecodedField, _ draft: inout ScrubDraft) {
        let workout = ScrubDraft.element(String(ScrubDraft.element(field.name).dropLast()))
        guard draft.begins("pulse of \(workout)") else { return }
        let average = body.next(.pulse, &random)
        let spread = random.remainder(in: 1...20)
        for other in draft.fields where other.name.hasPrefix(workout) {
            guard case .pulseOfWorkout(let extreme) = other.secrecy else { continue }
            guard let old = other.number else {
                fill(other, &draft)
                continue
            }
            guard old != 0 else { continue }
            switch extreme {
            case .average: draft.set(other, average)
            case .lowest: draft.set(other, average - spread)
            case .highest: draft.set(other, average + spread * 2)
            }
        }
    }

    // MARK: Sleep

    /// Replaces a period of sleep; the number of stages is kept.
    ///
    /// If the sum of the stages was the time between start and end, it still is. A night that
    /// begins before midnight still does.
    private mutating func replaceSleep(_ field: DecodedField, _ draft: inout ScrubDraft) {
        let name = field.name
        let period = String(name[...(name.firstIndex(of: ".") ?? name.startIndex)])
        guard draft.begins("sleep \(period)") else { return }
        func fields(_ part: FieldSecrecy.SleepPart) -> [DecodedField] {
            draft.fields.filter { $0.secrecy == .sleep(part) && $0.name.hasPrefix(period) }
        }
        let lengths = fields(.minutes)
        replaceStages(fields(.stage), &draft)
        let old = lengths.reduce(0 as UInt64) { $0 + ($1.number ?? 0) }
        let new = replaceLengths(lengths, old, &draft)
        let (starts, ends) = (fields(.start), fields(.end))
        if let start = starts.first, let end = ends.first {
            replaceHours(start, end, (old, new), &draft)
        } else {
            for field in starts + ends { fill(field, &draft) }
        }
    }

    /// Replaces known stages, without equal adjacent ones; unknown stages are kept.
    private mutating func replaceStages(_ stages: [DecodedField], _ draft: inout ScrubDraft) {
        var last: UInt64?
        for stage in stages {
            guard let old = stage.number, old != 0,
                SleepStage(rawValue: UInt8(truncatingIfNeeded: old)) != nil
            else { continue }
            var new = random.remainder(in: 2...5)
            if new == last { new = new == 5 ? 2 : new + 1 }
            last = new
            draft.set(stage, new)
        }
    }

    private static let day: UInt64 = 1440
    /// The maximum length of a nap in minutes; a longer sleep is a night.
    private static let longestNap: UInt64 = 180

    /// Draws the length of a night, or of a nap, in minutes.
    private mutating func sleepLength(for old: UInt64) -> UInt64 {
        random.remainder(in: old > Self.longestNap ? 240...560 : 20...110)
    }

    /// Divides a new length among the stages with a length; returns the sum of their new lengths.
    private mutating func replaceLengths(
        _ fields: [DecodedField], _ old: UInt64, _ draft: inout ScrubDraft
    ) -> UInt64 {
        let fields = fields.filter { $0.number ?? 0 != 0 }
        let length = sleepLength(for: old)
        let shares = fields.map { _ in random.remainder(in: 10...100) }
        let whole = shares.reduce(0, +)
        var sum: UInt64 = 0
        for (field, share) in zip(fields, shares) {
            let minutes = min(max(length * share / whole, 1), ScrubDraft.most(field))
            draft.set(field, minutes)
            sum += minutes
        }
        return sum
    }

    private mutating func replaceHours(
        _ start: DecodedField, _ end: DecodedField, _ sum: (old: UInt64, new: UInt64),
        _ draft: inout ScrubDraft
    ) {
        let day = Self.day
        guard let old = start.number, let oldEnd = end.number, old < day, oldEnd < day else {
            for field in [start, end] { fill(field, &draft) }
            return
        }
        let oldLength = (oldEnd + day - old) % day
        // If the sum of the stages differed from the time between start and end, it still does.
        let length = oldLength == sum.old ? sum.new : sleepLength(for: oldLength)
        let allowed =
            old > oldEnd ? min(day - length, day - 1)...day - 1 : 0...day - 1 - length
        let wanted: ClosedRange<UInt64> =
            old > oldEnd
            ? 1290...1430 : oldLength > Self.longestNap || old < 360 ? 0...150 : 720...980
        let new = min(max(random.remainder(in: wanted), allowed.lowerBound), allowed.upperBound)
        draft.set(start, new)
        draft.set(end, (new + length) % day)
    }

    /// Replaces the wearer's sex if any field about the wearer is set. Zero is a sex too.
    private mutating func replaceSex(_ field: DecodedField, _ draft: inout ScrubDraft) {
        let isSaid = draft.fields.contains { field in
            switch field.secrecy {
            case .body(.age), .body(.height), .body(.weight): field.number ?? 0 != 0
            default: false
            }
        }
        if isSaid || field.number != 0 { draft.set(field, random.remainder(in: 0...1)) }
    }

    // MARK: Sensors

    /// Replaces the values of an optical sensor, which keep their order and their difference.
    private mutating func replaceLight(_ draft: inout ScrubDraft) {
        let parts: [FieldSecrecy.LightPart] = [.value, .maximum, .minimum, .difference]
        let fields = parts.map { draft.field(.light($0)) }
        let old = fields.map { $0?.number ?? 0 }
        let least = body.next(.light, &random)
        let most = least + random.remainder(in: 40...4000)
        let isSum = old[1] >= old[2] && old[1] - old[2] == old[3]
        let new = [
            random.remainder(in: least...most), most, least,
            isSum ? most - least : random.remainder(in: 20...4000),
        ]
        for (field, (old, new)) in zip(fields, zip(old, new)) {
            if let field, old != 0 { draft.set(field, min(new, ScrubDraft.most(field))) }
        }
    }

    /// Replaces an axis with a twelve-bit reading near rest.
    private mutating func replaceAxis(_ field: DecodedField, _ draft: inout ScrubDraft) {
        guard let old = field.number, old != 0 else { return }
        let counts = UInt64(bitPattern: Int64(random.remainder(in: 0...1200)) - 600)
        let bits = (counts & 0x0FF0) << 4 | counts & 0x000F
        draft.set(field, bits == 0 ? 1 : bits)
    }

    // MARK: Identities

    /// The maximum lengths of a reply with the device's address, which has no known layout: as
    /// bytes, and as text.
    private static let longestAddress = (bytes: 11, text: 24)

    /// Collects every six bytes that may be an address, and every twelve digits.
    private mutating func learnAddress(in bytes: ArraySlice<UInt8>, _ isOwn: Bool) {
        guard !options.keeps(.addresses), bytes.count <= Self.longestAddress.text else { return }
        let length = SeededIdentities.addressLength
        func note(_ parts: ArraySlice<UInt8>, _ bits: UInt64) {
            let address = parts.reduce(0 as UInt64) { $0 << bits | UInt64($1) }
            identities.noteAddress(inEitherOrder: address, isOwn: isOwn)
        }
        let digits = bytes.compactMap(HexText.value)
        if bytes.count <= Self.longestAddress.bytes {
            for start in bytes.indices.dropLast(length - 1) {
                note(bytes[start...].prefix(length), 8)
            }
        }
        for start in digits.indices.dropLast(2 * length - 1) {
            note(digits[start...].prefix(2 * length), 4)
        }
    }

    /// The bytes of a system identifier that are an address if the two between them say so.
    private static let addressOfSystemID = [7, 6, 5, 2, 1, 0]

    private mutating func learnSystemID(_ bytes: [UInt8]) {
        if let address = (try? SystemID(decoding: bytes))?.address {
            learnAddress(address)
        } else if let bytes = Self.looseAddress(ofSystemID: bytes), !options.keeps(.addresses) {
            identities.noteAddress(inEitherOrder: bytes, isOwn: true)
        }
    }

    /// Returns the address in a system identifier of another form, in an unknown byte order.
    private static func looseAddress(ofSystemID bytes: [UInt8]) -> UInt64? {
        guard bytes.count == 8,
            SeededIdentities.longAddressMarks.contains(Array(bytes[3...4]))
        else { return nil }
        let address = addressOfSystemID.reduce(0 as UInt64) { $0 << 8 | UInt64(bytes[$1]) }
        return address == 0 ? nil : address
    }

    private mutating func replaceSystemID(_ draft: inout ScrubDraft) {
        let new: UInt64
        if let old = (try? SystemID(decoding: draft.bytes))?.address {
            new = identities.address(old, &random)
        } else if let old = Self.looseAddress(ofSystemID: draft.bytes) {
            new = identities.address(inEitherOrder: old, &random)
        } else {
            return fill(draft.bytes.indices, &draft)
        }
        for (place, index) in Self.addressOfSystemID.reversed().enumerated() {
            draft.bytes[index] = UInt8(truncatingIfNeeded: new >> UInt64(place * 8))
        }
    }

    /// Replaces manufacturer data. An address of the capture is replaced with its substitute, and a
    /// beacon stays a beacon.
    private mutating func replaceMakersData(_ field: DecodedField, _ draft: inout ScrubDraft) {
        let range = draft.range(field)
        let old = Array(draft.bytes[range])
        var new = old
        let isBeacon = (try? IBeacon(decoding: old)) != nil
        for index in new.indices.dropFirst(isBeacon ? 2 : 0) where new[index] != 0 {
            new[index] = random.byte()
        }
        let length = SeededIdentities.addressLength
        for start in old.indices where start + length <= old.count {
            let bytes = old[start..<(start + length)]
            let high = bytes.reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
            let low = bytes.reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
            guard let address = identities.addresses[high] ?? identities.addresses[low] else {
                continue
            }
            let written = (0..<length).map { UInt8(truncatingIfNeeded: address >> UInt64($0 * 8)) }
            new.replaceSubrange(
                start..<(start + length),
                with: identities.addresses[high] != nil ? written.reversed() : written)
        }
        draft.bytes.replaceSubrange(range, with: new)
    }
}

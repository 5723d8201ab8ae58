import HaloProtocol

/// Fields that say one thing together.
extension PacketScrubber {
    // MARK: Sleep

    /// A sleep with other stages: as many, and together as long as the time between start and end,
    /// where they were before. A night stays a night, and a nap a nap.
    mutating func replaceSleep(_ field: DecodedField, _ draft: inout ScrubDraft) {
        let name = field.name
        let period = String(name[...(name.firstIndex(of: ".") ?? name.startIndex)])
        guard draft.begins("sleep \(period)") else { return }
        let stages = draft.fields.filter { $0.name.hasPrefix(period + "stages[") }
        var last: UInt64?
        var sum: UInt64 = 0
        var oldSum: UInt64 = 0
        for stage in stages {
            guard let old = stage.number else { continue }
            if stage.name.hasSuffix(".stage") {
                guard old != 0, SleepStage(rawValue: UInt8(truncatingIfNeeded: old)) != nil else {
                    continue
                }
                var new = random.number(in: 2...5)
                if new == last { new = new == 5 ? 2 : new + 1 }
                last = new
                draft.set(stage, new)
            } else if old != 0 {
                oldSum += old
                // Half as long to half as long again; a night stays shorter than a day.
                let new = max(1, min(0xFF, old * random.number(in: 50...130) / 100))
                sum += new
                draft.set(stage, new)
            }
        }
        guard let start = draft.field(period + "start"), let old = start.number else { return }
        let end = draft.field(period + "end")
        replaceHours(start, old, end, (oldSum, sum), &draft)
    }

    private static let day: UInt64 = 1440

    private mutating func replaceHours(
        _ start: DecodedField, _ old: UInt64, _ end: DecodedField?,
        _ sum: (old: UInt64, new: UInt64), _ draft: inout ScrubDraft
    ) {
        let oldEnd = end?.number ?? 0
        let day = Self.day
        guard old < day, oldEnd < day else {
            for field in [start, end].compactMap({ $0 }) { fill(field, &draft) }
            return
        }
        let isNight = old > oldEnd
        let oldLength = (oldEnd + day - old) % day
        // Where the stages do not add up, they did not before.
        let length =
            oldLength == sum.old
            ? sum.new : max(1, oldLength * random.number(in: 50...130) / 100)
        guard length < day else {
            for field in [start, end].compactMap({ $0 }) { fill(field, &draft) }
            return
        }
        let allowed = isNight ? max(day - length, 1)...(day - 1) : 0...(day - 1 - length)
        let wanted = old + day + random.number(in: 0...120) - 60
        let moved = wanted >= day ? wanted - day : 0
        let new = min(max(moved, allowed.lowerBound), allowed.upperBound)
        draft.set(start, new)
        if let end { draft.set(end, (new + length) % day) }
    }

    // MARK: Sensors

    /// Most stays no less than least, and the difference is theirs where it was.
    mutating func replaceLight(_ draft: inout ScrubDraft) {
        let names = ["value", "most", "least", "difference"]
        let fields = names.map { draft.field($0) }
        let old = fields.map { $0?.number ?? 0 }
        let least = body.next(.light, &random)
        let most = least + random.number(in: 40...4000)
        let isSum = old[1] >= old[2] && old[1] - old[2] == old[3]
        let new = [
            random.number(in: least...most), most, least,
            isSum ? most - least : random.number(in: 20...4000),
        ]
        for (field, (old, new)) in zip(fields, zip(old, new)) {
            if let field, old != 0 { draft.set(field, min(new, ScrubDraft.most(field))) }
        }
    }

    /// A reading near rest, within what twelve bits hold; bits of no number stay away.
    mutating func replaceAxis(_ field: DecodedField, _ draft: inout ScrubDraft) {
        guard let old = field.number, old != 0 else { return }
        let counts = UInt64(bitPattern: Int64(random.number(in: 0...1200)) - 600)
        let bits = (counts & 0x0FF0) << 4 | counts & 0x000F
        draft.set(field, bits == 0 ? 1 : bits)
    }

    // MARK: Identities

    /// The address that a system identifier was made of: `FE FF` stands in its middle then.
    private static func address(inSystemID bytes: [UInt8]) -> UInt64? {
        guard bytes.count == 8, bytes[3] == 0xFE, bytes[4] == 0xFF else { return nil }
        return [7, 6, 5, 2, 1, 0].reduce(0) { $0 << 8 | UInt64(bytes[$1]) }
    }

    mutating func learnSystemID(_ bytes: [UInt8]) {
        if let address = Self.address(inSystemID: bytes) { learnAddress(address) }
    }

    mutating func replaceSystemID(_ draft: inout ScrubDraft) {
        guard let old = Self.address(inSystemID: draft.bytes) else {
            return fill(draft.bytes.indices, &draft)
        }
        let new = identities.address(old, &random)
        for (place, index) in [0, 1, 2, 5, 6, 7].enumerated() {
            draft.bytes[index] = UInt8(truncatingIfNeeded: new >> UInt64(place * 8))
        }
    }

    /// Maker's data; an address of the capture becomes what it is elsewhere, and a beacon stays one.
    mutating func replaceMakersData(_ field: DecodedField, _ draft: inout ScrubDraft) {
        let range = draft.range(field)
        let old = Array(draft.bytes[range])
        var new = old
        let company = draft.field("company", beside: field)?.number
        let isBeacon = company == UInt64(IBeacon.company) && (try? IBeacon(decoding: old)) != nil
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

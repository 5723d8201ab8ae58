import HaloProtocol
import HaloTransport

/// Fields that say one thing together.
extension PacketScrubber {
    // MARK: Sleep

    /// Another sleep with as many stages, together as long as the time between start and end where
    /// they were so before. A night that begins before midnight still does.
    mutating func replaceSleep(_ field: DecodedField, _ draft: inout ScrubDraft) {
        let name = field.name
        let period = String(name[...(name.firstIndex(of: ".") ?? name.startIndex)])
        guard draft.begins("sleep \(period)") else { return }
        let stages = draft.fields.filter { $0.name.hasPrefix(period + "stages[") }
        replaceStages(stages.filter { $0.name.hasSuffix(".stage") }, &draft)
        let lengths = stages.filter { $0.name.hasSuffix(".minutes") }
        let old = lengths.reduce(0 as UInt64) { $0 + ($1.number ?? 0) }
        let new = replaceLengths(lengths, old, &draft)
        if let start = draft.field(period + "start"), let end = draft.field(period + "end") {
            replaceHours(start, end, (old, new), &draft)
        } else {
            for name in ["start", "end"] {
                if let field = draft.field(period + name) { fill(field, &draft) }
            }
        }
    }

    /// Known stages, no two in a row alike; what nobody knows stays.
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
    /// What is longer is a night.
    private static let longestNap: UInt64 = 180

    /// Shares a length out among the stages that have one; answers what it came to.
    private mutating func replaceLengths(
        _ fields: [DecodedField], _ old: UInt64, _ draft: inout ScrubDraft
    ) -> UInt64 {
        let fields = fields.filter { $0.number ?? 0 != 0 }
        let length = random.remainder(in: old > Self.longestNap ? 240...560 : 20...110)
        let shares = fields.map { _ in random.remainder(in: 10...100) }
        let whole = max(shares.reduce(0, +), 1)
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
        // Where the stages did not add up, they do not.
        let isNight = oldLength > Self.longestNap
        let length =
            oldLength == sum.old
            ? sum.new : random.remainder(in: isNight ? 240...560 : 20...110)
        let allowed =
            old > oldEnd ? min(day - length, day - 1)...day - 1 : 0...day - 1 - length
        let wanted: ClosedRange<UInt64> =
            old > oldEnd ? 1290...1430 : isNight || old < 360 ? 0...150 : 720...980
        let new = min(max(random.remainder(in: wanted), allowed.lowerBound), allowed.upperBound)
        draft.set(start, new)
        draft.set(end, (new + length) % day)
    }

    /// The wearer's sex, if anything is said of the wearer at all: zero is one of them.
    mutating func replaceSex(_ field: DecodedField, _ draft: inout ScrubDraft) {
        let names = ["ageYears", "heightCentimetres", "weightKilograms"]
        let isSaid = names.contains { draft.field($0, beside: field)?.number ?? 0 != 0 }
        if isSaid || field.number != 0 { draft.set(field, random.remainder(in: 0...1)) }
    }

    // MARK: Sensors

    /// Most stays no less than least, and the difference is theirs where it was.
    mutating func replaceLight(_ draft: inout ScrubDraft) {
        let names = ["value", "most", "least", "difference"]
        let fields = names.map { draft.field($0) }
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

    /// A reading near rest, within what twelve bits hold; bits of no number stay away.
    mutating func replaceAxis(_ field: DecodedField, _ draft: inout ScrubDraft) {
        guard let old = field.number, old != 0 else { return }
        let counts = UInt64(bitPattern: Int64(random.remainder(in: 0...1200)) - 600)
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

    /// Maker's data; an address of the capture becomes what it is elsewhere, and a beacon stays a
    /// beacon.
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

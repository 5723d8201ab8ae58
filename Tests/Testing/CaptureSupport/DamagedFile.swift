internal import HaloTesting

/// A file with a few changes, which follow from a seed.
package enum DamagedFile {
    private static let lies: [UInt8] = [0, 1, 2, 0x0A, 0x20, 0x7F, 0x80, 0xFE, 0xFF]

    /// Bytes of which some are changed, omitted, inserted or truncated.
    package static func bytes(_ file: [UInt8], seed: UInt64) -> [UInt8] {
        var choice = FuzzBytes(seed: seed, count: 80)
        var file = file
        for _ in 0...Int(choice.byte() % 5) where !file.isEmpty {
            let place = Int(choice.integer(UInt32.self)) % file.count
            switch choice.byte() % 8 {
            case 0: file[place] = lies[Int(choice.byte()) % lies.count]
            case 1: file[place] ^= 1 << (choice.byte() % 8)
            case 2: file[place] &+= 1
            case 3: file[place] &-= 1
            case 4: file.remove(at: place)
            case 5: file.insert(choice.byte(), at: place)
            case 6:
                let end = min(place + Int(choice.byte() % 40), file.count)
                file.removeSubrange(place..<end)
            default:
                if choice.byte() < 60 { file.removeSubrange(place...) }
            }
        }
        return file
    }

    /// Text of which some lines are duplicated, omitted, moved or changed. Line endings are kept.
    package static func lines(_ text: String, seed: UInt64) -> String {
        var choice = FuzzBytes(seed: seed, count: 120)
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        for _ in 0...Int(choice.byte() % 6) where lines.count > 1 {
            let place = Int(choice.integer(UInt32.self)) % (lines.count - 1)
            switch choice.byte() % 8 {
            case 0: lines.remove(at: place)
            case 1: lines.insert(lines[place], at: place)
            case 2: lines.swapAt(place, Int(choice.integer(UInt16.self)) % (lines.count - 1))
            case 3: lines[place] = String(lines[place].dropLast())
            case 4, 5:
                var words = lines[place].split(separator: " ").map(String.init)
                guard !words.isEmpty else { continue }
                let word = Int(choice.byte()) % words.count
                let other = lines[Int(choice.integer(UInt16.self)) % lines.count]
                words[word] = other.split(separator: " ").last.map(String.init) ?? "7"
                lines[place] = words.joined(separator: " ")
            case 6:
                var scalars = Array(lines[place].utf8)
                guard !scalars.isEmpty else { continue }
                scalars[Int(choice.byte()) % scalars.count] = 0x20 + choice.byte() % 0x5F
                lines[place] = String(decoding: scalars, as: UTF8.self)
            default:
                let extra = [
                    "* connected mtu 100", "* disconnected 13", "* read uart", "> uart 03 00",
                    "* acknowledged uart", "* refused uart 02", "* services-changed", "+ 2s",
                    "< bigdata BC 27", "* subscribed uart", "# exception: none", "* confirmed 2a37",
                ]
                lines.insert(extra[Int(choice.byte()) % extra.count], at: place)
            }
        }
        return lines.joined(separator: "\n")
    }
}

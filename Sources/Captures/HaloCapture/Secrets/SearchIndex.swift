import HaloProtocol

/// Byte strings that are searched for, with a value for each.
///
/// The strings are indexed by their first bytes, and those that begin alike are in the order of
/// their bytes: the time of a search depends on the length of a string, not on their number.
struct SearchIndex<Value: Sendable>: Sendable {
    private struct Entry: Sendable {
        let key: [UInt8]
        let value: Value
    }

    /// The number of bytes by which strings are indexed; a shorter string is not searched for.
    private let leastLength: Int
    private var entries: [UInt32: [Entry]] = [:]

    /// Creates an index of strings of at least a length, which is 4 at most. Of equal strings the
    /// first one counts.
    init(leastLength: Int, _ strings: [(key: [UInt8], value: Value)] = []) {
        self.leastLength = leastLength
        var known: Set<[UInt8]> = []
        for (key, value) in strings where known.insert(key).inserted {
            guard let head = Self.head(key[...], leastLength) else { continue }
            entries[head, default: []].append(Entry(key: key, value: value))
        }
        for head in entries.keys {
            entries[head]?.sort { $0.key.lexicographicallyPrecedes($1.key) }
        }
    }

    var isEmpty: Bool { entries.isEmpty }

    private static func head(_ bytes: ArraySlice<UInt8>, _ length: Int) -> UInt32? {
        guard bytes.count >= length else { return nil }
        return bytes.prefix(length).reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Returns the longest string with which some bytes begin, of those that a function accepts.
    func longest(
        at rest: ArraySlice<UInt8>,
        where accepts: (_ length: Int, Value) -> Bool = { _, _ in true }
    ) -> (length: Int, value: Value)? {
        guard let head = Self.head(rest, leastLength), let entries = entries[head] else {
            return nil
        }
        var candidates = entries[...]
        var longest: (length: Int, value: Value)?
        func note(_ depth: Int) {
            guard let entry = candidates.first, entry.key.count == depth else { return }
            if accepts(depth, entry.value) { longest = (depth, entry.value) }
            candidates.removeFirst()
        }
        for (depth, byte) in rest.enumerated() {
            note(depth)
            guard let first = candidates.first, let last = candidates.last else { return longest }
            guard first.key[depth] != byte || last.key[depth] != byte else { continue }
            candidates = candidates[candidates.partitionPoint { $0.key[depth] < byte }...]
            candidates = candidates[..<candidates.partitionPoint { $0.key[depth] == byte }]
        }
        note(rest.count)
        return longest
    }
}

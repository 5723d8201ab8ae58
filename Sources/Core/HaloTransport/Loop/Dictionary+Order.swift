extension Dictionary where Key: Comparable {
    /// The entries in the order of their keys.
    package var sortedByKey: [Element] { sorted { $0.key < $1.key } }
}

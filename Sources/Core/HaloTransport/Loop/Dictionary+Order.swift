extension Dictionary where Key: Comparable {
    package var sortedByKey: [Element] { sorted { $0.key < $1.key } }
}

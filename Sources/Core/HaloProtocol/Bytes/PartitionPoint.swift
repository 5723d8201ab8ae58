extension RandomAccessCollection where Index == Int {
    /// Returns the first index whose element does not precede, by binary search: all elements that
    /// precede stand before all others.
    @inlinable package func partitionPoint(_ precedes: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if precedes(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

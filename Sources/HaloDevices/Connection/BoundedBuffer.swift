/// The last so many elements, in order; it counts those that it dropped.
struct BoundedBuffer<Element> {
    private var elements: [Element] = []
    private var head = 0
    private var dropped = 0
    private let limit: Int

    /// An empty one of at least one element.
    init(limit: Int) {
        self.limit = max(limit, 1)
    }

    /// Takes an element in; the oldest goes if there is no room.
    mutating func append(_ element: Element) {
        if elements.count - head >= limit {
            head += 1
            dropped &+= 1
        }
        elements.append(element)
        if head >= limit {
            elements.removeFirst(head)
            head = 0
        }
    }

    /// The oldest element, and how many before it were dropped.
    mutating func takeFirst() -> (Element, dropped: Int)? {
        guard head < elements.count else { return nil }
        defer {
            head += 1
            dropped = 0
            if head == elements.count {
                elements.removeAll(keepingCapacity: true)
                head = 0
            }
        }
        return (elements[head], dropped)
    }
}

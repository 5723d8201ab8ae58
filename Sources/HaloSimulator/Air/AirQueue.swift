/// A line in which what came first leaves first, at the same small cost however long it is.
struct AirQueue<Element> {
    private var elements: [Element?] = []
    private var head = 0

    init() {}

    var count: Int { elements.count - head }
    var isEmpty: Bool { head == elements.count }
    var first: Element? { head < elements.count ? elements[head] : nil }

    mutating func append(_ element: Element) {
        elements.append(element)
    }

    /// Puts another element in the place of the first one.
    mutating func replaceFirst(_ element: Element) {
        if head < elements.count { elements[head] = element }
    }

    mutating func popFirst() -> Element? {
        guard head < elements.count else { return nil }
        let element = elements[head]
        elements[head] = nil
        head += 1
        if head == elements.count {
            elements.removeAll(keepingCapacity: elements.capacity <= 64)
            head = 0
        } else if head > 64 && head * 2 > elements.count {
            elements.removeFirst(head)
            head = 0
        }
        return element
    }
}

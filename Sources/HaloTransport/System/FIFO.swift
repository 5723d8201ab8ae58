/// A queue: what was put in first comes out first, both at constant cost.
@usableFromInline
package struct FIFO<Element> {
    @usableFromInline var elements: [Element?] = []
    @usableFromInline var head = 0

    /// A queue that nothing waits in.
    @inlinable package init() {}

    /// How many wait in it.
    @inlinable package var count: Int { elements.count - head }

    /// Whether nothing waits in it.
    @inlinable package var isEmpty: Bool { head == elements.count }

    /// What would come out next.
    @inlinable package var first: Element? { isEmpty ? nil : elements[head] }

    /// Puts something at the end.
    @inlinable package mutating func append(_ element: Element) {
        elements.append(element)
    }

    /// Puts something in front of everything else.
    @inlinable package mutating func prepend(_ element: Element) {
        if head > 0 {
            head -= 1
            elements[head] = element
        } else {
            elements.insert(element, at: 0)
        }
    }

    /// Takes out what was put in first.
    @inlinable package mutating func popFirst() -> Element? {
        guard !isEmpty else { return nil }
        let element = elements[head]
        elements[head] = nil
        head += 1
        if head == elements.count {
            elements.removeAll(keepingCapacity: elements.capacity <= Self.roomKept)
            head = 0
        } else if head >= Self.compactionThreshold, head * 2 >= elements.count {
            elements.removeFirst(head)
            head = 0
        }
        return element
    }

    /// Changes what would come out next.
    @inlinable package mutating func updateFirst(_ change: (inout Element) -> Void) {
        guard !isEmpty, var element = elements[head] else { return }
        change(&element)
        elements[head] = element
    }

    /// Takes out the first of those for which something holds.
    @inlinable package mutating func removeFirst(where isMeant: (Element) -> Bool) -> Element? {
        for index in head..<elements.count {
            if let element = elements[index], isMeant(element) {
                elements.remove(at: index)
                return element
            }
        }
        return nil
    }

    /// Takes out everything.
    @inlinable package mutating func removeAll() -> [Element] {
        let all = elements[head...].compactMap { $0 }
        elements = []
        head = 0
        return all
    }

    @inlinable static var roomKept: Int { 64 }
    @inlinable static var compactionThreshold: Int { 32 }
}

extension FIFO: Sendable where Element: Sendable {}

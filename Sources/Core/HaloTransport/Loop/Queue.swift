/// A first-in first-out queue; appending and removing take constant time.
@usableFromInline
package struct Queue<Element> {
    @usableFromInline var elements: [Element?] = []
    @usableFromInline var head = 0

    @inlinable package init() {}

    @inlinable package var count: Int { elements.count - head }

    @inlinable package var isEmpty: Bool { head == elements.count }

    @inlinable package var all: [Element] { elements[head...].compactMap { $0 } }

    /// The next element, which stays in the queue; `nil` if the queue is empty.
    @inlinable package var first: Element? { isEmpty ? nil : elements[head] }

    @inlinable package mutating func append(_ element: Element) { elements.append(element) }

    @inlinable package mutating func popFirst() -> Element? {
        guard !isEmpty else { return nil }
        let element = elements[head]
        elements[head] = nil
        head += 1
        if head == elements.count {
            elements.removeAll(keepingCapacity: elements.capacity <= Self.keptCapacity)
            head = 0
        } else if head >= Self.compactionThreshold, head * 2 >= elements.count {
            elements.removeFirst(head)
            head = 0
        }
        return element
    }

    @inlinable package mutating func updateFirst(_ change: (inout Element) -> Void) {
        guard !isEmpty, var element = elements[head] else { return }
        change(&element)
        elements[head] = element
    }

    @inlinable package mutating func removeFirst(where isMeant: (Element) -> Bool) -> Element? {
        for index in head..<elements.count {
            if let element = elements[index], isMeant(element) {
                elements.remove(at: index)
                return element
            }
        }
        return nil
    }

    @inlinable package mutating func removeAll() -> [Element] {
        defer { self = Queue() }
        return all
    }

    @inlinable static var keptCapacity: Int { 64 }
    @inlinable static var compactionThreshold: Int { 32 }
}

extension Queue: Sendable where Element: Sendable {}

extension Queue: Equatable where Element: Equatable {
    @inlinable package static func == (one: Queue, other: Queue) -> Bool {
        one.elements[one.head...] == other.elements[other.head...]
    }
}

#if os(Linux)
/// What came in first goes out first, both at constant cost.
///
/// `HaloTransport` has such a queue, too; `HaloDBus` imports nothing of this package, so that who
/// wants D-Bus gets nothing else, and therefore has its own.
struct DBusQueue<Element> {
    private var elements: [Element?] = []
    private var head = 0

    var isEmpty: Bool { head == elements.count }
    var count: Int { elements.count - head }

    /// What goes out next.
    var first: Element? { elements.indices.contains(head) ? elements[head] : nil }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func popFirst() -> Element? {
        guard elements.indices.contains(head) else { return nil }
        let element = elements[head]
        elements[head] = nil
        head += 1
        if head == elements.count {
            elements.removeAll(keepingCapacity: elements.capacity <= Self.roomKept)
            head = 0
        } else if head >= Self.roomKept, head * 2 >= elements.count {
            elements.removeFirst(head)
            head = 0
        }
        return element
    }

    /// Changes what goes out next.
    mutating func updateFirst(_ change: (inout Element) -> Void) {
        guard elements.indices.contains(head), var element = elements[head] else { return }
        elements[head] = nil
        change(&element)
        elements[head] = element
    }

    private static var roomKept: Int { 64 }
}

extension DBusQueue: Sendable where Element: Sendable {}
#endif

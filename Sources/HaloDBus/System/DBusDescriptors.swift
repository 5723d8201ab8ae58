#if os(Linux)
internal import Synchronization

/// The file descriptors that travel with one message, in order.
///
/// Whatever nobody takes out is closed when nobody holds them any more.
public final class DBusDescriptors: Sendable {
    private static let taken: Int32 = -1
    private let numbers: Mutex<[Int32]>

    /// No descriptors.
    public init() {
        numbers = Mutex([])
    }

    /// One descriptor.
    public init(_ descriptor: consuming DBusDescriptor) {
        numbers = Mutex([descriptor.release()])
    }

    /// Takes over what the system gave.
    init(owning numbers: [Int32]) {
        self.numbers = Mutex(numbers)
    }

    deinit {
        for number in numbers.withLock({ $0 }) where number != Self.taken {
            SystemSocket.close(number)
        }
    }

    /// How many there are, taken or not.
    public var count: Int { numbers.withLock { $0.count } }

    /// Adds one at the end, and says its place: the number in ``DBusValue/unixFD(_:)``.
    @discardableResult
    public func append(_ descriptor: consuming DBusDescriptor) -> UInt32 {
        let number = descriptor.release()
        return numbers.withLock { numbers in
            numbers.append(number)
            return UInt32(truncatingIfNeeded: numbers.count - 1)
        }
    }

    /// Gives one away, if it is there and has not been taken.
    public func take(_ index: Int) -> DBusDescriptor? {
        let number = numbers.withLock { numbers in
            guard numbers.indices.contains(index) else { return Self.taken }
            defer { numbers[index] = Self.taken }
            return numbers[index]
        }
        return number == Self.taken ? nil : DBusDescriptor(owning: number)
    }

    /// Gives away the one that a value names.
    public func take(_ value: DBusValue) -> DBusDescriptor? {
        value.descriptorIndex.flatMap { take($0) }
    }

    /// Uses the numbers, of which none is closed meanwhile.
    func withNumbers<Result: Sendable>(_ body: ([Int32]) -> Result) -> Result {
        let result = body(numbers.withLock { $0 })
        return withExtendedLifetime(self) { result }
    }

    /// Others of the same files, which are nobody else's; an error if one has been taken.
    func duplicated() throws(DBusError) -> DBusDescriptors {
        let copies = DBusDescriptors()
        try numbers.withLock { numbers throws(DBusError) in
            for (place, number) in numbers.enumerated() {
                guard number != Self.taken else {
                    throw DBusError(.malformed, wire: DBusWireError(.missingDescriptor, at: place))
                }
                copies.append(DBusDescriptor(owning: try SystemSocket.duplicate(number)))
            }
        }
        return copies
    }

    /// Takes in all that others hold.
    func append(contentsOf others: DBusDescriptors) {
        let more = others.numbers.withLock { numbers in
            defer { numbers = [] }
            return numbers
        }
        numbers.withLock { $0 += more }
    }

    /// Parts with the first few, if there are as many.
    func removeFirst(_ count: Int) -> DBusDescriptors? {
        let first = numbers.withLock { numbers -> [Int32]? in
            guard count <= numbers.count else { return nil }
            defer { numbers.removeFirst(count) }
            return Array(numbers.prefix(count))
        }
        return first.map { DBusDescriptors(owning: $0) }
    }
}
#endif

/// A file descriptor that is owned here: it is closed when nobody has it any more.
public struct DBusDescriptor: ~Copyable, Sendable {
    /// The system's number of it.
    public let number: Int32

    /// Takes over a descriptor.
    public init(owning number: Int32) {
        self.number = number
    }

    /// Gives the descriptor away: whoever asked closes it.
    public consuming func release() -> Int32 {
        let number = number
        discard self
        return number
    }

    /// Another descriptor of the same file.
    public func duplicate() throws(DBusError) -> DBusDescriptor {
        DBusDescriptor(owning: try SystemSocket.duplicate(number))
    }

    /// Two ends of a new socket that keeps packets apart, or of one that is a stream.
    public static func socketPair(
        keepingPackets: Bool = false
    ) throws(DBusError) -> DBusDescriptorPair {
        let numbers = try SystemSocket.pair(keepingPackets: keepingPackets)
        return DBusDescriptorPair(
            DBusDescriptor(owning: numbers.0), DBusDescriptor(owning: numbers.1))
    }

    deinit {
        SystemSocket.close(number)
    }
}

/// The two ends of one socket.
public struct DBusDescriptorPair: ~Copyable, Sendable {
    /// One end.
    public let first: DBusDescriptor
    /// The other end.
    public let second: DBusDescriptor

    init(_ first: consuming DBusDescriptor, _ second: consuming DBusDescriptor) {
        self.first = first
        self.second = second
    }

    /// Parts with both ends: `use` owns them.
    public consuming func split<Result: ~Copyable, Failure: Error>(
        _ use: (consuming DBusDescriptor, consuming DBusDescriptor) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try use(first, second)
    }
}

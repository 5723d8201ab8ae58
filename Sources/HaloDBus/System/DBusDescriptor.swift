#if os(Linux)
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

    /// The two ends of a new socket, which keeps packets apart or is a stream.
    public static func socketPair(
        keepingPackets: Bool = false
    ) throws(DBusError) -> DBusDescriptors {
        let ends = try SystemSocket.pair(keepingPackets: keepingPackets)
        return DBusDescriptors(owning: [ends.0, ends.1])
    }

    deinit {
        SystemSocket.close(number)
    }
}
#endif

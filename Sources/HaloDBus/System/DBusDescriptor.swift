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

    deinit {
        SystemSocket.close(number)
    }
}

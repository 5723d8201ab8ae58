#if os(Linux)
/// An owned file descriptor; it is closed at the end of its life.
package struct DBusDescriptor: ~Copyable, Sendable {
    package let number: Int32

    package init(owning number: Int32) {
        self.number = number
    }

    /// Gives up ownership: the caller has to close the number.
    package consuming func release() -> Int32 {
        let number = number
        discard self
        return number
    }

    /// Creates the two ends of a socket: a stream, or one that keeps packet boundaries.
    package static func socketPair(
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

import TestSupport
import Testing

@testable import HaloDBus

/// Streams of messages, and their descriptors.
@Suite(.computes) struct StreamTests {
    private static func message(_ descriptorCount: UInt32) throws -> [UInt8] {
        try DBusMessage(
            .signal(path: path("/a"), interface: "a.b", member: "C"),
            descriptorCount: descriptorCount
        ).encoded()
    }

    /// The system never assigns numbers as high as these: closing them does nothing.
    private static let numbers: [Int32] = [1 << 30, 1 << 30 + 1, 1 << 30 + 2]

    /// A message of an unknown type is skipped with its descriptors.
    @Test func skippedMessagesTakeTheirDescriptors() throws {
        var unknown = try Self.message(2)
        unknown[1] = 5
        var stream = DBusMessageStream()
        let bytes = try unknown + Self.message(1)
        stream.append(bytes.span, DBusDescriptors(owning: Self.numbers))
        let (_, descriptors) = try #require(try stream.next())
        #expect(descriptors?.withNumbers { $0 } == [Self.numbers[2]])
        #expect(try stream.next() == nil)
    }

    /// A skipped message has to have the descriptors that it declares.
    @Test func skippedMessagesNeedTheirDescriptors() throws {
        var unknown = try Self.message(2)
        unknown[1] = 5
        var stream = DBusMessageStream()
        stream.append(unknown.span, DBusDescriptors(owning: [Self.numbers[0]]))
        #expect(throws: DBusWireError(.missingDescriptor, at: 0)) { try stream.next() == nil }
    }
}

#if os(Linux)
import Testing

@testable import HaloDBus

/// Messages in a row, and the descriptors that come with them.
@Suite struct StreamTests {
    private static func message(_ descriptorCount: UInt32) throws -> [UInt8] {
        try DBusMessage(
            .signal(path: path("/a"), interface: "a.b", member: "C"),
            descriptorCount: descriptorCount
        ).encoded()
    }

    /// The system never gives numbers as high as these: to close them does nothing.
    private static let numbers: [Int32] = [1 << 30, 1 << 30 + 1, 1 << 30 + 2]

    /// Nobody hears of a message of a type that is not known, nor gets its descriptors.
    @Test func whatIsPassedOverKeepsItsDescriptors() throws {
        var unknown = try Self.message(2)
        unknown[1] = 5
        var stream = DBusMessageStream()
        let bytes = try unknown + Self.message(1)
        stream.append(bytes.span, DBusDescriptors(owning: Self.numbers))
        let (_, descriptors) = try #require(try stream.next())
        #expect(descriptors?.withNumbers { $0 } == [Self.numbers[2]])
        #expect(try stream.next() == nil)
    }

    /// It says how many came with it, and they have to be there.
    @Test func whatIsPassedOverBringsWhatItSays() throws {
        var unknown = try Self.message(2)
        unknown[1] = 5
        var stream = DBusMessageStream()
        stream.append(unknown.span, DBusDescriptors(owning: [Self.numbers[0]]))
        #expect(throws: DBusWireError(.missingDescriptor, at: 0)) { try stream.next() == nil }
    }
}
#endif

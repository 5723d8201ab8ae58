import HaloTransport
import TestSupport
import Testing

@testable import HaloDBus

/// Whole messages.
@Suite(.computes) struct MessageTests {
    @Test func helloHasTheUsualBytes() throws {
        let hello = bytes(
            """
            6C 01 00 01 00000000 01000000 6D000000
            01 01 6F 00 15000000 2F6F72672F667265656465736B746F702F44427573 00 0000
            02 01 73 00 14000000 6F72672E667265656465736B746F702E44427573 00 000000
            03 01 73 00 05000000 48656C6C6F 00 0000
            06 01 73 00 14000000 6F72672E667265656465736B746F702E44427573 00 000000
            """)
        let call = DBusCall.bus("Hello").message(serial: 1)
        #expect(try call.encoded() == hello)
        #expect(try decode(hello) == call)
    }

    @Test func bigEndianIsDecoded() throws {
        let big = bytes(
            """
            42 04 01 01 00000004 00000009 00000037
            01 01 6F 00 00000002 2F61 00 0000000000
            02 01 73 00 00000003 612E62 00 00000000
            03 01 73 00 00000001 53 00 000000000000
            08 01 67 00 01 75 00 00
            00000007
            """)
        let read = try decode(big)
        #expect(read.kind == .signal(path: path("/a"), interface: "a.b", member: "S"))
        #expect(read.body == [.uint32(7)])
        #expect(read.flags == .noReplyExpected)
        #expect(read.serial == 9)
        #expect(try decode(read.encoded()) == read)
    }

    @Test func randomMessagesSurviveBothDirections() throws {
        for seed in 0..<3000 {
            var samples = Samples(UInt64(seed))
            let message = samples.message()
            let bytes: [UInt8]
            do throws(DBusWireError) { bytes = try message.encoded() } catch {
                // May be deeper or longer than a signature allows.
                #expect(error.kind == .wrongSignature, "seed \(seed): \(error)")
                continue
            }
            let length = try DBusMessage.length(beginning: bytes.span)
            #expect(length == bytes.count, "seed \(seed)")
            #expect(try decode(bytes) == message, "seed \(seed)")
        }
    }

    @Test func everyTruncationIsNoticed() throws {
        for seed in 0..<20 {
            var samples = Samples(UInt64(seed))
            guard let bytes = try? samples.message().encoded() else { continue }
            for count in 0..<bytes.count {
                #expect(throws: DBusWireError.self, "seed \(seed), \(count) bytes") {
                    try decode(bytes.prefix(count))
                }
            }
            #expect(throws: DBusWireError(.excess, at: bytes.count)) {
                try decode(bytes + [0])
            }
        }
    }

    /// A changed message is refused or decoded; what is decoded encodes and decodes to the same.
    @Test func noFlippedBitDoesHarm() throws {
        var read = 0
        for seed in 0..<12 {
            var samples = Samples(UInt64(seed))
            guard var bytes = try? samples.message().encoded() else { continue }
            for index in bytes.indices {
                for bit in 0..<8 {
                    bytes[index] ^= 1 << bit
                    if let message = try? DBusMessage(decoding: bytes.span) {
                        read += 1
                        let again = try message.encoded()
                        let once = try decode(again)
                        #expect(try once.encoded() == again, "seed \(seed), \(index).\(bit)")
                    }
                    bytes[index] ^= 1 << bit
                }
            }
        }
        #expect(read > 100)
    }

    @Test func anyBytesAreRefusedOrDecoded() {
        for seed in 0..<20_000 {
            var numbers = SplitMix(seed: UInt64(seed))
            var bytes = (0..<Int(numbers.next() % 96)).map { _ in
                UInt8(truncatingIfNeeded: numbers.next())
            }
            // A valid beginning, so that the rest is decoded.
            let start = [
                seed % 2 == 0 ? 0x6C : 0x42, UInt8(1 + seed % 4), 0, 1,
            ]
            bytes.replaceSubrange(0..<min(4, bytes.count), with: start.prefix(bytes.count))
            _ = try? DBusMessage(decoding: bytes.span)
        }
    }

    private static func changed(_ change: (inout [UInt8]) -> Void) -> [UInt8] {
        var bytes = (try? Self.call.encoded()) ?? []
        change(&bytes)
        return bytes
    }

    private static let call = DBusMessage(
        .call(path: path("/a"), interface: "a.b", member: "M"), body: [.uint32(1)])

    @Test func headersHaveRules() {
        func error(_ change: (inout [UInt8]) -> Void) -> DBusWireError.Kind? {
            do throws(DBusWireError) {
                _ = try decode(Self.changed(change))
                return nil
            } catch {
                return error.kind
            }
        }
        #expect(error { _ in } == nil)
        #expect(error { $0[0] = 0x78 } == .wrongEndianness)
        #expect(error { $0[1] = 0 } == .wrongMessageType)
        #expect(error { $0[1] = 5 } == .wrongMessageType)
        #expect(error { $0[1] = 4 } == nil, "a call with an interface may be a signal")
        #expect(error { $0[1] = 2 } == .wrongHeader, "an answer without a number")
        #expect(error { $0[1] = 3 } == .wrongHeader)
        #expect(error { $0[3] = 2 } == .wrongVersion)
        #expect(error { $0[8] = 0 } == .wrongSerial)
        #expect(error { $0[16] = 0 } == .wrongHeader, "a field of number 0")
        #expect(error { $0[16] = 200 } == .wrongHeader, "without its path")
        #expect(error { $0[16] = 6 } == .wrongType, "a destination that is a path")
        #expect(error { $0[7] = 0x80 } == .tooLong)
        #expect(error { $0[15] = 0x80 } == .tooLong)
    }

    @Test func unknownFieldsAreSkipped() throws {
        let fields: [DBusValue] = [
            .structure([.byte(1), .variant(.objectPath(.root))]),
            .structure([.byte(3), .variant(.string("M"))]),
            .structure([.byte(99), .variant(.array(.string, [.string("new")]))]),
        ]
        #expect(try decoded(fields).kind == .call(path: .root, interface: nil, member: "M"))
        #expect(throws: DBusWireError.self, "a field that is there twice") {
            try decoded(fields + [fields[1]])
        }
        for bad in ["org.freedesktop.DBus.Local", "nodots", ""] {
            #expect(throws: DBusWireError.self, "\(bad)") {
                try decoded(fields + [.structure([.byte(2), .variant(.string(bad))])])
            }
        }
    }

    private func decoded(_ fields: [DBusValue]) throws -> DBusMessage {
        var writer = DBusWriter()
        for byte in [0x6C, 1, 0, 1] as [UInt8] { writer.put(byte) }
        writer.put(UInt32(0))
        writer.put(UInt32(1))
        try writer.put(.array(.structure([.byte, .variant]), fields))
        writer.align(8)
        return try decode(writer.bytes)
    }

    @Test func invalidNamesAreNotEncoded() {
        func fails(_ message: DBusMessage) -> Bool { (try? message.encoded()) == nil }
        #expect(fails(DBusMessage(.call(path: .root, interface: nil, member: "a.b"))))
        #expect(fails(DBusMessage(.call(path: .root, interface: "x", member: "a"))))
        #expect(fails(DBusMessage(.error(name: "x", to: 1))))
        #expect(fails(DBusMessage(.reply(to: 1), destination: "x")))
        #expect(fails(DBusMessage(.reply(to: 1), serial: 0)))
        #expect(fails(DBusMessage(.reply(to: 1), body: [.unixFD(0)])))
        #expect(!fails(DBusMessage(.reply(to: 1), body: [.unixFD(0)], descriptorCount: 1)))
    }
}

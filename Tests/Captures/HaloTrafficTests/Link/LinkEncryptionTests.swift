import HaloCapture
import HaloProtocol
import TestSupport
import Testing

@testable import HaloTraffic

/// Encryption on the air: packets that are still readable, and packets that must not be guessed.
@Suite(.computes) struct LinkEncryptionTests {
    private static let request = [0x03] + [UInt8](repeating: 0, count: 22)
    private static let response = [0x04] + [UInt8](repeating: 0, count: 12)
    private static let check: [UInt8] = [0xAA, 0xBB, 0xCC, 0xDD]
    private static let notification = HCISamples.l2cap(4, [0x1B, 3, 0, 7])

    private var feed = LinkFeed()
    private var sequence: [Direction: Bool] = [:]

    /// Receives a packet with the next sequence number of its side. Kind 3 is a control packet of
    /// the link layer.
    private mutating func receive(
        _ direction: Direction, _ kind: UInt8, _ payload: [UInt8], isDecrypted: Bool = false
    ) {
        let isSet = sequence[direction] ?? false
        sequence[direction] = !isSet
        let packet =
            bytes("A2 4F 65 50") + [kind | (isSet ? 8 : 0), UInt8(payload.count)] + payload
        feed.receive(
            .air(AirReception(direction: direction, isIntact: true, isDecrypted: isDecrypted)),
            packet)
    }

    private mutating func begin(upTo count: Int = 5) {
        receive(.fromDevice, 2, Self.notification)
        if count > 0 { receive(.toDevice, 3, Self.request) }
        if count > 1 { receive(.fromDevice, 3, Self.response) }
        if count > 2 { receive(.fromDevice, 3, [0x05]) }
        feed.probe.lines = []
    }

    @Test mutating func unreadablePacketsAreNotedOnce() {
        begin()
        receive(.toDevice, 3, [0x77] + Self.check)
        receive(.fromDevice, 3, [0x66] + Self.check)
        receive(.fromDevice, 2, [0x04, 0, 0x04, 0, 0x1B, 3, 0, 9])
        receive(.fromDevice, 1, [])
        #expect(feed.lines == ["0 encrypted false", "0 odd 11"])
        receive(.fromDevice, 3, [0x02, 0x13])
        #expect(feed.lines.last == "0 disconnected 13")
    }

    @Test(arguments: [[], check])
    mutating func decryptedPacketsAreReadWithAndWithoutTheCheck(check: [UInt8]) {
        begin()
        receive(.toDevice, 3, [0x06] + check, isDecrypted: true)
        receive(.fromDevice, 3, [0x06] + check, isDecrypted: true)
        receive(.fromDevice, 2, Self.notification + check, isDecrypted: true)
        receive(.fromDevice, 2, Array(Self.notification[..<5]) + check, isDecrypted: true)
        receive(.fromDevice, 1, Array(Self.notification[5...]) + check, isDecrypted: true)
        receive(.fromDevice, 3, [0x02, 0x13] + check, isDecrypted: true)
        #expect(
            feed.lines == [
                "0 encrypted true", "0 < 1B 03 00 07", "0 < 1B 03 00 07", "0 disconnected 13",
            ])
    }

    /// A fragment is not read before a packet has shown whether the integrity check is present.
    @Test mutating func theLengthOfTheCheckIsNotGuessed() {
        begin()
        receive(.fromDevice, 2, Array(Self.notification[..<5]) + Self.check, isDecrypted: true)
        #expect(feed.lines == ["0 encrypted true", "0 odd 11"])
    }

    @Test mutating func lostWordsDoNotMakeNoiseReadable() {
        begin(upTo: 2)
        receive(.toDevice, 3, [0x77] + Self.check)
        receive(.fromDevice, 2, Self.notification)
        #expect(feed.lines == ["0 encrypted false", "0 odd 11"])
    }

    @Test(arguments: [[0x0D, 0x06], [0x11, 0x03, 0x06]] as [[UInt8]])
    mutating func refusedEncryptionHasNoEffect(refusal: [UInt8]) {
        begin(upTo: 2)
        receive(.fromDevice, 3, refusal)
        receive(.fromDevice, 2, Self.notification)
        #expect(feed.lines == ["0 < 1B 03 00 07"])
    }

    /// Some messages are in clear even after encryption was agreed, if they have their length.
    @Test(
        arguments: [
            ([0x05], []), ([0x07, 3], []), (response, []), ([0x02, 0x13], ["0 disconnected 13"]),
            ([0x05, 0], ["0 encrypted false"]), ([0x07, 3, 0], ["0 encrypted false"]),
            ([0x0D, 6, 0], ["0 encrypted false"]), ([0x11, 3], ["0 encrypted false"]),
            ([0x02, 0x13, 0], ["0 encrypted false"]),
            (response + [0], ["0 encrypted false", "0 odd 11"]),
        ] as [([UInt8], [String])])
    mutating func someMessagesAreInClear(message: [UInt8], lines: [String]) {
        begin(upTo: 2)
        receive(.fromDevice, 3, message)
        #expect(feed.lines == lines)
    }

    @Test mutating func decryptedPacketsOfAConnectionThatStoodAreRead() {
        receive(.fromDevice, 2, Self.notification + Self.check, isDecrypted: true)
        #expect(feed.lines == ["0 connected - overheard", "0 encrypted true", "0 < 1B 03 00 07"])
    }
}

import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloCapture

/// The requests of a recording and the device's reactions, in small captures.
@Suite(.computes) struct RecordedConversationsTests {
    private static func recorded(_ text: String) throws -> RecordedConversations {
        RecordedConversations(try Capture(reading: text))
    }

    /// The outcome of each request by its own reply.
    private static func outcomes(_ text: String) throws -> [String] {
        try recorded(text).requests.map { request in
            switch request.outcome {
            case .done: "done"
            case .refused(let code): HexText.byte(code)
            case nil: "-"
            }
        }
    }

    /// The reactions of the device, each with the preceding request and the answered one.
    private static func reactions(_ text: String) throws -> [String] {
        try recorded(text).reactions.map { reaction in
            let what: String =
                switch reaction.what {
                case .value(_, let bytes, let isIndication):
                    HexText.bytes(bytes) + (isIndication ? " indicated" : "")
                case .answer(let bytes): "answer \(HexText.bytes(bytes))"
                case .acknowledged: "acknowledged"
                case .refused(let code): "refused \(HexText.byte(code))"
                case .servicesChanged(let generation): "generation \(generation)"
                case .disconnected(let reason): "gone \(reason ?? 0)"
                }
            let after = reaction.after.map { "\($0)" } ?? "-"
            let answered = reaction.answered.map { "\($0)" } ?? "-"
            return "\(what), \(after), \(answered)" + (reaction.isOfConnection ? " steady" : "")
        }
    }

    // MARK: Answers on the level of attributes

    /// The device answers in the order of the requests. Writes without a response have no answer.
    @Test func acknowledgementsAreOfTheFirstWriteWithAResponse() throws {
        let text = "> ffe1 command 01\n> ffe1 write 02\n> ffe1 write 03\n* acknowledged ffe1\n"
        #expect(try Self.outcomes(text) == ["-", "done", "-"])
        let twice = text + "* acknowledged ffe1\n* acknowledged ffe1\n"
        #expect(try Self.outcomes(twice) == ["-", "done", "done"])
        #expect(try Self.reactions(twice) == ["acknowledged, 2, 1", "acknowledged, 2, 2"])
    }

    @Test(
        arguments: [
            ("* read ffe1\n> ffe1 write 01\n* refused ffe1 03\n", ["03", "-"]),
            ("> ffe1 write 01\n* read ffe1\n* refused ffe1 03\n", ["03", "-"]),
            ("> ffe1 write 01\n> ffe1 write 02\n* refused ffe1 03\n", ["03", "-"]),
            ("> ffe1 command 01\n* refused ffe1 03\n", ["-"]),
            ("* subscribed ffe1\n* refused ffe1 03\n* refused ffe1 04\n", ["03"]),
            ("* subscribed ffe1\n* unsubscribed ffe1\n* refused ffe1 03\n", ["-", "03"]),
            ("* subscribed ffe1\n* read ffe1\n* refused ffe1 03\n", ["-", "03"]),
            ("* subscribed ffe1\n* refused ffe2 03\n", ["-"]),
            ("* subscribed ffe1\n< ffe1 notified 01\n* refused ffe1 03\n", ["-"]),
            ("* subscribed ffe1\n* disconnected\n* connected\n* refused ffe1 03\n", ["-"]),
            ("* read ffe1:2901\n* read ffe1\n* refused ffe1:2901 03\n", ["03", "-"]),
        ] as [(String, [String])])
    func refusalsAreOfTheFirstRequest(text: String, outcomes: [String]) throws {
        #expect(try Self.outcomes(text) == outcomes)
    }

    /// Without actions an acknowledgement is of the last open write: earlier ones had no reply.
    @Test func acknowledgementsAreOfTheLastWriteWithoutAnAction() throws {
        let text = "> ffe1 01\n> ffe2 02\n> ffe1 03\n* acknowledged ffe1\n"
        #expect(try Self.outcomes(text) == ["-", "-", "done"])
        let twice = text + "* acknowledged ffe1\n* acknowledged ffe1\n"
        #expect(try Self.outcomes(twice) == ["done", "-", "done"])
        #expect(try Self.reactions(twice) == ["acknowledged, 2, 2", "acknowledged, 2, 0"])
    }

    /// Without actions a refusal is of the last request on its channel.
    @Test(
        arguments: [
            ("* read ffe1\n> ffe1 01\n* refused ffe1 03\n", ["-", "03"]),
            ("* read ffe1\n> ffe1 01\n* refused ffe1 03\n* refused ffe1 04\n", ["04", "03"]),
            ("> ffe1 01\n* read ffe1\n* refused ffe1 03\n", ["-", "03"]),
            ("> ffe1 01\n* read ffe1\n* refused ffe1 03\n* refused ffe1 04\n", ["04", "03"]),
            ("> ffe1 01\n* refused ffe1 03\n* acknowledged ffe1\n", ["03"]),
            ("> ffe1 01\n* refused ffe2 03\n", ["-"]),
            ("* read ffe1\n* refused ffe1 03\n< ffe1 01\n", ["03"]),
            ("* read ffe1\n< ffe1 01\n* refused ffe1 03\n", ["done"]),
        ] as [(String, [String])])
    func refusalsAreOfTheLastRequestWithoutAnAction(text: String, outcomes: [String]) throws {
        #expect(try Self.outcomes(text) == outcomes)
    }

    /// Values after a refused subscription are those of the subscription before it.
    @Test func refusedSubscriptionsHaveNoValues() throws {
        let text =
            "* subscribed 2a37\n* subscribed 2a37\n* refused 2a37 05\n< 2a37 notified 00 48\n"
        let recorded = try Self.recorded(text)
        #expect(recorded.reactions.map(\.answered) == [1, 0])
        #expect(recorded.requests.map(\.isReplayable) == [true, false])
        #expect(
            try Self.recorded("* read 2a37:2902\n* read 2a37:2901\n").requests
                .map(\.isReplayable) == [false, true])
    }

    /// Of a capture of several connections, only the tags of the one that counts; a name may end
    /// like the tag of a connection that there is not.
    @Test func tagsAreOfTheConnection() throws {
        let text = """
            halo-capture 2
            # name: Annas Pulse on strap
            # name: R12_55A6 on ring
            # source: a test
            * ring/connected
            * strap/connected

            """
        let first = try Self.recorded(text)
        #expect(first.tags["name"] == "R12_55A6" && first.tags["source"] == "a test")
        let strap = RecordedConversations(
            try Capture(reading: text), link: try CaptureName("strap"))
        #expect(strap.tags["name"] == "Annas Pulse")
        let other = try Self.recorded(text.replacing("on ring", with: "on arm"))
        #expect(other.tags["name"] == "R12_55A6 on arm")
    }

    /// Directed advertisements have no data.
    @Test func theFirstAdvertisementWithDataIsTheDevices() throws {
        let recorded = try Self.recorded("< adv\n< scan\n< adv 02 01 06\n< scan 01\n< adv 03\n")
        #expect(recorded.advertisement == [2, 1, 6] && recorded.scanResponse == [1])
        #expect(try Self.recorded("< adv\n").advertisement == [])
    }

    @Test func itIsNotedHowValuesWereWritten() throws {
        let text = """
            > ffe1 01
            * acknowledged ffe1
            > ffe1 write 02
            > ffe1 command 03
            > ffe1 signed 04
            * read ffe1

            """
        #expect(
            try Self.recorded(text).requests.map(\.action) == [
                nil, .write, .command, .signed, nil,
            ])
    }

    @Test func aReadIsAnsweredByTheNextValueAndNoOther() throws {
        #expect(
            try Self.reactions("< ffe1 01\n* read ffe1\n< ffe2 02\n< ffe1 03\n< ffe1 04\n")
                == ["01, -, -", "02, 0, -", "answer 03, 0, 0", "04, 0, -"])
        #expect(
            try Self.reactions("* read ffe1\n* refused ffe1 05\n< ffe1 06\n")
                == ["refused 05, 0, 0", "06, 0, -"])
    }

    @Test func onlyAValueWithTheActionIsAnAnswer() throws {
        #expect(
            try Self.reactions("* read ffe1\n< ffe1 notified 02\n< ffe1 read 03\n< ffe1 04\n")
                == ["02, 0, -", "answer 03, 0, 0", "04, 0, -"])
        // Nobody noted that it was asked for.
        #expect(try Self.reactions("< ffe1 read 03\n") == ["answer 03, 0, 0"])
        #expect(
            try Self.recorded("< ffe1 read 03\n").requests.map(\.what) == [
                .read(CaptureChannel(BluetoothUUID(0xFFE1)))
            ])
        #expect(
            try Self.reactions("* read ffe1\n* read ffe1\n< ffe1 01\n< ffe1 read 02\n< ffe1 03\n")
                == ["answer 01, 1, 0", "answer 02, 1, 1", "03, 1, -"])
    }

    @Test func onlyAValueWithTheActionIsAnIndication() throws {
        #expect(
            try Self.reactions("< ffe1 01\n* confirmed ffe1\n< ffe1 indicated 02\n< ffe2 03\n")
                == ["01, -, -", "02 indicated, -, -", "03, -, -"])
    }

    /// Values of known characteristics belong to the subscription, or to the connection.
    @Test func steadyValuesAnswerTheSubscription() throws {
        #expect(
            try Self.reactions(
                "< 2a37 00 48\n* subscribed 2a37\n< 2a37 00 49\n> ffe1 01\n< 2a37 00 4A\n")
                == ["0048, -, - steady", "0049, 0, 0", "004A, 1, 0"])
        #expect(
            try Self.reactions("* unsubscribed 2a37\n< 2a37 00 49\n")
                == ["0049, 0, - steady"])
        #expect(try Self.reactions("* subscribed ffe1\n< ffe1 01\n") == ["01, 0, -"])
    }

    // MARK: Connections

    /// Open requests of a connection are not answered on the next one.
    @Test(
        arguments: [
            ("> ffe1 01\n", "* acknowledged ffe1\n", []),
            ("> ffe1 01\n", "* refused ffe1 05\n", []),
            ("* read ffe1\n", "< ffe1 02\n", ["02, -, -"]),
            ("< ffe1 01\n", "* confirmed ffe1\n", []),
            ("* subscribed 2a37\n", "< 2a37 00 48\n", ["0048, -, - steady"]),
            (
                "> uart 03 00 00 00 00 00 00 00 00 00 00 00 00 00 00 03\n",
                "< uart 03 00 00 00 00 00 00 00 00 00 00 00 00 00 00 03\n",
                ["03000000000000000000000000000003, -, -"]
            ),
        ] as [(String, String, [String])])
    func aNewConnectionHasNoOpenRequests(
        before: String, after: String, reactions: [String]
    ) throws {
        for end in ["* disconnected 13\n* connected\n", "* connected\n"] {
            let first = try Self.reactions(before + end)
            #expect(try Self.reactions(before + end + after) == first + reactions)
            #expect(try Self.outcomes(before + end + after).allSatisfy { $0 == "-" })
        }
    }

    /// Each connection: its requests, its maximum length, and whether its beginning was recorded.
    @Test(
        arguments: [
            ("", []), ("* disconnected\n", []), ("* connected\n", ["0..<0 - true"]),
            ("* connected\n* connected mtu 50\n", ["0..<0 - true", "0..<0 50 true"]),
            ("* mtu 100\n* connected mtu 50\n", ["0..<0 50 true"]),
            ("* mtu 100\n* connected\n", ["0..<0 - true"]),
            ("* connected mtu 50\n* mtu 100\n", ["0..<0 100 true"]),
            ("> ffe1 01\n* connected\n", ["0..<1 - false", "1..<1 - true"]),
            ("< ffe1 01\n* connected\n", ["0..<0 - false", "0..<0 - true"]),
            (
                "< ffe1 01\n* disconnected\n* mtu 100\n* connected\n> ffe1 01\n> ffe1 02\n",
                ["0..<0 - false", "0..<2 - true"]
            ),
            (
                "> ffe1 01\n* disconnected\n* disconnected\n> ffe1 02\n",
                ["0..<1 - false", "1..<2 - false"]
            ),
        ] as [(String, [String])])
    func connectionsFollowOneAnother(text: String, expected: [String]) throws {
        let found = try Self.recorded(text).conversations.map { conversation in
            let mtu = conversation.mtu.map { "\($0)" } ?? "-"
            return "\(conversation.requests) \(mtu) \(conversation.isConnected)"
        }
        #expect(found == expected)
    }

    @Test func anEndIsEmittedOnce() throws {
        #expect(
            try Self.reactions("* connected\n* disconnected 13\n* disconnected 14\n")
                == ["gone 19, -, -"])
    }

    @Test func itIsNotedWhetherValuesAreSwitched() throws {
        for (text, notes) in [
            ("> ffe1 01\n", [false]), ("* subscribed ffe1\n", [true]),
            ("* unsubscribed ffe1\n", [true]),
            ("* connected\n* disconnected\n* connected\n* subscribed ffe1\n", [false, true]),
        ] as [(String, [Bool])] {
            let found = try Self.recorded(text).conversations.map(\.notesSubscriptions)
            #expect(found == notes, "\(text)")
        }
    }

    @Test func aConnectionBeginsWithItsFirstLine() throws {
        let recorded = try Self.recorded(
            "* advertised rssi -1\n< adv 02 01 06\n+ 2s\n> ffe1 01\n+ 1s\n* disconnected\n"
                + "+ 1s\n* connected\n")
        #expect(recorded.conversations.map(\.began.microseconds) == [2_000_000, 4_000_000])
        #expect(recorded.requests.map(\.line) == [4])
        #expect(recorded.requests.map(\.moment.microseconds) == [2_000_000])
        #expect(recorded.requests.map(\.conversation) == [0])
        #expect(recorded.reactions.map(\.line) == [6])
        #expect(recorded.reactions.map(\.moment.microseconds) == [3_000_000])
        #expect(recorded.reactions.map(\.conversation) == [0])
    }

    // MARK: Names of connections

    @Test func connectionsAreNamedInTheirOrder() throws {
        let left = try CaptureName("left")
        let right = try CaptureName("right")
        let named =
            "* third/advertised rssi -1\n< third/adv 02 01 06\n* third/offers 180d 2a37 notify\n"
            + "* right/connected\n> left/ffe1 01\n> right/ffe1 02\n"
        let capture = try Capture(reading: named)
        #expect(RecordedConversations.links(of: capture) == [right, left])
        let both = try Capture(reading: named + "> ffe1 03\n")
        #expect(RecordedConversations.links(of: both) == [right, left, nil])
        // Without a name it is the one that has none, or else the first one.
        #expect(RecordedConversations(both).requests.map(\.bytes) == [[3]])
        #expect(RecordedConversations(capture).requests.map(\.bytes) == [[2]])
        let ofLeft = RecordedConversations(capture, link: left)
        #expect(ofLeft.requests.map(\.bytes) == [[1]])
        #expect(ofLeft.conversations.map(\.isConnected) == [false])
        // Advertisements belong to no connection.
        #expect(ofLeft.advertisement == [2, 1, 6])
    }

    // MARK: Offers and advertisements

    @Test func theFirstAdvertisementAndScanResponseAreKept() throws {
        let recorded = try Self.recorded(
            "> adv 01\n> scan 02\n< adv 03\n< adv 04\n< scan 05\n< scan 06\n")
        #expect(recorded.advertisement == [3] && recorded.scanResponse == [5])
        #expect(recorded.requests.isEmpty && recorded.conversations.isEmpty)
    }

    @Test func equalOffersAreJoinedUntilServicesChange() throws {
        let recorded = try Self.recorded(
            """
            * offers 180d 2a37 read
            * offers 180d 2a38 read
            * offers 180d 2a37 notify
            * connected
            * services-changed
            * offers 180d 2a37 indicate
            * connected

            """)
        let service = BluetoothUUID(0x180D)
        let rate = BluetoothUUID(0x2A37)
        #expect(
            recorded.offers == [
                [
                    RecordedOffer(
                        service: service, characteristic: rate, properties: [.read, .notify]),
                    RecordedOffer(
                        service: service, characteristic: BluetoothUUID(0x2A38), properties: .read),
                ],
                [RecordedOffer(service: service, characteristic: rate, properties: .indicate)],
            ])
        #expect(recorded.conversations.map(\.generation) == [0, 1])
        #expect(
            try Self.reactions("* services-changed\n* services-changed\n")
                == ["generation 1, -, -", "generation 2, -, -"])
        let often = String(repeating: "* services-changed\n", count: 70)
        #expect(try Self.recorded(often).offers.count == 64)
    }

    /// The maximum of offers, the number of handles, over all generations; one more is dropped.
    @Test func oneOfferTooManyIsLeftOut() throws {
        var lines: [CaptureLine] = []
        for number in 0..<65_538 as Range<UInt32> {
            if number == 40_000 { lines.append(.event(.servicesChanged, link: nil)) }
            lines.append(
                .event(
                    .offers(
                        service: BluetoothUUID(0x180D as UInt32),
                        characteristic: BluetoothUUID(number), .read), link: nil))
        }
        let recorded = RecordedConversations(try Capture(lines))
        #expect(recorded.offers.map(\.count) == [40_000, 25_536])
    }
}

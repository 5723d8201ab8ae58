import TestSupport
import Testing

@testable import HaloDBus

/// The private bus without sockets.
@Suite(.computes) struct BusRouterTests {
    private var bench = RouterBench(1, 2, 3)

    private static let hasNoOwner = "NameHasNoOwner Could not get owner of name"
    private static let changes = DBusValue.string("member='NameOwnerChanged'")

    @Test func helloComesFirst() {
        var bench = RouterBench(9)
        bench.ask(9, "AddMatch", Self.changes)
        #expect(bench.effects() == ["bus>9 =1"])
        bench.router.add(1, nil)
        bench.ask(1, "Hello")
        #expect(
            bench.effects() == [
                "bus>1 =2 :1.1", "bus>9 NameOwnerChanged :1.1 - :1.1", "bus>1 NameAcquired :1.1",
            ])
        bench.ask(1, "Hello")
        #expect(bench.effects() == ["bus>1 !3 Failed Already handled an Hello message"])
        // Any other message before it disconnects, and so does a message of an unknown client.
        bench.router.add(2, nil)
        bench.ask(2, "GetId")
        bench.call(2, ":1.1")
        bench.signal(2)
        bench.call(3, ":1.1")
        #expect(bench.effects() == ["cut 2", "cut 2", "cut 2", "cut 3"])
        // A call without a destination is for the bus; any other message without one is dropped.
        bench.say(2, .call(path: .bus, interface: nil, member: "Hello"))
        #expect(bench.effects().first == "bus>2 =8 :1.2")
        bench.say(2, .reply(to: 1))
        bench.signal(2, to: DBusName.bus)
        #expect(bench.effects() == [])
    }

    /// A dropped call is refused and no longer pending; any other dropped message is lost.
    @Test func aMessageToAFullClientIsRefusedOrLost() {
        var bench = RouterBench(1, 2)
        func lose() {
            for case .send(let message, _, let receivers, let sender?) in bench.router
                .drainEffects()
            {
                for receiver in receivers {
                    bench.router.drop(message, to: receiver, from: sender)
                }
            }
        }
        for _ in 0...BusRouter.Limits.pendingCalls {
            bench.call(1, ":1.2")
            lose()
            let words = bench.effects()
            guard words.count == 1, words[0].contains("LimitsExceeded Rejected") else {
                Issue.record("\(words)")
                return
            }
        }
        bench.call(1, ":1.2", flags: .noReplyExpected)
        bench.signal(1, to: ":1.2")
        lose()
        #expect(bench.effects() == [])
        bench.ask(1, "GetId")
        lose()
        #expect(bench.effects() == [])
        // A dropped message has no pending call.
        bench.say(2, .reply(to: 1), to: ":1.1")
        #expect(bench.effects() == [])
    }

    @Test mutating func namesHaveOwnersAndQueues() {
        let name = DBusValue.string("a.b")
        func request(_ id: UInt64, _ flags: UInt32) -> [String] {
            bench.ask(id, "RequestName", name, .uint32(flags))
            return bench.effects()
        }
        func queue() -> [String] {
            bench.ask(3, "ListQueuedOwners", name)
            return bench.effects().map { String($0.drop { $0 != "[" }) }
        }
        bench.ask(3, "AddMatch", Self.changes)
        #expect(bench.effects() == ["bus>3 =1"])
        #expect(
            request(1, 0) == [
                "bus>3 NameOwnerChanged a.b - :1.1", "bus>1 NameAcquired a.b", "bus>1 =2 1",
            ])
        #expect(request(2, 0) == ["bus>2 =3 2"])
        #expect(queue() == ["[:1.1 :1.2]"])
        #expect(request(2, 4) == ["bus>2 =5 3"], "who does not wait any more is out of the row")
        #expect(queue() == ["[:1.1]"])
        #expect(request(2, 6) == ["bus>2 =7 3"], "it may not be taken away")
        #expect(request(1, 1) == ["bus>1 =8 4"])
        #expect(
            request(2, 2) == [
                "bus>1 NameLost a.b", "bus>3 NameOwnerChanged a.b :1.1 :1.2",
                "bus>2 NameAcquired a.b", "bus>2 =9 1",
            ])
        #expect(queue() == ["[:1.2 :1.1]"])
        #expect(request(1, 2) == ["bus>1 =11 2"], "the new owner does not allow it")
        bench.ask(3, "ReleaseName", name)
        bench.ask(3, "ReleaseName", .string("x.y"))
        #expect(bench.effects() == ["bus>3 =12 3", "bus>3 =13 2"])
        bench.ask(2, "ReleaseName", name)
        #expect(
            bench.effects() == [
                "bus>2 NameLost a.b", "bus>3 NameOwnerChanged a.b :1.2 :1.1",
                "bus>1 NameAcquired a.b", "bus>2 =14 1",
            ])
        // A client that does not queue is gone when it loses the name.
        #expect(request(1, 5) == ["bus>1 =15 4"])
        #expect(request(2, 3).last == "bus>2 =16 1")
        #expect(queue() == ["[:1.2]"])
        #expect(request(1, 0) == ["bus>1 =18 2"])
        bench.ask(1, "ReleaseName", name)
        #expect(bench.effects() == ["bus>1 =19 1"], "who only waited loses nothing")
        bench.ask(2, "ReleaseName", name)
        #expect(
            bench.effects() == [
                "bus>2 NameLost a.b", "bus>3 NameOwnerChanged a.b :1.2 -", "bus>2 =20 1",
            ])
        bench.ask(2, "ReleaseName", name)
        #expect(bench.effects() == ["bus>2 =21 2"])
    }

    @Test mutating func namesAreReleasedWithTheirOwner() {
        bench.ask(3, "AddMatch", Self.changes)
        for (id, name) in [(1, "a.b"), (2, "a.b"), (1, "a.c")] as [(UInt64, String)] {
            bench.ask(id, "RequestName", .string(name), .uint32(0))
        }
        _ = bench.effects()
        bench.router.remove(1)
        // Messages to the removed client have no receiver.
        #expect(
            bench.effects().filter { !$0.hasPrefix("bus>1") } == [
                "bus>3 NameOwnerChanged a.b :1.1 :1.2", "bus>2 NameAcquired a.b",
                "bus>3 NameOwnerChanged a.c :1.1 -", "bus>3 NameOwnerChanged :1.1 :1.1 -",
            ])
        bench.ask(2, "ListNames")
        #expect(bench.effects() == ["bus>2 =5 [org.freedesktop.DBus a.b :1.2 :1.3]"])
        bench.router.remove(1)
        #expect(bench.effects() == [])
    }

    @Test(arguments: [
        ("NameHasOwner", "a.b", "= true"), ("NameHasOwner", ":1.2", "= true"),
        ("NameHasOwner", ":1.9", "= false"), ("NameHasOwner", "x.y", "= false"),
        ("NameHasOwner", DBusName.bus, "= true"),
        ("ListNames", nil, "= [org.freedesktop.DBus a.b :1.1 :1.2]"),
        ("ListActivatableNames", nil, "= [org.freedesktop.DBus]"),
        ("GetNameOwner", "a.b", "= :1.1"), ("GetNameOwner", ":1.2", "= :1.2"),
        ("GetNameOwner", DBusName.bus, "= org.freedesktop.DBus"),
        ("GetNameOwner", "x.y", "! \(hasNoOwner) 'x.y': no such name"),
        ("ListQueuedOwners", "a.b", "= [:1.1]"), ("ListQueuedOwners", ":1.2", "= [:1.2]"),
        ("ListQueuedOwners", "x.y", "! \(hasNoOwner) 'x.y': no such name"),
        ("GetConnectionUnixUser", "a.b", "= 1000"),
        ("GetConnectionUnixProcessID", ":1.2", "= 20"),
        ("GetConnectionCredentials", "a.b", "= {ProcessID:10 UnixUserID:1000}"),
        ("GetConnectionUnixUser", "x.y", "! \(hasNoOwner) 'x.y': no such name"),
        ("GetConnectionUnixUser", DBusName.bus, "= \(SystemSocket.userID)"),
        ("GetConnectionUnixProcessID", DBusName.bus, "= \(SystemSocket.processID)"),
        ("GetId", nil, "= \(RouterBench.busID)"),
        ("ReleaseName", "x", "! InvalidArgs Cannot acquire or release the name \"x\""),
        ("ReleaseName", ":1.2", "! InvalidArgs Cannot acquire or release the name \":1.2\""),
        (
            "ReleaseName", DBusName.bus,
            "! InvalidArgs Cannot acquire or release the name \"org.freedesktop.DBus\""
        ),
        ("AddMatch", "nonsense", "! MatchRuleInvalid No valid rule: nonsense"),
        ("RemoveMatch", "nonsense", "! MatchRuleInvalid No valid rule: nonsense"),
        ("RemoveMatch", "member='S'", "! MatchRuleNotFound There is no such rule"),
        (
            "GetNameOwner", nil,
            "! InvalidArgs Type of message, '()', does not match '(s)'"
        ),
        (
            "Reload", nil,
            """
            ! UnknownMethod Method "Reload" with signature "" on interface\
             "org.freedesktop.DBus" doesn't exist
            """
        ),
    ])
    func theBusAnswersCalls(_ member: String, _ argument: String?, _ answer: String) {
        var bench = RouterBench(1, 2)
        bench.ask(1, "RequestName", .string("a.b"), .uint32(0))
        _ = bench.effects()
        let values = argument.map { [DBusValue.string($0)] } ?? []
        let kind = DBusMessage.Kind.call(path: .bus, interface: DBusName.bus, member: member)
        bench.say(2, kind, to: DBusName.bus, values)
        let sign = answer.prefix(1)
        #expect(bench.effects() == ["bus>2 \(sign)2\(answer.dropFirst())"])
        bench.say(2, kind, to: DBusName.bus, values, flags: .noReplyExpected)
        #expect(bench.effects() == [], "who wants no answer gets none")
    }

    @Test func aNameIsRequestedWithFlags() {
        var bench = RouterBench(1)
        for name in ["x", ":1.1", DBusName.bus, "a.b-c", "a..b"] {
            bench.ask(1, "RequestName", .string(name), .uint32(0))
            #expect(bench.effects().last?.contains("=") == (name == "a.b-c"), "\(name)")
        }
        bench.ask(1, "StartServiceByName", .string("a.b-c"), .uint32(0))
        bench.ask(1, "StartServiceByName", .string("x.y"), .uint32(0))
        #expect(
            bench.effects() == [
                "bus>1 =6 2",
                "bus>1 !7 ServiceUnknown Could not get owner of name 'x.y': no such name",
            ])
        bench.router.add(2, nil)
        bench.ask(2, "Hello")
        _ = bench.effects()
        bench.ask(1, "GetConnectionCredentials", .string(":1.2"))
        #expect(bench.effects() == ["bus>1 !9 Failed Nothing is known of ':1.2'"])
    }

    /// Clients may call the bus at any path, but at the root only with an interface.
    @Test(arguments: [
        ("/", DBusName.bus, "GetId", "= \(RouterBench.busID)"),
        ("/x", DBusName.bus, "GetId", "= \(RouterBench.busID)"),
        ("/x", nil, "GetId", "= \(RouterBench.busID)"),
        ("/", nil, "GetId", "! UnknownObject No such object path '/'"),
        ("/x", "a.b", "GetId", "! UnknownObject No such object path '/x'"),
        (
            "/org/freedesktop/DBus", "a.b", "GetId",
            "! UnknownInterface No such interface 'a.b' on object at path /org/freedesktop/DBus"
        ),
        ("/x", "org.freedesktop.DBus.Peer", "Ping", "="),
        ("/x", "org.freedesktop.DBus.Peer", "GetMachineId", "= 0f0f"),
    ])
    func theBusAnswersAtAnyPath(
        _ place: String, _ interface: String?, _ member: String, _ answer: String
    ) {
        var bench = RouterBench(1)
        bench.say(1, .call(path: path(place), interface: interface, member: member))
        let sign = answer.prefix(1)
        #expect(bench.effects() == ["bus>1 \(sign)1\(answer.dropFirst())"])
    }

    @Test func theBusHasProperties() {
        var bench = RouterBench(1)
        let all = DBusMessage.Kind.call(
            path: .bus, interface: DBusInterface.properties.name, member: "GetAll")
        bench.say(1, all, to: DBusName.bus, [.string(DBusName.bus)])
        #expect(
            bench.effects() == ["bus>1 =1 {Features:[] Interfaces:[\(Self.monitoring)]}"])
    }

    private static let monitoring = "org.freedesktop.DBus.Monitoring"

    @Test mutating func aReplyReachesItsCallerOnce() {
        func answer(_ id: UInt64, to serial: UInt32, isError: Bool = false) -> [String] {
            bench.say(
                id, isError ? .error(name: "a.E", to: serial) : .reply(to: serial), to: ":1.1")
            return bench.effects()
        }
        bench.call(1, ":1.2")
        #expect(bench.effects() == ["1>2 M?"])
        #expect(answer(3, to: 1) == [], "nobody asked this one")
        #expect(answer(2, to: 9) == [], "nobody asked this")
        #expect(answer(2, to: 1) == ["2>1 =1"])
        #expect(answer(2, to: 1) == [])
        bench.call(1, ":1.2")
        #expect(bench.effects() == ["1>2 M?"])
        #expect(answer(2, to: 6, isError: true) == ["2>1 !6 a.E"])
        #expect(answer(2, to: 6) == [])
        bench.call(1, ":1.2", flags: .noReplyExpected)
        #expect(bench.effects() == ["1>2 M?"])
        #expect(answer(2, to: 9) == [], "nobody waits for this one")
    }

    @Test mutating func aCallWithoutAReceiverFails() {
        bench.call(1, ":1.9")
        #expect(
            bench.effects() == [
                "bus>1 !1 ServiceUnknown The name :1.9 was not provided by any .service files"
            ])
        bench.call(1, ":1.9", flags: .noReplyExpected)
        bench.signal(1, to: ":1.9")
        bench.say(1, .reply(to: 5), to: ":1.9")
        #expect(bench.effects() == [])
        // A removed client neither replies nor gets replies.
        bench.call(1, ":1.2")
        bench.call(2, ":1.3")
        bench.call(2, ":1.2")
        #expect(bench.effects() == ["1>2 M?", "2>3 M?", "2>2 M?"])
        bench.router.remove(2)
        #expect(
            bench.effects() == [
                "bus>1 !5 NoReply Message recipient disconnected from message bus without replying"
            ])
        bench.say(3, .reply(to: 6), to: ":1.2")
        #expect(bench.effects() == [])
    }

    @Test mutating func descriptorsNeedAReceiverThatPassesThem() {
        bench.ask(2, "AddMatch", .string("member='S'"))
        bench.ask(3, "AddMatch", .string("member='S'"))
        _ = bench.effects()
        bench.router.clients[2]?.passesDescriptors = false
        bench.call(1, ":1.2", descriptors: 1)
        bench.call(1, ":1.2", flags: .noReplyExpected, descriptors: 1)
        bench.call(1, ":1.3", descriptors: 1)
        bench.call(1, ":1.2")
        bench.signal(1)
        bench.signal(1, descriptors: 1)
        #expect(
            bench.effects() == [
                "bus>1 !3 NotSupported The recipient takes no file descriptors", "1>3 M?",
                "1>2 M?", "1>2+3 S", "1>3 S",
            ])
        bench.router.clients[2]?.passesDescriptors = true
        bench.signal(1, descriptors: 1)
        #expect(bench.effects() == ["1>2+3 S"])
    }

    @Test func aSignalReachesEachMatchingClientOnce() {
        var bench = RouterBench(1, 2, 3, 4)
        for rule in ["member='S'", "type='signal'", "member='S'"] {
            bench.ask(2, "AddMatch", .string(rule))
        }
        bench.ask(3, "AddMatch", .string("sender='a.b'"))
        bench.ask(1, "RequestName", .string("a.b"), .uint32(0))
        _ = bench.effects()
        bench.signal(1)
        bench.signal(2)
        bench.signal(1, to: ":1.4")
        #expect(bench.effects() == ["1>2+3 S", "2>2 S", "1>4 S"])
        // A rule that was added twice has to be removed twice.
        bench.ask(2, "RemoveMatch", .string("type='signal'"))
        bench.ask(2, "RemoveMatch", .string("member=S"))
        _ = bench.effects()
        bench.signal(4)
        #expect(bench.effects() == ["4>2 S"])
        bench.ask(2, "RemoveMatch", .string("member='S'"))
        _ = bench.effects()
        bench.signal(4)
        #expect(bench.effects() == [])
        // A client before `Hello` gets no signals.
        bench.router.add(5, nil)
        bench.ask(5, "AddMatch", .string("member='S'"))
        bench.signal(4)
        #expect(bench.effects() == ["cut 5"])
    }

    @Test mutating func monitorsReceiveEverythingAndSendNothing() {
        let become = DBusMessage.Kind.call(
            path: .bus, interface: Self.monitoring, member: "BecomeMonitor")
        bench.ask(3, "RequestName", .string("a.b"), .uint32(0))
        bench.ask(1, "AddMatch", .string("member='NameOwnerChanged'"))
        _ = bench.effects()
        bench.say(3, become, to: DBusName.bus, [.strings(["x"]), .uint32(0)])
        #expect(bench.effects() == ["bus>3 !3 MatchRuleInvalid No valid rule: x"])
        bench.say(3, become, to: DBusName.bus, [.strings([]), .uint32(0)])
        #expect(
            bench.effects() == [
                "bus>3 =4", "bus>3 NameLost a.b", "bus>1 NameOwnerChanged a.b :1.3 -",
                "bus>3 NameLost :1.3", "bus>1 NameOwnerChanged :1.3 :1.3 -",
            ])
        bench.call(1, ":1.2")
        bench.ask(1, "GetId")
        bench.signal(2)
        bench.call(2, ":1.3", flags: .noReplyExpected)
        bench.ask(2, "ListNames")
        #expect(
            bench.effects() == [
                "1>3 M?", "1>2 M?", "1>3 GetId?", "bus>3 =6 \(RouterBench.busID)",
                "bus>1 =6 \(RouterBench.busID)", "2>3 S", "2>3 M?", "2>3 ListNames?",
                "bus>3 =9 [org.freedesktop.DBus :1.1 :1.2]",
                "bus>2 =9 [org.freedesktop.DBus :1.1 :1.2]",
            ])
        bench.ask(3, "GetId")
        #expect(bench.effects() == ["cut 3"])
        bench.router.remove(3)
        bench.call(1, ":1.2")
        #expect(bench.effects() == ["1>2 M?"])
    }

    @Test mutating func monitorsReceiveFailedCallsAndLostNames() {
        let become = DBusMessage.Kind.call(
            path: .bus, interface: Self.monitoring, member: "BecomeMonitor")
        bench.ask(2, "RequestName", .string("a.b"), .uint32(0))
        bench.say(3, become, to: DBusName.bus, [.strings([]), .uint32(0)])
        _ = bench.effects()
        bench.call(1, "no.such")
        bench.call(1, "no.such", flags: .noReplyExpected)
        let heard = bench.effects()
        #expect(heard.count == 4)
        #expect(heard.first == "1>3 M?")
        #expect(heard.dropFirst().first?.hasPrefix("bus>3 !3 ServiceUnknown") == true)
        #expect(heard.dropFirst(2).first?.hasPrefix("bus>1 !3 ServiceUnknown") == true)
        #expect(heard.last == "1>3 M?")
        bench.router.remove(2)
        #expect(
            bench.effects().filter { $0.hasPrefix("bus>3") } == [
                "bus>3 NameLost a.b", "bus>3 NameOwnerChanged a.b :1.2 -",
                "bus>3 NameLost :1.2", "bus>3 NameOwnerChanged :1.2 :1.2 -",
            ])
    }

    @Test mutating func monitorsMayHaveRules() {
        bench.ask(2, "RequestName", .string("a.b"), .uint32(0))
        let become = DBusMessage.Kind.call(
            path: .bus, interface: Self.monitoring, member: "BecomeMonitor")
        let rules = ["destination='a.b'", "sender='a.b',member='S'"]
        bench.say(3, become, to: DBusName.bus, [.strings(rules), .uint32(0)])
        _ = bench.effects()
        bench.call(1, ":1.2", flags: .noReplyExpected)
        bench.call(1, "a.b", flags: .noReplyExpected)
        bench.call(2, ":1.1", flags: .noReplyExpected)
        bench.signal(1)
        bench.signal(2)
        bench.ask(1, "GetId")
        #expect(
            bench.effects() == [
                "1>3 M?", "1>2 M?", "1>3 M?", "1>2 M?", "2>1 M?", "2>3 S",
                "bus>1 =8 \(RouterBench.busID)",
            ])
    }

    @Test func theRulesOfAClientAreBounded() {
        var bench = RouterBench(1, 2)
        for number in 0..<8192 { bench.ask(1, "AddMatch", .string("member='M\(number)'")) }
        #expect(bench.effects().count { $0.contains("=") } == 8192)
        bench.ask(1, "AddMatch", .string("member='S'"))
        #expect(bench.effects() == ["bus>1 !8193 LimitsExceeded Too many rules"])
        bench.ask(1, "RemoveMatch", .string("member='M5'"))
        bench.ask(1, "AddMatch", .string("member='S'"))
        bench.ask(2, "AddMatch", .string("member='S'"))
        #expect(bench.effects() == ["bus>1 =8194", "bus>1 =8195", "bus>2 =8196"])
    }

    @Test func theNamesOfAClientAreBounded() {
        var bench = RouterBench(1, 2)
        for number in 0..<512 { bench.ask(1, "RequestName", .string("a.b\(number)"), .uint32(0)) }
        #expect(bench.effects().count { $0.hasSuffix(" 1") } == 512)
        bench.ask(1, "RequestName", .string("a.c"), .uint32(0))
        bench.ask(2, "RequestName", .string("a.c"), .uint32(0))
        bench.ask(1, "ReleaseName", .string("a.b7"))
        bench.ask(1, "RequestName", .string("a.c"), .uint32(0))
        #expect(
            bench.effects() == [
                "bus>1 !513 LimitsExceeded Too many names", "bus>2 NameAcquired a.c",
                "bus>2 =514 1", "bus>1 NameLost a.b7", "bus>1 =515 1", "bus>1 =516 2",
            ])
    }

    /// The maximum of pending calls of one client; each that ends makes room.
    @Test mutating func thePendingCallsOfAClientAreBounded() {
        let limit = BusRouter.Limits.pendingCalls
        #expect(limit == 16384)
        func fill() -> Int {
            var count = 0
            while count <= limit {
                bench.call(1, ":1.2")
                guard bench.effects() == ["1>2 M?"] else { break }
                count += 1
            }
            return count
        }
        #expect(fill() == limit)
        bench.call(1, ":1.3")
        #expect(bench.effects().first?.contains("LimitsExceeded Too many calls") == true)
        bench.call(3, ":1.2")
        #expect(bench.effects() == ["3>2 M?"], "the others have room")
        bench.say(2, .reply(to: 1), to: ":1.1")
        #expect(bench.effects() == ["2>1 =1"])
        #expect(fill() == 1)
        bench.router.remove(2)
        #expect(bench.effects().count { $0.contains("NoReply") } == limit + 1)
        bench.call(1, ":1.3")
        #expect(bench.effects() == ["1>3 M?"])
    }
}

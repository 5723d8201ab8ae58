import BlueZVocabulary
import HaloDBus
import HaloTransport
import TestSupport
import Testing

@testable import HaloBlueZ

/// The registration of our agent at the daemon, and the moment of pairing.
@Suite(.takesTurns) struct PairingAgentTests {
    private var link = LinkScript()

    /// The calls and effects for agents and pairing, in order.
    private func said(_ link: LinkScript) -> [String] {
        let names = [
            AgentManager1.registerAgent, AgentManager1.unregisterAgent, Device1.pair,
            AgentManager1.requestDefaultAgent,
        ]
        return link.script.members.filter(names.contains)
    }

    private func kinds(_ heard: Heard<Result<Void, BLEError>>) -> [BLEError.Kind?] {
        heard.all.map(\.failure?.kind)
    }

    /// Without another agent ours is the default one, so it is unregistered as soon as possible.
    @Test func anAgentIsThereAsLongAsItIsNeeded() {
        var link = LinkScript(BlueZOptions(pairing: BlueZPairing()))
        #expect(said(link) == [])
        for round in 1...2 {
            link.open()
            #expect(link.script.questions(AgentManager1.registerAgent).count == 1, "\(round)")
            link.script.answer(AgentManager1.registerAgent)
            link.setConnected(true)
            link.script.answer(Device1.connect)
            #expect(link.script.questions(AgentManager1.unregisterAgent).isEmpty)
            link.loseLink()
            link.script.pass(LinkLimits.reasonTimeout)
            #expect(link.script.questions(AgentManager1.unregisterAgent).count == 1)
            link.script.answer(AgentManager1.unregisterAgent)
        }
        #expect(
            said(link) == [
                AgentManager1.registerAgent, AgentManager1.unregisterAgent,
                AgentManager1.registerAgent, AgentManager1.unregisterAgent,
            ])
    }

    @Test func aDeviceThatIsPairedWithNeedsNone() {
        var link = LinkScript(BlueZOptions(pairing: BlueZPairing()), knowsDevice: false)
        var properties = Tree.deviceProperties
        properties[Device1.paired] = .boolean(true)
        link.hear(properties)
        link.establish()
        #expect(said(link) == [])
    }

    @Test func aLinkThatEndsBeforeTheAgentIsThereTakesItWithIt() {
        var link = LinkScript(BlueZOptions(pairing: BlueZPairing()))
        link.open()
        link.script.refuse(Device1.connect, BlueZErrorName.notReady)
        #expect(link.opened.all.map(\.?.kind) == [.bluetoothOff])
        #expect(said(link) == [AgentManager1.registerAgent])
        link.script.answer(AgentManager1.registerAgent)
        #expect(said(link) == [AgentManager1.registerAgent, AgentManager1.unregisterAgent])
    }

    /// Explicit pairing, without any option.
    @Test mutating func pairingHasAnAgentOfItsOwn() {
        link.establish()
        let heard = link.pair()
        #expect(said(link) == [AgentManager1.registerAgent])
        let asked = link.script.questions(AgentManager1.registerAgent).first
        #expect(asked?.arguments.last == .string("NoInputNoOutput"))
        link.script.answer(AgentManager1.registerAgent)
        #expect(link.script.questions(Device1.pair).map(\.path) == [Tree.device])
        #expect(heard.count == 0)
        link.script.answer(Device1.pair)
        #expect(kinds(heard) == [nil])
        #expect(
            said(link) == [
                AgentManager1.registerAgent, Device1.pair, AgentManager1.unregisterAgent,
            ])
        #expect(link.state?.name == .open)
    }

    /// An operation during the pairing comes after it, with the same agent.
    @Test func twoPairingsShareAnAgent() {
        var link = LinkScript(BlueZOptions(pairing: BlueZPairing()))
        link.establish()
        link.script.answer(AgentManager1.registerAgent)
        let (first, second) = (link.pair(), link.pair())
        link.script.answer(Device1.pair)
        #expect(kinds(first) == [nil])
        #expect(second.count == 0)
        link.script.refuse(Device1.pair, BlueZErrorName.alreadyExists)
        #expect(kinds(second) == [nil])
        #expect(said(link) == [AgentManager1.registerAgent, Device1.pair, Device1.pair])
    }

    /// Another program's agent suffices.
    @Test mutating func aDaemonThatTakesNoAgentIsAskedToPairAllTheSame() {
        link.establish()
        let heard = link.pair()
        link.script.refuse(AgentManager1.registerAgent, DBusErrorName.accessDenied)
        link.script.answer(Device1.pair)
        #expect(kinds(heard) == [nil])
        #expect(said(link) == [AgentManager1.registerAgent, Device1.pair])
    }

    /// An agent that is registered already, for want of an earlier reply, is ours: it is removed.
    @Test mutating func anAgentThatIsThereAlreadyIsTakenAwayAfterwards() {
        link.establish()
        let heard = link.pair()
        link.script.refuse(AgentManager1.registerAgent, BlueZErrorName.alreadyExists)
        link.script.answer(Device1.pair)
        #expect(kinds(heard) == [nil])
        #expect(said(link).last == AgentManager1.unregisterAgent)
    }

    @Test mutating func aPairingThatFailsSaysWhy() throws {
        link.establish()
        let heard = link.pair()
        link.script.answer(AgentManager1.registerAgent)
        link.script.refuse(
            Device1.pair, BlueZErrorName.authenticationFailed,
            DBusRefusal.authenticationFailed.details)
        let error = try #require(heard.all.first?.failure)
        #expect(error.kind == .refused && error.operation == .pair)
        #expect(error.attError == .insufficientAuthentication)
        #expect(error.details?.contains("Authentication Failed") == true)
        #expect(said(link).last == AgentManager1.unregisterAgent)
    }

    /// Another program's pairing is awaited, for a limited time.
    @Test mutating func aDaemonThatIsPairingIsAskedAgain() {
        link.establish()
        let heard = link.pair()
        for _ in 0..<LinkLimits.maximumPairingPauses {
            link.script.answer(AgentManager1.registerAgent)
            link.script.refuse(Device1.pair, BlueZErrorName.inProgress)
            #expect(heard.count == 0)
            #expect(link.script.questions(Device1.pair).isEmpty)
            link.script.pass(LinkLimits.pairingPause)
        }
        link.script.answer(AgentManager1.registerAgent)
        link.script.refuse(Device1.pair, BlueZErrorName.inProgress)
        #expect(kinds(heard) == [.backend])
        #expect(link.script.session.nextTimer == nil)
    }

    /// The end that comes before the pairing.
    enum End: CaseIterable, Sendable { case link, daemon }

    @Test(arguments: End.allCases)
    mutating func aPairingEndsWithItsLink(_ end: End) {
        link.establish()
        let heard = link.pair()
        switch end {
        case .link:
            link.loseLink()
            link.script.pass(LinkLimits.reasonTimeout)
            link.script.answer(AgentManager1.registerAgent)
            #expect(said(link) == [AgentManager1.registerAgent, AgentManager1.unregisterAgent])
        case .daemon:
            link.script.own(nil)
            #expect(said(link) == [AgentManager1.registerAgent])
        }
        #expect(kinds(heard) == [.disconnected])
        #expect(link.script.session.links.entries.isEmpty)
    }

    @Test mutating func theAgentHasAPlaceOnTheBusWhileItIsThere() {
        link.establish()
        _ = link.pair()
        #expect(link.agents.all == [true])
        link.script.answer(AgentManager1.registerAgent)
        link.script.answer(Device1.pair)
        #expect(link.agents.all == [true, false])
        _ = link.pair()
        link.script.refuse(AgentManager1.registerAgent, BlueZErrorName.failed)
        #expect(link.agents.all == [true, false, true, false])
    }
}

import BlueZVocabulary
import HaloDBus
import HaloTransport
import TestSupport
import Testing

@testable import HaloBlueZ

/// The session's part in hosting.
@Suite(.computes) struct SessionHostTests {
    private let heard = Heard<String>()

    /// Hosts a device without services, which is ready at once.
    private func host(_ script: inout ScriptedSession) {
        let machine = HostMachine(
            at: HostingDaemon.path("/halo/test"), renamesAdapter: false, powersOn: false)
        let number = script.change { session in
            let number = session.nextNumber()
            session.host(number, machine) { [heard] in heard.append("\($0)") }
            return number
        }
        script.change { $0.updateHost(number, .started([])) }
    }

    /// The request for the objects is repeated for a host: the daemon may only be slow, and no
    /// other part of the session would repeat it.
    @Test(arguments: [true, false])
    func aDaemonThatDidNotAnswerIsAskedAgain(_ isHosting: Bool) {
        var script = ScriptedSession.loaded(HostingWords.adapter)
        if isHosting { host(&script) }
        script.own(":1.9")
        script.refuse(DBusObjectManager.getManagedObjects, DBusErrorName.noReply)
        #expect(script.questions(DBusObjectManager.getManagedObjects).isEmpty)
        script.say(Tree.added(HostingDaemon.adapter, [Adapter1.interfaceName: [:]]))
        let questions = script.questions(DBusObjectManager.getManagedObjects)
        #expect(questions.count == (isHosting ? 1 : 0))
        #expect(heard.all == (isHosting ? ["start", "ready"] : []))
    }

    @Test func theEndOfTheBusEndsAllOfThem() {
        var script = ScriptedSession.loaded(HostingWords.adapter)
        host(&script)
        host(&script)
        let number = script.opened.last ?? 0
        script.change { $0.busEnded(number, DBusError(.disconnected)) }
        #expect(heard.all.suffix(2).allSatisfy { $0.hasPrefix("ended") })
        #expect(script.session.hosts.isEmpty)
        #expect(script.session.nextTimer == nil)
    }
}

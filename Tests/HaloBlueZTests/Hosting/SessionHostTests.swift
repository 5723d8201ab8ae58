#if os(Linux)
import BlueZVocabulary
import HaloDBus
import HaloTransport
import Testing

@testable import HaloBlueZ

/// What a session does for the devices that it hosts.
@Suite struct SessionHostTests {
    /// Who notes what it is told.
    private final class Client: HostClient {
        let heard = Heard<String>()

        func start() { heard.append("start") }
        func tell(_ event: PeripheralEvent) { heard.append("\(event)") }
        func ready() { heard.append("ready") }
        func ended(_ error: BLEError?) { heard.append("ended \(error?.kind.description ?? "")") }
    }

    private let client = Client()

    /// Hosts a device that consists of nothing, and so is there at once.
    private func host(_ script: inout ScriptedSession) {
        let machine = HostMachine(
            at: HostingDaemon.path("/halo/test"), renamesAdapter: false, powersOn: false)
        let number = script.change { session in
            let number = session.nextNumber()
            session.host(number, machine, client)
            return number
        }
        script.change { $0.tellHost(number, .started([])) }
    }

    /// It may be that it was only slow, and nobody else would ask it.
    @Test(arguments: [true, false])
    func aDaemonThatDidNotAnswerIsAskedAgain(_ isHosting: Bool) {
        var script = ScriptedSession.loaded(HostingWords.adapter)
        if isHosting { host(&script) }
        script.own(":1.9")
        script.refuse(DBusObjectManager.getManagedObjects, BusErrorName.noReply)
        #expect(script.questions(DBusObjectManager.getManagedObjects).isEmpty)
        script.say(Tree.added(HostingDaemon.adapter, [Adapter1.interfaceName: [:]]))
        let questions = script.questions(DBusObjectManager.getManagedObjects)
        #expect(questions.count == (isHosting ? 1 : 0))
        #expect(client.heard.all == (isHosting ? ["start", "ready"] : []))
    }

    @Test func theEndOfTheBusEndsAllOfThem() {
        var script = ScriptedSession.loaded(HostingWords.adapter)
        host(&script)
        host(&script)
        let number = script.opened.last ?? 0
        script.change { $0.busEnded(number, DBusError(.disconnected)) }
        #expect(client.heard.all.suffix(2).allSatisfy { $0.hasPrefix("ended") })
        #expect(script.session.hosts.isEmpty)
        #expect(script.session.nextTimer == nil)
    }
}
#endif

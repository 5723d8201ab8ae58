#if os(Linux)
import BlueZVocabulary
import HaloDBus
import HaloProtocol
import HaloTransport
import Testing

@testable import HaloBlueZ

/// Sockets for values, besides the bus.
@Suite struct LinkSocketTests {
    private static func offer() -> [DBusValue] { [.unixFD(0), .uint16(185)] }

    private func established(_ options: BlueZOptions) -> LinkScript {
        var link = LinkScript(options)
        link.establish(mtu: 517)
        return link
    }

    private func make(_ link: inout LinkScript, isFull: Bool = false) -> SocketDouble {
        let socket = SocketDouble(isFull: isFull)
        if let offer = link.offers.all.last {
            link.script.change { $0.socketMade(socket, offer.number, on: offer.link) }
        }
        return socket
    }

    @Test func valuesComeThroughASocketIfTheOptionsSaySo() throws {
        var link = established(BlueZOptions(notifyMode: .sockets))
        let beat = link.attribute(GATTTree.beat)
        let heard = link.notify(true, beat)
        link.script.answer(GattCharacteristic1.acquireNotify, Self.offer())
        #expect(heard.all == [nil])
        let socket = make(&link)
        let offer = try #require(link.offers.all.first)
        link.script.change { $0.socketReceived([[1]], offer.number, on: offer.link) }
        #expect(link.events.all.contains(.value(beat, [1])))
        // It ends in the way in which it began.
        #expect(link.notify(false, beat).all == [nil])
        #expect(socket.isClosed)
        #expect(link.script.questions(GattCharacteristic1.stopNotify).isEmpty)
    }

    @Test(arguments: [
        (BlueZErrorName.notSupported, BlueZErrorText.notSupported),
        (BlueZErrorName.notPermitted, BlueZErrorText.notifyAcquired),
        (BlueZErrorName.inProgress, BlueZErrorText.inProgress),
        (DBusErrorName.unknownObject, ""),
    ])
    func withoutASocketSignalsCome(_ name: String, _ text: String) {
        var link = established(BlueZOptions(notifyMode: .sockets))
        let beat = link.attribute(GATTTree.beat)
        let heard = link.notify(true, beat)
        link.script.refuse(GattCharacteristic1.acquireNotify, name, text)
        link.script.answer(GattCharacteristic1.startNotify)
        #expect(heard.all == [nil])
        link.value([1], of: GATTTree.beat)
        #expect(link.events.all.last == .value(beat, [1]))
    }

    @Test func anAnswerWithoutASocketIsNone() {
        for values in [[], [.uint16(1)], [.string("0"), .uint16(185)]] as [[DBusValue]] {
            var link = established(BlueZOptions(notifyMode: .sockets))
            let heard = link.notify(true, link.attribute(GATTTree.beat))
            link.script.answer(GattCharacteristic1.acquireNotify, values)
            link.script.answer(GattCharacteristic1.startNotify)
            #expect(heard.all == [nil])
        }
    }

    @Test func theEndWaitsForTheSocket() throws {
        var link = established(BlueZOptions(notifyMode: .sockets))
        let beat = link.attribute(GATTTree.beat)
        _ = link.notify(true, beat)
        link.script.answer(GattCharacteristic1.acquireNotify, Self.offer())
        _ = make(&link)
        let offer = try #require(link.offers.all.first)
        link.loseLink()
        link.script.pass(LinkLimits.reasonTimeout)
        link.script.change { $0.socketReceived([[9]], offer.number, on: offer.link) }
        link.script.change { $0.socketEnded(offer.number, on: offer.link) }
        link.script.pass(LinkLimits.reasonTimeout)
        #expect(
            link.events.all.suffix(2) == [
                .value(beat, [9]), .disconnected(DisconnectReason(.remote)),
            ])
    }

    /// Buffered values are bounded, as with signals.
    @Test func tooManyQueuedValuesEndTheConnection() throws {
        var link = established(BlueZOptions(notifyMode: .sockets))
        let beat = link.attribute(GATTTree.beat)
        _ = link.notify(true, beat)
        link.script.answer(GattCharacteristic1.acquireNotify, Self.offer())
        let socket = make(&link)
        let offer = try #require(link.offers.all.first)
        let batch = Array(repeating: [UInt8](), count: 1 << 12)
        for _ in 0..<BlueZSession.maximumEffects >> 10 {
            link.script.session.socketReceived(batch, offer.number, on: offer.link)
        }
        #expect(link.script.session.effectCount < BlueZSession.maximumEffects + 2 * batch.count)
        #expect(!socket.isClosed)
        link.script.change { _ in }
        #expect(socket.isClosed)
        #expect(link.script.closed == link.script.opened)
        #expect(link.events.all.contains(.value(beat, [])))
    }

    @Test func manyWritesWithoutAResponseGetASocketUntilOneWantsAResponse() throws {
        var link = established(BlueZOptions(acquiresWrites: true))
        let sink = link.attribute(GATTTree.sink)
        for _ in 0..<LinkLimits.commandsBeforeSocket {
            _ = link.write([1], to: sink, .withoutResponse)
            link.script.answer(GattCharacteristic1.writeValue)
        }
        let heard = link.write([2], to: sink, .withoutResponse)
        link.script.answer(GattCharacteristic1.acquireWrite, Self.offer())
        let socket = make(&link)
        #expect(socket.sent == [[2]])
        #expect(heard.all.isEmpty)
        // The socket's answers go through the shell, which is none here: the link ends with that.
        #expect(link.state?.link?.maximumLength == 182)
        link.close()
        link.loseLink()
        #expect(heard.all.map(\.?.kind) == [.disconnected])
        #expect(socket.isClosed)
    }

    @Test func writesOfBothKindsNeverGetASocket() {
        var link = established(BlueZOptions(acquiresWrites: true))
        let sink = link.attribute(GATTTree.sink)
        for byte in 0..<40 as Range<UInt8> {
            let mode: WriteMode = byte.isMultiple(of: 3) ? .withResponse : .withoutResponse
            _ = link.write([byte], to: sink, mode)
            link.script.answer(GattCharacteristic1.writeValue)
        }
        #expect(!link.script.members.contains(GattCharacteristic1.acquireWrite))
    }

    /// Begins a write that waits for room in its socket.
    private func stuck(_ link: inout LinkScript) -> (Heard<BLEError?>, SocketDouble) {
        let sink = link.attribute(GATTTree.sink)
        for _ in 0..<LinkLimits.commandsBeforeSocket {
            _ = link.write([1], to: sink, .withoutResponse)
            link.script.answer(GattCharacteristic1.writeValue)
        }
        let heard = link.write([2], to: sink, .withoutResponse)
        link.script.answer(GattCharacteristic1.acquireWrite, Self.offer())
        return (heard, make(&link, isFull: true))
    }

    @Test func aWriteInASocketEndsWhenItsServicesChange() {
        var link = established(BlueZOptions(acquiresWrites: true))
        let (heard, socket) = stuck(&link)
        #expect(heard.all.isEmpty)
        link.script.say(Tree.removed(GATTTree.text.path, [GattCharacteristic1.interfaceName]))
        #expect(socket.isClosed)
        for update in link.updates.all { link.script.change(update) }
        #expect(heard.all.map(\.?.kind) == [.noSuchAttribute])
        #expect(link.state?.name == .open && link.state?.running == nil)
    }

    @Test func aSocketThatIsMadeTooLateIsNotWaitedFor() throws {
        var link = established(BlueZOptions(acquiresWrites: true))
        let sink = link.attribute(GATTTree.sink)
        for _ in 0..<LinkLimits.commandsBeforeSocket {
            _ = link.write([1], to: sink, .withoutResponse)
            link.script.answer(GattCharacteristic1.writeValue)
        }
        let heard = link.write([2], to: sink, .withoutResponse)
        link.script.answer(GattCharacteristic1.acquireWrite, Self.offer())
        link.script.say(Tree.removed(GATTTree.text.path, [GattCharacteristic1.interfaceName]))
        let socket = make(&link)
        #expect(socket.isClosed)
        #expect(heard.all.map(\.?.kind) == [.noSuchAttribute])
    }

    @Test func aFullSocketEndsTheLink() {
        var link = established(BlueZOptions(acquiresWrites: true))
        let (heard, _) = stuck(&link)
        link.script.pass(LinkLimits.operationTimeout)
        link.script.passAll(.seconds(10))
        #expect(heard.all.map(\.?.kind) == [.disconnected])
        #expect(heard.all.first??.reason?.kind == .noResponse)
    }
}

/// A socket that keeps what is sent.
final class SocketDouble: LinkSocket {
    private struct State: Sendable {
        var sent: [[UInt8]] = []
        var waiting: [@Sendable (Bool) -> Void] = []
        var isClosed = false
    }

    private let state = Locked(State())
    /// `true` if the other side accepts no packet.
    private let isFull: Bool

    init(isFull: Bool = false) { self.isFull = isFull }

    var sent: [[UInt8]] { state.withLock { $0.sent } }
    var isClosed: Bool { state.withLock { $0.isClosed } }

    func send(_ packet: [UInt8], completion: @escaping @Sendable (Bool) -> Void) {
        state.withLock { state in
            state.sent.append(packet)
            if isFull { state.waiting.append(completion) }
        }
        if !isFull { completion(true) }
    }

    func close() {
        let waiting = state.withLock { state in
            state.isClosed = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for completion in waiting { completion(false) }
    }
}
#endif

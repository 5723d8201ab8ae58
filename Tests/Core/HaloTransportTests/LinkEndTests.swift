import HaloProtocol
import HaloTesting
import HaloTransport
import TestSupport
import Testing

/// The state that a link keeps for operations, and its removal.
@Suite(.passesTime) struct LinkEndTests {
    private let bluetooth = ScriptedBluetooth(features: [.connectedRSSI, .pairing])
    private let notes = Notes<String>()
    private var driver: ScriptedDriver { bluetooth.driver }

    private func link() throws -> BLELink { try #require(bluetooth.link()) }

    @Test func waitingCallersFailWhenTheLinkIsReleased() throws {
        var link: BLELink? = try link()
        link?.submitServices(notes.ending("services"))
        let subscription = link?.submitSubscription(to: Sample.sending, notes.ending("subscribe"))
        link?.submitRead(Sample.readable, notes.ending("read"))
        #expect(notes.all == [])
        link = nil
        let kind = BLEError.Kind.disconnected
        #expect(
            Set(notes.all) == ["read: \(kind)", "subscribe: \(kind)", "services: \(kind)"])
        #expect(notes.all.count == 3)
        #expect(driver.calls.last == .disconnect)
        subscription?.cancel()
    }

    @Test func releasedLinkIsClosed() throws {
        var link: BLELink? = try link()
        let end = LinkEvent.disconnected(DisconnectReason(.local))
        let moments = Notes<Moment>()
        _ = link?.observe { event, moment in
            if event == end { moments.add(moment) }
        }
        link?.submitRead(Sample.readable, notes.ending("read"))
        bluetooth.stepped.advance(by: .seconds(3))
        #expect(link?.disconnectReason == nil && moments.all == [])
        link = nil
        #expect(driver.calls == [.read(Sample.readable.id), .disconnect])
        #expect(notes.all == ["read: \(BLEError.Kind.disconnected)"])
        let released = Moment.origin + .seconds(3)
        #expect(moments.all == [released])
    }

    @Test func nothingIsKeptAfterTheEnd() throws {
        let link = try link()
        link.submitServices { _ in }
        driver.answer()
        link.submitWrite([1], to: Sample.writable, .withoutResponse) { _ in }
        link.submitWrite([2], to: Sample.writable, .withoutResponse) { _ in }
        link.submitRead(Sample.readable) { _ in }
        link.close()
        #expect(
            link.kept == [
                "with the driver", "write without response", "timer", "driver", "services",
            ])
        #expect(link.remains == ["3 operations", "2 queued"])
        bluetooth.happen(.disconnected(DisconnectReason(.local)))
        #expect(link.kept == [])
        #expect(link.remains == [])
        #expect(bluetooth.stepped.timerCount == 0)
    }

    @Test func nothingIsKeptOfADiscoveryAfterTheEnd() throws {
        let link = try link()
        link.submitServices(notes.ending("services"))
        #expect(link.kept == ["with the driver", "driver", "discovery"])
        #expect(link.remains == ["1 operations", "1 discoveries"])
        bluetooth.happen(.disconnected(DisconnectReason(.remote)))
        driver.answer()
        #expect(link.kept == [])
        #expect(link.remains == [])
        #expect(notes.all == ["services: \(BLEError.Kind.disconnected)"])
    }

    @Test func nothingCanBeWrittenAfterTheEnd() throws {
        let link = try link()
        let modes = [WriteMode.withResponse, .withoutResponse]
        #expect(modes.map { link.maximumWriteLength(for: $0) } == [20, 20])
        bluetooth.happen(.disconnected(DisconnectReason(.remote)))
        #expect(modes.map { link.maximumWriteLength(for: $0) } == [0, 0])
    }

    /// A cancelled write without response does not delay later operations.
    @Test func operationsBehindACancelledWriteAreStarted() throws {
        let link = try link()
        link.submitWrite([1], to: Sample.writable, .withoutResponse) { _ in }
        let second = link.submitWrite([2], to: Sample.writable, .withoutResponse) { _ in }
        link.submitRead(Sample.readable) { _ in }
        let first = ScriptedDriver.Call.write([1], Sample.writable.id, .withoutResponse)
        #expect(driver.calls == [first])
        second.cancel()
        #expect(driver.calls == [first, .read(Sample.readable.id)])
        #expect(link.remains == ["2 operations"])
    }

    // MARK: Waits that are cancelled

    private struct Wait: Sendable {
        let error: BLEError?
        /// The operations that continue in the driver.
        let remains: [String]
        let begin: @Sendable (BLELink) async throws -> Void

        init(
            _ error: BLEError?, _ remains: [String] = [],
            _ begin: @escaping @Sendable (BLELink) async throws -> Void
        ) {
            self.error = error
            self.remains = remains
            self.begin = begin
        }
    }

    private static let waits: [Wait] = [
        Wait(BLEError(.cancelled, .discover), ["1 operations"]) { _ = try await $0.services },
        Wait(BLEError(.cancelled, .read, uuid: Sample.readable.uuid)) {
            _ = try await $0.read(Sample.readable)
        },
        Wait(BLEError(.cancelled, .read, uuid: Sample.descriptor.uuid)) {
            _ = try await $0.read(Sample.descriptor)
        },
        Wait(BLEError(.cancelled, .write, uuid: Sample.writable.uuid)) {
            try await $0.write([1], to: Sample.writable)
        },
        Wait(BLEError(.cancelled, .write, uuid: Sample.descriptor.uuid)) {
            try await $0.write([1], to: Sample.descriptor)
        },
        Wait(BLEError(.cancelled, .readRSSI)) { _ = try await $0.readRSSI() },
        Wait(BLEError(.cancelled, .pair)) { try await $0.pair() },
        // What was switched on is switched off behind it.
        Wait(BLEError(.cancelled, .subscribe, uuid: Sample.sending.uuid), ["2 operations"]) {
            _ = try await $0.notifications(of: Sample.sending)
        },
        Wait(nil) { await $0.disconnect() },
    ]

    @Test(arguments: waits.indices)
    func cancelledWaitIsRemoved(_ index: Int) throws {
        let wait = Self.waits[index]
        let link = try link()
        let ends = Notes<BLEError?>()
        try bluetooth.run {
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    do {
                        try await wait.begin(link)
                        ends.add(nil)
                    } catch {
                        ends.add(error as? BLEError)
                    }
                }
                for _ in 0..<10 { await Task.yield() }
                group.cancelAll()
            }
        }
        #expect(driver.calls.count == (wait.remains == ["2 operations"] ? 2 : 1))
        #expect(ends.all == [wait.error])
        #expect(link.remains == wait.remains)
        driver.answerAll()
        #expect(link.remains == [])
        #expect(ends.all.count == 1)
    }

    // MARK: Discovery

    @Test func eachDiscoveryIsRepeatedAsOftenAsTheFirst() throws {
        let link = try link()
        for round in 1...3 {
            link.submitServices(notes.ending("\(round)"))
            for _ in 0..<100 where driver.openCount > 0 {
                bluetooth.happen(.servicesChanged)
                driver.answer()
            }
            #expect(driver.calls.count == 4 * round)
            #expect(notes.all.count == round)
        }
        #expect(notes.all == ["1", "2", "3"])
    }

    @Test func discoveryIsNotRepeatedForCancelledCallers() throws {
        let link = try link()
        link.submitServices(notes.ending("first")).cancel()
        bluetooth.happen(.servicesChanged)
        driver.answer()
        #expect(driver.calls == [.discover])
        #expect(link.kept == ["driver"])
        link.submitServices(notes.ending("second"))
        #expect(driver.calls == [.discover, .discover])
        driver.answer()
        #expect(notes.all == ["first: \(BLEError.Kind.cancelled)", "second"])
        #expect(link.kept == ["driver", "services"])
    }

    // MARK: Pairing

    @Test func pairingIsRequestedOnlyWithTheFeature() throws {
        driver.answerAtOnce()
        let link = try link()
        try bluetooth.run { try await link.pair() }
        #expect(driver.calls == [.pair])
        let poor = ScriptedBluetooth(features: [.connectedRSSI])
        poor.driver.answerAtOnce()
        let other = try #require(poor.link())
        let error = poor.errors { try await other.pair() }
        #expect(error == BLEError(.notSupported, .pair))
        #expect(poor.driver.calls == [])
    }

    @Test func refusedPairingThrows() throws {
        let link = try link()
        let refusal = BLEError(.refused, .pair, attError: .insufficientAuthentication)
        _ = bluetooth.stepped.schedule(at: .origin + .seconds(1)) { [driver] in
            driver.answer(refusal)
        }
        let error = bluetooth.errors { try await link.pair() }
        #expect(error == refusal)
        #expect(bluetooth.stepped.now() == .origin + .seconds(1))
    }

    @Test func pairingAndRSSIAreNotSupportedByDefault() {
        SilentDriver().pair(notes.ending("pair"))
        SilentDriver().readRSSI(notes.ending("RSSI"))
        let unsupported = BLEError.Kind.notSupported
        #expect(notes.all == ["pair: \(unsupported)", "RSSI: \(unsupported)"])
    }

    /// A trace has pairing, and each value.
    @Test func traceHasPairingAndValues() throws {
        driver.answerAtOnce()
        let traces = Notes<LinkTrace>()
        let found = try bluetooth.run { [bluetooth] in
            let link = try await bluetooth.connect(
                to: PeripheralIdentity("ring"), observer: { traces.add($0) })
            try await link.pair()
            let values = try await link.notifications(of: Sample.sending)
            for value in [[1], [2]] as [[UInt8]] {
                bluetooth.happen(.value(Sample.sending.id, value))
            }
            var iterator = values.makeAsyncIterator()
            return [try await iterator.next()?.value, try await iterator.next()?.value]
        }
        #expect(found == [[1], [2]])
        #expect(driver.calls.first == .pair)
        let pairing = traces.all.filter { $0.operation == .pair }
        #expect(pairing.map(\.kind) == [.request, .reply])
        #expect(pairing.map(\.error) == [nil, nil])
        #expect(
            traces.all.compactMap(\.event) == [[1], [2]].map { .value(Sample.sending.id, $0) })
    }
}

import HaloProtocol
import HaloTesting
import HaloTransport
import TestSupport
import Testing

/// Default arguments.
@Suite(.passesTime) struct DefaultTests {
    private static let identity = PeripheralIdentity("ring")

    private func kind(_ body: () async throws -> Void) async -> BLEError.Kind? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? BLEError)?.kind
        }
    }

    @Test func searchesAndAttemptsTimeOut() throws {
        let bluetooth = ScriptedBluetooth(opensAtOnce: false)
        let start = bluetooth.stepped.now()
        try bluetooth.run {
            #expect(
                await kind { _ = try await bluetooth.connect(to: Self.identity) } == .timedOut)
            #expect(bluetooth.stepped.now().duration(since: start) == .seconds(30))
            #expect(
                await kind {
                    _ = try await bluetooth.connect(to: Discovery(Self.identity))
                } == .timedOut)
            #expect(bluetooth.stepped.now().duration(since: start) == .seconds(60))
            #expect(await kind { _ = try await bluetooth.find() } == .timedOut)
            #expect(bluetooth.stepped.now().duration(since: start) == .seconds(90))
            bluetooth.state.withLock { $0.connected = nil }
            #expect(await kind { _ = try await bluetooth.connectedDevices(with: []) } == .timedOut)
            #expect(bluetooth.stepped.now().duration(since: start) == .seconds(100))
        }
        #expect(bluetooth.stepped.timerCount == 0)
    }

    /// The number of buffered elements, and the count of those that were dropped.
    @Test func scanBuffers256() throws {
        let bluetooth = ScriptedBluetooth()
        let scan = bluetooth.scan()
        for number in 0..<300 { bluetooth.hear(Discovery(PeripheralIdentity("\(number)"))) }
        let heard = try bluetooth.run {
            var devices = scan.makeAsyncIterator()
            return [try await devices.next(), try await devices.next()]
        }
        #expect(heard.map { $0?.identity.rawValue } == ["44", "45"])
        #expect(heard.map { $0?.lostBefore } == [44, 0])
    }

    @Test func notificationsBuffer64AndEvents256() throws {
        let bluetooth = ScriptedBluetooth()
        bluetooth.driver.answerAtOnce()
        let link = try #require(bluetooth.link())
        let kept = try bluetooth.run {
            let events = link.events()
            let values = try await link.notifications(of: Sample.sending)
            for number in 0..<300 {
                bluetooth.happen(.value(Sample.sending.id, [UInt8(number % 256)]))
            }
            var value = values.makeAsyncIterator()
            var event = events.makeAsyncIterator()
            let first = [try await value.next(), try await value.next()]
            #expect(first.map { $0?.value } == [[236], [237]])
            #expect(first.map { $0?.lostBefore } == [236, 0])
            let second = [try await event.next(), try await event.next()]
            #expect(
                second.map { $0?.event } == [44, 45].map { .value(Sample.sending.id, [$0]) })
            return second.map { $0?.lostBefore }
        }
        #expect(kept == [44, 0])
    }

    @Test func adapterStatesBuffer16() throws {
        let bluetooth = ScriptedBluetooth()
        let states = bluetooth.adapterStates()
        for number in 0..<20 {
            bluetooth.changeAdapter(to: number.isMultiple(of: 2) ? .poweredOff : .poweredOn)
        }
        let count = try bluetooth.run {
            await withTaskGroup(of: Int.self) { group in
                group.addTask {
                    var count = 0
                    do { for try await _ in states { count += 1 } } catch {}
                    return count
                }
                for _ in 0..<40 { await Task.yield() }
                group.cancelAll()
                return await group.next() ?? 0
            }
        }
        #expect(count == 16)
    }

    @Test func defaultsOfInitialisersAreEmpty() throws {
        #expect(Discovery(Self.identity).lostBefore == 0)
        #expect(LinkNotification(value: [], moment: .origin).lostBefore == 0)
        #expect(ReceivedEvent(.servicesChanged, moment: .origin).lostBefore == 0)
        let advertisement = PeripheralAdvertisement(AdvertisingData(lenient: []))
        #expect(advertisement.interval == .milliseconds(500))
        #expect(advertisement.isConnectable)
        #expect(advertisement.scanResponse == nil)
        #expect(ScanFilter.all == ScanFilter())
        #expect(!ScanFilter.all.reportsDuplicates)
    }

    @Test func optionsHaveDifferentBits() {
        let features: [TransportFeatures] = [
            .connectedRSSI, .duplicateReports, .rawAdvertisements, .pairing, .connectedDevices,
        ]
        #expect(features.map(\.rawValue) == [1, 2, 4, 8, 16])
        let permissions: [GATTPermissions] = [.readEncrypted, .writeEncrypted, .subscribeEncrypted]
        #expect(permissions.map(\.rawValue) == [1, 2, 4])
    }
}

/// Dropped sequences and observers leave nothing on their link.
@Suite(.passesTime) struct LinkRemainsTests {
    @Test func droppedSequenceIsRemoved() throws {
        let bluetooth = ScriptedBluetooth()
        bluetooth.driver.answerAtOnce()
        let link = try #require(bluetooth.link())
        try bluetooth.run {
            do {
                let events = link.events()
                let values = try await link.notifications(of: Sample.sending)
                let observation = link.observe { _, _ in }
                withExtendedLifetime((events, values)) {}
                observation.cancel()
                observation.cancel()
            }
            _ = try await link.services
        }
        bluetooth.happen(.value(Sample.sending.id, [1]))
        #expect(
            bluetooth.driver.calls == [
                .setNotify(true, Sample.sending.id), .setNotify(false, Sample.sending.id),
                .discover,
            ])
        #expect(link.remains == [])
    }

    /// The link is open as long as it or a sequence of it is referenced.
    @Test(arguments: [true, false])
    func sequenceKeepsTheLinkOpen(hasValues: Bool) throws {
        let bluetooth = ScriptedBluetooth()
        bluetooth.driver.answerAtOnce()
        try bluetooth.run {
            var link = bluetooth.link()
            var values: Notifications?
            var events: LinkEvents?
            if hasValues {
                values = try await link?.notifications(of: Sample.sending)
            } else {
                events = link?.events()
            }
            link = nil
            #expect(!bluetooth.driver.calls.contains(.disconnect))
            withExtendedLifetime((values, events)) {}
            (values, events) = (nil, nil)
            #expect(bluetooth.driver.calls.last == .disconnect)
        }
    }

    @Test func remainsShowWhatIsUnderWay() throws {
        let bluetooth = ScriptedBluetooth()
        let link = try #require(bluetooth.link())
        let events = link.events()
        let observation = link.observe { _, _ in }
        link.submitRead(Sample.readable) { _ in }
        #expect(link.remains == ["1 operations", "2 observers"])
        bluetooth.happen(.disconnected(DisconnectReason(.remote)))
        #expect(link.remains == [])
        observation.cancel()
        withExtendedLifetime(events) {}
    }
}

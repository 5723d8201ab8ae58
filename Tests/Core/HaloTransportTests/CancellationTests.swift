import HaloProtocol
import HaloTesting
import HaloTransport
import TestSupport
import Testing

/// Every kind of wait, cancelled at every point: it ends once, nothing waits any more, and the link
/// can be used afterwards.
@Suite(.passesTime) struct CancellationTests {
    enum Wait: CaseIterable, Sendable {
        case services, characteristic, read, readDescriptor, write, writeWithoutResponse
        case writeDescriptor, readRSSI, subscribe, nextValue, nextEvent, disconnect
        case scan, find, adapter, sleep

        func begin(_ bluetooth: ScriptedBluetooth, _ link: BLELink) async throws {
            switch self {
            case .services: _ = try await link.services
            case .characteristic:
                _ = try await link.characteristic(Sample.readable.uuid, of: Sample.service)
            case .read: _ = try await link.read(Sample.readable)
            case .readDescriptor: _ = try await link.read(Sample.descriptor)
            case .write: try await link.write([1], to: Sample.writable)
            case .writeWithoutResponse:
                try await link.write([1], to: Sample.writable, .withoutResponse)
            case .writeDescriptor: try await link.write([1], to: Sample.descriptor)
            case .readRSSI: _ = try await link.readRSSI()
            case .subscribe: _ = try await link.notifications(of: Sample.sending)
            case .nextValue:
                for try await _ in try await link.notifications(of: Sample.sending) {}
            case .nextEvent: for try await _ in link.events() {}
            case .disconnect: await link.disconnect()
            case .scan: for try await _ in bluetooth.scan() {}
            case .find: _ = try await bluetooth.find(timeout: .seconds(86_400))
            case .adapter: for try await _ in bluetooth.adapterStates() {}
            case .sleep: try await bluetooth.time.clock.sleep(for: .seconds(86_400))
            }
        }

        /// A sequence ends when its task is cancelled; a call that gives one value throws.
        func endsQuietly(hasSubscription: Bool) -> Bool {
            switch self {
            case .disconnect, .nextEvent, .scan, .adapter: true
            case .nextValue: hasSubscription
            default: false
            }
        }
    }

    @Test(arguments: Wait.allCases, [0, 1, 2, 3, 4, 5, 8, 13])
    func endsOnceAndLeavesNothing(_ wait: Wait, _ turns: Int) throws {
        let bluetooth = ScriptedBluetooth()
        let link = try #require(bluetooth.link())
        if wait == .nextValue, turns > 2 { bluetooth.driver.answerAtOnce() }
        let ends = Notes<BLEError.Kind?>()
        try bluetooth.run {
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    do {
                        try await wait.begin(bluetooth, link)
                        ends.add(nil)
                    } catch let error as BLEError {
                        ends.add(error.kind)
                    } catch is CancellationError {
                        ends.add(.cancelled)
                    } catch {}
                }
                for _ in 0..<turns { await Task.yield() }
                group.cancelAll()
            }
            bluetooth.driver.answerAll()
        }
        #expect(ends.all == [wait.endsQuietly(hasSubscription: turns > 2) ? nil : .cancelled])
        #expect(bluetooth.stepped.waiterCount == 0)
        #expect(bluetooth.stepped.listenerCount == 0)
        #expect(bluetooth.scansUnderWay == 0)
        #expect(bluetooth.state.withLock { $0.adapterObservers.count } == 0)
        if wait == .disconnect {
            #expect(bluetooth.driver.calls == [.disconnect])
            return
        }
        #expect(bluetooth.stepped.timerCount == 0)
        bluetooth.driver.answerAtOnce()
        #expect(try bluetooth.run { try await link.read(Sample.readable) } == [1, 2, 3])
        let switches = bluetooth.driver.calls.filter { call in
            if case .setNotify = call { true } else { false }
        }
        #expect(switches.count.isMultiple(of: 2), "what was switched on is switched off")
    }

    @Test func linkEndEndsEachWaitOnce() throws {
        for wait in Wait.allCases {
            let bluetooth = ScriptedBluetooth()
            let link = try #require(bluetooth.link())
            let ends = Notes<BLEError.Kind?>()
            switch wait {
            case .scan, .find, .adapter, .sleep: continue
            default: break
            }
            try bluetooth.run {
                await withTaskGroup(of: Void.self) { group in
                    group.addTask {
                        do throws(any Error) {
                            try await wait.begin(bluetooth, link)
                            ends.add(nil)
                        } catch {
                            ends.add((error as? BLEError)?.kind)
                        }
                    }
                    for _ in 0..<10 { await Task.yield() }
                    bluetooth.happen(.disconnected(DisconnectReason(.remote)))
                    group.cancelAll()
                }
            }
            let isQuiet = wait == .disconnect || wait == .nextEvent
            #expect(ends.all == [isQuiet ? nil : .disconnected], "\(wait)")
            #expect(bluetooth.stepped.waiterCount == 0, "\(wait)")
            #expect(bluetooth.stepped.listenerCount == 0, "\(wait)")
            #expect(bluetooth.stepped.timerCount == 0, "\(wait)")
        }
    }
}

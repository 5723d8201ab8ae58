import HaloProtocol
import HaloTesting
import HaloTransport
import TestSupport
import Testing

/// Traces: they are complete, and change nothing.
@Suite(.passesTime) struct TraceTests {
    private let bluetooth = ScriptedBluetooth()
    private let traces = Notes<LinkTrace>()

    private func use(_ link: BLELink) async throws -> [String] {
        var found: [String] = []
        found.append("\(try await link.services.count)")
        found.append("\(try await link.read(Sample.readable))")
        try await link.write([5], to: Sample.writable)
        let values = try await link.notifications(of: Sample.sending)
        bluetooth.happen(.value(Sample.sending.id, [6]), .maximumLengthChanged)
        var iterator = values.makeAsyncIterator()
        found.append("\(String(describing: try await iterator.next()?.value))")
        found.append("\(try await link.readRSSI())")
        bluetooth.happen(.disconnected(DisconnectReason(.remote)))
        do {
            _ = try await iterator.next()
        } catch {
            found.append("\(error)")
        }
        return found
    }

    @Test func everyRequestIsTracedWithItsReply() throws {
        bluetooth.driver.answerAtOnce()
        try bluetooth.run { [self] in
            let link = try await bluetooth.connect(
                to: PeripheralIdentity("ring"), observer: { traces.add($0) })
            _ = try await use(link)
        }
        let told = traces.all
        #expect(
            told.filter { $0.kind == .request }.map(\.operation) == [
                .connect, .discover, .read, .write, .subscribe, .readRSSI,
            ])
        let answers = told.filter { $0.kind == .reply }
        #expect(answers.map(\.number) == [1, 2, 3, 4, 5, 6])
        #expect(answers.first { $0.operation == .read }?.bytes == ScriptedDriver.value)
        #expect(told.first { $0.operation == .write }?.bytes == [5])
        #expect(
            told.filter { $0.operation == .write }.map(\.mode) == [.withResponse, .withResponse])
        #expect(answers.first { $0.operation == .discover }?.services?.isEmpty == false)
        #expect(answers.first { $0.operation == .connect }?.maximumWriteLength != nil)
        #expect(
            told.first { $0.event == .maximumLengthChanged }?.maximumWriteLength
                == bluetooth.driver.maximumWriteLength(for: .withoutResponse))
        #expect(
            told.compactMap(\.event) == [
                .value(Sample.sending.id, [6]), .maximumLengthChanged,
                .disconnected(DisconnectReason(.remote)),
            ])
        let value = told.first { $0.event == .value(Sample.sending.id, [6]) }
        #expect(value?.attribute == Sample.sending.id && value?.bytes == [6])
        #expect(told.allSatisfy { $0.identity == PeripheralIdentity("ring") })
    }

    /// A trace in words, with the time in seconds.
    private static func words(_ trace: LinkTrace) -> String {
        var words = "\(trace.moment.microseconds / 1_000_000) \(trace.kind)"
        if let number = trace.number { words += " \(number)" }
        if let operation = trace.operation { words += ": \(operation)" }
        if let attribute = trace.attribute { words += " #\(attribute.rawValue)" }
        if let bytes = trace.bytes { words += " \(bytes)" }
        if let mode = trace.mode { words += " \(mode)" }
        if let services = trace.services { words += " \(services.count) service" }
        if let length = trace.maximumWriteLength { words += " at most \(length)" }
        if let event = trace.event { words += " \(event)" }
        if let error = trace.error { words += " (\(error.kind))" }
        return words
    }

    @Test func tracesAreComplete() throws {
        bluetooth.driver.answerAtOnce()
        try bluetooth.run { [self] in
            let link = try await bluetooth.connect(
                to: PeripheralIdentity("ring"), observer: { traces.add($0) })
            _ = try await link.services
            bluetooth.stepped.advance(by: .seconds(1))
            _ = try await link.read(Sample.readable)
            try await link.write([5], to: Sample.writable)
            try await link.write([6], to: Sample.writable, .withoutResponse)
            bluetooth.stepped.advance(by: .seconds(1))
            do {
                let values = try await link.notifications(of: Sample.sending)
                bluetooth.happen(.value(Sample.sending.id, [7]))
                withExtendedLifetime(values) {}
            }
            _ = try await link.readRSSI()
            bluetooth.driver.state.withLock { $0.maximumLength = 100 }
            bluetooth.happen(.maximumLengthChanged, .servicesChanged)
            link.close()
            bluetooth.happen(.disconnected(DisconnectReason(.local)))
        }
        let value = LinkEvent.value(Sample.sending.id, [7])
        let end = LinkEvent.disconnected(DisconnectReason(.local))
        #expect(
            traces.all.map(Self.words) == [
                "0 request 1: connecting", "0 reply 1: connecting at most 20",
                "0 request 2: discovering services",
                "0 reply 2: discovering services 1 service",
                "1 request 3: reading #1", "1 reply 3: reading #1 [1, 2, 3]",
                "1 request 4: writing #2 [5] withResponse",
                "1 reply 4: writing #2 withResponse",
                "1 request 5: writing #2 [6] withoutResponse",
                "1 reply 5: writing #2 withoutResponse",
                "2 request 6: subscribing #3", "2 reply 6: subscribing #3",
                "2 event #3 [7] \(value)",
                "2 request 7: unsubscribing #3", "2 reply 7: unsubscribing #3",
                "2 request 8: reading the signal strength",
                "2 reply 8: reading the signal strength",
                "2 event at most 100 maximumLengthChanged",
                "2 event servicesChanged",
                "2 request: closing the link", "2 event \(end)",
            ])
    }

    @Test func tracingChangesNothing() throws {
        bluetooth.driver.answerAtOnce()
        let other = TraceTests()
        other.bluetooth.driver.answerAtOnce()
        let watched = try bluetooth.run { [self] in
            let transport = TracedTransport(bluetooth) { traces.add($0) }
            return try await use(transport.connect(to: PeripheralIdentity("ring")))
        }
        let plain = try other.bluetooth.run {
            try await other.use(other.bluetooth.connect(to: PeripheralIdentity("ring")))
        }
        #expect(watched == plain)
        #expect(bluetooth.driver.calls == other.bluetooth.driver.calls)
        #expect(bluetooth.stepped.now() == other.bluetooth.stepped.now())
    }

    @Test func errorsAndTheAppsCloseAreTraced() throws {
        try bluetooth.run { [self] in
            let link = try await bluetooth.connect(
                to: PeripheralIdentity("ring"), observer: { traces.add($0) })
            link.submitRead(Sample.readable) { _ in }
            bluetooth.driver.answer(BLEError(.refused, .read, attError: .unlikely))
            link.close()
        }
        #expect(traces.all.compactMap(\.error?.attError) == [.unlikely])
        #expect(traces.all.last?.operation == .disconnect)
    }

    @Test func restOfATransportIsThatOfItsBase() {
        let traced = TracedTransport(bluetooth) { _ in }
        let connected = [Discovery(PeripheralIdentity("ring"))]
        bluetooth.state.withLock { $0.connected = connected }
        let found = Notes<[Discovery]?>()
        traced.retrieveConnected([]) { found.add(try? $0.get()) }
        #expect(found.all == [connected])
        #expect(traced.features == bluetooth.features)
        #expect(traced.adapterState == .poweredOn)
        traced.observeAdapter { _ in }.cancel()
        traced.startScan(.all) { _ in }.cancel()
        #expect(bluetooth.state.withLock { $0.scansBegun } == 1)
        #expect(bluetooth.state.withLock { $0.observersBegun } == 1)
    }
}

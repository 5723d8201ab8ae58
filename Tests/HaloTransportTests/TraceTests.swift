import HaloProtocol
import HaloTesting
import HaloTransport
import Testing

/// Somebody who looks on sees everything, and changes nothing.
@Suite struct TraceTests {
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

    @Test func everythingIsToldWithItsAnswer() throws {
        bluetooth.driver.answerAtOnce()
        try bluetooth.run { [self] in
            let link = try await bluetooth.connect(
                to: PeripheralIdentity("ring"), observer: { traces.add($0) })
            _ = try await use(link)
        }
        let told = traces.all
        #expect(
            told.filter { $0.kind == .asked }.map(\.operation) == [
                .connect, .discover, .read, .write, .subscribe, .readRSSI,
            ])
        let answers = told.filter { $0.kind == .answered }
        #expect(answers.map(\.number) == [1, 2, 3, 4, 5, 6])
        #expect(answers.first { $0.operation == .read }?.bytes == ScriptedDriver.value)
        #expect(told.first { $0.operation == .write }?.bytes == [5])
        #expect(
            told.filter { $0.operation == .write }.map(\.mode) == [.withResponse, .withResponse])
        #expect(answers.first { $0.operation == .discover }?.services?.isEmpty == false)
        #expect(answers.first { $0.operation == .connect }?.maximumWriteLength != nil)
        #expect(
            told.first { $0.event == .maximumLengthChanged }?.maximumWriteLength
                == bluetooth.driver.maximumWriteLength(.withoutResponse))
        #expect(
            told.compactMap(\.event) == [
                .value(Sample.sending.id, [6]), .maximumLengthChanged,
                .disconnected(DisconnectReason(.remote)),
            ])
        let value = told.first { $0.event == .value(Sample.sending.id, [6]) }
        #expect(value?.attribute == Sample.sending.id && value?.bytes == [6])
        #expect(told.allSatisfy { $0.identity == PeripheralIdentity("ring") })
    }

    @Test func whoLooksOnChangesNothing() throws {
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

    @Test func errorsAndTheEndByTheAppAreTold() throws {
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

    @Test func theRestOfATransportIsThatOfItsBase() {
        let traced = TracedTransport(bluetooth) { _ in }
        #expect(traced.features == bluetooth.features)
        #expect(traced.adapterState == .poweredOn)
        traced.observeAdapter { _ in }.cancel()
        traced.startScan(.all) { _ in }.cancel()
        #expect(bluetooth.state.withLock { $0.scansBegun } == 1)
        #expect(bluetooth.state.withLock { $0.observersBegun } == 1)
    }
}

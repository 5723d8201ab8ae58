import HaloProtocol
import HaloTesting
import HaloTransport
import TestSupport
import Testing

/// Services: discovered once, and again after they have changed.
@Suite(.passesTime) struct DiscoveryTests {
    private let bluetooth = ScriptedBluetooth()
    private let notes = Notes<String>()
    private var driver: ScriptedDriver { bluetooth.driver }
    private let link: BLELink

    init() throws { link = try #require(bluetooth.link()) }

    @Test func concurrentCallersShareOneDiscovery() throws {
        link.submitServices(notes.ending("first"))
        link.submitServices(notes.ending("second"))
        driver.answer()
        link.submitServices(notes.ending("third"))
        #expect(driver.calls == [.discover])
        #expect(notes.all == ["first", "second", "third"])
    }

    @Test func cancelledCallerDoesNotCancelTheOthers() throws {
        let first = link.submitServices(notes.ending("first"))
        link.submitServices(notes.ending("second"))
        first.cancel()
        driver.answer()
        #expect(notes.all == ["first: \(BLEError.Kind.cancelled)", "second"])
    }

    @Test func failedDiscoveryIsRepeated() throws {
        link.submitServices(notes.ending("first"))
        driver.answer(BLEError(.backend, .discover))
        link.submitServices(notes.ending("second"))
        driver.answer()
        #expect(notes.all == ["first: \(BLEError.Kind.backend)", "second"])
    }

    @Test func changedServicesAreDiscoveredAgain() throws {
        link.submitServices(notes.ending("first"))
        driver.answer()
        bluetooth.happen(.servicesChanged)
        link.submitServices(notes.ending("second"))
        driver.answer()
        #expect(driver.calls == [.discover, .discover])
    }

    @Test func discoveryDuringAChangeIsRepeated() throws {
        link.submitServices(notes.ending("first"))
        bluetooth.happen(.servicesChanged)
        driver.answer()
        #expect(notes.all == [])
        driver.answer()
        #expect(notes.all == ["first"])
    }

    /// The change may be the cause of the failure, and may be reported before it.
    @Test(arguments: [ATTError.invalidHandle, .unlikely])
    func discoveryThatAChangeHasBrokenIsRepeated(_ error: ATTError) throws {
        let isSpoiled = error == .invalidHandle
        link.submitServices(notes.ending("first"))
        bluetooth.happen(.servicesChanged)
        driver.answer(BLEError(.refused, .discover, attError: error))
        #expect(notes.all == (isSpoiled ? [] : ["first: \(BLEError.Kind.refused)"]))
        driver.answer()
        #expect(driver.calls.count == (isSpoiled ? 2 : 1))
        #expect(notes.all.last == (isSpoiled ? "first" : "first: \(BLEError.Kind.refused)"))
    }

    @Test func discoveryThatIsAlwaysBrokenFails() throws {
        link.submitServices(notes.ending("first"))
        for _ in 0..<100 where notes.all.isEmpty {
            bluetooth.happen(.servicesChanged)
            driver.answer(BLEError(.refused, .discover, attError: .invalidHandle))
        }
        #expect(notes.all == ["first: \(BLEError.Kind.refused)"])
        #expect(driver.calls.count == 4)
    }

    @Test func deviceThatAlwaysChangesGivesItsLastResult() throws {
        link.submitServices(notes.ending("first"))
        for _ in 0..<100 where notes.all.isEmpty {
            bluetooth.happen(.servicesChanged)
            driver.answer()
        }
        #expect(notes.all == ["first"])
        #expect(driver.calls.count == 4)
        link.submitServices(notes.ending("second"))
        #expect(driver.calls.count == 5)
    }

    @Test func missingAttributeIsNamed() throws {
        driver.answerAtOnce()
        let missing = BluetoothUUID(0xFFFF)
        let errors = bluetooth.errors {
            _ = try await link.characteristic(Sample.readable.uuid, of: missing)
        }
        #expect(errors == BLEError(.noSuchAttribute, .discover, uuid: missing))
        let other = bluetooth.errors {
            _ = try await link.characteristic(missing, of: Sample.service)
        }
        #expect(other == BLEError(.noSuchAttribute, .discover, uuid: missing))
    }

    @Test func operationsBeyondTheLimitAreRefused() throws {
        for _ in 0..<1000 { link.submitServices(notes.ending("services")) }
        #expect(notes.all.count == 1000 - 256)
    }

    @Test func rssiIsReadOnlyWithTheFeature() throws {
        driver.answerAtOnce()
        #expect(try bluetooth.run { try await link.readRSSI() } == ScriptedDriver.rssi)
        let poor = ScriptedBluetooth(features: [])
        let other = try #require(poor.link())
        let error = poor.errors { _ = try await other.readRSSI() }
        #expect(error?.kind == .notSupported)
        #expect(poor.driver.calls == [])
    }
}

extension ScriptedBluetooth {
    /// The error that some code throws.
    func errors(_ body: @escaping @Sendable () async throws -> Void) -> BLEError? {
        do {
            try run(body)
            return nil
        } catch {
            return error as? BLEError
        }
    }
}

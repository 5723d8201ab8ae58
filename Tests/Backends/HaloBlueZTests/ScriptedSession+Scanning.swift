import BlueZVocabulary
import HaloDBus
import HaloTransport

@testable import HaloBlueZ

extension ScriptedSession {
    mutating func scan(
        _ filter: ScanFilter = .all
    ) -> (number: UInt64, reports: Heard<Result<Discovery, BLEError>>) {
        let reports = Heard<Result<Discovery, BLEError>>()
        let number = change { $0.beginScan(filter) { reports.append($0) } }
        return (number, reports)
    }

    /// Answers what a scan asks of the daemon: the discovery runs.
    mutating func beginDiscovery() {
        answer(Adapter1.setDiscoveryFilter)
        answer(Adapter1.startDiscovery)
    }

    /// Waits until an adapter is usable.
    mutating func awaitAdapter() -> Heard<Result<DBusObjectPath, Outage>> {
        let outcome = Heard<Result<DBusObjectPath, Outage>>()
        change { $0.whenUsable { _, result in outcome.append(result) } }
        return outcome
    }
}

extension Heard {
    /// The error of the last result.
    func error<Value, Failure: Error>() -> Failure? where Element == Result<Value, Failure> {
        all.last?.failure
    }
}

import CoreBluetooth
import Foundation
import HaloCoreBluetooth
import HaloProtocol
import HaloTransport

/// Measures the processor time that `HaloCoreBluetooth` adds to a notification: the same values,
/// from the same stand-in, counted by a bare delegate and by a function behind the transport. The
/// runs alternate. The limit is 3 µs more.
@main
struct NotificationBenchmark {
    static let count = 200_000
    static let pairs = 5
    static let limit = 3.0

    static func main() async throws {
        // The first pair warms up.
        var differences: [Double] = []
        for pair in 0...pairs {
            let bare = try await measure(bareDelegate)
            let ours = try await measure(transport)
            guard pair > 0 else { continue }
            differences.append(ours - bare)
            print(
                "bare \(text(bare)) µs, through the transport \(text(ours)) µs "
                    + "of processor time for each value")
        }
        let median = differences.sorted()[pairs / 2]
        print("median difference \(text(median)) µs, limit \(text(limit)) µs")
        if median > limit { exit(1) }
    }

    private static func text(_ number: Double) -> String { String(format: "%.2f", number) }

    /// Returns the microseconds of processor time for each value.
    private static func measure(_ body: () async throws -> Void) async throws -> Double {
        let phone = Phone(transport: FloodRadio(count: count))
        return try await Phone.$current.withValue(phone) {
            let begun = clock()
            try await body()
            return Double(clock() - begun) / Double(CLOCKS_PER_SEC) * 1e6 / Double(count)
        }
    }

    private static func bareDelegate() async throws {
        let queue = DispatchQueue(label: "bare")
        let (done, end) = AsyncStream.makeStream(of: Never.self)
        let app = BareDelegate(count: count) { end.finish() }
        let manager = CBCentralManager(delegate: app, queue: queue)
        for await _ in done {}
        withExtendedLifetime((app, manager)) {}
    }

    private static func transport() async throws {
        let transport = CoreBluetoothTransport()
        let found = try await transport.find(ScanFilter(services: [FloodRadio.service]))
        let (done, end) = AsyncStream.makeStream(of: Never.self)
        let driver = try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<any LinkDriver, any Error>) in
            let counter = Counter(count) { end.finish() }
            _ = transport.openLink(to: found.identity) { event in
                if case .value(_, let value) = event { counter.count(value) }
            } completion: { result in
                continuation.resume(with: result.mapError { $0 as any Error })
            }
        }
        let services = try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<[GATTService], any Error>) in
            driver.discoverServices {
                continuation.resume(with: $0.mapError { $0 as any Error })
            }
        }
        if let characteristic = services.first?.characteristics.first {
            driver.setNotify(true, for: characteristic.id) { _ in }
        }
        for await _ in done {}
    }
}

/// A count of values, which comes from one queue.
private final class Counter: @unchecked Sendable {
    private var left: Int
    private let done: @Sendable () -> Void

    init(_ count: Int, done: @escaping @Sendable () -> Void) {
        left = count
        self.done = done
    }

    func count(_ value: [UInt8]) {
        guard value.count == FloodRadio.value.count else { return }
        left -= 1
        if left == 0 { done() }
    }
}

/// An app that counts values in plain CoreBluetooth.
private final class BareDelegate: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate {
    private let counter: Counter
    private var peripheral: CBPeripheral?

    init(count: Int, done: @escaping @Sendable () -> Void) {
        counter = Counter(count, done: done)
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        guard central.state == .poweredOn else { return }
        central.scanForPeripherals(withServices: nil)
    }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any], rssi RSSI: NSNumber
    ) {
        self.peripheral = peripheral
        central.stopScan()
        central.connect(peripheral)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        peripheral.delegate = self
        peripheral.discoverServices(nil)
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        for service in peripheral.services ?? [] {
            peripheral.discoverCharacteristics(nil, for: service)
        }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService,
        error: (any Error)?
    ) {
        for characteristic in service.characteristics ?? [] {
            peripheral.setNotifyValue(true, for: characteristic)
        }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        if let value = characteristic.value { counter.count(Array(value)) }
    }
}

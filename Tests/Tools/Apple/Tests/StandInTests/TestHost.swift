import CoreBluetooth
import Foundation
import HaloSimulator
import HaloTransport
import Testing

/// An app that hosts a service, and writes down what the system tells it.
final class TestHost: NSObject, CBPeripheralManagerDelegate, @unchecked Sendable {
    let queue = DispatchQueue(label: "host")
    let log = EventLog()
    private var kept: CBPeripheralManager?
    var value: [UInt8] = [5, 6, 7, 8]
    var responses = 1
    var result = CBATTError.success
    let service = CBMutableService(type: CBUUID(string: "FFE0"), primary: true)
    let control = CBMutableCharacteristic(
        type: CBUUID(string: "FFE1"), properties: [.read, .write, .writeWithoutResponse],
        value: nil, permissions: [.readable, .writeable])
    let stream = CBMutableCharacteristic(
        type: CBUUID(string: "FFE2"), properties: .notify, value: nil, permissions: [])
    let constant = CBMutableCharacteristic(
        type: CBUUID(string: "FFE3"), properties: .read, value: Data([42]),
        permissions: .readable)
    let calm = CBMutableCharacteristic(
        type: CBUUID(string: "FFE4"), properties: .indicate, value: nil, permissions: [])
    let hidden = CBMutableCharacteristic(
        type: CBUUID(string: "FFE5"), properties: [.read, .write], value: nil, permissions: [])

    init(_ phone: Phone) {
        super.init()
        control.descriptors = [
            CBMutableDescriptor(type: CBUUID(string: "2901"), value: "control")
        ]
        service.characteristics = [control, stream, constant, calm, hidden]
        kept = Phone.$current.withValue(phone) {
            CBPeripheralManager(delegate: self, queue: queue)
        }
    }

    var manager: CBPeripheralManager {
        guard let kept else { preconditionFailure("the app has no manager") }
        return kept
    }

    /// Runs a function on the app's queue.
    @discardableResult
    func on<Result>(_ body: (TestHost) -> Result) -> Result { queue.sync { body(self) } }

    func wait(
        _ event: String, count: Int = 1, location: SourceLocation = #_sourceLocation
    ) async throws {
        let isMet = await log.wait(limit: 10) { $0.count { $0 == event } >= count }
        try #require(isMet, "no '\(event)' in \(log.all)", sourceLocation: location)
    }

    /// Adds the service, and advertises.
    func begin(_ name: String = "Host") async throws {
        try await wait("state 5")
        on {
            $0.manager.add($0.service)
            $0.manager.startAdvertising([
                CBAdvertisementDataLocalNameKey: name,
                CBAdvertisementDataServiceUUIDsKey: [CBUUID(string: "FFE0")],
                CBAdvertisementDataManufacturerDataKey: Data([1, 2]),
            ])
        }
        try await wait("added FFE0")
        try await wait("advertising")
    }

    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        log.append("state \(peripheral.state.rawValue)")
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?
    ) {
        log.append("added \(service.uuid)\(code(error))")
    }

    func peripheralManagerDidStartAdvertising(
        _ peripheral: CBPeripheralManager, error: (any Error)?
    ) {
        log.append("advertising\(code(error))")
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral,
        didSubscribeTo characteristic: CBCharacteristic
    ) {
        log.append("subscribed \(characteristic.uuid)")
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral,
        didUnsubscribeFrom characteristic: CBCharacteristic
    ) {
        log.append("unsubscribed \(characteristic.uuid)")
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest
    ) {
        log.append("read \(request.characteristic.uuid) from \(request.offset)")
        request.value = Data(value.dropFirst(request.offset))
        for _ in 0..<responses { peripheral.respond(to: request, withResult: result) }
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]
    ) {
        let values = requests.map { "\($0.value.map { [UInt8]($0) } ?? [])" }
        log.append("write \(values.joined(separator: " "))")
        for _ in 0..<responses { peripheral.respond(to: requests[0], withResult: result) }
    }

    func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) {
        log.append("ready")
    }
}

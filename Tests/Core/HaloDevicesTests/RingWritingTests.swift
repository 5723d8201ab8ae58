import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport
import TestSupport
import Testing

/// A ring whose characteristics are written with response only, and which records the writes.
private struct RespondingRing: GATTPeripheral {
    private var ring = VirtualRing(.r12)
    /// The writes in order.
    private(set) var written: [[UInt8]] = []

    var services: [GATTService] {
        ring.services.map { service in
            GATTService(
                service.uuid, isPrimary: service.isPrimary,
                characteristics: service.characteristics.map { characteristic in
                    GATTCharacteristic(
                        characteristic.id, characteristic.uuid,
                        characteristic.properties.subtracting(.writeWithoutResponse)
                            .union(characteristic.properties.canWrite ? .write : []),
                        descriptors: characteristic.descriptors)
                })
        }
    }

    mutating func handle(
        _ event: PeripheralEvent, at now: Moment, into effects: inout PeripheralEffects
    ) {
        if case .write(_, let value, _) = event { written.append(value) }
        ring.handle(event, at: now, into: &effects)
    }
}

@Suite(.passesTime) struct RingWritingTests {
    /// No ring was seen to join the pieces of a long write: each write is one packet.
    @Test func aLongRequestIsWrittenInPacketsAlsoWithResponse() async throws {
        let air = VirtualBluetooth()
        let worn = air.add(RespondingRing())
        let ring = try await Ring.connect(over: air)
        let before = worn.state?.written.count ?? 0
        let request = try Nickname.Request(text: [UInt8](repeating: 65, count: 600))
        #expect(try await ring.ask(request) == .value(Nickname.Reply()))
        let lengths = worn.state?.written.dropFirst(before).map(\.count)
        #expect(lengths == [244, 244, 118])
    }
}

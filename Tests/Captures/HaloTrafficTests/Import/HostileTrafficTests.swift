import HaloCapture
import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloTraffic

/// Devices with impossible numbers of attributes and connections.
@Suite(.computes) struct HostileTrafficTests {
    private func position(_ number: Int) -> FilePosition {
        FilePosition(number: number, offset: 0, microseconds: Int64(number))
    }

    /// A device with thousands of attributes that connects thousands of times: the attributes are
    /// not listed each time, and stay known.
    @Test func listsNoMoreThanThereIsRoomFor() throws {
        let address = DeviceAddress(1)
        var sink = SurveySink()
        var number = 0
        func tell(_ event: ConversationEvent, _ value: [UInt8] = [], on connection: Int) {
            number += 1
            sink.receive(event, ContiguousArray(value).span, on: connection, at: position(number))
        }
        tell(.connected(address, .remote), on: 0)
        for handle in stride(from: 1, to: 20_000, by: 2) as StrideTo<UInt16> {
            tell(
                .service(.init(0x1800), first: handle, last: handle + 1, isPrimary: true), on: 0)
            tell(.characteristic(.init(0x2A19), value: handle, [.read, .notify]), on: 0)
            tell(.descriptor(AttributeUUIDs.clientConfiguration, handle: handle + 1), on: 0)
        }
        let count = 200
        for connection in 1...count {
            tell(.connected(address, .remote), on: connection)
            tell(.transferred(777, .notified), [1], on: connection)
            tell(.transferred(778, .write), [1, 0], on: connection)
        }
        let connections = HandleResolver(sink.connections, ImportOptions()).connections(
            names: sink.heard)
        #expect(connections.count == count + 1)
        let listed = connections.reduce(0) { $0 + $1.attributes.count }
        #expect(listed <= 6 * TrafficSurvey.attributeLimit)
        for connection in connections.dropFirst() {
            let used = connection.attributes.filter(\.isUsed)
            #expect(used.map(\.handle) == [777, 778])
            #expect(used.map(\.basis) == [.discoveredElsewhere, .discoveredElsewhere])
            #expect(used.map(\.service) == [BluetoothUUID(0x1800), BluetoothUUID(0x1800)])
            #expect(used.last?.subscribes == 777)
        }
    }

    /// The service of a handle is the smallest one around it, also if thousands overlap.
    @Test func findsTheSmallestServiceAroundAHandle() {
        var table = AttributeTable()
        table.add(.service(BluetoothUUID(1), first: 1, last: 0xFFFF, isPrimary: true))
        table.add(.service(BluetoothUUID(2), first: 10, last: 20, isPrimary: true))
        table.add(.service(BluetoothUUID(3), first: 15, last: 25, isPrimary: true))
        table.add(.service(BluetoothUUID(4), first: 12, last: 12, isPrimary: false))
        let handles: [UInt16] = [1, 9, 10, 12, 15, 20, 21, 25, 26, 0xFFFF]
        let found = AttributeOrder(table).services(of: handles).map { $0?.uuid }
        let numbers: [UInt32] = [1, 1, 2, 4, 2, 2, 3, 3, 1, 1]
        #expect(found == numbers.map { BluetoothUUID($0) })
        #expect(AttributeOrder(AttributeTable()).services(of: handles).allSatisfy { $0 == nil })
    }

    @Test func findsTheValueBeforeADescriptor() {
        var table = AttributeTable()
        for handle: UInt16 in [3, 9] {
            table.add(.characteristic(BluetoothUUID(1), value: handle, []))
        }
        let order = AttributeOrder(table)
        let values = ([0, 3, 4, 9, 10, 0xFFFF] as [UInt16]).map(order.value)
        #expect(values == [nil, nil, 3, 3, 9, 9])
    }
}

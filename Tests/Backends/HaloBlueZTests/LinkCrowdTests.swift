#if os(Linux)
import BlueZVocabulary
import Foundation
import HaloDBus
import HaloProtocol
import HaloTransport
import Testing

@testable import HaloBlueZ

/// Many devices, requests, values and attempts at once.
@Suite struct LinkCrowdTests {
    private func established() -> LinkScript {
        var link = LinkScript()
        link.establish()
        return link
    }

    @Test
    func linksThatEndAtOnceTakeNoStack() async {
        // On a stack as small as some systems give to threads.
        let results = await withUnsafeContinuation { done in
            let thread = Thread {
                var link = established()
                let first = link.read(link.attribute(GATTTree.text))
                let rest = (0..<LinkLimits.maximumOperations - 1).map { _ in
                    link.read(AttributeID(9999))
                }
                link.script.answer(GattCharacteristic1.readValue, [.bytes([1])])
                done.resume(returning: [first.count] + rest.map(\.count))
            }
            thread.stackSize = 1 << 18
            thread.start()
        }
        #expect(results.allSatisfy { $0 == 1 })
    }

    @Test func valuesDuringAReadKeepTheirOrderHoweverMany() {
        var link = established()
        let beat = link.subscribe(GATTTree.beat)
        let read = link.read(beat)
        for byte in 0..<100 as Range<UInt8> { link.value([byte], of: GATTTree.beat) }
        link.script.answer(GattCharacteristic1.readValue, [.bytes([99])])
        #expect(read.count == 1)
        let told = link.events.all.compactMap { event in
            if case .value(_, let bytes) = event { bytes.first } else { nil }
        }
        // The last one is the read's own.
        #expect(told == Array(0..<99))
    }

    @Test func onlyTheDeviceThatIsSoughtEndsTheSearch() {
        var link = LinkScript(knowsDevice: false)
        link.open()
        for number in 0..<UInt8(100) {
            let text = number < 16 ? "0\(String(number, radix: 16))" : String(number, radix: 16)
            var properties = Tree.deviceProperties
            properties[Device1.address] = .string("C0:00:00:00:00:\(text)")
            let path = Tree.path("/org/bluez/hci0/dev_\(number)")
            link.script.say(Tree.added(path, [Device1.interfaceName: properties]))
        }
        #expect(link.script.questions(Device1.connect).isEmpty)
        link.hear()
        #expect(link.script.questions(Device1.connect).map(\.path) == [Tree.device])
    }

    @Test func aDaemonThatGoesTakesScansAndThoseWhoWaitForALinksEnd() {
        var link = established()
        let reports = Heard<Result<Discovery, BLEError>>()
        _ = link.script.change { $0.beginScan(.all) { reports.append($0) } }
        link.script.answer(Adapter1.setDiscoveryFilter)
        link.script.answer(Adapter1.startDiscovery)
        link.close()
        link.open()
        #expect(link.state?.name == .waiting)
        link.script.own(nil, before: ":1.1")
        #expect(link.opened.all.last??.kind == .backend)
        #expect(link.script.session.links.entries.isEmpty)
        #expect(link.script.session.daemon.phase != .loading)
        #expect(!link.script.session.discovery.isRunning)
        #expect(reports.all.last?.failure?.kind == .backend)
    }
}
#endif

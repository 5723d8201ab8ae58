import BlueZVocabulary
import Foundation
import HaloDBus
import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloBlueZ

/// Operations on a device, and their results.
@Suite(.computes) struct LinkOperationTests {
    @Test func aDescriptorIsReadByItsOwnInterface() throws {
        var link = LinkScript.established()
        let services = try #require(link.found.all.first).get()
        let descriptor = try #require(
            services.first?.characteristic(GATTTree.text.uuid)?.descriptors.first)
        let read = link.read(descriptor.id)
        #expect(
            link.script.questions(GattDescriptor1.readValue).map(\.interface)
                == [GattDescriptor1.interfaceName])
        link.script.answer(GattDescriptor1.readValue, [.bytes([9])])
        #expect(try read.all.map { try $0.get() } == [[9]])
    }

    @Test func oneThingIsAskedAtATimeInTheOrderOfAsking() {
        var link = LinkScript.established()
        let sink = link.attribute(GATTTree.sink)
        let all = (0..<5).map { link.write([$0], to: sink) }
        let read = link.read(link.attribute(GATTTree.text))
        for byte in 0..<5 as Range<UInt8> {
            #expect(link.script.asked.count == 1)
            let arguments = link.script.questions(GattCharacteristic1.writeValue)[0].arguments
            #expect(arguments.first == .bytes([byte]))
            link.script.answer(GattCharacteristic1.writeValue)
        }
        #expect(all.allSatisfy { $0.all == [nil] })
        link.script.answer(GattCharacteristic1.readValue, [.bytes([])])
        #expect(read.count == 1)
    }

    @Test func anAnswerWithoutAValueIsAnError() {
        for values in [[], [.string("text")], [.array(.uint16, [])]] as [[DBusValue]] {
            var link = LinkScript.established()
            let read = link.read(link.attribute(GATTTree.text))
            link.script.answer(GattCharacteristic1.readValue, values)
            #expect(read.all.map { $0.failure?.kind } == [.backend])
        }
    }

    @Test func theQueueIsBounded() {
        var link = LinkScript.established()
        let text = link.attribute(GATTTree.text)
        let all = (0...LinkLimits.maximumOperations + 1).map { _ in link.read(text) }
        #expect(all[LinkLimits.maximumOperations].all.isEmpty)
        #expect(all[LinkLimits.maximumOperations + 1].all.map { $0.failure?.kind } == [.overloaded])
    }

    @Test func anAgentSaysYesOnlyToWhatNeedsNoPersonAndOnlyForOurDevices() {
        for member in Agent1.interface.methods.map(\.name) {
            let needsNobody = [Agent1.release, Agent1.cancel].contains(member)
            let isAsking = [Agent1.requestAuthorization, Agent1.authorizeService].contains(member)
            #expect(Agent1.accepts(member, isOurs: true) == (needsNobody || isAsking))
            #expect(Agent1.accepts(member, isOurs: false) == needsNobody)
        }
    }

    @Test func operationsThatFailAtOnceTakeNoStack() async {
        // On a stack as small as some systems give to threads.
        let results = await withUnsafeContinuation { done in
            let thread = Thread {
                var link = LinkScript.established()
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
}

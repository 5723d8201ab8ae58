#if os(Linux)
import BlueZVocabulary
import HaloDBus
import HaloProtocol
import HaloTransport
import Testing

@testable import HaloBlueZ

/// Operations on a device, and their results.
@Suite struct LinkOperationTests {
    private func established() -> LinkScript {
        var link = LinkScript()
        link.establish()
        return link
    }

    private func error<Value>(_ heard: Heard<Result<Value, BLEError>>) -> BLEError? {
        if case .failure(let error)? = heard.all.first { error } else { nil }
    }

    @Test func aReadGivesTheWholeValue() throws {
        var link = established()
        let read = link.read(link.attribute(GATTTree.text))
        let question = try #require(link.script.questions(GattCharacteristic1.readValue).first)
        #expect(question.path == GATTTree.text.path)
        #expect(question.arguments == [.properties([:])])
        link.script.answer(GattCharacteristic1.readValue, [.bytes([1, 2, 3])])
        #expect(try read.all.map { try $0.get() } == [[1, 2, 3]])
    }

    @Test func aDescriptorIsReadByItsOwnInterface() throws {
        var link = established()
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

    @Test(arguments: [
        (WriteMode.withResponse, AttributeOption.request),
        (.withoutResponse, AttributeOption.command),
    ])
    func aWriteSaysHow(_ mode: WriteMode, _ type: String) {
        var link = established()
        let written = link.write([7], to: link.attribute(GATTTree.sink), mode)
        #expect(
            link.script.questions(GattCharacteristic1.writeValue).map(\.arguments)
                == [[.bytes([7]), .properties([AttributeOption.type: .string(type)])]])
        link.script.answer(GattCharacteristic1.writeValue)
        #expect(written.all == [nil])
    }

    @Test func oneThingIsAskedAtATimeInTheOrderOfAsking() {
        var link = established()
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

    @Test func aBusyDaemonIsAskedAgainMoreAndMoreSeldom() throws {
        var link = established()
        let read = link.read(link.attribute(GATTTree.text))
        for milliseconds in [10, 20, 40, 80] {
            link.script.refuse(GattCharacteristic1.readValue, BlueZErrorName.inProgress)
            link.script.pass(.milliseconds(milliseconds - 1))
            #expect(link.script.asked.isEmpty)
            link.script.pass(.milliseconds(1))
            #expect(link.script.asked.count == 1)
        }
        link.script.answer(GattCharacteristic1.readValue, [.bytes([1])])
        #expect(try read.all.map { try $0.get() } == [[1]])
    }

    @Test func whatIsToBeAskedAgainIsNotWhenTheLinkEndsBefore() {
        var link = established()
        let read = link.read(link.attribute(GATTTree.text))
        link.script.refuse(GattCharacteristic1.readValue, BlueZErrorName.inProgress)
        link.loseLink()
        link.script.pass(.milliseconds(20))
        #expect(link.script.asked.isEmpty)
        link.script.passAll()
        #expect(link.script.questions(GattCharacteristic1.readValue).isEmpty)
        #expect(read.count == 1)
        #expect(error(read)?.kind == .disconnected)
    }

    @Test func aDaemonThatStaysBusyIsGivenUp() {
        var link = established()
        let read = link.read(link.attribute(GATTTree.text))
        for _ in 0..<100 where read.all.isEmpty {
            link.script.refuse(GattCharacteristic1.readValue, BlueZErrorName.inProgress)
            link.script.pass(LinkLimits.longestRetry)
        }
        #expect(error(read)?.kind == .backend)
        #expect(link.state?.name == .open)
    }

    @Test(
        arguments: [
            (BlueZErrorName.failed, BlueZErrorText.att(0x80), 0x80),
            (BlueZErrorName.failed, BlueZErrorText.att(0xFE), 0xFE),
            (BlueZErrorName.failed, BlueZErrorText.att(0x05), 0x05),
            (BlueZErrorName.notPermitted, BlueZErrorText.readNotPermitted, 0x02),
            (BlueZErrorName.notPermitted, BlueZErrorText.writeNotPermitted, 0x03),
            (BlueZErrorName.notPermitted, BlueZErrorText.notPaired, 0x05),
            (BlueZErrorName.notAuthorized, BlueZErrorText.notAuthorized, 0x08),
            (BlueZErrorName.invalidArguments, BlueZErrorText.invalidOffset, 0x07),
            (BlueZErrorName.invalidArguments, BlueZErrorText.invalidLength, 0x0D),
        ] as [(String, String, UInt8)])
    func aRefusalHasItsCode(_ name: String, _ text: String, _ code: UInt8) {
        var link = established()
        let read = link.read(link.attribute(GATTTree.text))
        link.script.refuse(GattCharacteristic1.readValue, name, text)
        #expect(error(read)?.kind == .refused)
        #expect(error(read)?.attError == ATTError(code: code))
        #expect(error(read)?.details == "\(name): \(text)")
    }

    @Test(
        arguments: [
            (BlueZErrorName.notSupported, BlueZErrorText.notSupported, BLEError.Kind.notPermitted),
            (DBusErrorName.unknownObject, "Method \"ReadValue\" …", .noSuchAttribute),
            (DBusErrorName.accessDenied, "", .unauthorized),
            (BlueZErrorName.failed, "Operation failed with ATT error: 0xzz", .backend),
            ("no name at all", "\u{1B}[31m", .backend),
        ] as [(String, String, BLEError.Kind)])
    func otherErrorsHaveKinds(_ name: String, _ text: String, _ kind: BLEError.Kind) {
        var link = established()
        let read = link.read(link.attribute(GATTTree.text))
        link.script.refuse(GattCharacteristic1.readValue, name, text)
        #expect(error(read)?.kind == kind)
    }

    @Test func anUnlikelyErrorIsTheDevicesIfTheLinkStays() {
        var link = established()
        let read = link.read(link.attribute(GATTTree.text))
        link.script.refuse(
            GattCharacteristic1.readValue, BlueZErrorName.failed, BlueZErrorText.att(0x0E))
        #expect(read.all.isEmpty)
        link.script.pass(LinkLimits.explanationTime)
        #expect(error(read)?.attError == .unlikely)
    }

    @Test(arguments: [BlueZErrorText.att(0x0E), BlueZErrorText.notConnected])
    func anErrorThatTheEndExplainsEndsWithIt(_ text: String) {
        var link = established()
        let read = link.read(link.attribute(GATTTree.text))
        link.script.refuse(GattCharacteristic1.readValue, BlueZErrorName.failed, text)
        link.loseLink()
        link.script.pass(LinkLimits.reasonTimeout)
        #expect(error(read)?.kind == .disconnected)
        #expect(error(read)?.reason == DisconnectReason(.remote))
        #expect(link.events.all.last == .disconnected(DisconnectReason(.remote)))
    }

    @Test func aDaemonThatKnowsOfNoLinkHasNone() {
        var link = established()
        let read = link.read(link.attribute(GATTTree.text))
        link.script.refuse(
            GattCharacteristic1.readValue, BlueZErrorName.failed, BlueZErrorText.notConnected)
        link.script.pass(LinkLimits.explanationTime)
        link.setConnected(false)
        #expect(error(read)?.reason?.kind == .remote)
        #expect(link.state == nil)
    }

    @Test func aDeviceThatDoesNotAnswerLosesItsLink() {
        var link = established()
        let read = link.read(link.attribute(GATTTree.text))
        let write = link.write([1], to: link.attribute(GATTTree.sink))
        link.script.answer(GattCharacteristic1.readValue, .failure(DBusError(.timedOut)))
        #expect(link.script.questions(Device1.disconnect).count == 1)
        link.loseLink()
        #expect(error(read)?.reason?.kind == .noResponse)
        #expect(write.all.first??.reason?.kind == .noResponse)
    }

    @Test func aLinkThatTheDaemonEndsForSilenceSaysSo() {
        var link = established()
        let read = link.read(link.attribute(GATTTree.text))
        link.script.pass(.seconds(30))
        link.script.refuse(
            GattCharacteristic1.readValue, BlueZErrorName.failed, BlueZErrorText.att(0x0E))
        link.loseLink()
        link.script.pass(LinkLimits.reasonTimeout)
        #expect(error(read)?.reason?.kind == .noResponse)
    }

    @Test func anAnswerWithoutAValueIsAnError() {
        for values in [[], [.string("text")], [.array(.uint16, [])]] as [[DBusValue]] {
            var link = established()
            let read = link.read(link.attribute(GATTTree.text))
            link.script.answer(GattCharacteristic1.readValue, values)
            #expect(error(read)?.kind == .backend)
        }
    }

    @Test func lateRepliesAreIgnored() {
        var link = established()
        let read = link.read(link.attribute(GATTTree.text))
        link.loseLink()
        link.script.pass(LinkLimits.reasonTimeout)
        #expect(read.count == 1)
        link.script.answer(GattCharacteristic1.readValue, [.bytes([1])])
        #expect(read.count == 1)
    }

    @Test func theQueueIsBounded() {
        var link = established()
        let text = link.attribute(GATTTree.text)
        let all = (0...LinkLimits.maximumOperations + 1).map { _ in link.read(text) }
        #expect(error(all[LinkLimits.maximumOperations])?.kind == nil)
        #expect(error(all[LinkLimits.maximumOperations + 1])?.kind == .overloaded)
    }

    @Test func pairingNeedsTheOption() {
        var link = LinkScript(BlueZOptions(pairing: BlueZPairing()))
        link.open()
        #expect(link.script.questions(AgentManager1.registerAgent).count == 1)
        link.script.answer(AgentManager1.registerAgent)
        link.setConnected(true)
        link.script.answer(Device1.connect)
        link.exportServices()
        link.setResolved(true)
        link.discover()
        let read = link.read(link.attribute(GATTTree.text))
        link.script.refuse(
            GattCharacteristic1.readValue, BlueZErrorName.notPermitted, BlueZErrorText.notPaired)
        #expect(link.script.questions(Device1.pair).count == 1)
        link.script.refuse(Device1.pair, BlueZErrorName.alreadyExists)
        link.script.refuse(
            GattCharacteristic1.readValue, BlueZErrorName.notPermitted, BlueZErrorText.notPaired)
        #expect(link.script.questions(Device1.pair).isEmpty)
        #expect(error(read)?.attError == .insufficientAuthentication)
        #expect(!link.script.members.contains(AgentManager1.requestDefaultAgent))
    }

    @Test func theTimeOfPairingIsNoSilence() {
        var link = LinkScript(BlueZOptions(pairing: BlueZPairing()))
        link.establish()
        link.script.answer(AgentManager1.registerAgent)
        let read = link.read(link.attribute(GATTTree.text))
        link.script.refuse(
            GattCharacteristic1.readValue, BlueZErrorName.notPermitted, BlueZErrorText.notPaired)
        link.script.pass(.seconds(40))
        link.script.answer(Device1.pair)
        link.script.refuse(
            GattCharacteristic1.readValue, BlueZErrorName.failed, BlueZErrorText.att(0x0E))
        link.script.passAll()
        #expect(error(read)?.attError == .unlikely)
        #expect(link.state?.name == .open)
    }

    @Test func withoutTheOptionThereIsNoPairing() {
        var link = established()
        _ = link.read(link.attribute(GATTTree.text))
        link.script.refuse(
            GattCharacteristic1.readValue, BlueZErrorName.notPermitted, BlueZErrorText.notPaired)
        #expect(!link.script.members.contains(Device1.pair))
        #expect(!link.script.members.contains(AgentManager1.registerAgent))
    }

    @Test func anAgentSaysYesOnlyToWhatNeedsNoPersonAndOnlyForOurDevices() {
        for member in Agent1.interface.methods.map(\.name) {
            let needsNobody = [Agent1.release, Agent1.cancel].contains(member)
            let isAsking = [Agent1.requestAuthorization, Agent1.authorizeService].contains(member)
            #expect(Agent1.accepts(member, isOurs: true) == (needsNobody || isAsking))
            #expect(Agent1.accepts(member, isOurs: false) == needsNobody)
        }
    }
}
#endif

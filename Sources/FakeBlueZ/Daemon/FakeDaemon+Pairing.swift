#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloTransport

/// Pairing: without anybody who answers for the person it fails, and the link ends (as seen).
/// Devices themselves always agree. Who asks for it on a link whose services are not known yet is
/// never answered, though the device is paired with (as seen).
extension FakeDaemon {
    mutating func pair(_ request: DBusRequest, _ device: FakeDevice) {
        guard device.adapter.isPowered else { return perform(.refuse(request, .notReady)) }
        guard !device.isPaired else { return perform(.refuse(request, .alreadyExists)) }
        guard let link = device.link else {
            guard device.attempt == nil else {
                device.attempt?.pairing.append(request)
                return
            }
            return attempt(device, pairing: [request])
        }
        guard link.pairingNumber == nil else { return perform(.refuse(request, .inProgress)) }
        let number = nextNumber()
        link.pairing = [request]
        link.pairingNumber = number
        let id = FakeOperationID(device: device.number, number: number)
        perform(.authorize(device.path, isMeant: true, id))
    }

    mutating func cancelPairing(_ request: DBusRequest, _ device: FakeDevice) {
        guard let link = device.link, !link.pairing.isEmpty else {
            return perform(.refuse(request, .doesNotExist))
        }
        for pairing in link.pairing { perform(.refuse(pairing, .authenticationCancelled)) }
        link.pairing = []
        link.pairingNumber = nil
        perform(.reply(request, []))
        endLink(device, BlueZReason.local)
    }

    /// Whoever answers for the person has said yes or no.
    mutating func authorized(_ id: FakeOperationID, _ isAllowed: Bool) {
        guard isRunning, !authorizedOperation(id, isAllowed), let device = devices[id.device],
            let link = device.link, link.pairingNumber == id.number
        else { return }
        let requests = link.pairing
        link.pairing = []
        link.pairingNumber = nil
        if isAllowed {
            becomePaired(device, link)
            guard link.isResolved || link.isForPairing else {
                device.unanswered += requests
                return
            }
            for request in requests { perform(.reply(request, [])) }
        } else {
            for request in requests { perform(.refuse(request, .authenticationFailed)) }
            endLink(device, BlueZReason.authentication)
        }
    }

    mutating func becomePaired(_ device: FakeDevice, _ link: FakeLink) {
        link.isEncrypted = true
        guard !device.isPaired else { return }
        device.isPaired = true
        device.isTemporary = false
        var changes: [String: DBusValue?] = [
            Device1.paired: .boolean(true), Device1.bonded: .boolean(true),
        ]
        if let address = quirks.addressAfterPairing {
            device.address = address
            changes[Device1.address] = .string(address)
        }
        set(changes, device)
    }
}
#endif

#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus

/// Pairing: without an agent it fails, and the link ends (as seen). Devices always accept. `Pair`
/// on a link whose services are not known yet gets no reply, though the device is paired (as seen).
extension FakeDaemon {
    mutating func pair(_ request: DBusRequest, _ number: Int) throws(DBusRefusal) {
        guard let device = devices[number], adapters[device.adapter]?.isPowered == true else {
            throw .notReady
        }
        guard !device.isPaired else { throw .alreadyExists }
        guard let link = device.link else {
            guard device.attempt == nil else {
                devices[number]?.attempt?.pairing.append(request)
                return
            }
            return attempt(number, pairing: [request])
        }
        guard link.pairingNumber == nil else { throw .inProgress }
        let id = FakeOperation.ID(device: number, number: nextNumber())
        devices[number]?.link?.pairing = [request]
        devices[number]?.link?.pairingNumber = id.number
        put(.authorize(device.path, isMeant: true, id))
    }

    mutating func cancelPairing(_ request: DBusRequest, _ number: Int) throws(DBusRefusal) {
        guard devices[number]?.link?.pairing.isEmpty == false else { throw .doesNotExist }
        for pairing in endPairing(number) { put(.refuse(pairing, .authenticationCancelled)) }
        put(.reply(request, []))
        endLink(number, BlueZReason.local)
    }

    private mutating func endPairing(_ number: Int) -> [DBusRequest] {
        let requests = devices[number]?.link?.pairing ?? []
        devices[number]?.link?.pairing = []
        return requests
    }

    mutating func authorized(_ id: FakeOperation.ID, _ isAllowed: Bool) {
        guard !authorizedOperation(id, isAllowed),
            let link = devices[id.device]?.link, link.pairingNumber == id.number
        else { return }
        let requests = endPairing(id.device)
        if isAllowed {
            becomePaired(id.device)
            guard link.isResolved || link.isForPairing else {
                devices[id.device]?.unanswered += requests
                return
            }
            for request in requests { put(.reply(request, [])) }
        } else {
            for request in requests { put(.refuse(request, .authenticationFailed)) }
            endLink(id.device, BlueZReason.authentication)
        }
    }

    mutating func becomePaired(_ number: Int) {
        devices[number]?.link?.isEncrypted = true
        guard devices[number]?.isPaired == false else { return }
        devices[number]?.isPaired = true
        var changes: [String: DBusValue?] = [
            Device1.paired: .boolean(true), Device1.bonded: .boolean(true),
        ]
        if let address = quirks.addressAfterPairing {
            changes[Device1.address] = .string(address)
        }
        set(changes, device: number)
    }
}
#endif

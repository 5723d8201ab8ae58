#if os(Linux)
internal import HaloDBus
internal import HaloTransport

/// Services that come and go while there is a link.
extension FakeGATT {
    /// What is no more, and where what is new begins.
    struct Change {
        var paths: [DBusObjectPath] = []
        var characteristics: Set<Int> = []
        var attributes: Set<AttributeID> = []
        let firstNew: Int

        /// Whether something was asked of what is no more.
        func concerns(_ operation: FakeOperation) -> Bool {
            switch operation {
            case .read(let index, _, _), .readDescriptor(let index, _, _, _),
                .subscribe(let index, _, _), .readOwn(let index):
                characteristics.contains(index)
            case .write(let attribute, _, _, _, _): attribute.map(attributes.contains) ?? false
            }
        }
    }

    /// The remote consists of this now. What stays keeps its place; what is gone leaves its place
    /// empty, and what is new is added behind.
    mutating func change(
        to new: [GATTService], of device: DBusObjectPath, _ quirks: FakeQuirks
    ) -> Change {
        var change = Change(firstNew: services.count)
        for (place, service) in services.enumerated() where !service.isGone {
            guard let source = service.source, !new.contains(source) else { continue }
            change.paths += paths(service)
            change.characteristics.formUnion(service.characteristics)
            change.attributes.formUnion(source.characteristics.map(\.id))
            for characteristic in source.characteristics {
                change.attributes.formUnion(characteristic.descriptors.map(\.id))
            }
            empty(place)
        }
        let present = services.filter { !$0.isGone }.compactMap(\.source)
        for service in new where !present.contains(service) { append(service, of: device, quirks) }
        source = new
        return change
    }
}
#endif

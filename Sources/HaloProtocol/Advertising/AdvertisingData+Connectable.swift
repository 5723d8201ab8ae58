extension AdvertisingData {
    /// What a device that can be connected to says of itself, in one ordinary advertisement:
    /// flags, the services that have 16 bits, and its name.
    ///
    /// What does not fit is left out: services from the end on, and the end of the name, which is
    /// then marked as shortened.
    public static func connectable(name: String, services: [BluetoothUUID]) -> AdvertisingData {
        var structures = [
            AdvertisingStructure(unchecked: .flags([.generalDiscoverable, .classicNotSupported]))
        ]
        var room = legacyLength - structures[0].bytes.count
        let numbers = services.compactMap { $0.short16 }
        let listed = Array(numbers.prefix((room - structureHeader) / 2))
        if !listed.isEmpty {
            let list = AdvertisingStructure(
                unchecked: .services(.short(listed), isComplete: listed.count == services.count))
            structures.append(list)
            room -= list.bytes.count
        }
        let text = Array(name.utf8)
        let cut = beginning(of: text, length: room - structureHeader)
        if !cut.isEmpty {
            structures.append(
                AdvertisingStructure(
                    unchecked: .name(
                        AdvertisedName(bytes: cut), isComplete: cut.count == text.count)))
        }
        return AdvertisingData(unchecked: structures)
    }

    /// The length and the type.
    private static var structureHeader: Int { 2 }

    /// As many whole characters of a text as there is room for.
    private static func beginning(of utf8: [UInt8], length: Int) -> [UInt8] {
        guard utf8.count > length else { return utf8 }
        var end = max(length, 0)
        while end > 0 && utf8[end] & 0xC0 == 0x80 { end -= 1 }
        return Array(utf8[..<end])
    }
}

internal import HaloProtocol
internal import HaloTransport

extension VirtualRing {
    /// The name that it advertises: that of the profile, and the end of its address.
    public var name: String { options.name ?? profile.namePrefix + tailText }

    /// The last two bytes of its address.
    public var addressTail: UInt16 {
        if let tail = options.addressTail { return tail }
        var dice = RingDice(seed: options.seed &* 3 ^ wearer.seed)
        return UInt16(truncatingIfNeeded: dice.next())
    }

    private var tailText: String {
        let digits = String(addressTail, radix: 16, uppercase: true)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }

    /// What it sends while nobody is connected.
    ///
    /// No advertisement of a real ring was captured as bytes. That there are the long service
    /// number, the name and the company is known; which of them stands in the answer to a scanner
    /// and what the company says are choices.
    var advertisement: PeripheralAdvertisement? {
        var services: [AdvertisingStructure.Content] = [
            .flags([.generalDiscoverable, .classicNotSupported]),
            .services(.long([RingServices.uart]), isComplete: false),
        ]
        if options.advertisesShortService, let short = RingServices.advertisedShort.short16 {
            services.append(.services(.short([short]), isComplete: false))
        }
        let maker = AdvertisingStructure.Content.manufacturerData(
            company: RingRecognition.ringCompany, [])
        let name = AdvertisingStructure.Content.name(AdvertisedName(name), isComplete: true)
        guard let data = Self.data(services), let response = Self.data([name, maker]) else {
            return nil
        }
        return PeripheralAdvertisement(data, scanResponse: response)
    }

    private static func data(_ contents: [AdvertisingStructure.Content]) -> AdvertisingData? {
        try? AdvertisingData(structures: contents.compactMap { try? AdvertisingStructure($0) })
    }

    /// What can be read of an attribute; nothing of one that cannot be read.
    func value(of attribute: AttributeID) -> [UInt8]? {
        switch attribute {
        case RingAttributes.firmware: Self.text(profile.firmware)
        case RingAttributes.hardware: Self.text(profile.hardware)
        case RingAttributes.systemID: SystemID(address: UInt64(addressTail)).bytes
        case RingAttributes.manufacturer: profile.manufacturer.flatMap(Self.text)
        case RingAttributes.weChatNotify, RingAttributes.weChatIndicate,
            RingAttributes.weChatRead:
            profile.hasWeChat ? [] : nil
        default: nil
        }
    }

    private static func text(_ text: String) -> [UInt8]? {
        (try? DeviceInformationText(text))?.bytes
    }
}

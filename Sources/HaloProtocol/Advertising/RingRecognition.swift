/// What kind of device an advertisement looks like, and why.
///
/// What an advertisement cannot tell:
/// - A name alone is never proof: other rings, with other protocols, are sold under the same
///   names. The only proof is the service ``RingServices/uart``, found after connecting: see
///   ``settled(byServices:)``.
/// - R11 is the name of rings of this family and of "Da Rings" (CRP, Moyoung) with another
///   protocol; some R11 of this family do not advertise the service.
/// - YCBT ("SmartHealth") rings, jring, and rings with the RF03 chip's stock demo firmware speak
///   other protocols; nothing is known of what they advertise, so none of them is named here.
/// - Whether LED strips and rings list the services in their advertisements differs; most of
///   what strips advertise is known from community use alone.
public struct RingRecognition: Hashable, Sendable {
    /// What the device looks like.
    public enum Verdict: Hashable, Sendable {
        /// A ring, or a band, of the family that this module speaks to.
        case ring
        /// A ring that looks like one of the family, and is not.
        case lookAlike(RingLookAlike)
        /// An LED strip or bulb of the Triones kind.
        case ledStrip
        /// A heart-rate sensor with the standard service.
        case heartRateSensor
        /// Something else, or too little to tell.
        case unknown
    }

    /// How sure the verdict is.
    public enum Confidence: UInt8, Comparable, Sendable {
        /// There is no verdict.
        case none
        /// One weak clue: a name, a company number.
        case possible
        /// Two weak clues that agree.
        case likely
        /// The device lists a service that nothing else is known to have.
        case strong
        /// The services found after connecting settle it.
        case certain

        /// The surer one is greater.
        public static func < (left: Confidence, right: Confidence) -> Bool {
            left.rawValue < right.rawValue
        }
    }

    /// What speaks for the verdict, or should be known with it.
    public enum Clue: Hashable, Sendable {
        /// The name is one that rings of the family are sold under.
        case ringName
        /// The name is one of a ring with another protocol.
        case lookAlikeName(RingLookAlike)
        /// The name begins like those of LED strips.
        case ledStripName
        /// ``RingServices/uart`` is listed.
        case ringService
        /// ``RingServices/advertisedShort`` is listed; many devices of other kinds have it.
        case shortService
        /// There is manufacturer data of company 0x1234.
        case ringCompany
        /// A service of LED strips is listed.
        case ledStripService
        /// The standard heart-rate service is listed; no ring of the family has it.
        case heartRateService
        /// Connecting showed that ``RingServices/uart`` is not there.
        case ringServiceMissing
    }

    /// What the device looks like.
    public let verdict: Verdict
    /// How sure that is.
    public let confidence: Confidence
    /// What was found, in a fixed order.
    public let clues: [Clue]
    /// Which ring with another protocol it may be all the same.
    public let possibleLookAlike: RingLookAlike?

    /// The company number of rings' manufacturer data: several sources agree.
    public static let ringCompany: UInt16 = 0x1234

    /// Judges an advertisement.
    public init(_ device: AdvertisedDevice) {
        let name = RingName(device.name?.bytes ?? [])
        var clues: [Clue] = []
        if name.isRing { clues.append(.ringName) }
        if let lookAlike = name.lookAlike { clues.append(.lookAlikeName(lookAlike)) }
        if name.isLEDStrip { clues.append(.ledStripName) }
        if device.services.contains(RingServices.uart) { clues.append(.ringService) }
        if device.services.contains(RingServices.advertisedShort) { clues.append(.shortService) }
        if device.companies.contains(Self.ringCompany) { clues.append(.ringCompany) }
        if device.services.contains(where: LEDStrip.services.contains) {
            clues.append(.ledStripService)
        }
        if device.services.contains(StandardServices.heartRate) {
            clues.append(.heartRateService)
        }
        self.clues = clues
        (verdict, confidence) = Self.judge(clues, lookAlike: name.lookAlike)
        possibleLookAlike = verdict == .ring ? name.ambiguous : nil
    }

    private init(verdict: Verdict, confidence: Confidence, clues: [Clue]) {
        self.verdict = verdict
        self.confidence = confidence
        self.clues = clues
        possibleLookAlike = nil
    }

    /// Services weigh more than names, and a name that says "another ring" more than a weak clue.
    private static func judge(
        _ clues: [Clue], lookAlike: RingLookAlike?
    ) -> (Verdict, Confidence) {
        if clues.contains(.ringService) { return (.ring, .strong) }
        if clues.contains(.heartRateService) { return (.heartRateSensor, .strong) }
        if let lookAlike { return (.lookAlike(lookAlike), .possible) }
        let strip = count(clues, of: [.ledStripName, .ledStripService])
        if strip > 0 { return (.ledStrip, strip > 1 ? .likely : .possible) }
        guard clues.contains(.ringName) || clues.contains(.ringCompany) else {
            return (.unknown, .none)
        }
        let ring = count(clues, of: [.ringName, .ringCompany, .shortService])
        return (.ring, ring > 1 ? .likely : .possible)
    }

    private static func count(_ clues: [Clue], of kinds: [Clue]) -> Int {
        kinds.count { clues.contains($0) }
    }
}

extension RingRecognition {
    /// The verdict after connecting, when the device's services are known.
    ///
    /// A ring has ``RingServices/uart`` among them. Something that passed for one and has it not
    /// speaks another protocol.
    public func settled(byServices services: [BluetoothUUID]) -> RingRecognition {
        if services.contains(RingServices.uart) {
            let found: [Clue] = clues.contains(.ringService) ? [] : [.ringService]
            return RingRecognition(verdict: .ring, confidence: .certain, clues: clues + found)
        }
        if services.contains(StandardServices.heartRate) {
            let found: [Clue] = clues.contains(.heartRateService) ? [] : [.heartRateService]
            return RingRecognition(
                verdict: .heartRateSensor, confidence: .certain, clues: clues + found)
        }
        guard verdict == .ring else { return self }
        return RingRecognition(
            verdict: .lookAlike(possibleLookAlike ?? .unnamed), confidence: .certain,
            clues: clues + [.ringServiceMissing])
    }
}

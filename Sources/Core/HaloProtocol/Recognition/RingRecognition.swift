/// The likely kind of an advertising device, with the clues for it.
///
/// Limits of advertisements:
/// - A name is no proof: rings with other protocols are sold under the same names. The only proof
///   is the service ``RingServices/uart``, discovered after connecting: ``confirmed(byServices:)``.
/// - R11 is the name of rings of this family and of "Da Rings" (CRP, Moyoung) with another
///   protocol; some R11 of this family do not advertise the service.
/// - SMART_RING is the name of jrings and of some R11 of this family; a jring is recognised only if
///   it advertises its company number or a service of its own.
/// - Rings with the protocol of Lefun, and those with the RF03 chip's stock demo firmware, are sold
///   under the same names. Their advertisements are unknown, so they cannot be recognised.
/// - Rings of other families are said to have the Heart Rate service ("Da Rings", YCBT), as a
///   strap has it: ``Clue/heartRateService``.
/// - Some rings and devices of other families list their services in the advertisement, others do
///   not.
public struct RingRecognition: Hashable, Sendable {
    /// The kinds of devices.
    public enum Classification: Hashable, Sendable {
        /// A ring or a band of the COLMI family.
        case ring
        /// A ring of another family with a similar advertisement.
        case lookAlike(RingLookAlike)
        case family(DeviceFamily)
        /// A sensor with the Heart Rate service.
        case heartRateSensor
        /// Another kind, or too few clues.
        case unknown
    }

    /// The confidence in a classification.
    public enum Confidence: UInt8, Comparable, Sendable {
        case none
        /// One weak clue: a name, a company number.
        case possible
        /// Two weak clues that agree.
        case likely
        /// A listed service that only this kind of device has.
        case strong
        /// The discovered services prove it.
        case certain

        /// Compares by strength.
        public static func < (left: Confidence, right: Confidence) -> Bool {
            left.rawValue < right.rawValue
        }
    }

    /// The clues for and against a classification.
    public enum Clue: Hashable, Sendable {
        /// A name under which rings of the family are sold.
        case ringName
        /// A name of a ring with another protocol.
        case lookAlikeName(RingLookAlike)
        /// A service, or the company number of manufacturer data, of a ring with another protocol.
        case lookAlikeService(RingLookAlike)
        case lookAlikeCompany(RingLookAlike)
        case familyName(DeviceFamily)
        /// The service ``RingServices/uart``.
        case ringService
        /// The service ``RingServices/advertisedShort``, which many other devices have, too.
        case shortService
        /// Manufacturer data of company 0x1234.
        case ringCompany
        case familyService(DeviceFamily)
        /// The Heart Rate service, which no ring of the family has.
        case heartRateService
        /// The absence of ``RingServices/uart`` after connecting.
        case ringServiceMissing
    }

    /// The kind of device that the clues point to.
    public private(set) var classification: Classification
    /// The confidence in the classification.
    public private(set) var confidence: Confidence
    /// The clues found, in a fixed order.
    public private(set) var clues: [Clue]
    /// The ring with another protocol that is sold under the same name, or `nil`.
    package private(set) var possibleLookAlike: RingLookAlike?

    /// The company number of rings' manufacturer data; several sources agree.
    public static let ringCompany = AdvertisingStructure.ringCompany

    public init(_ device: AdvertisedDevice) {
        let name = RingName(device.name?.bytes ?? [])
        var clues: [Clue] = []
        if name.isRing { clues.append(.ringName) }
        if let lookAlike = name.lookAlike { clues.append(.lookAlikeName(lookAlike)) }
        let families = DeviceFamilyCatalog.families
        clues += families.filter(name.isName(of:)).map { .familyName($0) }
        func note(_ clue: Clue, service: BluetoothUUID) {
            if device.services.contains(service) { clues.append(clue) }
        }
        func note(_ clue: Clue, company: UInt16) {
            if device.companies.contains(company) { clues.append(clue) }
        }
        note(.ringService, service: RingServices.uart)
        note(.shortService, service: RingServices.advertisedShort)
        note(.ringCompany, company: Self.ringCompany)
        note(.lookAlikeService(.ycbt), service: RingLookAlike.ycbtService)
        note(.lookAlikeCompany(.ycbt), company: RingLookAlike.ycbtCompany)
        let sold: RingLookAlike = name.lookAlike == .anko ? .anko : .jring
        note(.lookAlikeService(sold), service: RingLookAlike.jringService)
        note(.lookAlikeCompany(.jring), company: RingLookAlike.jringCompany)
        let named = families.filter { $0.services.contains(where: device.services.contains) }
        clues += named.map { .familyService($0) }
        note(.heartRateService, service: StandardServices.heartRate)
        self.clues = clues
        (classification, confidence) = Self.classify(clues, lookAlike: name.lookAlike)
        possibleLookAlike = classification == .ring ? name.ambiguous : nil
    }

    /// Classifies by clues: services outweigh names, a look-alike's name outweighs weak clues.
    private static func classify(
        _ clues: [Clue], lookAlike: RingLookAlike?
    ) -> (Classification, Confidence) {
        if clues.contains(.ringService) { return (.ring, .strong) }
        for other in [RingLookAlike.ycbt, .anko, .jring] {
            if clues.contains(.lookAlikeService(other)) { return (.lookAlike(other), .strong) }
        }
        let company = [RingLookAlike.ycbt, .jring].first {
            clues.contains(.lookAlikeCompany($0))
        }
        if let other = lookAlike ?? company {
            // A jring has a name of the family.
            let isNamed = lookAlike != nil || other == .jring && clues.contains(.ringName)
            let isSeenTwice = isNamed && company != nil
            let isSure = isSeenTwice || clues.contains(.heartRateService)
            return (.lookAlike(other), isSure ? .likely : .possible)
        }
        if clues.contains(.heartRateService) { return (.heartRateSensor, .strong) }
        for family in DeviceFamilyCatalog.families {
            let count = count(clues, of: [.familyName(family), .familyService(family)])
            if count > 0 { return (.family(family), count > 1 ? .likely : .possible) }
        }
        guard clues.contains(.ringName) || clues.contains(.ringCompany) else {
            return (.unknown, .none)
        }
        let ring = count(clues, of: [.ringName, .ringCompany, .shortService])
        return (.ring, ring > 1 ? .likely : .possible)
    }

    private static func count(_ clues: [Clue], of kinds: [Clue]) -> Int {
        kinds.count { clues.contains($0) }
    }

    /// Returns the recognition after connecting, from the discovered services.
    ///
    /// A ring has ``RingServices/uart``. A device that seemed to be one and lacks it has another
    /// protocol.
    public func confirmed(byServices services: [BluetoothUUID]) -> RingRecognition {
        if services.contains(RingServices.uart) { return certain(.ring, .ringService) }
        if services.contains(RingLookAlike.ycbtService) {
            return certain(.lookAlike(.ycbt), .lookAlikeService(.ycbt))
        }
        if services.contains(RingLookAlike.jringService) {
            let isAnko = clues.contains(.lookAlikeName(.anko))
            let other: RingLookAlike = isAnko ? .anko : .jring
            return certain(.lookAlike(other), .lookAlikeService(other))
        }
        if services.contains(StandardServices.heartRate) {
            return certain(.heartRateSensor, .heartRateService)
        }
        guard classification == .ring else { return self }
        return certain(.lookAlike(possibleLookAlike ?? .unnamed), .ringServiceMissing)
    }

    /// Returns the recognition that a clue proves; the clue may have been advertised already.
    private func certain(_ classification: Classification, _ clue: Clue) -> RingRecognition {
        var certain = self
        (certain.classification, certain.confidence) = (classification, .certain)
        certain.possibleLookAlike = nil
        if !clues.contains(clue) { certain.clues.append(clue) }
        return certain
    }
}

/// The clues in an advertised name; upper and lower case are equal.
private struct RingName {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes.map(Self.uppercased)
    }

    /// `true` if rings of the family are sold under the name.
    ///
    /// Most are a model and the last two bytes of the address: `R02_341C`, `COLMI R10_AB12`.
    var isRing: Bool {
        guard lookAlike == nil else { return false }
        if hasPrefix("COLMI ") {
            let rest = RingName(Array(bytes.dropFirst(6)))
            return rest.lookAlike == nil && rest.isModel(upTo: 12, orEnds: true)
        }
        return isModel(upTo: 11, orEnds: false) || Self.prefixes.contains(where: hasPrefix)
            || Self.brands.contains(where: isBrand)
    }

    /// The ring with another protocol that the name belongs to, or `nil`.
    var lookAlike: RingLookAlike? {
        if hasPrefix("R100") { return .r100 }
        if hasPrefix("R10M") { return .r10M }
        if hasPrefix("TK5") { return .tk5 }
        if hasPrefix("ANKO"), Self.areDigits(bytes.dropFirst(4), count: 8) { return .anko }
        if isNumbered(upTo: 12, before: { $0 == UInt8(ascii: " ") }) { return .ycbt }
        return nil
    }

    /// The ring with another protocol that shares the name with one of the family, or `nil`.
    var ambiguous: RingLookAlike? {
        hasPrefix("R11") ? .daRings : hasPrefix("SMART_RING") ? .jring : nil
    }

    /// Returns `true` if devices of a family are sold under the name.
    func isName(of family: DeviceFamily) -> Bool {
        family.namePrefixes.contains(where: hasPrefix)
    }

    /// Returns `true` for models R01 to `last`, R11C, and RT with a number.
    ///
    /// An underscore follows the model, except for RT; `mayEnd` also allows the end of the name.
    private func isModel(upTo last: UInt8, orEnds mayEnd: Bool) -> Bool {
        if hasPrefix("RT") { return bytes.dropFirst(2).first.map(Self.isDigit) ?? false }
        return isNumbered(upTo: last) { $0 == UInt8(ascii: "_") || mayEnd && $0 == nil }
    }

    /// Returns `true` for models R01 to `last` and R11C before a certain byte, or before the end of
    /// the name, which is `nil`.
    private func isNumbered(upTo last: UInt8, before isNext: (UInt8?) -> Bool) -> Bool {
        guard bytes.count >= 3, bytes[0] == UInt8(ascii: "R"),
            Self.isDigit(bytes[1]), Self.isDigit(bytes[2])
        else { return false }
        let number = (bytes[1] - UInt8(ascii: "0")) * 10 + (bytes[2] - UInt8(ascii: "0"))
        return 1...last ~= number && isNext(bytes.dropFirst(hasPrefix("R11C") ? 4 : 3).first)
    }

    private func hasPrefix(_ prefix: StaticString) -> Bool {
        bytes.hasPrefix(prefix)
    }

    private func isBrand(_ brand: StaticString) -> Bool {
        guard hasPrefix(brand) else { return false }
        let next = bytes.dropFirst(brand.utf8CodeUnitCount).first
        return next == nil || next == UInt8(ascii: "_") || next == UInt8(ascii: " ")
            || next == UInt8(ascii: "-")
    }

    private static let prefixes: [StaticString] = ["H59_", "VK-5098", "TR-R02", "SMART_RING"]

    /// Names under which other brands sell the rings, alone or before a separator.
    private static let brands: [StaticString] = [
        "MERLIN", "HELLO RING", "RING1", "BOATRING", "SE", "EVOLVEO", "GL-SR2", "BLAUPUNKT",
        "KSIX RING", "IGET", "KOGAN", "FITNESS", "FYRI", "ONERING SR01", "BOK", "9FSM", "STF",
        "NEWGEN", "SSR", "SEEKEN", "MXSR",
    ]

    private static func areDigits(_ bytes: ArraySlice<UInt8>, count: Int) -> Bool {
        bytes.count == count && bytes.allSatisfy(isDigit)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }

    private static func uppercased(_ byte: UInt8) -> UInt8 {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte ? byte & 0xDF : byte
    }
}

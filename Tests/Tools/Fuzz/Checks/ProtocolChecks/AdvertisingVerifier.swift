@testable import HaloProtocol
@testable import HaloTesting

/// Checks the decoders of advertisements: any device may advertise any bytes.
enum AdvertisingVerifier {
    /// Checks that lenient decoding returns the same bytes for any input, that strict decoding
    /// agrees or fails, and that recognition is stable.
    static func verify(_ bytes: [UInt8]) throws(ContractViolation) {
        let lenient = AdvertisingData(lenient: bytes)
        guard lenient.bytes == bytes else {
            throw violation("read leniently, it encodes otherwise", bytes)
        }
        let strict = try? AdvertisingData(decoding: bytes)
        guard (strict == nil) == (lenient.fault != nil) else {
            throw violation("strict and lenient reading disagree on whether it is sound", bytes)
        }
        if let strict, strict != lenient {
            throw violation("strict and lenient reading disagree", bytes)
        }
        for structure in lenient.structures {
            guard let again = try? AdvertisingStructure(structure.content), again == structure
            else { throw violation("a structure cannot be made again", bytes) }
        }
        if let beacon = try? IBeacon.find(in: lenient) { try verify(beacon) }
        let recognition = RingRecognition(AdvertisedDevice(lenient))
        let settled = recognition.confirmed(byServices: lenient.services)
        guard settled == settled.confirmed(byServices: lenient.services) else {
            throw violation("the same services settle it twice, and otherwise", bytes)
        }
    }

    /// Checks that a beacon is found in its own advertisement, which fits into a legacy one.
    static func verify(_ beacon: IBeacon) throws(ContractViolation) {
        let advertisement = beacon.advertisement()
        let bytes = advertisement.bytes
        guard bytes.count <= AdvertisingData.legacyLength,
            let read = try? AdvertisingData(decoding: bytes), read == advertisement,
            (try? IBeacon.find(in: read)) == beacon
        else { throw violation("a beacon is not found in its own advertisement", bytes) }
    }

    private static func violation(_ what: String, _ bytes: [UInt8]) -> ContractViolation {
        ContractViolation(what, packet: "AdvertisingData", bytes: bytes)
    }
}

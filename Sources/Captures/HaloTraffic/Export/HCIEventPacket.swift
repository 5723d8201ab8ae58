import HaloCapture

/// Makes events of a controller, each with a code, a length and the parameters. The layouts are
/// those of the Core Specification, volume 4, part E, section 7.7.
enum HCIEventPacket {
    static let unknownStrength: Int8 = 127

    private static let longestLegacyData = 31
    private static let longestExtendedData = 229

    /// `05 04 | 00 | handle | reason`
    static func disconnected(_ handle: UInt16, reason: UInt8) -> [UInt8] {
        event(0x05, [0], .little(handle), [reason])
    }

    /// `08 04 | 00 | handle | 01`: encrypted with AES
    static func encrypted(_ handle: UInt16) -> [UInt8] {
        event(0x08, [0], .little(handle), [1])
    }

    /// `3E 13 | 01 | 00 | handle | 00: we are central | address | interval, latency, timeout | 00`
    ///
    /// The parameters are usual ones: an interval of 30 ms, latency 0, a timeout of five seconds.
    static func connected(_ handle: UInt16, _ address: DeviceAddress) -> [UInt8] {
        event(
            0x3E, [0x01, 0], .little(handle), [0, address.isRandom ? 1 : 0], .address(address),
            .little(24 as UInt16), .little(0 as UInt16), .little(500 as UInt16), [0])
    }

    /// The reports of an advertisement: one, unless the data are longer than any device sends.
    ///
    ///     3E … | 02 | 01 | type | address | length, data | strength
    ///     3E … | 0D | 01 | type | address | PHYs 01 01 | set FF | power 7F | strength | 00 00
    ///            00 and no address | length, data
    static func advertisements(
        _ address: DeviceAddress, _ data: [UInt8], isScanResponse: Bool, strength: Int8?
    ) -> [[UInt8]] {
        let strength = UInt8(bitPattern: strength ?? unknownStrength)
        let sender: [UInt8] = [address.isRandom ? 1 : 0] + .address(address)
        if data.count <= longestLegacyData {
            let length = UInt8(truncatingIfNeeded: data.count)
            let type: UInt8 = isScanResponse ? 4 : 0
            return [event(0x3E, [0x02, 1, type], sender, [length], data, [strength])]
        }
        var reports: [[UInt8]] = []
        var rest = data[...]
        while !rest.isEmpty {
            let piece = rest.prefix(longestExtendedData)
            rest = rest.dropFirst(piece.count)
            let type: UInt16 = (isScanResponse ? 0x000A : 0x0001) | (rest.isEmpty ? 0 : 0x0020)
            let radio = [1, 1, 0xFF, 0x7F, strength, 0, 0, 0, 0, 0, 0, 0, 0, 0]
            let length = UInt8(truncatingIfNeeded: piece.count)
            reports.append(
                event(0x3E, [0x0D, 1], .little(type), sender, radio, [length], Array(piece)))
        }
        return reports
    }

    private static func event(_ code: UInt8, _ parts: [UInt8]...) -> [UInt8] {
        let body = parts.flatMap(\.self)
        return [code, UInt8(truncatingIfNeeded: body.count)] + body
    }
}

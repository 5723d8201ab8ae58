import HaloCapture
import HaloProtocol

/// What a controller reports of advertisements.
///
/// ```
/// report:    kind (1)  address type (1)  address (6)  length (1)  data  strength (1)
/// extended:  kind (2)  address type (1)  address (6)  radio (2)  set (1)  power (1)
///            strength (1)  interval (2)  type (1) and address (6) of whom it is for
///            length (1)  data
/// ```
extension HCIFollower {
    /// What a report says for a strength that is not known.
    private static let unknownStrength: UInt8 = 127

    func takeReports(
        _ event: Span<UInt8>, at place: RecordPlace, into sink: inout some ConversationSink
    ) {
        let scanResponse: UInt8 = 4
        var rest = event.extracting(droppingFirst: 2)
        for _ in 0..<(event.byte(at: 1) ?? 0) {
            guard let length = rest.byte(at: 8).map(Int.init), let kind = rest.byte(at: 0),
                let type = rest.byte(at: 1), let address = rest.littleEndian48(at: 2),
                let strength = rest.byte(at: 9 + length)
            else {
                return sink.take(.odd(.shortPacket), Span(), on: noConnection, at: place)
            }
            sink.take(
                .advertised(
                    DeviceAddress(address, isRandom: type & 1 == 1),
                    strength: Self.strength(strength), isScanResponse: kind == scanResponse),
                rest.extracting(droppingFirst: 9).extracting(first: length), on: noConnection,
                at: place)
            rest = rest.extracting(droppingFirst: 10 + length)
        }
    }

    mutating func takeExtendedReports(
        _ event: Span<UInt8>, at place: RecordPlace, into sink: inout some ConversationSink
    ) {
        var rest = event.extracting(droppingFirst: 2)
        for _ in 0..<(event.byte(at: 1) ?? 0) {
            guard let length = rest.byte(at: 23).map(Int.init), rest.count >= 24 + length,
                let kind = rest.littleEndian16(at: 0), let type = rest.byte(at: 2),
                let address = rest.littleEndian48(at: 3), let set = rest.byte(at: 11),
                let strength = rest.byte(at: 13)
            else {
                return sink.take(.odd(.shortPacket), Span(), on: noConnection, at: place)
            }
            let report = ExtendedAdvertising.Report(
                address: DeviceAddress(address, isRandom: type & 1 == 1),
                isAnonymous: type == 0xFF, set: set, kind: kind,
                strength: Self.strength(strength))
            advertising.take(
                report, rest.extracting(droppingFirst: 24).extracting(first: length), at: place,
                into: &sink)
            rest = rest.extracting(droppingFirst: 24 + length)
        }
    }

    private static func strength(_ byte: UInt8) -> Int8? {
        byte == unknownStrength ? nil : Int8(bitPattern: byte)
    }
}

extension PacketError: CustomStringConvertible {
    /// One sentence: the packet, the field, the byte, what was expected and what was found.
    public var description: String {
        let place = packet.subject == "" ? "\(field)" : "\(packet), \(field)"
        return "\(place) at byte \(offset): \(reason)."
    }

    private var reason: String {
        let found = found ?? 0
        switch kind {
        case .truncated:
            return "needs \(count(expected?.lowerBound ?? 0, "byte")), but only \(found) left"
        case .trailingBytes:
            return "the packet should end here, but there \(found == 1 ? "is" : "are") "
                + "\(count(found, "byte")) more"
        case .wrongOpcode, .wrongMarker:
            return "expected \(hex(expected?.lowerBound ?? 0)), found \(hex(found))"
        case .unknownCode:
            return "\(found) is no known code"
        case .notZero:
            return "expected 0, found \(found)"
        case .notDecimal:
            return "expected two decimal digits, found \(hex(found))"
        case .noSuchTime:
            return "there is no such date or time"
        case .impossibleCount:
            return expected == nil
                ? "\(found) cannot be" : "\(found) cannot be, \(allowed) would be"
        case .outOfOrder where expected == nil:
            return "part \(found) came before the header"
        case .outOfOrder:
            return "expected part \(allowed), found part \(found)"
        case .missing:
            return "part \(allowed) never came"
        case .notText where self.found == nil:
            return "the text ends within a character"
        case .notText:
            return "\(hex(found)) does not continue valid UTF-8"
        case .contradiction where expected == nil || self.found == nil:
            return "earlier parts said something else"
        case .contradiction:
            return "earlier parts said \(allowed), this one says \(found)"
        default:
            return "expected \(allowed), found \(found)"
        }
    }

    private var allowed: String {
        guard let expected else { return "something else" }
        return expected.lowerBound == expected.upperBound
            ? "\(expected.lowerBound)" : "\(expected.lowerBound) to \(expected.upperBound)"
    }

    private func count(_ number: Int64, _ noun: FieldName) -> String {
        number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
    }

    private func hex(_ number: Int64) -> String {
        HexText.byte(UInt8(truncatingIfNeeded: number))
    }
}

extension PacketError.Kind: CustomStringConvertible {
    /// What went wrong.
    public var description: String {
        switch self {
        case .truncated: "the bytes end too soon"
        case .trailingBytes: "bytes behind the end"
        case .wrongOpcode: "the packet of another command"
        case .outOfRange: "a number that cannot be"
        case .unknownCode: "no known code"
        case .notZero: "a byte that should be zero"
        case .notDecimal: "no decimal digits"
        case .noSuchTime: "no such date or time"
        case .impossibleCount: "a count that cannot be"
        case .outOfOrder: "a part out of order"
        case .missing: "a part that never came"
        case .notText: "no valid UTF-8"
        case .contradiction: "parts that contradict each other"
        case .wrongMarker: "another marker"
        default: "something is wrong"
        }
    }
}

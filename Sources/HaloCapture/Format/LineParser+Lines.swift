import HaloProtocol
import HaloTransport

extension LineParser {
    mutating func version() throws(CaptureError) -> CaptureLine {
        let keyword = line.prefix { !Self.isSpace($0) }
        guard string(keyword) == CaptureVersion.keyword else {
            throw fault(.unknownLine, at: line.startIndex)
        }
        position = keyword.endIndex
        let number = try word()
        let known = CaptureVersion.allCases.first { "\($0.rawValue)" == string(number) }
        guard let known else { throw fault(.unknownVersion, at: number.startIndex) }
        try end()
        return .version(known)
    }

    mutating func packet(_ direction: Direction) throws(CaptureError) -> CapturePacket {
        let (link, channelWord) = try unlinked(try word())
        let channel = try channel(channelWord)
        let action = try action(direction)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(
            min((line.endIndex - position) / 2, CapturePacket.maximumLength))
        while position < line.endIndex {
            if Self.isSpace(line[position]) {
                position += 1
                continue
            }
            guard bytes.count < CapturePacket.maximumLength else {
                throw fault(.tooManyBytes, at: position)
            }
            bytes.append(try digit(at: position) << 4 | digit(at: position + 1))
            position += 2
        }
        return CapturePacket(unchecked: direction, action, link: link, channel, bytes)
    }

    /// What was done, if the next word says it: none of these words could be bytes.
    private mutating func action(_ direction: Direction) throws(CaptureError) -> CaptureAction? {
        let start = position
        guard saysActions, let word = try wordIfAny(),
            let action = CaptureAction(rawValue: string(word))
        else {
            position = start
            return nil
        }
        guard action.direction == direction else { throw fault(.wrongAction, at: word.startIndex) }
        setSubject(word)
        return action
    }

    mutating func declaration() throws(CaptureError) -> CaptureLine {
        let nameWord = try word()
        let name = try name(nameWord)
        setSubject(nameWord)
        let uuid = try uuid()
        try end()
        return .name(name, uuid)
    }

    mutating func elapsed() throws(CaptureError) -> CaptureLine {
        let word = try word()
        setSubject(word)
        try end()
        let units: [(name: String, digits: Int)] = [("us", 0), ("ms", 3), ("s", 6)]
        guard let unit = units.first(where: { word.ends(with: $0.name) }) else {
            throw fault(.notNumber, at: word.startIndex)
        }
        let text = word.dropLast(unit.name.utf8.count)
        let whole = text.prefix { $0 != UInt8(ascii: ".") }
        let fraction = text[whole.endIndex...].dropFirst()
        let hasPoint = whole.count < text.count
        guard !hasPoint || (1...max(unit.digits, 1)).contains(fraction.count) && unit.digits > 0,
            !whole.isEmpty, whole.allSatisfy(Self.isDigit), fraction.allSatisfy(Self.isDigit)
        else { throw fault(.notNumber, at: word.startIndex) }
        var microseconds: UInt64 = 0
        let padding = repeatElement(UInt8(ascii: "0"), count: unit.digits - fraction.count)
        for digits in [whole, fraction, ArraySlice(padding)] {
            for digit in digits {
                let (product, isTooLarge) = microseconds.multipliedReportingOverflow(by: 10)
                let (sum, overflow) = product.addingReportingOverflow(
                    UInt64(digit &- UInt8(ascii: "0")))
                guard !isTooLarge, !overflow else {
                    throw fault(.outOfRange, at: word.startIndex)
                }
                microseconds = sum
            }
        }
        return .elapsed(microseconds: microseconds)
    }
}

// MARK: Events

extension LineParser {
    mutating func event() throws(CaptureError) -> CaptureLine {
        let (link, name) = try unlinked(try word())
        let event: CaptureEvent
        switch string(name) {
        case "connected": event = .connected(mtu: try option("mtu"))
        case "mtu": event = .mtu(try subjectNumber())
        case "subscribed": event = .subscribed(try channel())
        case "unsubscribed": event = .unsubscribed(try channel())
        case "read": event = .read(try channel())
        case "acknowledged": event = .acknowledged(try channel())
        case "confirmed": event = .confirmed(try channel())
        case "refused": event = .refused(try channel(), code: try byte(try word()))
        case "offers": event = try offer()
        case "services-changed": event = .servicesChanged
        case "encrypted": event = .encrypted
        case "disconnected": event = .disconnected(reason: try reason())
        case "advertised": event = .advertised(rssi: try option("rssi"))
        default: throw fault(.unknownEvent, at: name.startIndex)
        }
        try end()
        return .event(event, link: link)
    }

    private mutating func option<Number: FixedWidthInteger>(
        _ keyword: String
    ) throws(CaptureError) -> Number? {
        guard let word = try wordIfAny() else { return nil }
        guard string(word) == keyword else { throw fault(.extraWord, at: word.startIndex) }
        return try subjectNumber()
    }

    private mutating func subjectNumber<Number: FixedWidthInteger>() throws(CaptureError) -> Number
    {
        let word = try word()
        setSubject(word)
        return try number(word)
    }

    private mutating func reason() throws(CaptureError) -> UInt8? {
        guard let word = try wordIfAny() else { return nil }
        return try byte(word)
    }

    private mutating func offer() throws(CaptureError) -> CaptureEvent {
        let service = try uuid()
        let characteristic = try uuid()
        var properties: GATTProperties = []
        while let word = try wordIfAny() {
            let text = string(word)
            guard let known = GATTProperties.captureWords.first(where: { $0.word == text }),
                properties.isDisjoint(with: known.property)
            else { throw fault(.unknownProperty, at: word.startIndex) }
            properties.insert(known.property)
        }
        return .offers(service: service, characteristic: characteristic, properties)
    }
}

extension ArraySlice<UInt8> {
    fileprivate func ends(with suffix: String) -> Bool {
        self.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
    }
}

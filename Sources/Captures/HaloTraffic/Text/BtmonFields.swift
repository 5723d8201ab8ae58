import HaloProtocol

extension TextCursor {
    /// The text after the last opening parenthesis.
    var inParentheses: TextCursor? {
        rest.lastIndex(of: UInt8(ascii: "(")).map { TextCursor(rest[$0...].dropFirst()) }
    }

    /// The number in the last parentheses, as in `Success (0x00)`.
    var code: UInt64? {
        guard var cursor = inParentheses, cursor.skip("0x"), let number = cursor.hexadecimal(),
            cursor.skip(")")
        else { return nil }
        return number.value
    }

    /// The hexadecimal number after `0x` at the beginning.
    var plainCode: UInt64? {
        var cursor = self
        return cursor.skip("0x") ? cursor.hexadecimal()?.value : nil
    }

    /// The bytes in adjacent pairs of digits.
    var bytes: ContiguousArray<UInt8> {
        var cursor = self
        var bytes = ContiguousArray<UInt8>()
        while let byte = cursor.byte() { bytes.append(byte) }
        return bytes
    }

    /// A device address, in the byte order of the air.
    var address: ContiguousArray<UInt8>? {
        var cursor = self
        var bytes = ContiguousArray<UInt8>()
        while bytes.count < 6, let byte = cursor.byte() {
            bytes.append(byte)
            if bytes.count < 6, !cursor.skip(":") { return nil }
        }
        return bytes.count == 6 ? ContiguousArray(bytes.reversed()) : nil
    }

    /// The UUID in the last parentheses, in the byte order of the air.
    var uuid: ContiguousArray<UInt8>? {
        guard let open = rest.lastIndex(of: UInt8(ascii: "(")),
            let close = rest.lastIndex(of: UInt8(ascii: ")")), open < close
        else { return nil }
        var cursor = TextCursor(rest[open..<close].dropFirst())
        if cursor.skip("0x") {
            guard let (value, digits) = cursor.hexadecimal(), cursor.next == nil,
                digits == 4 || digits == 8
            else { return nil }
            return .littleEndian(value, count: digits / 2)
        }
        guard let uuid = cursor.longUUID else { return nil }
        let low = ContiguousArray.littleEndian(uuid.low, count: 8)
        return low + ContiguousArray.littleEndian(uuid.high, count: 8)
    }
}

extension ContiguousArray<UInt8> {
    static func littleEndian(_ value: UInt64, count: Int) -> ContiguousArray<UInt8> {
        ContiguousArray((0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) })
    }
}

struct BtmonFields {
    let lines: ArraySlice<BtmonLine>

    func value(_ labels: StaticString...) -> TextCursor? {
        for line in lines {
            for label in labels {
                if let value = line.value(label) { return value }
            }
        }
        return nil
    }

    /// The joined fields, or `nil` if one of them is missing.
    func encoded(_ fields: [BtmonField]) -> ContiguousArray<UInt8>? {
        var bytes = ContiguousArray<UInt8>()
        for field in fields {
            guard let part = encoded(field) else { return nil }
            bytes += part
        }
        return bytes
    }

    private func encoded(_ field: BtmonField) -> ContiguousArray<UInt8>? {
        switch field {
        case .code(let label, let count):
            return value(label)?.code.map { .littleEndian($0, count: count) }
        case .plainCode(let label, let other, let count):
            let code = value(label, other ?? label)?.plainCode
            return code.map { .littleEndian($0, count: count) }
        case .number(let label):
            guard var cursor = value(label), let number = cursor.decimal() else { return nil }
            return .littleEndian(UInt64(number), count: 1)
        case .address(let label):
            return value(label)?.address
        case .handle:
            guard var cursor = value("Handle:"), let handle = cursor.decimal(), handle <= 0x0FFF
            else { return nil }
            return .littleEndian(UInt64(handle), count: 2)
        case .dump(let count):
            return dump.count == count ? dump : nil
        case .bytes(let bytes):
            return bytes
        }
    }

    /// The bytes of the dump lines that follow the first line with the label.
    func dump(beneath label: StaticString) -> ContiguousArray<UInt8> {
        guard let start = lines.firstIndex(where: { $0.value(label) != nil }) else { return [] }
        let dumps = lines[(start + 1)...].prefix { $0.dump != nil }
        return BtmonFields(lines: dumps).dump
    }

    var dump: ContiguousArray<UInt8> { ContiguousArray(lines.flatMap { $0.dump ?? [] }) }
}

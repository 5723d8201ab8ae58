/// Unpacks a compressed stream in pieces of any size: DEFLATE by itself, in zlib's wrapper (RFC
/// 1950), or in that of gzip (RFC 1952).
///
///     zlib    window and method: ?8 · flags, with check bits · DEFLATE · Adler-32, big-endian
///     gzip    one member after another, little-endian; zeros may follow the last one
///     member  1F 8B · method: 08 · flags · time, 32 bits · 2 bytes unused
///             [length, 16 bits · extra field] · [name 00] · [remark 00] · [CRC-16 of the header]
///             of which the flags 04, 08, 10 and 02 say that they are there
///             DEFLATE · CRC-32 · length, 32 bits
///
/// Memory is constant. What is unpacked before an error is passed on first. Offsets of errors count
/// the unpacked bytes.
struct Unpacker: Sendable {
    enum Wrapper: Hashable, Sendable {
        case none
        case zlib
        case gzip
    }

    /// The part of the stream that the next byte belongs to. Indices count its bytes.
    private enum Part: Sendable {
        case header(index: Int)
        case extraLength(index: Int)
        case extra(remaining: Int)
        case text
        case headerChecksum(index: Int)
        case content
        case trailer(index: Int)
        case padding
        case end
        case failed(TrafficError)
    }

    /// The first bytes of gzip with the only method.
    static let gzipMagic: [UInt8] = [0x1F, 0x8B, 0x08]

    /// The number of bytes unpacked so far.
    private(set) var count = 0

    private let wrapper: Wrapper
    private var part: Part
    private var inflater = Inflater()
    private var checksum = CRC32()
    private var sums = Adler32()
    private var headerChecksum = CRC32()
    /// The flags of the header that are still to be read.
    private var flags: UInt8 = 0
    /// A number of several bytes being read.
    private var number: UInt64 = 0
    /// The unpacked bytes before the current member.
    private var memberStart = 0

    init(_ wrapper: Wrapper) {
        self.wrapper = wrapper
        part = wrapper == .none ? .content : .header(index: 0)
    }

    /// `true` once the stream is complete. A further member of gzip may still follow.
    var isComplete: Bool {
        switch part {
        case .end, .padding: true
        default: false
        }
    }

    /// Unpacks from `next` of the input on, until all of it is used or the result has to be
    /// drained. What was unpacked before an error can be drained too.
    mutating func unpack(_ input: Span<UInt8>, from next: inout Int) throws(TrafficError) {
        while pendingCount == 0 {
            if case .content = part {
                try unpackContent(input, &next)
                if case .content = part, next == input.count { return }
            } else {
                guard next < input.count else { return }
                try receive(input[next])
                next += 1
            }
        }
    }

    var pendingCount: Int { inflater.pendingCount }

    mutating func drain<Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        try inflater.drain(body)
    }

    /// Unpacks all of the input, and passes the result to `body` in pieces, also before an error.
    mutating func feed(
        _ input: Span<UInt8>, _ body: (Span<UInt8>) throws(TrafficError) -> Void
    ) throws(TrafficError) {
        var next = 0
        while true {
            do throws(TrafficError) {
                try unpack(input, from: &next)
            } catch {
                try drain(body)
                throw error
            }
            guard pendingCount > 0 else { return }
            try drain(body)
        }
    }

    /// Ends the stream. Throws if it is not complete.
    func finish() throws(TrafficError) {
        if case .failed(let error) = part { throw error }
        guard isComplete else {
            throw TrafficError(
                .truncated, at: count, hint: "the compressed data ends before its end mark")
        }
    }

    private mutating func unpackContent(
        _ input: Span<UInt8>, _ next: inout Int
    ) throws(TrafficError) {
        let pause = inflater.decode(input, from: &next)
        count += inflater.pendingCount
        switch wrapper {
        case .none: break
        case .zlib: inflater.withPending { sums.update($0) }
        case .gzip: inflater.withPending { checksum.update($0) }
        }
        switch pause {
        case .isFull, .needsInput:
            break
        case .hasEnded:
            number = 0
            part = wrapper == .none ? .end : .trailer(index: 0)
        case .isDamaged(let damage):
            throw fail(.damaged, damage.rawValue)
        }
    }

    private mutating func receive(_ byte: UInt8) throws(TrafficError) {
        switch part {
        case .header(let index):
            guard wrapper == .zlib else { return try receiveMemberHeader(byte, index) }
            part = index == 0 ? .header(index: 1) : .content
            guard index == 0 || Self.isZlibHeader(UInt8(truncatingIfNeeded: number), byte) else {
                throw fail(.damaged, "the compressed data has no header of zlib")
            }
            number = UInt64(byte)
        case .extraLength(let index):
            headerChecksum.update(byte)
            number |= UInt64(byte) << UInt64(index * 8)
            part = index == 0 ? .extraLength(index: 1) : .extra(remaining: Int(number))
            if case .extra(0) = part { nextHeaderPart() }
        case .extra(let remaining):
            headerChecksum.update(byte)
            part = .extra(remaining: remaining - 1)
            if remaining == 1 { nextHeaderPart() }
        case .text:
            headerChecksum.update(byte)
            if byte == 0 { nextHeaderPart() }
        case .headerChecksum(let index):
            number |= UInt64(byte) << UInt64(index * 8)
            part = .headerChecksum(index: 1)
            guard index == 1 else { return }
            guard number == UInt64(headerChecksum.value & 0xFFFF) else {
                throw fail(.wrongChecksum, "the header of the compressed data is damaged")
            }
            nextHeaderPart()
        case .trailer(let index):
            try receiveTrailer(byte, index)
        case .padding:
            if byte == Self.gzipMagic[0] {
                inflater.restart()
                checksum = CRC32()
                headerChecksum = CRC32()
                memberStart = count
                part = .header(index: 0)
                return try receive(byte)
            }
            guard byte == 0 else { throw fail(.damaged, "something follows the compressed data") }
        case .end:
            throw fail(.damaged, "something follows the compressed data")
        case .failed(let error):
            throw error
        case .content:
            break
        }
    }

    /// `true` if two bytes are a header of zlib without a preset dictionary.
    static func isZlibHeader(_ method: UInt8, _ flags: UInt8) -> Bool {
        method & 0x0F == 8 && method >> 4 <= 7 && flags & 0x20 == 0
            && (UInt16(method) << 8 | UInt16(flags)) % 31 == 0
    }

    private mutating func receiveMemberHeader(
        _ byte: UInt8, _ index: Int
    ) throws(TrafficError) {
        headerChecksum.update(byte)
        part = .header(index: index + 1)
        switch index {
        case 0...2:
            guard byte == Self.gzipMagic[index] else {
                throw fail(.damaged, "the compressed data has no header of gzip")
            }
        case 3:
            guard byte & 0xE0 == 0 else {
                throw fail(.damaged, "the header of gzip has unknown flags")
            }
            flags = byte
        case 9:
            nextHeaderPart()
        default:
            break
        }
    }

    private static let headerParts: [(flag: UInt8, part: Part)] = [
        (0x04, .extraLength(index: 0)), (0x08, .text), (0x10, .text),
        (0x02, .headerChecksum(index: 0)),
    ]

    private mutating func nextHeaderPart() {
        number = 0
        part = .content
        guard let next = Self.headerParts.first(where: { flags & $0.flag != 0 }) else { return }
        flags &= ~next.flag
        part = next.part
    }

    private mutating func receiveTrailer(_ byte: UInt8, _ index: Int) throws(TrafficError) {
        part = .trailer(index: index + 1)
        if wrapper == .zlib {
            number = number << 8 | UInt64(byte)
            guard index == 3 else { return }
            guard number == UInt64(sums.value) else { throw fail(.wrongChecksum, nil) }
            part = .end
            return
        }
        number |= UInt64(byte) << UInt64(index * 8)
        guard index == 7 else { return }
        guard number & 0xFFFF_FFFF == UInt64(checksum.value) else {
            throw fail(.wrongChecksum, nil)
        }
        let length = UInt32(truncatingIfNeeded: count &- memberStart)
        guard number >> 32 == UInt64(length) else {
            throw fail(.wrongChecksum, "the length after the compressed data does not match")
        }
        part = .padding
    }

    private mutating func fail(_ kind: TrafficError.Kind, _ hint: String?) -> TrafficError {
        let error = TrafficError(kind, at: count, hint: hint)
        part = .failed(error)
        return error
    }
}

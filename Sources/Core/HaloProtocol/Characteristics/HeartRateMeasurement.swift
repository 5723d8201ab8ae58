/// The value of the Heart Rate Measurement characteristic, 2A37.
///
///     ← flags | beatsPerMinute | energyKilojoules, 2 bytes LE | ticks, 2 bytes LE, … to the end
///
///     flags: bit 0      beatsPerMinute has two bytes LE, else one byte
///            bit 1      skin contact; valid only with bit 2
///            bit 2      the sensor detects skin contact
///            bit 3      energyKilojoules is present: kJ since the last reset, at most 65,535
///            bit 4      RR intervals are present: ticks of 1/1024 s, the oldest first
///            bits 5–7   reserved; kept
///
/// Sensors send energy in about one of ten packets.
public struct HeartRateMeasurement: BytePacket {
    @inlinable public static var name: PacketName { PacketName("HeartRateMeasurement") }

    /// The skin contact of a sensor.
    public enum Contact: Hashable, Sendable {
        /// The sensor does not detect contact.
        case notSupported
        case notDetected
        case detected
    }

    /// The size of the heart rate in bytes.
    public enum Width: Hashable, Sendable {
        case oneByte
        case twoBytes
    }

    @usableFromInline let flags: UInt8
    /// The heart rate; many sensors send 0 without skin contact.
    public let beatsPerMinute: UInt16
    /// The energy in kilojoules, or 0 without one.
    @usableFromInline let energy: UInt16
    /// The RR intervals between beats in 1024ths of a second, oldest first.
    public let rrIntervals: RRIntervals

    /// The length of the longest value of a characteristic.
    @inlinable public static var maximumLength: Int { 512 }

    /// Creates a measurement; a `nil` width makes the heart rate as short as possible.
    ///
    /// Throws for a rate beyond 255 in one byte, and for intervals beyond 512 bytes in all.
    public init(
        beatsPerMinute: UInt16, width: Width? = nil, contact: Contact = .notSupported,
        energyKilojoules: UInt16? = nil, rrIntervals: some Collection<UInt16> = [UInt16]()
    ) throws(ValueError) {
        let width = width ?? (beatsPerMinute > 255 ? .twoBytes : .oneByte)
        if width == .oneByte && beatsPerMinute > 255 {
            throw ValueError("beatsPerMinute", allowed: 0...255, found: Int64(beatsPerMinute))
        }
        let flags =
            Self.bits(width) | Self.bits(contact)
            | (energyKilojoules == nil ? 0 : Flag.energy)
            | (rrIntervals.isEmpty ? 0 : Flag.rrIntervals)
        let room = (Self.maximumLength - Self.headerLength(flags)) / 2
        guard rrIntervals.count <= room else {
            throw ValueError(
                "rrIntervals", allowed: 0...Int64(room), found: Int64(rrIntervals.count))
        }
        self.init(
            flags, beatsPerMinute, energyKilojoules ?? 0, rrIntervals: RRIntervals(rrIntervals))
    }

    @inlinable @inline(__always)
    public init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        let flags = try io.structure("flags", packet?.flags)
        io.means { HeartRateMeasurement.meaning(ofFlags: flags) }
        let beatsPerMinute =
            flags & Flag.twoBytes != 0
            ? try io.uint16(
                "beatsPerMinute", packet?.beatsPerMinute, .body(.pulse), .beatsPerMinute)
            : UInt16(
                try io.uint8(
                    "beatsPerMinute",
                    packet.map { UInt8(truncatingIfNeeded: $0.beatsPerMinute) }, .body(.pulse),
                    .beatsPerMinute))
        let energy =
            flags & Flag.energy != 0
            ? try io.uint16("energyKilojoules", packet?.energy, .total(.energy), .kilojoules)
            : 0
        self.init(
            flags, beatsPerMinute, energy,
            rrIntervals: flags & Flag.rrIntervals == 0
                ? RRIntervals() : try RRIntervals(&io, packet?.rrIntervals))
    }

    /// Creates a measurement whose flags agree with its values.
    @inlinable @inline(__always)
    init(_ flags: UInt8, _ beatsPerMinute: UInt16, _ energy: UInt16, rrIntervals: RRIntervals) {
        self.flags = flags
        self.beatsPerMinute = beatsPerMinute
        self.energy = energy
        self.rrIntervals = rrIntervals
    }

    @usableFromInline enum Flag {
        @usableFromInline static var twoBytes: UInt8 { 1 }
        @usableFromInline static var contactDetected: UInt8 { 2 }
        @usableFromInline static var contactSupported: UInt8 { 4 }
        @usableFromInline static var energy: UInt8 { 8 }
        @usableFromInline static var rrIntervals: UInt8 { 16 }
        @usableFromInline static var reserved: UInt8 { 0xE0 }
    }

    /// The size of the heart rate in bytes.
    @inlinable
    public var width: Width { flags & Flag.twoBytes == 0 ? .oneByte : .twoBytes }

    /// The energy in kilojoules since the last reset, at most 65,535, or `nil`.
    @inlinable
    public var energyKilojoules: UInt16? { flags & Flag.energy == 0 ? nil : energy }

    /// The skin contact.
    @inlinable
    public var contact: Contact {
        if flags & Flag.contactSupported == 0 { return .notSupported }
        return flags & Flag.contactDetected == 0 ? .notDetected : .detected
    }

    @inlinable
    package var reservedFlags: UInt8 { flags & Flag.reserved }

    /// The RR intervals in milliseconds, oldest first.
    public var rrMilliseconds: [Double] { rrIntervals.map(Self.milliseconds) }

    /// An RR interval in milliseconds; exact, as 1024 is a power of two.
    @usableFromInline
    static func milliseconds(_ ticks: UInt16) -> Double { Double(ticks) * 1000 / 1024 }

    /// Returns an interval between beats in 1024ths of a second, rounded; `nil` for one that no
    /// measurement can have.
    package static func ticks(_ interval: Duration) -> UInt16? {
        let microseconds = interval.wholeMicroseconds
        guard 1...64_000_000 ~= microseconds else { return nil }
        let ticks = (microseconds * 1024 + 500_000) / 1_000_000
        return ticks == 0 ? nil : UInt16(exactly: ticks)
    }

    /// Splits the measurement into values of at most `maximumLength` bytes: a link's MTU less 3.
    ///
    /// Each value repeats heart rate and contact. The first has the energy. The intervals are
    /// distributed in order. Throws for a length that is too short for any value.
    public func split(maximumLength: Int) throws(ValueError) -> [HeartRateMeasurement] {
        let header = Self.headerLength(flags)
        let shortHeader = Self.headerLength(flags & ~Flag.energy)
        let least = rrIntervals.isEmpty ? header : max(header, shortHeader + 2)
        guard maximumLength >= least else {
            throw ValueError(
                "maximumLength", allowed: Int64(least)...Int64(max(least, Self.maximumLength)),
                found: Int64(maximumLength))
        }
        let first = rrIntervals.prefix((maximumLength - header) / 2)
        if first.count == rrIntervals.count { return [self] }
        var pieces = [piece(first, energyKilojoules: energyKilojoules)]
        var rest = rrIntervals.dropFirst(first.count)
        while !rest.isEmpty {
            let next = rest.prefix((maximumLength - shortHeader) / 2)
            pieces.append(piece(next, energyKilojoules: nil))
            rest = rest.dropFirst(next.count)
        }
        return pieces
    }

    private func piece(
        _ intervals: Slice<RRIntervals>, energyKilojoules: UInt16?
    ) -> HeartRateMeasurement {
        var flags = flags
        if energyKilojoules == nil { flags &= ~Flag.energy }
        if intervals.isEmpty { flags &= ~Flag.rrIntervals }
        return HeartRateMeasurement(
            flags, beatsPerMinute, energyKilojoules ?? 0, rrIntervals: RRIntervals(intervals))
    }

    @usableFromInline
    static func meaning(ofFlags flags: UInt8) -> String {
        let width = flags & Flag.twoBytes == 0 ? "one byte" : "two bytes"
        let contact =
            switch (flags & Flag.contactSupported != 0, flags & Flag.contactDetected != 0) {
            case (true, true): ", contact"
            case (true, false): ", no contact"
            case (false, true): ", contact without support for it"
            case (false, false): ""
            }
        let energy = flags & Flag.energy == 0 ? "" : ", energy"
        let intervals = flags & Flag.rrIntervals == 0 ? "" : ", RR intervals"
        let reserved = flags & Flag.reserved
        let rest = reserved == 0 ? "" : ", reserved bits \(HexText.byte(reserved))"
        return width + contact + energy + intervals + rest
    }

    private static func headerLength(_ flags: UInt8) -> Int {
        2 + (flags & Flag.twoBytes == 0 ? 0 : 1) + (flags & Flag.energy == 0 ? 0 : 2)
    }

    private static func bits(_ width: Width) -> UInt8 {
        width == .twoBytes ? Flag.twoBytes : 0
    }

    private static func bits(_ contact: Contact) -> UInt8 {
        switch contact {
        case .notSupported: 0
        case .notDetected: Flag.contactSupported
        case .detected: Flag.contactSupported | Flag.contactDetected
        }
    }

    /// RR intervals between beats in 1024ths of a second, oldest first.
    ///
    /// Up to nine intervals are stored inline, more in an array. A link with the default MTU
    /// carries nine at most.
    public struct RRIntervals: Hashable, Sendable, RandomAccessCollection, CustomStringConvertible {
        /// The storage; it follows from the number of intervals, so equal values are stored alike.
        @usableFromInline enum Storage: Hashable, Sendable {
            /// Four intervals in each word, little endian, and the ninth; zeros beyond the count.
            case few(low: UInt64, high: UInt64, ninth: UInt16, count: UInt16)
            /// More than ``mostInline`` intervals.
            case many([UInt16])
        }

        @usableFromInline let storage: Storage

        @usableFromInline static var mostInline: Int { 9 }

        @inlinable @inline(__always)
        public init() {
            storage = .few(low: 0, high: 0, ninth: 0, count: 0)
        }

        public init(_ intervals: some Collection<UInt16>) {
            guard intervals.count <= Self.mostInline else {
                self.init(Storage.many(Array(intervals)))
                return
            }
            var words = (low: UInt64(0), high: UInt64(0), ninth: UInt64(0))
            var count = 0
            for interval in intervals.prefix(Self.mostInline) {
                let bits = UInt64(interval) << UInt64(count % 4 * 16)
                switch count / 4 {
                case 0: words.low |= bits
                case 1: words.high |= bits
                default: words.ninth = bits
                }
                count += 1
            }
            self.init(words.low, words.high, words.ninth, length: 2 * count)
        }

        /// Returns `true` if `length` bytes are intervals that are stored inline.
        @inlinable @inline(__always)
        static func areFew(length: Int) -> Bool {
            length & 1 == 0 && length <= 2 &* Self.mostInline
        }

        private init(_ storage: Storage) {
            self.storage = storage
        }

        /// Creates the first `length / 2` of nine intervals.
        @inlinable @inline(__always)
        init(_ low: UInt64, _ high: UInt64, _ ninth: UInt64, length: Int) {
            storage = .few(
                low: low, high: high, ninth: UInt16(truncatingIfNeeded: ninth),
                count: UInt16(truncatingIfNeeded: length &>> 1))
        }

        @inlinable @inline(__always)
        init<IO: ByteIO & ~Escapable>(
            _ io: inout IO, _ intervals: Self?
        ) throws(PacketError) {
            let length = io.remaining
            guard intervals == nil, !IO.isWatching, Self.areFew(length: length) else {
                try self.init(each: &io, intervals)
                return
            }
            let low = io.next(Swift.min(length, 8))
            let high = length > 8 ? io.next(Swift.min(length &- 8, 8)) : 0
            let ninth = length > 16 ? io.next(2) : 0
            self.init(low, high, ninth, length: length)
        }

        /// The same, one interval after the other: for records, for many, and for a writer. Not
        /// inlined, so that the decoder of usual measurements stays small.
        @inlinable @inline(never)
        init<IO: ByteIO & ~Escapable>(
            each io: inout IO, _ old: Self?
        ) throws(PacketError) {
            if let old {
                for interval in old { _ = try io.uint16("ticks", interval, .body(.beatTicks)) }
                self = old
                return
            }
            var intervals: [UInt16] = []
            intervals.reserveCapacity(io.remaining / 2)
            while io.remaining > 0 {
                io.enter("rrIntervals", intervals.count)
                let interval = try io.uint16("ticks", nil, .body(.beatTicks), .ticksOf1024)
                io.means { "\(HeartRateMeasurement.milliseconds(interval)) ms" }
                io.leave()
                intervals.append(interval)
            }
            self.init(intervals)
        }

        /// The position of the first interval.
        @inlinable public var startIndex: Int { 0 }

        /// The position after the last interval.
        @inlinable public var endIndex: Int {
            switch storage {
            case .few(_, _, _, let count): Int(count)
            case .many(let intervals): intervals.count
            }
        }

        /// The interval at `position`, or 0 beyond the end.
        @inlinable
        public subscript(position: Int) -> UInt16 {
            switch storage {
            case .few(let low, let high, let ninth, _):
                let shift = UInt64(truncatingIfNeeded: (position & 3) &* 16)
                switch position {
                case 0..<4: return UInt16(truncatingIfNeeded: low &>> shift)
                case 4..<8: return UInt16(truncatingIfNeeded: high &>> shift)
                default: return position == 8 ? ninth : 0
                }
            case .many(let intervals):
                return intervals.indices.contains(position) ? intervals[position] : 0
            }
        }

        /// The intervals in decimal, in brackets: `[800, 812]`.
        public var description: String {
            var text = ""
            for interval in self { text += text == "" ? "\(interval)" : ", \(interval)" }
            return "[\(text)]"
        }
    }
}

extension HeartRateMeasurement.RRIntervals: ExpressibleByArrayLiteral {
    public init(arrayLiteral elements: UInt16...) {
        self.init(elements)
    }
}

#if !hasFeature(Embedded)
extension HeartRateMeasurement: CustomReflectable {
    /// The values of the packet under their public names.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "beatsPerMinute": beatsPerMinute, "contact": contact,
                "energyKilojoules": energyKilojoules as Any, "rrIntervals": rrIntervals,
            ],
            displayStyle: .struct)
    }
}
#endif

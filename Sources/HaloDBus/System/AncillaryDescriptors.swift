#if os(Linux)
/// How descriptors lie in the data that the system carries beside bytes: a header of the record's
/// length, a level and a type, then the numbers; records begin at multiples of a word.
enum AncillaryDescriptors {
    private static let word = MemoryLayout<UInt>.size
    private static let headerLength = word + 2 * MemoryLayout<Int32>.size

    /// How many bytes so many descriptors take.
    static func length(_ count: Int) -> Int { aligned(headerLength + count * 4) }

    /// The record that carries the descriptors.
    static func encode(_ numbers: [Int32], level: Int32, type: Int32) -> [UInt8] {
        var bytes: [UInt8] = []
        func put<Number: FixedWidthInteger>(_ number: Number) {
            withUnsafeBytes(of: number) { bytes.append(contentsOf: $0) }
        }
        put(UInt(headerLength + numbers.count * 4))
        put(level)
        put(type)
        for number in numbers { put(number) }
        while bytes.count % word != 0 { bytes.append(0) }
        return bytes
    }

    /// The descriptors of all records of that level and type.
    static func decode(_ bytes: UnsafeRawBufferPointer, level: Int32, type: Int32) -> [Int32] {
        var numbers: [Int32] = []
        var start = 0
        while bytes.count - start >= headerLength {
            let length = Int(clamping: bytes.loadUnaligned(fromByteOffset: start, as: UInt.self))
            guard length >= headerLength, length <= bytes.count - start else { break }
            let place = start + word
            if bytes.loadUnaligned(fromByteOffset: place, as: Int32.self) == level,
                bytes.loadUnaligned(fromByteOffset: place + 4, as: Int32.self) == type
            {
                for index in 0..<(length - headerLength) / 4 {
                    numbers.append(
                        bytes.loadUnaligned(
                            fromByteOffset: start + headerLength + index * 4, as: Int32.self))
                }
            }
            start += aligned(length)
        }
        return numbers
    }

    private static func aligned(_ length: Int) -> Int { (length + word - 1) / word * word }
}
#endif

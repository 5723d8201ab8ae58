#if os(Linux)
extension Span<UInt8> {
    /// The four bytes in that place as a number, small end first; all of them have to be there.
    func smallEndNumber(at place: Int) -> Int {
        extracting(place..<place + 4).withUnsafeBufferPointer {
            Int(
                clamping: UInt32(
                    littleEndian: UnsafeRawBufferPointer($0).loadUnaligned(as: UInt32.self)))
        }
    }
}
#endif

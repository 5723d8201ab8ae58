#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The system's zlib as a second opinion, loaded without its headers. Only where pointers have 64
/// bits.
struct SystemZlib {
    /// The result of unpacking.
    struct Result: Equatable {
        var bytes: [UInt8] = []
        var isComplete = false
    }

    private typealias Begin =
        @convention(c) (
            UnsafeMutableRawPointer, CInt, UnsafePointer<CChar>, CInt
        ) -> CInt
    private typealias Step = @convention(c) (UnsafeMutableRawPointer, CInt) -> CInt
    private typealias Call = @convention(c) (UnsafeMutableRawPointer) -> CInt
    private typealias Compress =
        @convention(c) (
            UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<CUnsignedLong>,
            UnsafePointer<UInt8>?, CUnsignedLong, CInt
        ) -> CInt

    private let begin: Begin
    private let step: Step
    private let reset: Call
    private let end: Call
    private let compress: Compress

    /// The library, or `nil` where there is none.
    static let shared = SystemZlib()

    private static let streamLength = 112
    private static let streamEnd: CInt = 1
    private static let pieceLength = 1 << 16

    private init?() {
        guard MemoryLayout<Int>.size == 8,
            let library = dlopen("libz.so.1", RTLD_NOW) ?? dlopen("libz.dylib", RTLD_NOW),
            let begin = dlsym(library, "inflateInit2_"), let step = dlsym(library, "inflate"),
            let reset = dlsym(library, "inflateReset"), let end = dlsym(library, "inflateEnd"),
            let compress = dlsym(library, "compress2")
        else { return nil }
        self.begin = unsafeBitCast(begin, to: Begin.self)
        self.step = unsafeBitCast(step, to: Step.self)
        self.reset = unsafeBitCast(reset, to: Call.self)
        self.end = unsafeBitCast(end, to: Call.self)
        self.compress = unsafeBitCast(compress, to: Compress.self)
    }

    /// Packs bytes in the wrapper of zlib.
    func packed(_ bytes: [UInt8], level: Int) -> [UInt8] {
        var length = CUnsignedLong(bytes.count + bytes.count / 100 + 100)
        var packed = [UInt8](repeating: 0, count: Int(length))
        _ = compress(&packed, &length, bytes, CUnsignedLong(bytes.count), CInt(level))
        return Array(packed.prefix(Int(length)))
    }

    /// Unpacks a stream by the window bits of zlib: -15 without a wrapper, 15 for zlib, 31 for
    /// gzip. Several members of gzip are unpacked one after another; zeros may follow them.
    func unpacked(_ input: [UInt8], windowBits: CInt) -> Result {
        var result = Result()
        let stream = UnsafeMutableRawPointer.allocate(byteCount: Self.streamLength, alignment: 8)
        defer { stream.deallocate() }
        stream.initializeMemory(as: UInt8.self, repeating: 0, count: Self.streamLength)
        guard begin(stream, windowBits, "1.2.11", CInt(Self.streamLength)) == 0 else {
            return result
        }
        defer { _ = end(stream) }
        var output = [UInt8](repeating: 0, count: Self.pieceLength)
        input.withUnsafeBufferPointer { input in
            var start = 0
            while true {
                stream.storeBytes(
                    of: input.baseAddress?.advanced(by: start), as: UnsafePointer<UInt8>?.self)
                stream.storeBytes(of: UInt32(input.count - start), toByteOffset: 8, as: UInt32.self)
                let status = output.withUnsafeMutableBufferPointer { output in
                    stream.storeBytes(
                        of: output.baseAddress, toByteOffset: 24,
                        as: UnsafeMutablePointer<UInt8>?.self)
                    stream.storeBytes(
                        of: UInt32(output.count), toByteOffset: 32, as: UInt32.self)
                    return step(stream, 0)
                }
                start = input.count - Int(stream.load(fromByteOffset: 8, as: UInt32.self))
                let room = Int(stream.load(fromByteOffset: 32, as: UInt32.self))
                result.bytes += output.prefix(output.count - room)
                if status == 0, room == 0 || start < input.count { continue }
                guard status == Self.streamEnd else { return }
                if windowBits == 31 {
                    while start < input.count, input[start] == 0 { start += 1 }
                    if start < input.count, input[start] == 0x1F {
                        guard reset(stream) == 0 else { return }
                        continue
                    }
                }
                result.isComplete = start == input.count
                return
            }
        }
        return result
    }
}

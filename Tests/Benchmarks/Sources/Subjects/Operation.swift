import HaloProtocol

/// One piece of work, of either language: input, its length, where the result goes.
///
/// Both languages are called through the same kind of pointer from the same loop, one call for
/// each input, as an app would for each notification. It answers 0, or which check failed.
public typealias Operation =
    @convention(c) (UnsafePointer<UInt8>, Int, UnsafeMutableRawPointer) -> Int32

/// The bytes that a C caller gave.
@inline(__always)
func buffer(_ input: UnsafePointer<UInt8>, _ length: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: input, count: length)
}

/// Gives an error to the sink.
///
/// It does not go where results go: a function that has to remember a place while an error is made
/// keeps a register for that, and every success pays for saving it.
@inline(never)
func refused(_ error: FrameError) -> Int32 {
    withUnsafeBytes(of: error) { sink($0) }
    return 1
}

/// Gives an error to the sink.
@inline(never)
func refused(_ error: PacketError) -> Int32 {
    withUnsafeBytes(of: error) { sink($0) }
    return 2
}

/// Nothing: what every operation pays for being called.
@c public func doNothing(
    _ input: UnsafePointer<UInt8>, _ length: Int, _ output: UnsafeMutableRawPointer
) -> Int32 { 0 }

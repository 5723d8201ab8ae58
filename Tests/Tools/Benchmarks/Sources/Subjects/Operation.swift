import HaloProtocol

/// One piece of work in either language. Parameters: input, its length, memory for the result.
///
/// Both languages are called through the same kind of pointer from the same loop, one call for each
/// input, as an app would for each notification. Returns 0, or the number of the failed check.
public typealias Operation =
    @convention(c) (UnsafePointer<UInt8>, Int, UnsafeMutableRawPointer) -> Int32

/// The bytes of a C caller.
@inline(__always)
func buffer(_ input: UnsafePointer<UInt8>, _ length: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: input, count: length)
}

/// Passes an error to the sink.
///
/// The error is not written to the memory for results: a function that has to keep a pointer while
/// an error is made keeps a register for that, and every success pays for saving it.
@inline(never)
func refused(_ error: FrameError) -> Int32 {
    withUnsafeBytes(of: error) { sink($0) }
    return 1
}

/// Passes an error to the sink.
@inline(never)
func refused(_ error: PacketError) -> Int32 {
    withUnsafeBytes(of: error) { sink($0) }
    return 2
}

/// Does nothing: the cost of a call, which is part of every operation.
@c public func doNothing(
    _ input: UnsafePointer<UInt8>, _ length: Int, _ output: UnsafeMutableRawPointer
) -> Int32 { 0 }

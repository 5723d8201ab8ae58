// Writes seeds to the folder in the environment variable HALO_SEEDS. Each input is a capture or a
// fixture; each of its packets becomes an input of the targets for that kind. A file of traffic
// becomes an input of its format's target. Inputs that no fixture contains are generated once.
import FuzzDriver
import FuzzHarness
import HaloCapture

private func write(_ seed: Seed) {
    seed.bytes.withUnsafeBufferPointer { buffer in
        fuzz_write_seed(seed.target, buffer.baseAddress, buffer.count)
    }
}

private let made: Void = Seed.bus.forEach(write)

@_cdecl("LLVMFuzzerTestOneInput")
public func check(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    made
    Seed.seeds(of: bytes).forEach(write)
    return 0
}

@main enum Target {
    static func main() { drive() }
}

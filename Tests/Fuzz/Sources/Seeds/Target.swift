// Makes seeds: each input is a capture or a fixture, and each of its packets becomes an input of
// the targets that it concerns, in the folder that the environment calls HALO_SEEDS. A file of
// traffic is an input of its format's target.
import FuzzDriver
import FuzzHarness
import HaloCapture

@_cdecl("LLVMFuzzerTestOneInput")
public func check(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    for seed in Seed.seeds(of: bytes) {
        seed.bytes.withUnsafeBufferPointer { buffer in
            fuzz_write_seed(seed.target, buffer.baseAddress, buffer.count)
        }
    }
    return 0
}

@main enum Target {
    static func main() { drive() }
}

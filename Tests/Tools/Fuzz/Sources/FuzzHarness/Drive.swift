import FuzzDriver
public import HaloTesting

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Checks with one input, and aborts where a promise is broken: so libFuzzer learns of it.
public func check(
    _ target: FuzzTarget, _ start: UnsafePointer<UInt8>?, _ count: Int
) -> CInt {
    do throws(ContractViolation) {
        try target.run(UnsafeBufferPointer(start: start, count: count).span)
    } catch {
        fuzz_fail(error.description)
    }
    return 0
}

/// Runs libFuzzer where it is linked in; otherwise checks with each file given as an argument.
public func drive() -> Never {
    exit(fuzz_drive(CommandLine.argc, CommandLine.unsafeArgv))
}

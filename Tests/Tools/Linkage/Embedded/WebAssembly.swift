/// Runs the test from a WebAssembly runtime.
@_expose(wasm, "selftest") @_cdecl("selftest")
public func exportedSelftest() -> Int32 {
    selftest()
}

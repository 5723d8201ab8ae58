// Writes seeds of all targets to the folder in the environment variable HALO_SEEDS. It has the form
// of a fuzz target, so that one build makes them all: each input is a capture or a fixture, or a
// file of traffic, which becomes an input of its format's target. Inputs that no fixture contains
// are generated once.
import BlueZChecks
import CaptureChecks
import DBusChecks
import Glibc
import HaloCapture
import HaloTesting
import HaloTraffic
import ProtocolChecks
import TrafficChecks

private let targets: [any FuzzTarget] =
    protocolTargets + [CaptureTarget(), ReplayTarget()] + TrafficTarget.all

private let generated: Void = {
    write(BusSeed.dbus, DBusTarget())
    write(BusSeed.blueZ, BlueZTarget())
}()

private func write(_ inputs: [[UInt8]], _ target: some FuzzTarget) {
    guard let folder = getenv("HALO_SEEDS") else { return }
    do {
        try target.writeCorpus(to: String(cString: folder), of: inputs)
    } catch {
        fatalError("\(error)")
    }
}

@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let file = Array(UnsafeBufferPointer(start: start, count: count))
    generated
    let beginning = ContiguousArray(file.prefix(TrafficFormat.detectionLength))
    let format = TrafficFormat.detect(beginning.span)
    if let target = TrafficTarget.all.first(where: { $0.format == format }) {
        write([file], target)
        return 0
    }
    var reader = CaptureReader()
    try? reader.read(file)
    // The text as it is: what is written again has one form, and no errors.
    write([file], CaptureTarget())
    for target in targets { write(target.inputs(from: reader.capture), target) }
    return 0
}

@main enum Program {
    static func main() { preconditionFailure("libFuzzer is linked in, and has a main of its own") }
}

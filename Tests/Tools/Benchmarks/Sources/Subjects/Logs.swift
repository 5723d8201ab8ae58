import HaloProtocol
import Instruments

/// Joins the frames of a day.
@c public func joinHeartRateDay(
    _ input: UnsafePointer<UInt8>, _ length: Int, _ output: UnsafeMutableRawPointer
) -> Int32 {
    var assembly = HeartRateLog.Assembly()
    var offset = 0
    while offset + Frame.length <= length {
        let bytes = buffer(input + offset, Frame.length)
        guard let frame = try? Frame(decoding: bytes.span) else { return 1 }
        do throws(PacketError) {
            switch try assembly.receive(frame) {
            case nil: offset += Frame.length
            case .value(let log):
                log.values.withUnsafeBytes { sink($0) }
                return 0
            case .refused, .noData: return 6
            }
        } catch {
            return 5
        }
    }
    return 8
}

/// Passes a result to the sink.
@inline(__always)
func sink(_ bytes: UnsafeRawBufferPointer) {
    if let start = bytes.baseAddress { benchmark_sink(start, bytes.count) }
}

import HaloProtocol
import Instruments

/// Decodes a heart-rate measurement with few RR intervals: it allocates no memory, and is not
/// copied.
@c public func decodeMeasurement(
    _ input: UnsafePointer<UInt8>, _ length: Int, _ output: UnsafeMutableRawPointer
) -> Int32 {
    do throws(PacketError) {
        let measurement = try HeartRateMeasurement(decoding: buffer(input, length).span)
        output.initializeMemory(as: HeartRateMeasurement.self, to: measurement)
        return 0
    } catch {
        return refused(error)
    }
}

/// Decodes a big-data frame to a record.
@c public func decodeBloodOxygen(
    _ input: UnsafePointer<UInt8>, _ length: Int, _ output: UnsafeMutableRawPointer
) -> Int32 {
    do throws(FrameError) {
        let frame = try BigDataFrame(decoding: buffer(input, length).span)
        do throws(PacketError) {
            let reply = try BloodOxygen.Reply(decoding: frame)
            reply.days.withUnsafeBytes { sink($0) }
            return 0
        } catch {
            return refused(error)
        }
    } catch {
        return refused(error)
    }
}

/// Computes the checksum of big-data frames.
@c public func checksumBytes(
    _ input: UnsafePointer<UInt8>, _ length: Int, _ output: UnsafeMutableRawPointer
) -> Int32 {
    let checksum = CRC16.checksum(of: buffer(input, length).span)
    output.initializeMemory(as: UInt16.self, to: checksum)
    return 0
}

/// Makes an array of a few bytes: it must be counted as one allocation.
@c public func allocateOnce(
    _ input: UnsafePointer<UInt8>, _ length: Int, _ output: UnsafeMutableRawPointer
) -> Int32 {
    let array = [UInt8](buffer(input, length))
    array.withUnsafeBytes { sink($0) }
    return 0
}

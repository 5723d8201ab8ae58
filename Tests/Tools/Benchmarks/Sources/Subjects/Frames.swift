import HaloProtocol

/// Decodes bytes to a frame.
@c public func decodeFrame(
    _ input: UnsafePointer<UInt8>, _ length: Int, _ output: UnsafeMutableRawPointer
) -> Int32 {
    do throws(FrameError) {
        let frame = try Frame(decoding: buffer(input, length).span)
        output.initializeMemory(as: Frame.self, to: frame)
        return 0
    } catch {
        return refused(error)
    }
}

/// Encodes two values as a frame with its checksum.
@c public func encodeFrame(
    _ input: UnsafePointer<UInt8>, _ length: Int, _ output: UnsafeMutableRawPointer
) -> Int32 {
    let reply = Battery.Reply(
        percent: input[0], charging: input[1] == 0 ? .discharging : .charging)
    output.initializeMemory(as: Frame.self, to: reply.frame)
    return 0
}

/// Decodes bytes to a frame, and the frame to a typed reply.
@c public func decodeBattery(
    _ input: UnsafePointer<UInt8>, _ length: Int, _ output: UnsafeMutableRawPointer
) -> Int32 {
    decode(Battery.Reply.self, input, length, output)
}

/// Decodes a frame to the report of a measurement: codes and a small number.
@c public func decodeRealtimeMeasurement(
    _ input: UnsafePointer<UInt8>, _ length: Int, _ output: UnsafeMutableRawPointer
) -> Int32 {
    decode(RealtimeMeasurement.Reply.self, input, length, output)
}

/// Decodes a frame to a ring's capabilities: switches.
@c public func decodeSetTime(
    _ input: UnsafePointer<UInt8>, _ length: Int, _ output: UnsafeMutableRawPointer
) -> Int32 {
    decode(SetTime.Reply.self, input, length, output)
}

/// Decodes a frame to half of a day's totals: decimal digits and numbers of three bytes.
@c public func decodeDailyTotals(
    _ input: UnsafePointer<UInt8>, _ length: Int, _ output: UnsafeMutableRawPointer
) -> Int32 {
    decode(DailyTotals.Part.self, input, length, output)
}

/// Decodes a frame to one part of a long reply.
@c public func decodeHeartRateLogPart(
    _ input: UnsafePointer<UInt8>, _ length: Int, _ output: UnsafeMutableRawPointer
) -> Int32 {
    decode(HeartRateLog.Part.self, input, length, output)
}

/// Decodes bytes to a frame, and the frame to its packet.
@inline(__always)
private func decode<Packet: FramePacket>(
    _ type: Packet.Type, _ input: UnsafePointer<UInt8>, _ length: Int,
    _ output: UnsafeMutableRawPointer
) -> Int32 {
    do throws(FrameError) {
        let frame = try Frame(decoding: buffer(input, length).span)
        do throws(PacketError) {
            let packet = try Packet(decoding: frame)
            output.initializeMemory(as: Packet.self, to: packet)
            return 0
        } catch {
            return refused(error)
        }
    } catch {
        return refused(error)
    }
}

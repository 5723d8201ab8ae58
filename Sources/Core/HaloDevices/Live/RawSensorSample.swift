internal import HaloProtocol

/// A raw value of a ring's sensors.
public enum RawSensorSample: Hashable, Sendable, Codable {
    case bloodOxygenLight(Light)
    case pulseLight(Light)
    /// The acceleration along three axes, in multiples of the gravity of Earth.
    case acceleration(x: Double, y: Double, z: Double)
    /// The bytes of a channel that is not described, without trailing zeros.
    case undescribed(channel: Int, bytes: [UInt8])
    /// The link was lost; samples continue with the next link.
    case interrupted
    /// The number of samples that were dropped because the loop was slow.
    case missed(Int)

    /// The light reflected by the skin, in units of the sensor.
    public struct Light: Hashable, Sendable, Codable {
        /// The current value.
        public let value: Int
        /// The maximum of an earlier measurement: the value may be above it.
        public let maximum: Int
        /// The minimum of an earlier measurement: the value may be below it.
        public let minimum: Int
        /// The maximum less the minimum on the pulse channel; on the other one, that of an R08
        /// only.
        public let difference: Int
    }

    /// Creates the sample of a report; `nil` for a report that only confirms a stop.
    init?(_ reply: RawSensors.Reply) {
        switch reply.content {
        case .bloodOxygen(let optical): self = .bloodOxygenLight(Light(optical))
        case .pulse(let optical): self = .pulseLight(Light(optical))
        case .acceleration(let axes):
            self = .acceleration(x: axes.x.g, y: axes.y.g, z: axes.z.g)
        case .undescribed4, .undescribed5, .unknown:
            // After the opcode and the channel.
            let bytes = InlineBytes(prefix: reply.frame.bytes.dropFirst(2).dropLast())
            self = .undescribed(
                channel: Int(reply.content.channel.rawValue), bytes: Array(bytes.trimmingZeros))
        case .stopped: return nil
        }
    }
}

extension RawSensorSample.Light {
    fileprivate init(_ optical: RawSensors.Optical) {
        self.init(
            value: Int(optical.value), maximum: Int(optical.maximum),
            minimum: Int(optical.minimum), difference: Int(optical.difference))
    }
}

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
        /// The recent maximum.
        public let maximum: Int
        /// The recent minimum.
        public let minimum: Int
        /// The maximum less the minimum on the pulse channel; not described on the other one.
        public let difference: Int
    }

    init(_ reply: RawSensors.Reply) {
        self =
            switch reply.content {
            case .bloodOxygen(let optical): .bloodOxygenLight(Light(optical))
            case .pulse(let optical): .pulseLight(Light(optical))
            case .acceleration(let axes): .acceleration(x: axes.x.g, y: axes.y.g, z: axes.z.g)
            case .unknown(let channel):
                .undescribed(channel: Int(channel.rawValue), bytes: Array(reply.unclaimed))
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

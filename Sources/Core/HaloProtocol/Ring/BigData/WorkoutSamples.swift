/// A part of the recording of one workout.
///
///     ← 45 package unknown samples…
///
/// Follows the reply to ``WorkoutDetail``, which has the fields of a sample: one byte of beats per
/// minute in every capture. Packages are counted from 1; the second byte was 0.
public enum WorkoutSamples: BigDataCommand {
    public static let facts = CommandFacts(
        0x45, "WorkoutSamples", "samples of a workout", .captured)

    /// One package.
    public struct Reply: BigDataReply {
        public typealias Owner = WorkoutSamples

        /// The number of the package, from 1.
        public var package: UInt8
        /// An undescribed byte; 0 in captures.
        package var unknown: UInt8
        /// The samples as they were sent: beats per minute, unless ``WorkoutDetail`` differs.
        public let samples: [UInt8]

        private static let headLength = 2

        /// Creates a package of at most 65,533 bytes of samples.
        public init(package: UInt8, samples: [UInt8]) throws(ValueError) {
            self.package = package
            unknown = 0
            self.samples = try RecordLength.checked(
                samples, "samples", behind: Self.headLength)
        }

        public init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
            package = try io.uint8("package", packet?.package, .open)
            unknown = try io.uint8("unknown", packet?.unknown, .unknown)
            samples = try io.byteArray("samples", packet?.samples, .samples(.pulse))
        }
    }
}

/// A part of what a ring recorded during one workout.
///
///     ← 45 package unknown samples…
///
/// It follows the answer to ``WorkoutDetail``, which says of what a sample consists: of one byte
/// of beats per minute in every capture. Packages are counted from 1; the second byte was 0.
public enum WorkoutSamples: BigDataReplyCommand {
    public static var name: FieldName { "WorkoutSamples" }
    public static var title: FieldName { "samples of a workout" }
    public static var evidence: Evidence { .captured }
    public static var requestID: UInt8 { 0x45 }

    /// One package.
    public struct Reply: BigDataReply {
        public typealias Owner = WorkoutSamples

        /// Which package, from 1 on.
        public var package: UInt8
        /// Not known; 0 in captures.
        public var unknown: UInt8
        /// The samples as they came: beats per minute, unless WorkoutDetail says otherwise.
        public let samples: [UInt8]

        private static let headLength = 2

        /// A package of at most 65,533 bytes of samples.
        public init(package: UInt8, samples: [UInt8]) throws(ValueError) {
            self.package = package
            unknown = 0
            self.samples = try RecordLength.checked(
                samples, "samples", behind: Self.headLength)
        }

        public init<Sink: FieldSink>(from reader: inout ByteReader<Sink>) throws(PacketError) {
            package = try reader.uint8("package")
            unknown = try reader.uint8("unknown")
            samples = try reader.byteArray("samples", count: reader.remaining)
        }

        public func encode(into writer: inout ByteWriter) {
            writer.uint8("package", package)
            writer.uint8("unknown", unknown)
            writer.byteArray("samples", samples)
        }
    }
}

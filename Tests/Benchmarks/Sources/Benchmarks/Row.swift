import Subjects

/// What is measured: our work, and the same work in C.
struct Row {
    let name: String
    let inputs: Inputs
    let subject: Operation
    /// The same work; the fastest counts.
    let peers: [Operation]
    var limits = Limits()
    /// Whether both results are the same, where they lie in plain memory. What goes to the sink is
    /// compared anyway, unless `comparesSink` says that the two have different forms.
    var agrees: (UnsafeRawPointer, UnsafeRawPointer) -> Bool = { _, _ in true }
    var comparesSink = true

    /// What a row may cost.
    struct Limits {
        /// Time, as a multiple of the fastest peer's.
        var ratio: Double?
        /// How often memory is asked for in one operation.
        var allocations: Double?

        /// What a measurement has too much of, in words.
        func missed(by measurement: Measurement) -> [String] {
            var missed: [String] = []
            if let ratio, measurement.ratio > ratio {
                missed.append("\(decimal(measurement.ratio)) times C, not \(decimal(ratio))")
            }
            if let allocations, measurement.allocations > allocations {
                missed.append(
                    "\(decimal(measurement.allocations)) allocations, not "
                        + "\(decimal(allocations))")
            }
            return missed
        }
    }

    /// A result takes at most this much.
    static let outputStride = 128
    /// Results take turns in so much memory, a power of two.
    static let outputLength = 16 * outputStride
}

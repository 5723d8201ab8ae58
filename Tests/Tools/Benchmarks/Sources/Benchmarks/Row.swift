import Subjects

/// A benchmark: an operation of this package, and the same work in C.
struct Row {
    let name: String
    let inputs: Inputs
    let subject: Operation
    /// The same work in C; the fastest peer counts.
    let peers: [Operation]
    var limits = Limits()
    /// Compares results in plain memory; `true` if they are equal. The sink is compared too, unless
    /// `comparesSink` is `false` because the two have different forms.
    var agrees: (UnsafeRawPointer, UnsafeRawPointer) -> Bool = { _, _ in true }
    var comparesSink = true

    /// The limits of a row.
    struct Limits {
        /// The maximum time, as a multiple of the fastest peer's.
        var ratio: Double?
        /// The maximum number of allocations in one operation.
        var allocations: Double?

        /// The missed limits of a measurement, as text.
        func missed(by measurement: Measurement) -> [String] {
            var missed: [String] = []
            // A ratio that is no number is missed, too.
            if let ratio, !(measurement.ratio <= ratio) {
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

    /// The maximum length of a result in bytes.
    static let outputStride = 128
    /// The length of the memory in which results take turns, a power of two.
    static let outputLength = 16 * outputStride
}

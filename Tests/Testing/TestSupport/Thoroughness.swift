import Foundation

/// How thorough tests are that try many inputs, moments or runs: the factor `HALO_THOROUGH`, 1
/// unless it is set. `.ci/run` sets it to 2, and higher for some.
package enum Thoroughness {
    private static let factor =
        ProcessInfo.processInfo.environment["HALO_THOROUGH"].flatMap(Int.init) ?? 1

    /// Returns a number of inputs, times the factor.
    package static func scaled(_ count: Int) -> Int { count * max(factor, 1) }

    /// Whether all cases of a table are tried, and not only a part.
    package static var isWhole: Bool { factor > 1 }

    /// Returns every `step`-th element, or all of them if the factor is above 1. The first is that
    /// at the place `start`, modulo `step`.
    package static func part<Element>(
        _ all: [Element], every step: Int, from start: Int = 0
    ) -> [Element] {
        isWhole ? all : stride(from: start % step, to: all.count, by: step).map { all[$0] }
    }
}

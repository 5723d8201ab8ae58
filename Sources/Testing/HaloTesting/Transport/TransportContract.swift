internal import HaloTransport

/// The contract of `BLETransport`: checks that every backend passes.
///
/// The name of each check is its claim. A check needs a new harness, and throws a
/// ``ContractViolation`` if the claim does not hold. With Swift Testing:
///
///     @Test(arguments: TransportContract<MyHarness>.checks)
///     func keepsTheContract(_ check: TransportContract<MyHarness>.Check) async throws {
///         try await check.run(on: MyHarness())
///     }
public enum TransportContract<Harness: TransportHarness> {
    /// A claim, and the function that checks it.
    public struct Check: Sendable, CustomStringConvertible {
        /// The claim.
        public let claim: String
        let needs: TransportAbilities
        let body: @Sendable (ContractBench<Harness>) async throws -> Void

        init(
            _ claim: String, needs: TransportAbilities = [],
            _ body: @escaping @Sendable (ContractBench<Harness>) async throws -> Void
        ) {
            self.claim = claim
            self.needs = needs
            self.body = body
        }

        init(
            _ claim: String, needs: TransportAbilities = [],
            _ body: @escaping @Sendable (ContractBench<Harness>, BLELink) async throws -> Void
        ) {
            self.init(claim, needs: needs) { bench in
                let link = try await bench.connect()
                try await body(bench, link)
                await link.disconnect()
            }
        }

        init(
            _ claim: String, of attribute: ContractAttribute, needs: TransportAbilities = [],
            _ body:
                @escaping @Sendable (
                    ContractBench<Harness>, BLELink, GATTCharacteristic
                ) async throws -> Void
        ) {
            self.init(claim, needs: needs) { bench, link in
                try await body(bench, link, bench.characteristic(attribute, of: link))
            }
        }

        /// The claim.
        public var description: String { claim }

        /// Checks the claim; returns `false` if the harness lacks an ability for it.
        ///
        /// - Throws: A ``ContractViolation`` if the claim does not hold, or a wait does not end;
        ///   the errors of the harness.
        @discardableResult
        public func run(on harness: Harness) async throws -> Bool {
            guard harness.abilities.isSuperset(of: needs) else { return false }
            let bench = ContractBench(claim: claim, harness: harness)
            do {
                try await bench.guarded { try await body(bench) }
            } catch let error as BLEError {
                throw bench.violation("an unexpected error came: \(error)")
            }
            return true
        }
    }

    /// All checks, in the order of a link's life.
    public static var checks: [Check] {
        connecting + attributes + notifying + ending
    }
}

internal import HaloTransport

/// A fault whose measure has not been drawn.
enum FaultKind {
    case loss, duplication, reordering, corruption, truncation, delay, stall, disconnection
    case refusal, silence, refusedCommand, shortPackets, failedConnection

    /// The fault, with what it needs to be known drawn from a number.
    func fault(_ number: UInt64, length: Int) -> Fault {
        var random = SplitMix(seed: number)
        switch self {
        case .loss: return .loss
        case .duplication: return .duplication
        case .reordering: return .reordering
        case .corruption: return .corruption(bit: Int(random.below(Int64(max(length, 1)) * 8)))
        case .truncation: return .truncation(length: Int(random.below(Int64(max(length, 1)))))
        case .delay: return .delay(.microseconds(10_000 + random.below(1_990_000)))
        case .stall: return .stall(.microseconds(100_000 + random.below(6_900_000)))
        case .disconnection: return .disconnection
        case .refusal: return .refusal(random.below(2) == 0 ? .unlikely : .insufficientResources)
        case .silence: return .silence
        case .refusedCommand: return .refusedCommand
        case .shortPackets: return .shortPackets
        case .failedConnection: return .failedConnection
        }
    }
}

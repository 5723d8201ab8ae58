import HaloProtocol

extension FieldSecrecy {
    /// The kind for reports; `nil` for a field that is kept.
    var kind: ScrubKind? {
        switch self {
        case .open, .text: nil
        case .unknown, .layout: .unknown
        case .name, .wideName, .model: .names
        case .serial: .serials
        case .systemID, .manufacturerData, .address: .addresses
        case .seconds, .decimalDate, .datePart: .dates
        case .body, .samples, .ranges, .total, .measured, .pulseOfWorkout, .light, .axis, .sex,
            .sleep:
            .health
        }
    }

    /// `true` for a text in which names and numbers of the capture are replaced.
    var isText: Bool {
        switch self {
        case .text, .wideName, .model, .serial: true
        default: false
        }
    }
}

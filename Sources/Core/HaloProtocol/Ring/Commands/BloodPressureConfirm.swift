/// Confirms the reply to ``BloodPressureData``.
///
///     → 0E action                      0 confirm; FF is used as well, without a description
///     ← 0E …                           never seen: kept as it is
///
/// Vendor notes only.
public enum BloodPressureConfirm: ActionCommand, SingleReplyCommand {
    public static let facts = CommandFacts(
        0x0E, "BloodPressureConfirm", "blood pressure confirmation")

    /// A confirmation's code.
    public enum Action: UInt8, FieldCode {
        case confirm = 0
        /// The other code in use; its meaning is not described.
        case undescribedFF = 0xFF

        public static let labels = FieldLabels<Action>([.undescribedFF: "FF (not described)"])
    }
}

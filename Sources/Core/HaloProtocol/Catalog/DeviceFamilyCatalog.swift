/// All families.
public enum DeviceFamilyCatalog {
    /// The families, in the order in which they are recognised.
    public static let families = [DeviceFamily.ledStrip]
}

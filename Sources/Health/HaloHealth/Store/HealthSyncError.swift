public import HaloDevices

/// An error of a ``HealthSync``: of the ring, or of the file.
public struct HealthSyncError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The error of the ring or of Bluetooth; `nil` if the file is the cause.
    public let deviceError: DeviceError?
    /// The error of the file; `nil` if the ring is the cause.
    public let storeError: HealthStoreError?

    /// Creates the error of a ring.
    public init(_ error: DeviceError) {
        deviceError = error
        storeError = nil
    }

    /// Creates the error of a file.
    public init(_ error: HealthStoreError) {
        deviceError = nil
        storeError = error
    }

    /// The title of an alert: one sentence in English.
    public var title: String { deviceError?.title ?? storeError?.title ?? "The sync has failed." }

    /// The person's next step, in English; `nil` if there is none.
    public var advice: String? { deviceError?.advice ?? storeError?.advice }

    /// The description of the cause, for a report.
    public var description: String {
        deviceError.map { "\($0)" } ?? storeError.map { "\($0)" } ?? title
    }
}

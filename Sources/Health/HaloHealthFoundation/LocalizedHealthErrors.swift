public import Foundation
public import HaloHealth

extension HealthStoreError: LocalizedError {
    /// The ``/HaloHealth/HealthStoreError/title``.
    public var errorDescription: String? { title }

    /// The path, the kind of error and the details.
    public var failureReason: String? { description }

    /// The ``/HaloHealth/HealthStoreError/advice``.
    public var recoverySuggestion: String? { advice }
}

extension HealthSyncError: LocalizedError {
    /// The ``/HaloHealth/HealthSyncError/title``.
    public var errorDescription: String? { title }

    /// The error of the ring or of the file.
    public var failureReason: String? { description }

    /// The ``/HaloHealth/HealthSyncError/advice``.
    public var recoverySuggestion: String? { advice }
}

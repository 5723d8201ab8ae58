/// A big-data command with requests.
public protocol BigDataRequestCommand: BigDataCommand {
    /// The record that is sent to a ring.
    associatedtype Request: BigDataRequest
}

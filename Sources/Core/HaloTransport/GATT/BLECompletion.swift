/// A completion handler: called with the result of an operation.
public typealias BLECompletion<Value> = @Sendable (Result<Value, BLEError>) -> Void

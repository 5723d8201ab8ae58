/// The discoveries of a scan, from the creation of the sequence until it is dropped.
///
/// When the buffer is full, the oldest discovery is dropped, and ``Discovery/lostBefore`` of the
/// next one counts it. The sequence throws when scanning fails, and ends when the task is
/// cancelled.
public typealias Scan = TransportUpdates<Discovery>

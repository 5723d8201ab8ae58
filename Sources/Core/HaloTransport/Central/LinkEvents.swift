/// The events of a link, of all characteristics, in one order.
///
/// The sequence has the values of all subscriptions of the link, and makes no subscription itself.
/// When the buffer is full, the oldest event is dropped, and ``ReceivedEvent/lostBefore`` of the
/// next one counts it.
///
/// The last element is always ``LinkEvent/disconnected(_:)`` with the reason; then the sequence
/// ends. It also ends when the task is cancelled, and never throws. It keeps the link open.
public typealias LinkEvents = TransportUpdates<ReceivedEvent>

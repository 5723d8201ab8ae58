/// The notifications or indications of one characteristic, in order.
///
/// The sequence shares the subscription on the device and keeps the link open; when the last
/// sequence of a characteristic is dropped, the device's sending is switched off. When the buffer
/// is full, the oldest value is dropped, and ``LinkNotification/lostBefore`` of the next one counts
/// it.
///
/// After the link's end, the buffered values come first. Then the sequence ends, if the app has
/// closed the link; otherwise it throws ``BLEError/Kind/disconnected`` with the reason. When the
/// device's services have changed, it throws ``BLEError/Kind/noSuchAttribute``: discover, and
/// subscribe again. It ends when the task is cancelled.
public typealias Notifications = TransportUpdates<LinkNotification>

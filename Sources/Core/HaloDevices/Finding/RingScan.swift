/// The rings nearby, as they are discovered.
///
/// The scan begins when the sequence is created, and ends when the sequence and its iterators are
/// dropped. A ring is reported again when its advertisement has something new, under the same
/// ``RingDiscovery/id``. The sequence ends as ``DeviceUpdates`` describes. It throws when scanning
/// fails: ``DeviceError/Kind/bluetoothOff``. Two iterators share the discoveries.
public typealias RingScan = DeviceUpdates<RingDiscovery>

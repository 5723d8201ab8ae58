internal import HaloProtocol

/// One subscription on a device, and all who share it.
struct LinkSubscription: Sendable {
    /// One of those who share it.
    struct Subscriber: Sendable {
        let number: UInt64
        /// The buffer for values; `nil` for a subscriber that has them from the link's sink.
        let buffer: StreamBuffer<LinkNotification>?
        /// Is told when the device has said yes or no; `nil` after that.
        var completion: BLECompletion<Void>?
    }

    /// The number of this switching on: the answer to an earlier one means nothing.
    let generation: UInt64
    let uuid: BluetoothUUID
    /// Whether the device has said yes.
    var isOn = false
    var subscribers: [Subscriber] = []
}

extension LinkState {
    /// Ends all subscriptions: loops get the first error, or a quiet end, and subscribers that
    /// still wait for the device's yes the second.
    mutating func endSubscriptions(_ error: BLEError?, pending: BLEError) {
        let all = subscriptions.values.sorted { $0.generation < $1.generation }
        subscriptions = [:]
        for subscription in all {
            var pending = pending
            pending.uuid = subscription.uuid
            var error = error
            error?.uuid = subscription.uuid
            for subscriber in subscription.subscribers {
                outbox.append(
                    .call { [pending, error] in
                        subscriber.buffer?.end(error)
                        subscriber.completion?(.failure(pending))
                    })
            }
        }
    }
}

extension BLELink {
    /// Adds a subscriber, and switches the device's sending on if nobody has. The subscriber is
    /// there before the device is asked, so it misses nothing.
    func subscribe(
        to characteristic: GATTCharacteristic, _ buffer: StreamBuffer<LinkNotification>?,
        _ completion: @escaping BLECompletion<Void>
    ) -> Registration {
        let number = update { state in
            let number = state.newNumber()
            if let error = state.endedError(.subscribe, characteristic.uuid) {
                state.outbox.append(.call { completion(.failure(error)) })
                return number
            }
            let isFirst = state.subscriptions[characteristic.id] == nil
            var subscription =
                state.subscriptions[characteristic.id]
                ?? LinkSubscription(generation: number, uuid: characteristic.uuid)
            if subscription.isOn { state.outbox.append(.call { completion(.success(())) }) }
            subscription.subscribers.append(
                LinkSubscription.Subscriber(
                    number: number, buffer: buffer,
                    completion: subscription.isOn ? nil : completion))
            state.subscriptions[characteristic.id] = subscription
            if isFirst { switchOn(characteristic, generation: number, in: &state) }
            return number
        }
        return Registration { [weak self] in self?.unsubscribe(number, from: characteristic) }
    }

    /// Takes a subscriber away, and switches the device's sending off after the last one.
    private func unsubscribe(_ number: UInt64, from characteristic: GATTCharacteristic) {
        update { state in
            guard var subscription = state.subscriptions[characteristic.id],
                let index = subscription.subscribers.firstIndex(where: { $0.number == number })
            else { return }
            let subscriber = subscription.subscribers.remove(at: index)
            if let completion = subscriber.completion {
                let error = BLEError(.cancelled, .subscribe, uuid: characteristic.uuid)
                state.outbox.append(.call { completion(.failure(error)) })
            }
            guard subscription.subscribers.isEmpty else {
                state.subscriptions[characteristic.id] = subscription
                return
            }
            state.subscriptions[characteristic.id] = nil
            enqueue(
                .unsubscribe, characteristic.uuid, isLimited: false, in: &state,
                perform: { $0.setNotify(false, for: characteristic.id, $1) },
                completion: { (_: Result<Void, BLEError>) in })
        }
    }

    private func switchOn(
        _ characteristic: GATTCharacteristic, generation: UInt64, in state: inout LinkState
    ) {
        enqueue(
            .subscribe, characteristic.uuid, in: &state,
            perform: { $0.setNotify(true, for: characteristic.id, $1) },
            completion: { [weak self] (result: Result<Void, BLEError>) in
                self?.switchedOn(characteristic.id, generation, result)
            })
    }

    private func switchedOn(
        _ attribute: AttributeID, _ generation: UInt64, _ result: Result<Void, BLEError>
    ) {
        update { state in
            guard var subscription = state.subscriptions[attribute],
                subscription.generation == generation
            else { return }
            for index in subscription.subscribers.indices {
                let subscriber = subscription.subscribers[index]
                subscription.subscribers[index].completion = nil
                state.outbox.append(
                    .call {
                        if case .failure(let error) = result { subscriber.buffer?.end(error) }
                        subscriber.completion?(result)
                    })
            }
            switch result {
            case .success:
                subscription.isOn = true
                state.subscriptions[attribute] = subscription
            case .failure:
                state.subscriptions[attribute] = nil
            }
        }
    }
}

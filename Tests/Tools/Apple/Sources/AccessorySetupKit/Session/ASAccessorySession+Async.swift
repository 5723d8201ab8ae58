// The forms of the functions with a completion that return when it is called.
extension ASAccessorySession {
    private func wait(_ start: (@escaping @Sendable ((any Error)?) -> Void) -> Void) async throws {
        try await withCheckedThrowingContinuation {
            (result: CheckedContinuation<Void, any Error>) in
            start { error in
                if let error { result.resume(throwing: error) } else { result.resume() }
            }
        }
    }

    /// Shows a picker for the app's extension for discovery.
    public func showPicker() async throws {
        try await wait { showPicker(completionHandler: $0) }
    }

    /// Shows a picker for kinds of accessories, and returns when it has disappeared.
    public func showPicker(for displayItems: [ASPickerDisplayItem]) async throws {
        try await wait { showPicker(for: displayItems, completionHandler: $0) }
    }

    /// Finishes the authorisation of an accessory that awaits it.
    public func finishAuthorization(
        for accessory: ASAccessory, settings: ASAccessorySettings
    ) async throws {
        try await wait {
            finishAuthorization(for: accessory, settings: settings, completionHandler: $0)
        }
    }

    /// Refuses an accessory that awaits its authorisation.
    public func failAuthorization(for accessory: ASAccessory) async throws {
        try await wait { failAuthorization(for: accessory, completionHandler: $0) }
    }

    /// Removes an accessory from the app, with its bond.
    public func removeAccessory(_ accessory: ASAccessory) async throws {
        try await wait { removeAccessory(accessory, completionHandler: $0) }
    }

    /// Lets the person rename an accessory.
    public func renameAccessory(
        _ accessory: ASAccessory, options renameOptions: ASAccessory.RenameOptions = []
    ) async throws {
        try await wait {
            renameAccessory(accessory, options: renameOptions, completionHandler: $0)
        }
    }

    /// Replaces the descriptor of an accessory, if the person agrees.
    public func updateAuthorization(
        for accessory: ASAccessory, descriptor: ASDiscoveryDescriptor
    ) async throws {
        try await wait {
            updateAuthorization(for: accessory, descriptor: descriptor, completionHandler: $0)
        }
    }

    /// Shows accessories that the app has let through its filter.
    public func updatePicker(showing displayItems: [ASDiscoveredDisplayItem]) async throws {
        try await wait { updatePicker(showing: displayItems, completionHandler: $0) }
    }

    /// Ends the discovery of a picker whose accessories the app filters.
    public func finishPickerDiscovery() async throws {
        try await wait { finishPickerDiscovery(completionHandler: $0) }
    }
}

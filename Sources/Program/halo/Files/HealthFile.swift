import HaloCapture
import HaloHealth

struct HealthFile {
    let path: FilePath

    static let option = Option.file(
        "file",
        """
        the file that keeps what rings have stored (default: halo/health.db in XDG_DATA_HOME or \
        ~/.local/share)
        """)

    /// The file of an option, or the user's own.
    ///
    /// - Parameter isOfRealRings: `false` for virtual and recorded rings, which have no place in
    ///   the user's own file.
    init(_ arguments: ParsedArguments, isOfRealRings: Bool = true) throws(Failure) {
        if let path = try arguments.value(of: Self.option) {
            guard !path.isStandard else { throw .wrongUsage("--file takes the name of a file") }
            self.path = path
            return
        }
        guard isOfRealRings else {
            throw .wrongUsage(
                "your own file is not for virtual or recorded rings; --file names another")
        }
        guard let path = Self.usual else {
            throw .wrongUsage("HOME is not set; --file names the file")
        }
        self.path = path
    }

    private static var usual: FilePath? {
        .ofUser("halo/health.db", in: "XDG_DATA_HOME", or: ".local/share")
    }

    /// Opens the file, and makes it and its folder if there is none.
    func opened() throws(Failure) -> HealthStore {
        // For its owner only: it has health data.
        if path == Self.usual { try path.makeParent(mode: 0o700) }
        return try stored(HealthStore(filePath: path.text))
    }

    /// Opens the file; `nil` if there is none, and one can be made once there is something to keep.
    func openedUnlessNew() throws(Failure) -> HealthStore? {
        if path == Self.usual { try path.makeParent(mode: 0o700) }
        guard path.isFree, path.canBeMade else { return try opened() }
        try stored(HealthStore.checkLibrary(for: path.text))
        return nil
    }

    func openedIfThere() throws(Failure) -> HealthStore {
        guard path.isThere else {
            throw Failure(
                .unusable, "\(path.quoted): there is no such file",
                advice: "'halo sync' creates it, and keeps in it what a ring has stored.")
        }
        return try opened()
    }
}

func stored<Value>(
    _ value: @autoclosure () throws(HealthStoreError) -> Value
) throws(Failure) -> Value {
    try mapError(Failure.init, value)
}

/// Calls a function of a sync, and throws its error with what to do about it.
nonisolated(nonsending) func synced<Value>(
    _ body: nonisolated(nonsending) () async throws(HealthSyncError) -> Value
) async throws(Failure) -> Value {
    do throws(HealthSyncError) {
        return try await body()
    } catch {
        throw error.storeError.map(Failure.init) ?? error.deviceError.map { Failure($0) }
            ?? Failure(.unusable, "\(error)")
    }
}

extension Failure {
    fileprivate init(_ error: HealthStoreError) {
        self.init(.unusable, "\(error)", advice: error.advice)
    }
}

internal import HaloTransport

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A file with what rings have stored: an SQLite database, which other programs can read as well.
///
///     let store = try HealthStore(path: "health.db")
///     let day = try store.ring(ring.identity)?.nextDay
///     let history = try await ring.history(since: day ?? lastMonth)
///     try store.add(HealthRead(ring, history))
///     let nights = try store.history(of: ring.identity)?.sleep
///
/// Adding is idempotent: adding a value twice changes nothing. A value that the ring has changed
/// is replaced, and the old one kept. Days that the ring has overwritten stay.
///
/// Tasks and threads can share a store: a lock lets one call at a time use the file, and each call
/// is one transaction. It is a lock and not an actor because SQLite blocks its thread in either
/// case, and because a program without tasks can use a store as well. Several programs can use one
/// file: they wait for each other, for half a minute at most.
public final class HealthStore: Sendable {
    /// The path of the file.
    public let path: String
    private let connection: Locked<SQLiteConnection>

    /// Opens a file, or creates it for its owner only.
    ///
    /// A file of another program, or of a later version of this package, is not changed.
    ///
    /// `:memory:` is a store without a file, as for SQLite, that ends with its last reference: for
    /// previews and tests. `./:memory:` is a file of that name. SQLite's URIs, `file:…`, are
    /// refused: options in them could share or lock the file in other ways.
    public convenience init(path: String) throws(HealthStoreError) {
        if path.hasPrefix("file:") { throw HealthStoreError(.isURI, path: path) }
        guard path == SQLiteConnection.memoryPath else {
            try self.init(filePath: path)
            return
        }
        let library = try Self.library(for: path)
        let database = try SQLiteConnection(inMemory: library)
        try self.init(path: path, database, library, versions: HealthSchema.versions)
    }

    /// Opens a file, or creates it, whatever its name is.
    package convenience init(filePath path: String) throws(HealthStoreError) {
        let library = try Self.library(for: path)
        try self.init(path: path, library, versions: HealthSchema.versions)
    }

    /// Throws if the system has no SQLite, with which the file could be opened later.
    package static func checkLibrary(for path: String) throws(HealthStoreError) {
        _ = try library(for: path)
    }

    static func library(for path: String) throws(HealthStoreError) -> SQLiteLibrary {
        guard let library = SQLiteLibrary.system else {
            throw HealthStoreError(.noLibrary, path: path)
        }
        return library
    }

    convenience init(
        path: String, _ library: SQLiteLibrary, versions: [StaticString]
    ) throws(HealthStoreError) {
        let file = SQLiteConnection.file(at: path)
        try Self.create(file, path: path)
        let database = try SQLiteConnection(file, path: path, .writing, library)
        try self.init(path: path, database, library, versions: versions)
    }

    private init(
        path: String, _ database: sending SQLiteConnection, _ library: SQLiteLibrary,
        versions: [StaticString]
    ) throws(HealthStoreError) {
        try database.prepare(versions, library)
        self.path = path
        connection = Locked(database)
    }

    /// Calls a function with the database, which no other task uses meanwhile.
    func withDatabase<Value: Sendable>(
        _ body: @Sendable (SQLiteConnection) throws(HealthStoreError) -> Value
    ) throws(HealthStoreError) -> Value {
        try connection.withLock { (database) throws(HealthStoreError) in try body(database) }
    }

    /// Creates a file, if there is none, that only its owner can read: it has health data.
    private static func create(_ file: [CChar], path: String) throws(HealthStoreError) {
        let descriptor = open(file, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        if descriptor >= 0 {
            close(descriptor)
        } else if errno != EEXIST {
            throw HealthStoreError(
                .notOpened, path: path, details: String(cString: strerror(errno)))
        }
    }

}

// MARK: - Versions

extension SQLiteConnection {
    /// Checks that the file is of this package, and brings its tables to this version.
    fileprivate func prepare(
        _ versions: [StaticString], _ library: SQLiteLibrary
    ) throws(HealthStoreError) {
        try run("PRAGMA foreign_keys = ON")
        try run("PRAGMA trusted_schema = OFF")
        let known = try reading { () throws(HealthStoreError) in
            let known = try knownVersion(atMost: versions.count)
            try check(against: versions.prefix(known), library)
            return known
        }
        // A file that needs no change may be on a disk that cannot be written.
        if known < versions.count {
            try transaction { () throws(HealthStoreError) in
                // Another program may have done it meanwhile.
                let missing = try versions.dropFirst(knownVersion(atMost: versions.count))
                for version in missing { try run(script: version) }
                if !missing.isEmpty { try run(script: HealthSchema.views) }
            }
        }
    }

    /// Checks that the tables only hold values, and that nothing is computed when they change: in
    /// a stranger's file a computation could go on for ever.
    private func check(
        against versions: some Collection<StaticString>, _ library: SQLiteLibrary
    ) throws(HealthStoreError) {
        guard !versions.isEmpty,
            let part = try strangePart(besides: versions, library)
        else { return }
        throw HealthStoreError(.changedByOtherProgram, path: path, details: part)
    }

    /// Returns the version of the tables: 0 for a file without tables.
    private func knownVersion(atMost most: Int) throws(HealthStoreError) -> Int {
        let mark = try value("PRAGMA application_id")
        let isOurs = mark == .integer(HealthSchema.applicationID)
        let isEmpty = try value("SELECT 1 FROM sqlite_master") == nil
        if isEmpty, isOurs || mark == 0 { return 0 }
        guard isOurs, case .integer(let version)? = try value("PRAGMA user_version") else {
            throw HealthStoreError(.ofOtherProgram, path: path)
        }
        guard version > 0 else {
            throw HealthStoreError(
                .damaged, path: path, details: "it has tables, and no version of them")
        }
        guard version <= most else { throw HealthStoreError(.newer, path: path) }
        return Int(version)
    }
}

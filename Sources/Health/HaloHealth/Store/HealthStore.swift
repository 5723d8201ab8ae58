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
/// A store is used by one task at a time; an actor is a good place for it. Several programs can
/// use one file: they wait for each other.
public final class HealthStore {
    /// The path of the file.
    public let path: String
    let database: SQLiteConnection

    /// Opens a file, or creates it for its owner only.
    ///
    /// A file of another program, or of a later version of this package, is not changed.
    public convenience init(path: String) throws(HealthStoreError) {
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

    init(
        path: String, _ library: SQLiteLibrary, versions: [StaticString]
    ) throws(HealthStoreError) {
        let file = SQLiteConnection.file(at: path)
        self.path = path
        try Self.create(file, path: path)
        database = try SQLiteConnection(file, path: path, .writing, library)
        try prepare(versions)
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

    // MARK: Versions

    /// Checks that the file is of this package, and brings its tables to this version.
    private func prepare(_ versions: [StaticString]) throws(HealthStoreError) {
        try database.run("PRAGMA foreign_keys = ON")
        let known = try database.reading { () throws(HealthStoreError) in
            try knownVersion(atMost: versions.count)
        }
        // A file that needs no change may be on a disk that cannot be written.
        if known < versions.count {
            try database.transaction { () throws(HealthStoreError) in
                for version in try versions.dropFirst(knownVersion(atMost: versions.count)) {
                    try database.run(script: version)
                }
            }
        }
        guard try isPlain(HealthSchema.tableNames(of: versions)) else {
            throw HealthStoreError(
                .damaged, path: path,
                details: "it has triggers, or views or computed columns in place of its tables")
        }
    }

    /// Returns `true` if the tables only hold values, and nothing is computed when they change: in
    /// a stranger's file a computation could go on for ever.
    private func isPlain(_ tables: [String]) throws(HealthStoreError) -> Bool {
        guard try database.hasTables(tables) else { return false }
        return try database.value("SELECT 1 FROM sqlite_master WHERE type = 'trigger'") == nil
    }

    /// Returns the version of the tables: 0 for a file without tables.
    private func knownVersion(atMost most: Int) throws(HealthStoreError) -> Int {
        let mark = try database.value("PRAGMA application_id")
        let isOurs = mark == .integer(HealthSchema.applicationID)
        let isEmpty = try database.value("SELECT count(*) FROM sqlite_master") == 0
        if isEmpty, isOurs || mark == 0 { return 0 }
        guard isOurs, case .integer(let version)? = try database.value("PRAGMA user_version") else {
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

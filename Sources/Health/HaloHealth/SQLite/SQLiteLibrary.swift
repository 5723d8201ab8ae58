#if canImport(SQLite3)
internal import SQLite3
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// The functions of the system's SQLite.
///
/// On Linux it is opened at run time, so that neither building nor linking needs it.
struct SQLiteLibrary: Sendable {
    typealias Database = OpaquePointer
    typealias Statement = OpaquePointer
    /// What SQLite calls when it no longer needs a text or bytes.
    typealias Destructor = @convention(c) (UnsafeMutableRawPointer?) -> Void
    typealias OfStatement = @convention(c) @Sendable (Statement?) -> Int32
    typealias ColumnNumber = @convention(c) @Sendable (Statement?, Int32) -> Int32

    let open:
        @convention(c) @Sendable (
            UnsafePointer<CChar>?, UnsafeMutablePointer<Database?>?, Int32, UnsafePointer<CChar>?
        ) -> Int32
    let close: @convention(c) @Sendable (Database?) -> Int32
    let setBusyTimeout: @convention(c) @Sendable (Database?, Int32) -> Int32
    /// Sets the function that is called after a number of steps, and ends the statement unless it
    /// returns 0.
    let setProgress:
        @convention(c) @Sendable (
            Database?, Int32, (@convention(c) (UnsafeMutableRawPointer?) -> Int32)?,
            UnsafeMutableRawPointer?
        ) -> Void
    let message: @convention(c) @Sendable (Database?) -> UnsafePointer<CChar>?
    let prepare:
        @convention(c) @Sendable (
            Database?, UnsafePointer<CChar>?, Int32, UInt32, UnsafeMutablePointer<Statement?>?,
            UnsafeMutablePointer<UnsafePointer<CChar>?>?
        ) -> Int32
    /// A variable for tests, which plant errors here.
    var step: OfStatement
    let reset: OfStatement
    let clearBindings: OfStatement
    let finalize: OfStatement
    let bindInteger: @convention(c) @Sendable (Statement?, Int32, Int64) -> Int32
    let bindReal: @convention(c) @Sendable (Statement?, Int32, Double) -> Int32
    let bindText:
        @convention(c) @Sendable (Statement?, Int32, UnsafePointer<CChar>?, Int32, Destructor?)
            -> Int32
    let columnCount: OfStatement
    let columnType: ColumnNumber
    let columnInteger: @convention(c) @Sendable (Statement?, Int32) -> Int64
    let columnReal: @convention(c) @Sendable (Statement?, Int32) -> Double
    let columnText: @convention(c) @Sendable (Statement?, Int32) -> UnsafePointer<UInt8>?
    let columnLength: ColumnNumber

    /// The library of the system; `nil` if it has none.
    static let system: SQLiteLibrary? = {
        #if canImport(SQLite3)
        return SQLiteLibrary()
        #else
        return load(["libsqlite3.so.0", "libsqlite3.so"])
        #endif
    }()
}

#if canImport(SQLite3)
extension SQLiteLibrary {
    private init() {
        open = sqlite3_open_v2
        close = sqlite3_close_v2
        setBusyTimeout = sqlite3_busy_timeout
        setProgress = sqlite3_progress_handler
        message = sqlite3_errmsg
        prepare = sqlite3_prepare_v3
        step = sqlite3_step
        reset = sqlite3_reset
        clearBindings = sqlite3_clear_bindings
        finalize = sqlite3_finalize
        bindInteger = sqlite3_bind_int64
        bindReal = sqlite3_bind_double
        bindText = sqlite3_bind_text
        columnCount = sqlite3_column_count
        columnType = sqlite3_column_type
        columnInteger = sqlite3_column_int64
        columnReal = sqlite3_column_double
        columnText = sqlite3_column_text
        columnLength = sqlite3_column_bytes
    }
}
#else
extension SQLiteLibrary {
    private struct MissingFunction: Error {}

    /// Opens the first library of these names that is there; `nil` without any. It stays open.
    static func load(_ names: [String]) -> SQLiteLibrary? {
        for name in names {
            guard let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL) else { continue }
            if let library = try? SQLiteLibrary(handle) { return library }
        }
        return nil
    }

    /// Creates the library of an open handle; throws if it lacks a function.
    private init(_ handle: UnsafeMutableRawPointer) throws(MissingFunction) {
        func function<Function>(_ name: String) throws(MissingFunction) -> Function {
            guard let symbol = dlsym(handle, "sqlite3_" + name) else { throw MissingFunction() }
            return unsafeBitCast(symbol, to: Function.self)
        }
        open = try function("open_v2")
        close = try function("close_v2")
        setBusyTimeout = try function("busy_timeout")
        setProgress = try function("progress_handler")
        message = try function("errmsg")
        prepare = try function("prepare_v3")
        step = try function("step")
        reset = try function("reset")
        clearBindings = try function("clear_bindings")
        finalize = try function("finalize")
        bindInteger = try function("bind_int64")
        bindReal = try function("bind_double")
        bindText = try function("bind_text")
        columnCount = try function("column_count")
        columnType = try function("column_type")
        columnInteger = try function("column_int64")
        columnReal = try function("column_double")
        columnText = try function("column_text")
        columnLength = try function("column_bytes")
    }
}
#endif

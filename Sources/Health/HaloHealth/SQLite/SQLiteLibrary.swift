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
    typealias Open =
        @convention(c) @Sendable (
            UnsafePointer<CChar>?, UnsafeMutablePointer<Database?>?, Int32, UnsafePointer<CChar>?
        ) -> Int32
    typealias OfDatabase = @convention(c) @Sendable (Database?) -> Int32
    typealias OfStatement = @convention(c) @Sendable (Statement?) -> Int32
    typealias Setting = @convention(c) @Sendable (Database?, Int32) -> Int32
    typealias Words = @convention(c) @Sendable (Database?) -> UnsafePointer<CChar>?
    typealias Prepare =
        @convention(c) @Sendable (
            Database?, UnsafePointer<CChar>?, Int32, UInt32, UnsafeMutablePointer<Statement?>?,
            UnsafeMutablePointer<UnsafePointer<CChar>?>?
        ) -> Int32
    typealias BindNull = @convention(c) @Sendable (Statement?, Int32) -> Int32
    typealias BindInteger = @convention(c) @Sendable (Statement?, Int32, Int64) -> Int32
    typealias BindReal = @convention(c) @Sendable (Statement?, Int32, Double) -> Int32
    typealias BindText =
        @convention(c) @Sendable (Statement?, Int32, UnsafePointer<CChar>?, Int32, Destructor?)
        -> Int32
    typealias BindBytes =
        @convention(c) @Sendable (Statement?, Int32, UnsafeRawPointer?, Int32, Destructor?) -> Int32
    typealias ColumnNumber = @convention(c) @Sendable (Statement?, Int32) -> Int32
    typealias ColumnInteger = @convention(c) @Sendable (Statement?, Int32) -> Int64
    typealias ColumnReal = @convention(c) @Sendable (Statement?, Int32) -> Double
    typealias ColumnText = @convention(c) @Sendable (Statement?, Int32) -> UnsafePointer<UInt8>?
    typealias ColumnBytes = @convention(c) @Sendable (Statement?, Int32) -> UnsafeRawPointer?

    let open: Open
    let close: OfDatabase
    let setBusyTimeout: Setting
    let message: Words
    let changedRows: OfDatabase
    let prepare: Prepare
    /// A variable for tests, which plant errors here.
    var step: OfStatement
    let reset: OfStatement
    let clearBindings: OfStatement
    let finalize: OfStatement
    let bindNull: BindNull
    let bindInteger: BindInteger
    let bindReal: BindReal
    let bindText: BindText
    let bindBytes: BindBytes
    let columnCount: OfStatement
    let columnType: ColumnNumber
    let columnInteger: ColumnInteger
    let columnReal: ColumnReal
    let columnText: ColumnText
    let columnBytes: ColumnBytes
    let columnLength: ColumnNumber

    /// The library of the system.
    static let system: Result<SQLiteLibrary, SQLiteError> = {
        #if canImport(SQLite3)
        return .success(SQLiteLibrary())
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
        message = sqlite3_errmsg
        changedRows = sqlite3_changes
        prepare = sqlite3_prepare_v3
        step = sqlite3_step
        reset = sqlite3_reset
        clearBindings = sqlite3_clear_bindings
        finalize = sqlite3_finalize
        bindNull = sqlite3_bind_null
        bindInteger = sqlite3_bind_int64
        bindReal = sqlite3_bind_double
        bindText = sqlite3_bind_text
        bindBytes = sqlite3_bind_blob
        columnCount = sqlite3_column_count
        columnType = sqlite3_column_type
        columnInteger = sqlite3_column_int64
        columnReal = sqlite3_column_double
        columnText = sqlite3_column_text
        columnBytes = sqlite3_column_blob
        columnLength = sqlite3_column_bytes
    }
}
#else
extension SQLiteLibrary {
    /// Opens the first library of these names that is there. It stays open.
    static func load(_ names: [String]) -> Result<SQLiteLibrary, SQLiteError> {
        for name in names {
            guard let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL) else { continue }
            guard let library = SQLiteLibrary(handle) else { continue }
            return .success(library)
        }
        return .failure(SQLiteError(.noLibrary))
    }

    /// Creates the library of an open handle; `nil` if it lacks a function.
    private init?(_ handle: UnsafeMutableRawPointer) {
        func function<Function>(_ name: String, _ type: Function.Type) -> Function? {
            dlsym(handle, "sqlite3_" + name).map { unsafeBitCast($0, to: type) }
        }
        guard let open = function("open_v2", Open.self),
            let close = function("close_v2", OfDatabase.self),
            let setBusyTimeout = function("busy_timeout", Setting.self),
            let message = function("errmsg", Words.self),
            let changedRows = function("changes", OfDatabase.self),
            let prepare = function("prepare_v3", Prepare.self),
            let step = function("step", OfStatement.self),
            let reset = function("reset", OfStatement.self),
            let clearBindings = function("clear_bindings", OfStatement.self),
            let finalize = function("finalize", OfStatement.self),
            let bindNull = function("bind_null", BindNull.self),
            let bindInteger = function("bind_int64", BindInteger.self),
            let bindReal = function("bind_double", BindReal.self),
            let bindText = function("bind_text", BindText.self),
            let bindBytes = function("bind_blob", BindBytes.self),
            let columnCount = function("column_count", OfStatement.self),
            let columnType = function("column_type", ColumnNumber.self),
            let columnInteger = function("column_int64", ColumnInteger.self),
            let columnReal = function("column_double", ColumnReal.self),
            let columnText = function("column_text", ColumnText.self),
            let columnBytes = function("column_blob", ColumnBytes.self),
            let columnLength = function("column_bytes", ColumnNumber.self)
        else { return nil }
        self.open = open
        self.close = close
        self.setBusyTimeout = setBusyTimeout
        self.message = message
        self.changedRows = changedRows
        self.prepare = prepare
        self.step = step
        self.reset = reset
        self.clearBindings = clearBindings
        self.finalize = finalize
        self.bindNull = bindNull
        self.bindInteger = bindInteger
        self.bindReal = bindReal
        self.bindText = bindText
        self.bindBytes = bindBytes
        self.columnCount = columnCount
        self.columnType = columnType
        self.columnInteger = columnInteger
        self.columnReal = columnReal
        self.columnText = columnText
        self.columnBytes = columnBytes
        self.columnLength = columnLength
    }
}
#endif

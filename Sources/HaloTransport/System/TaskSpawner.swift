/// How work is begun that nobody waits for.
///
/// It is the only place of this module where a task without a parent begins; whoever needs
/// another order of things gives another one.
package struct TaskSpawner: Sendable {
    private let begin: @Sendable (@escaping @Sendable () async -> Void) -> Registration

    /// A way to begin work; the registration cancels it.
    package init(
        _ begin: @escaping @Sendable (@escaping @Sendable () async -> Void) -> Registration
    ) {
        self.begin = begin
    }

    /// Tasks on the system's pool of threads.
    package static let system = TaskSpawner { work in
        let task = Task { await work() }
        return Registration { task.cancel() }
    }

    /// Begins work.
    package func spawn(_ work: @escaping @Sendable () async -> Void) -> Registration {
        begin(work)
    }
}

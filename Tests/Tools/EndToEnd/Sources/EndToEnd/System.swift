import Glibc

/// Calls to the system.
enum System {
    /// Exits the program after its output is flushed.
    static func exit(_ status: Int32) -> Never {
        fflush(nil)
        Glibc.exit(status)
    }

    /// Prints a line at once: the program may be killed.
    static func say(_ line: String) {
        print(line)
        fflush(nil)
    }

    /// Runs a blocking function on a thread of its own.
    static func onThread(_ body: @escaping @Sendable () -> Void) {
        let box = Unmanaged.passRetained(Body(body))
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, box.toOpaque())
    }

    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }
}

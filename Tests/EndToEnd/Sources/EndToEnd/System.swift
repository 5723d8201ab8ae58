import Glibc

/// What is asked of the system.
enum System {
    /// Ends the program, after what was printed is out.
    static func exit(_ status: Int32) -> Never {
        fflush(nil)
        Glibc.exit(status)
    }

    /// Prints a line at once: the program may be killed.
    static func say(_ line: String) {
        print(line)
        fflush(nil)
    }

    /// Does something that waits, on a thread of its own.
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

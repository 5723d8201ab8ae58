#if os(Linux)
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import HaloDBus
import HaloTransport

/// Signals and a closed standard output, and the end of the program that they ask for.
///
/// A verb that must tidy up first calls ``cancelsTask(watchesReader:)``: the first signal cancels
/// the task of the program, and the program ends by the signal when the verb has returned. A second
/// signal ends it at once, and so does a verb that takes too long.
///
/// One thread reads the signals. What ``beforeSignal(_:)`` was given cleans up before the program
/// ends at once; without a verb that tidies up, the first signal does that.
enum ProgramEnding {
    /// A program that shows something on a terminal. The functions may block, on a terminal that
    /// takes no output.
    struct TerminalUser: Sendable {
        let resized: @Sendable () -> Void
        /// Called before the program is stopped by Ctrl-Z.
        let suspend: @Sendable () -> Void
        let resume: @Sendable () -> Void
        /// Called before the program ends at once.
        let leave: @Sendable () -> Void
    }

    private struct State {
        var cancel: (@Sendable () -> Void)?
        var terminal: TerminalUser?
        var isWatching = false
        /// Standard output, while its reader is watched.
        var output: Int32?
        /// Called before the program ends at once, with its end.
        var cleanUp: (@Sendable (_ end: () -> Never) -> Void)?
        /// `true` if SIGPIPE ends the program after it has cleaned up.
        var cleansUp = false
        /// The signal that has cancelled the task; SIGPIPE for a closed output.
        var endingSignal: Int32?
    }

    private static let state = Locked(State())

    /// The signals that ask to end. A signal that was ignored when the program started stays
    /// ignored.
    private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
    private static let grace = Duration.seconds(15)
    /// The time in which two signals are of one event.
    private static let sameEvent = Duration.milliseconds(100)
    /// The time for the end of the program after its child was killed.
    private static let leaveTime = Duration.seconds(2)
    /// The time for a function of the terminal's user.
    private static let terminalMilliseconds: Int32 = 1000
    /// Added to a signal that the system has sent by itself, as a terminal does at Ctrl-C.
    private static var systemMark: UInt8 { 0x80 }

    /// A pipe through which signals arrive as bytes. A signal handler cannot capture values, so
    /// there is one for the whole program.
    private static let signalPipe: SystemPipe? = {
        guard let pipe = SystemPipe() else { return nil }
        for end in [pipe.reader, pipe.writer] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        return pipe
    }()

    /// Gives SIGQUIT its default action until there is a handler, as the other signals have it. The
    /// runtime of Swift takes it for a crash, and reports that, which lasts seconds.
    static func resetQuitSignal() {
        guard !isIgnored(SIGQUIT) else { return }
        _ = signal(SIGQUIT, SIG_DFL)
    }

    // MARK: The task of the program

    /// Sets how the task of the program is cancelled. A signal may have come already.
    static func register(cancel: @escaping @Sendable () -> Void) {
        let isEnding = state.withLock { state in
            state.cancel = cancel
            return state.endingSignal != nil
        }
        if isEnding { cancel() }
    }

    /// `true` from the call of ``cancelsTask(watchesReader:)`` on.
    static var isWatching: Bool { state.withLock { $0.isWatching } }

    static var endingSignal: Int32? { state.withLock { $0.endingSignal } }

    /// From now on signals cancel the task of the program, and so does a reader that closes
    /// standard output.
    static func cancelsTask(watchesReader: Bool = true) {
        let output = watchesReader && isPipe(STDOUT_FILENO) ? STDOUT_FILENO : nil
        let isFirst = state.withLock { state in
            guard !state.isWatching else { return false }
            (state.isWatching, state.cleansUp, state.output) = (true, false, output)
            return true
        }
        // Without a thread for them, signals end the program at once.
        guard isFirst, hasThread else { return }
        // The thread may wait already, without the output.
        sendByte(0)
        for number in signals { catchSignal(number) }
        // A write to a closed pipe fails with an error instead.
        _ = signal(SIGPIPE, SIG_IGN)
    }

    /// Cancels the task because nobody reads standard output.
    static func outputIsClosed() { cancel(by: SIGPIPE) }

    /// Cancels the task, and returns `true`, if standard output is a pipe without a reader.
    static func endsWithoutReader() -> Bool {
        var entry = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
        guard isPipe(STDOUT_FILENO), poll(&entry, 1, 0) > 0 else { return false }
        outputIsClosed()
        return true
    }

    /// Cancels the task, which then ends the program by itself.
    static func cancelTask() { state.withLock { $0.cancel }?() }

    /// Waits until the clean-up that SIGPIPE has begun ends the program. Without one, returns at
    /// once.
    static func awaitCleaning() {
        while state.withLock({ $0.cleansUp }) { pause() }
    }

    static func endBySignal() {
        if let endingSignal { end(by: endingSignal) }
    }

    /// Sets the user of the terminal. One that has left it does nothing when it is called.
    static func setTerminal(_ user: TerminalUser) {
        state.withLock { $0.terminal = user }
        for number in [SIGWINCH, SIGTSTP] { catchSignal(number) }
    }

    /// The thread that reads the signals, unless they are a child's; `false` without one.
    private static let hasThread: Bool = {
        guard let reader = signalPipe?.reader else { return false }
        return SystemThread.start { watch(reader) }
    }()

    private static func watch(_ reader: Int32) {
        var deadline: ContinuousClock.Instant?
        while true {
            let isEnding = endingSignal != nil
            if isEnding, deadline == nil { deadline = .now + grace }
            let output = state.withLock { $0.output }
            switch nextSignal(reader, unlessClosed: output, until: deadline) {
            case .signal(0, _): break
            case .signal(SIGWINCH, _): terminal?.resized()
            case .signal(SIGTSTP, _):
                briefly(terminal?.suspend)
                raise(SIGSTOP)
                briefly(terminal?.resume)
            case .signal(let number, _) where isEnding || !isWatching: endAtOnce(by: number)
            case .signal(let number, _): cancel(by: number)
            case .outputClosed:
                state.withLock { $0.output = nil }
                cancel(by: SIGPIPE)
            case .timeout: endAtOnce(by: endingSignal ?? SIGTERM)
            }
        }
    }

    private static var terminal: TerminalUser? { state.withLock { $0.terminal } }

    private static func cancel(by number: Int32) {
        let cancel = state.withLock { state in
            if state.endingSignal == nil { state.endingSignal = number }
            return state.cancel
        }
        cancel?()
    }

    private static func endAtOnce(by number: Int32) -> Never {
        briefly(terminal?.leave)
        state.withLock { $0.cleanUp }?({ end(by: number) })
        end(by: number)
    }

    /// Calls a function of the terminal's user on a thread of its own, and waits a moment for its
    /// end: a terminal that takes no output must not keep the program from ending.
    private static func briefly(_ body: (@Sendable () -> Void)?) {
        guard let body else { return }
        let hasEnded = Locked(false)
        let isStarted = SystemThread.start {
            body()
            hasEnded.withLock { $0 = true }
        }
        guard isStarted else { return }
        let step: Int32 = 5
        for _ in 0..<terminalMilliseconds / step where !hasEnded.withLock({ $0 }) {
            _ = poll(nil, 0, step)
        }
    }

    // MARK: Other endings

    /// Calls `cleanUp` before a signal ends the program at once: the first signal, unless that one
    /// cancels the task. Returns `false` if the system has no pipe or no thread for it.
    ///
    /// `cleanUp` gets the end of the program as a function that does not return: it can hold a lock
    /// meanwhile, so that nothing follows the cleaning.
    static func beforeSignal(
        _ cleanUp: @escaping @Sendable (_ end: () -> Never) -> Void
    ) -> Bool {
        state.withLock { $0.cleanUp = cleanUp }
        guard hasThread else { return false }
        for number in signals { catchSignal(number) }
        let cleansUp = catchSignal(SIGPIPE)
        state.withLock { $0.cleansUp = cleansUp }
        return true
    }

    /// Keeps signals for ``forward(to:kills:)`` from now on, so that none ends the program between
    /// the start of the child and the call.
    static func keepForChild() {
        guard signalPipe != nil else { return }
        for number in signals { catchSignal(number) }
    }

    /// Forwards signals to a child from now on. What is typed at a terminal, Ctrl-C and Ctrl-\,
    /// reaches the child by itself, and is for it alone.
    ///
    /// A child that has not ended after a second signal, or some time after the first, is killed,
    /// after a call of `kills`. If that does not end the program soon, the signal does. One event
    /// may send two signals: a shell and the system that hang up, `timeout` to a program and to its
    /// group. So the second one is a program's, and comes some time after the first.
    static func forward(
        to child: ChildProcess, kills: @escaping @Sendable () -> Void
    ) -> Bool {
        guard let reader = signalPipe?.reader else { return false }
        _ = signal(SIGPIPE, SIG_IGN)
        return SystemThread.start {
            let first = forwardNext(reader, to: child)
            _ = forwardNext(reader, to: child, until: .now + sameEvent) { _, _ in false }
            _ = forwardNext(reader, to: child, until: .now + grace) { _, isOfSystem in !isOfSystem }
            kills()
            child.killAll()
            _ = forwardNext(reader, to: child, until: .now + leaveTime)
            end(by: first ?? SIGTERM)
        }
    }

    /// Sends signals to a child until one counts, and returns it; `nil` at the deadline. By default
    /// all count but those that are typed.
    private static func forwardNext(
        _ reader: Int32, to child: ChildProcess, until deadline: ContinuousClock.Instant? = nil,
        counts: (_ number: Int32, _ isOfSystem: Bool) -> Bool = { number, isOfSystem in
            !isOfSystem || number != SIGINT && number != SIGQUIT
        }
    ) -> Int32? {
        while case .signal(let number, let isOfSystem) = nextSignal(reader, until: deadline) {
            if !isOfSystem { child.send(number) }
            if counts(number, isOfSystem) { return number }
        }
        return nil
    }

    // MARK: Signals

    /// Ends the program by a signal, so that its parent learns of the signal.
    private static func end(by number: Int32) -> Never {
        _ = signal(number, SIG_DFL)
        // A set of zeros is empty.
        var only = sigset_t()
        sigaddset(&only, number)
        pthread_sigmask(SIG_UNBLOCK, &only, nil)
        raise(number)
        _exit(128 + number)
    }

    /// Lets a signal arrive as a byte; returns `false` for one that is ignored.
    @discardableResult
    private static func catchSignal(_ number: Int32) -> Bool {
        guard !isIgnored(number) else { return false }
        var action = sigaction()
        action.__sigaction_handler.sa_sigaction = { number, information, _ in
            var byte = UInt8(truncatingIfNeeded: number)
            // The codes of signals that programs send are 0 and less.
            if let information, information.pointee.si_code > 0 {
                byte |= ProgramEnding.systemMark
            }
            let error = errno
            ProgramEnding.sendByte(byte)
            errno = error
        }
        action.sa_flags = SA_RESTART | SA_SIGINFO
        return sigaction(number, &action, nil) == 0
    }

    /// Sends a signal's byte to the thread, or 0, at which it only looks around.
    private static func sendByte(_ byte: UInt8) {
        var byte = byte
        if let writer = signalPipe?.writer { _ = write(writer, &byte, 1) }
    }

    static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return true }
        // SIG_IGN is not a function but the address 1, which Swift cannot compare.
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    private enum Arrival {
        /// A signal; `true` if the system has sent it by itself.
        case signal(Int32, isOfSystem: Bool)
        case outputClosed
        case timeout
    }

    /// Waits for a signal, for ever without a deadline.
    private static func nextSignal(
        _ reader: Int32, unlessClosed output: Int32? = nil,
        until deadline: ContinuousClock.Instant?
    ) -> Arrival {
        var entries = [pollfd(fd: reader, events: Int16(POLLIN), revents: 0)]
        if let output { entries.append(pollfd(fd: output, events: 0, revents: 0)) }
        while true {
            let rest = deadline.map { max(ContinuousClock.now.duration(to: $0), .zero) }
            let milliseconds = rest.map { Int32(clamping: Int($0 / .milliseconds(1))) } ?? -1
            let count = poll(&entries, nfds_t(entries.count), milliseconds)
            var byte: UInt8 = 0
            if read(reader, &byte, 1) == 1 {
                return .signal(Int32(byte & ~systemMark), isOfSystem: byte & systemMark != 0)
            }
            if entries.dropFirst().contains(where: { $0.revents != 0 }) { return .outputClosed }
            if count == 0 { return .timeout }
        }
    }

    private static func isPipe(_ descriptor: Int32) -> Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return false }
        let kind = status.st_mode & S_IFMT
        return kind == S_IFIFO || kind == S_IFSOCK
    }
}
#else
import Darwin

/// The end of the program on systems where signals end it at once.
enum ProgramEnding {
    static var isWatching: Bool { false }
    static var endingSignal: Int32? { nil }
    static func isIgnored(_ number: Int32) -> Bool { false }
    static func resetQuitSignal() {}
    static func register(cancel: @escaping @Sendable () -> Void) {}
    static func cancelsTask(watchesReader: Bool = true) {}
    static func outputIsClosed() {}
    static func endsWithoutReader() -> Bool { false }
    static func cancelTask() {}
    static func awaitCleaning() {}
    static func endBySignal() {}
}
#endif

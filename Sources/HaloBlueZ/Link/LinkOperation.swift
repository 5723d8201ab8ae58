#if os(Linux)
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// Something that was asked of a link: one at a time is with the daemon.
struct LinkOperation: Sendable {
    typealias Completion = LinkCourse.Completion

    /// What is to be done.
    enum Work: Sendable {
        case read(Completion<[UInt8]>)
        case write([UInt8], WriteMode, Completion<Void>)
        case notify(Bool, Completion<Void>)
        case pair(Completion<Void>)
        /// A subscription that nobody has any more; nobody waits for it either.
        case release(DBusObjectPath)
    }

    /// Which one an answer belongs to.
    let number: UInt64
    let attribute: AttributeID?
    let work: Work
    /// When the daemon was asked first.
    var began = Moment.origin
    /// How often the daemon was busy.
    var retries = 0
    /// Why our agent is there while the daemon pairs for it.
    var pairingNeed: UInt64?
    /// What the device said before it was paired with because of it.
    var refusal: BlueZFault?
    /// Whether a socket was asked for and not given.
    var doesWithoutSocket = false
    /// The socket through which it goes, or for which it waits.
    var socket: UInt64?
    /// Values of the same characteristic that came while it is read.
    var values: [[UInt8]] = []

    /// What it is called in errors.
    var kind: BLEError.Operation {
        switch work {
        case .read: .read
        case .write: .write
        case .notify(true, _): .subscribe
        case .notify(false, _), .release: .unsubscribe
        case .pair: .pair
        }
    }

    /// Tells that it came to nothing.
    func fail(_ error: BLEError) {
        switch work {
        case .read(let completion): completion(.failure(error))
        case .write(_, _, let completion): completion(.failure(error))
        case .notify(_, let completion): completion(.failure(error))
        case .pair(let completion): completion(.failure(error))
        case .release: break
        }
    }

    /// Tells that it is done, for what gives nothing.
    func succeed() {
        switch work {
        case .read, .release: break
        case .write(_, _, let completion): completion(.success(()))
        case .notify(_, let completion): completion(.success(()))
        case .pair(let completion): completion(.success(()))
        }
    }
}
#endif

#if os(Linux)
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

extension SystemSocket {
    /// Room for so many bytes to be read.
    static func room(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

    /// Reads what is there, and takes over what descriptors came with it.
    static func receive(
        _ descriptor: Int32, into buffer: inout [UInt8], control: inout [UInt8]
    ) -> (outcome: Outcome, descriptors: [Int32]) {
        var (flags, received): (Int32, [Int32]) = (0, [])
        let count = buffer.withUnsafeMutableBytes { bytes in
            control.withUnsafeMutableBytes { control in
                var part = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
                return withUnsafeMutablePointer(to: &part) { part in
                    var message = msghdr()
                    message.msg_iov = part
                    message.msg_iovlen = 1
                    message.msg_control = control.baseAddress
                    message.msg_controllen = .init(control.count)
                    let count = recvmsg(descriptor, &message, Int32(MSG_CMSG_CLOEXEC))
                    guard count >= 0 else { return count }
                    flags = message.msg_flags
                    let length = min(control.count, Int(message.msg_controllen))
                    received = AncillaryDescriptors.decode(
                        UnsafeRawBufferPointer(
                            rebasing: UnsafeRawBufferPointer(control)[..<length]),
                        level: SOL_SOCKET, type: Int32(SCM_RIGHTS))
                    return count
                }
            }
        }
        if flags & Int32(MSG_CTRUNC) != 0 { return (.ended("descriptors were lost"), received) }
        return (count == 0 ? .ended(nil) : outcome(count), received)
    }

    /// Writes as much as goes without waiting; descriptors go with the first byte.
    static func send(
        _ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, _ descriptors: [Int32]
    ) -> Outcome {
        var control =
            descriptors.isEmpty
            ? []
            : AncillaryDescriptors.encode(
                descriptors, level: SOL_SOCKET, type: Int32(SCM_RIGHTS))
        var part = iovec(
            iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
        let count = control.withUnsafeMutableBytes { control in
            withUnsafeMutablePointer(to: &part) { part in
                var message = msghdr()
                message.msg_iov = part
                message.msg_iovlen = 1
                message.msg_control = control.isEmpty ? nil : control.baseAddress
                message.msg_controllen = .init(control.count)
                return sendmsg(descriptor, &message, Int32(MSG_NOSIGNAL))
            }
        }
        return outcome(count)
    }

    /// Reads a packet: how long it is, which may be more than there was room for.
    static func receivePacket(_ descriptor: Int32, into buffer: inout [UInt8]) -> Outcome {
        let flags = Int32(MSG_DONTWAIT) | Int32(MSG_TRUNC)
        var count = recv(descriptor, &buffer, buffer.count, flags)
        // Said once, before what is there: the other side went away with packets of ours unread.
        if count < 0, errno == ECONNRESET {
            count = recv(descriptor, &buffer, buffer.count, flags)
        }
        guard count == 0 else { return outcome(count) }
        // No bytes are a packet, too, unless nothing can come any more and nothing is there.
        guard SystemPoll.hasHungUp(descriptor) else { return .bytes(0) }
        var left: Int32 = 0
        return ioctl(descriptor, UInt(FIONREAD), &left) == 0 && left > 0 ? .bytes(0) : .ended(nil)
    }

    /// Writes a packet without waiting.
    static func send(_ descriptor: Int32, packet: [UInt8]) -> Outcome {
        let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
        return outcome(packet.withUnsafeBytes { systemSend(descriptor, $0, flags) })
    }

    private static func outcome(_ count: Int) -> Outcome {
        guard count < 0 else { return .bytes(count) }
        switch errno {
        case EAGAIN, EINTR: return .later
        default: return .ended(String(cString: strerror(errno)))
        }
    }
}

private func systemSend(
    _ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, _ flags: Int32
) -> Int { send(descriptor, bytes.baseAddress, bytes.count, flags) }
#endif

import HaloTransport
import TestSupport
import Testing

@testable import HaloDBus

/// The authentication, from both sides.
@Suite(.computes) struct AuthenticationTests {
    static let id = "0123456789abcdef0123456789ABCDEF"

    /// The client's lines and its result, by the lines of the server.
    private func client(
        _ lines: [String]
    ) -> (sent: [String], passes: Bool?, error: DBusAuthenticationError?) {
        var authentication = DBusAuthentication(userID: 1000)
        func expectEnd() {
            #expect(throws: DBusAuthenticationError.unexpected) {
                try authentication.receive(UInt8(ascii: "O"))
            }
        }
        var sent = [String(decoding: authentication.start(), as: UTF8.self)]
        for byte in lines.flatMap({ $0.utf8 }) {
            do throws(DBusAuthenticationError) {
                let answer = try authentication.receive(byte)
                if !answer.isEmpty { sent.append(String(decoding: answer, as: UTF8.self)) }
                guard authentication.isDone else { continue }
                expectEnd()
                return (sent, authentication.passesDescriptors, nil)
            } catch {
                expectEnd()
                return (sent, nil, error)
            }
        }
        return (sent, nil, nil)
    }

    @Test func theClientIsAccepted() {
        let usual = client(["OK \(Self.id)\r\n", "AGREE_UNIX_FD\r\n"])
        #expect(
            usual.sent == [
                "\0AUTH EXTERNAL 31303030\r\n", "NEGOTIATE_UNIX_FD\r\n", "BEGIN\r\n",
            ])
        #expect(usual.passes == true)
        #expect(client(["OK \(Self.id)\r\n", "ERROR \"no\"\r\n"]).passes == false)
        #expect(client(["DATA\r\n", "OK \(Self.id)\r\n", "AGREE_UNIX_FD\r\n"]).passes == true)
    }

    @Test func afterARejectionTheNumberIsOmitted() {
        let second = client(
            ["REJECTED EXTERNAL ANONYMOUS\r\n", "DATA\r\n", "OK \(Self.id)\r\n", "ERROR\r\n"])
        #expect(
            second.sent.dropFirst() == [
                "AUTH EXTERNAL\r\n", "DATA\r\n", "NEGOTIATE_UNIX_FD\r\n", "BEGIN\r\n",
            ])
        #expect(second.passes == false)
        #expect(client(["REJECTED\r\n"]).error == .rejected)
        #expect(client(["REJECTED KERBEROS\r\n"]).error == .rejected)
        #expect(client(["REJECTED EXTERNAL\r\n", "REJECTED EXTERNAL\r\n"]).error == .rejected)
    }

    @Test(arguments: [
        "OK\r\n", "OK xyz\r\n", "OK 0123\r\n", "HELLO\r\n", "\r\n", "AGREE_UNIX_FD\r\n",
        "DATA\r\nDATA\r\n", "OK \(AuthenticationTests.id)\r\nOK\r\n", "\0", "l\u{1}\0\u{1}", "é",
        "HTTP/1.1 400 Bad Request\r\n",
    ])
    func garbageIsRefused(_ text: String) {
        #expect(client([text]).error == .unexpected)
    }

    @Test func aLineHasAMaximumLength() {
        #expect(client([String(repeating: "a", count: 1 << 14)]).error == .lineTooLong)
        #expect(client([String(repeating: "a", count: 1 << 14 - 1)]).error == nil)
    }

    private func server(_ said: String, userID: UInt32? = 1000) -> (String, isDone: Bool)? {
        var authentication = DBusServerAuthentication(userID: userID, busID: Self.id)
        var answers: [UInt8] = []
        for byte in said.utf8 where !authentication.isDone {
            guard let answer = try? authentication.receive(byte) else { return nil }
            answers += answer
        }
        return (String(decoding: answers, as: UTF8.self), authentication.isDone)
    }

    @Test(arguments: [
        (
            "\0AUTH EXTERNAL 31303030\r\nNEGOTIATE_UNIX_FD\r\nBEGIN\r\n",
            "OK ID\r\nAGREE_UNIX_FD\r\n", true
        ),
        ("\0AUTH EXTERNAL\r\nDATA\r\nBEGIN\r\n", "DATA\r\nOK ID\r\n", true),
        ("\0AUTH\r\nAUTH EXTERNAL 31303030\r\n", "REJECTED EXTERNAL\r\nOK ID\r\n", false),
        ("\0AUTH EXTERNAL 31\r\n", "REJECTED EXTERNAL\r\n", false),
        ("\0AUTH ANONYMOUS\r\n", "REJECTED EXTERNAL\r\n", false),
        ("\0BEGIN\r\nNEGOTIATE_UNIX_FD\r\n", "ERROR\r\nERROR\r\n", false),
        ("\0AUTH EXTERNAL\r\nCANCEL\r\n", "DATA\r\nREJECTED EXTERNAL\r\n", false),
    ])
    func theServerReplies(_ said: String, _ answer: String, _ isDone: Bool) throws {
        let result = try #require(server(said))
        #expect(result.0 == answer.replacing("ID", with: Self.id))
        #expect(result.isDone == isDone)
    }

    @Test func theServerHasLimits() {
        #expect(server("AUTH EXTERNAL\r\n") == nil)
        #expect(server("\0" + String(repeating: "a", count: 1 << 14)) == nil)
        #expect(server("\0" + String(repeating: "AUTH\r\n", count: 65)) == nil)
    }

    @Test func anyBytesAreHandled() {
        for seed in 0..<2000 {
            var numbers = SplitMix(seed: UInt64(seed))
            var client = DBusAuthentication(userID: 0)
            var server = DBusServerAuthentication(userID: 0, busID: Self.id)
            _ = client.start()
            _ = try? server.receive(0)
            let words = ["OK ", Self.id, "\r\n", "DATA", "REJECTED EXTERNAL", "BEGIN", "ERROR"]
            for _ in 0..<20 {
                let word = words[Int(numbers.next() % UInt64(words.count))]
                for byte in word.utf8 {
                    let byte = numbers.next() % 50 == 0 ? UInt8(numbers.next() % 256) : byte
                    _ = try? client.receive(byte)
                    _ = try? server.receive(byte)
                }
            }
        }
    }
}

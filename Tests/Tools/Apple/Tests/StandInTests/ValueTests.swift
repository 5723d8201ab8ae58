import CoreBluetooth
import Foundation
import Testing

@Suite struct ValueTests {
    @Test func shortAndLongFormsAreEqual() {
        let short = CBUUID(string: "180D")
        let long = CBUUID(string: "0000180D-0000-1000-8000-00805F9B34FB")
        #expect(short == long)
        #expect(short.hash == long.hash)
        #expect(short.data.count == 2)
        #expect(long.data.count == 16)
        #expect(short.uuidString == "180D")
        #expect(CBUUID(string: "6e400001-b5a3-f393-e0a9-e50e24dcca9e").uuidString.count == 36)
        #expect(CBUUID(data: Data([0x18, 0x0D])) == short)
    }

    @Test func textThatIsNoUUIDIsFatal() {
        let phone = Phone()
        phone.recordFatalErrors()
        Phone.$current.withValue(phone) { _ = CBUUID(string: "xyz") }
        #expect(phone.fatalErrors == ["String xyz does not represent a valid UUID"])
    }

    @Test func errorsHaveDomainAndCode() throws {
        let error: any Error = CBError(.connectionTimeout)
        #expect((error as NSError).domain == "CBErrorDomain")
        #expect((error as NSError).code == 6)
        #expect(error.localizedDescription == "The connection has timed out unexpectedly.")
        let unlisted: any Error = CBATTError(try #require(CBATTError.Code(rawValue: 242)))
        #expect((unlisted as NSError).domain == "CBATTErrorDomain")
        #expect((unlisted as NSError).code == 242)
        #expect((unlisted as NSError).localizedDescription == "Unknown ATT error.")
        #expect((error as? CBError)?.code == .connectionTimeout)
    }

    @Test func codesArePatterns() {
        do {
            throw CBError(.connectionTimeout)
        } catch CBError.peripheralDisconnected {
            Issue.record("another code")
        } catch CBError.connectionTimeout {
            #expect(CBError.connectionTimeout.rawValue == 6)
        } catch {
            Issue.record("another error")
        }
        #expect(CBATTError.insufficientEncryption.rawValue == 15)
    }
}

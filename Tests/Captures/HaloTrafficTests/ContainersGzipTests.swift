import HaloCapture
import TestSupport
import Testing

@testable import HaloTraffic

/// Files in gzip, which are read as the unpacked files are.
@Suite(.computes) struct ContainersGzipTests {
    @Test(arguments: ContainersFixtureTests.cases.map(\.name))
    func isReadLikeTheUnpackedFile(_ name: String) throws {
        let file = try ContainersFixtureTests.bytes(name)
        let plain = ContainersSink(file)
        let half = file.count / 2
        let members =
            PackedFile.gzip(Array(file[..<half])) + PackedFile.gzip(Array(file[half...]))
        for packed in [PackedFile.gzip(file), members] {
            for size in [1, 2, 3, 1000, 1 << 18] {
                #expect(ContainersSink(packed, inPieces: size) == plain, "\(size)")
            }
        }
        let format = TrafficFormat.detect(ContiguousArray(file.prefix(4096)).span)
        #expect(ContainersSink(PackedFile.gzip(file), format) == plain)
    }

    @Test func aTruncatedFileHasTheRecordsBefore() throws {
        let file = try ContainersFixtureTests.bytes("uart.btsnoop")
        let packed = PackedFile.gzip(file, packed: PackedFile.stored(file, blockLength: 20))
        let whole = ContainersSink(packed)
        var last = 0
        for count in 0..<packed.count {
            let found = ContainersSink(Array(packed.prefix(count)))
            #expect(whole.records.starts(with: found.records), "\(count)")
            #expect(found.records.count >= last)
            last = found.records.count
            let isEmpty = count == 0
            #expect(
                found.error?.kind == (isEmpty ? .empty : count < 3 ? .unknownFormat : .truncated),
                "\(count)")
        }
        #expect(last == whole.records.count)
    }

    @Test func damageLosesNothingThatWasUnpacked() throws {
        let file = try ContainersFixtureTests.bytes("uart.btsnoop")
        var packed = PackedFile.gzip(file, packed: PackedFile.stored(file, blockLength: 500))
        packed[10 + 2 * 505 + 1] ^= 1
        let found = ContainersSink(packed)
        #expect(found.error?.kind == .damaged && found.error?.offset == 1000)
        let plain = ContainersSink(Array(file.prefix(1000)))
        #expect(found.records == plain.records && !found.records.isEmpty)
    }

    @Test func errorsCountTheUnpackedFile() {
        var file = ContainersFile.btsnoop(1002)
        file.putSnoop([1, 2], flags: 0, included: 1 << 20)
        let error = ContainersSink(PackedFile.gzip(file.bytes)).error
        #expect(error?.kind == .recordTooLong && error?.offset == 20)
        #expect(error?.hint == "counted in the unpacked file")
        let version = ContainersFile.btsnoop(1002, version: 2)
        let hint = ContainersSink(PackedFile.gzip(version.bytes)).error?.hint
        #expect(hint == "it is 1; counted in the unpacked file")
    }

    @Test func refusesWhatIsPackedTwice() {
        let twice = PackedFile.gzip(PackedFile.gzip([1]))
        #expect(ContainersSink(twice).error?.hint?.contains("compressed") == true)
        let zip = PackedFile.gzip(ZipFile([("a", [1])]).bytes)
        #expect(ContainersSink(zip).error?.hint?.contains("archive") == true)
    }

    @Test func theReportNamesTheFormatAndTheUnpackedLength() throws {
        let file = try ContainersFixtureTests.bytes("uart.btsnoop")
        var survey = try TrafficSurvey()
        try survey.read(ContiguousArray(PackedFile.gzip(file)).span)
        try survey.finish()
        #expect(survey.report.format == .btsnoop)
        #expect(survey.report.byteCount == file.count)
    }

    /// What is unpacked is limited: pieces up to the limit come before the error.
    @Test func aFileUnpacksToNoMoreThanItsLengthExplains() throws {
        let file = PackedFile.gzip([UInt8](repeating: 7, count: 300_000))
        func stream(_ limit: Int? = nil) -> PackedStream {
            var stream = PackedStream(0..<file.count, Unpacker(.gzip)) { ContiguousArray(file[$0]) }
            if let limit { stream.limit = limit }
            return stream
        }
        func read(_ stream: PackedStream) -> (count: Int, error: TrafficError?) {
            var (stream, count) = (stream, 0)
            do throws(FileReadingError<TrafficError>) {
                while let piece = try stream.nextPiece() { count += piece.count }
                return (count, nil)
            } catch {
                guard case .content(let reason) = error else { return (count, nil) }
                return (count, reason)
            }
        }
        #expect(read(stream()).count == 300_000 && read(stream()).error == nil)
        #expect(read(stream(300_000)).error == nil)
        let cut = read(stream(100_000))
        #expect(cut.error?.kind == .tooLong && cut.error?.offset == 100_000)
        #expect((100_001..<300_000).contains(cut.count))
        #expect(stream().limit == CaptureReader.Limits.standard.length)
        let long = PackedStream(0..<10 << 20, Unpacker(.gzip)) { _ in [] }
        #expect(long.limit == 320 << 20)
    }
}

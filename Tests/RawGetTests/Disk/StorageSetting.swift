import HTTP1
import Posix

@testable import FuzzHarnesses
@testable import RawGet

/// What tests of parts and records begin with.
enum StorageSetting {
  static let name = Array("x".utf8)
  static let now = Instant.now()

  static func place(_ disk: SimulatedDisk, syncBytes: Int64 = PartFile.syncBytes) -> PartFile.Place {
    PartFile.Place(store: disk, boot: disk.bootIdentity, syncBytes: syncBytes)
  }

  /// As a run in `boot` wrote it, when so many bytes were durable.
  static func record(durable: Int64 = 0, boot: String = "boot-1", completeLength: Int64? = nil) -> PartRecord {
    var fields = RepresentationFields(Fields())
    fields.completeLength = completeLength
    fields.entityTag = Array(#""tag""#.utf8)
    return PartRecord(
      target: TargetIdentity(text: Array("http://origin.example/x".utf8), queryHash: nil), finalOrigin: [],
      representation: fields, durableLength: durable, boot: Array(boot.utf8), owner: 1)
  }

  /// A part of these bytes, and its record.
  static func image(_ content: [UInt8], _ record: PartRecord?) -> DiskImage {
    var image = DiskImage(files: ["x.part": DiskImage.File(content: content)])
    if let bytes = record?.serialized() { image.files["x.part.meta"] = DiskImage.File(content: bytes) }
    return image
  }

  static func record(on disk: SimulatedDisk) -> PartRecord? {
    disk.content(of: "x.part.meta").flatMap { PartRecord(bytes: $0) }
  }
}

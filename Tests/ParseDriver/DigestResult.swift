import HTTP1
import TLS

/// Whether the content is what the digest fields say (RFC 9530).
enum DigestResult: String {
  case match
  case mismatch
  /// Malformed: to be ignored.
  case invalid
  /// No algorithm that is known, or a value of another length than its own.
  case unusable

  /// Every field that can be verified here is; one that differs decides, then one that agrees. nil without any.
  init?(of message: Message) {
    let fields = message.head.fields
    // Nothing but the answer to a GET with 200 has the whole representation as its content (RFC 9530 §2).
    let isWhole = message.method == .get && message.head.status == 200
    var results: [DigestResult] = []
    if fields.contains(.contentDigest) { results.append(.verifying(DigestField(.content, in: fields), message)) }
    if isWhole, fields.contains(.reprDigest) {
      results.append(.verifying(DigestField(.representation, in: fields), message))
    }
    // The older field counts where the newer one says nothing.
    if isWhole, fields.contains(.digest), DigestField(.representation, in: fields)?.digests.first == nil {
      results.append(.verifying(DigestField(.instance, in: fields), message))
    }
    for result in [DigestResult.mismatch, .match, .invalid, .unusable] where results.contains(result) {
      self = result
      return
    }
    return nil
  }

  private static func verifying(_ field: DigestField?, _ message: Message) -> DigestResult {
    guard let field else { return .invalid }
    guard let claimed = field.digests.first, let digest = try? MessageDigest(claimed.algorithm.computed) else {
      return .unusable
    }
    digest.update(message.content.span)
    return digest.finalize() == claimed.value ? .match : .mismatch
  }
}

extension DigestField.Algorithm {
  fileprivate var computed: DigestAlgorithm {
    switch self {
    case .sha512: .sha512
    case .sha256: .sha256
    case .sha1: .sha1
    case .md5: .md5
    }
  }
}

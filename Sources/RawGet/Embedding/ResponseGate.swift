internal import HTTP1

/// A response whose content would be kept, before any of it is: what `DownloadOptions.allowsResponse` decides by.
public struct DownloadResponse: Sendable {
  private let head: ResponseHead
  /// 200, or 206 where the rest of something was asked for.
  public var status: Int { head.status }
  /// Bytes of the whole, those that are kept already included; nil as long as nothing tells.
  public let completeLength: Int64?
  /// Where redirects led.
  public let finalTarget: TargetURI

  init(_ head: ResponseHead, completeLength: Int64?, finalTarget: TargetURI) {
    self.head = head
    self.completeLength = completeLength
    self.finalTarget = finalTarget
  }

  /// The value of the first field line of this name, whose case does not matter; without blanks around it.
  public func field(_ name: String) -> [UInt8]? { head.fields.value(of: FieldName(name)) }

  /// The values of all its lines, in their order.
  public func fields(_ name: String) -> [[UInt8]] { head.fields.values(of: FieldName(name)) }
}

extension Fields {
  /// The values of all lines of this name, in their order.
  func values(of name: FieldName) -> [[UInt8]] {
    (0..<count).filter { name.matches(self.name(at: $0).span, in: 0..<self.name(at: $0).count) }.map { value(at: $0) }
  }
}

extension Download {
  /// Asks whoever embeds us, once for a representation: what is proven to go on with it is not asked about again.
  mutating func requireAllowed(
    _ head: ResponseHead, _ seen: Representation, completeLength: Int64?
  ) throws(DownloadError) {
    guard let allows = options.allowsResponse, let target = attempt?.target else { return }
    if let allowed, allowed.validator != nil, allowed.validator == seen.validator, allowed.servedAt == seen.servedAt {
      return
    }
    guard allows(DownloadResponse(head, completeLength: completeLength, finalTarget: target)) else { throw .notAllowed }
    allowed = seen
  }
}

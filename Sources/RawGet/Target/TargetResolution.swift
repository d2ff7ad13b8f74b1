internal import HTTP1

// Where a Location leads (RFC 9110 §10.2.2): resolution of a reference against the target URI that was answered.
extension TargetURI {
  /// RFC 3986 §5.2.2, strict: `http:next` is no relative reference, and is refused for want of a host.
  ///
  /// Bytes from 0x80 are encoded as they are, UTF-8 or not. Userinfo goes, in the reference because a server has no
  /// business to choose credentials, and of this target because they belong to its origin: the caller decides whether
  /// they apply again. Whether the result may be followed (https to http, loops) is the caller's to judge as well.
  public func resolving(reference text: [UInt8]) throws(TargetURIError) -> TargetURI {
    try resolving(reference: text, translation: systemHostTranslation)
  }

  package func resolving(
    reference text: [UInt8], translation: HostTranslation
  ) throws(TargetURIError) -> TargetURI {
    let reference = try URIReference(text)
    if let name = reference.scheme {
      return try following(reference, scheme: Scheme(name), translation: translation)
    }
    if reference.authority != nil {
      return try following(reference, scheme: scheme, translation: translation)
    }
    guard !reference.hasColonInFirstSegment else { throw .colonInFirstSegment }
    let path = PercentEncoding.encoding(reference.path, as: .path)
    if path.isEmpty {
      return try onSameOrigin(path: self.path, query: reference.encodedQuery ?? query)
    }
    let isAbsolute = path.first == UInt8(ascii: "/")
    return try onSameOrigin(path: isAbsolute ? path : merging(path), query: reference.encodedQuery)
  }

  /// To the host that the reference names. No server knows the zone of an IPv6 address that it was reached by, so none
  /// can repeat it.
  private func following(
    _ reference: URIReference, scheme: Scheme, translation: HostTranslation
  ) throws(TargetURIError) -> TargetURI {
    let named = try TargetURI(scheme: scheme, reference: reference, translation: translation)
    return try TargetURI(
      scheme: scheme, host: named.host.adoptingZone(of: host), port: named.port, userinfo: nil, path: named.path,
      query: named.query)
  }

  private func onSameOrigin(path: [UInt8], query: [UInt8]?) throws(TargetURIError) -> TargetURI {
    try TargetURI(scheme: scheme, host: host, port: port, userinfo: nil, path: path, query: query)
  }

  /// The relative path in place of this path's last segment (RFC 3986 §5.2.3).
  private func merging(_ relativePath: [UInt8]) -> [UInt8] {
    let lastSlash = path.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
    return path[...lastSlash] + relativePath
  }
}

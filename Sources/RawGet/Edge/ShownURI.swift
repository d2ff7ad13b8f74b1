extension TargetURI {
  /// For everything that is printed: without userinfo and fragment, and with stars for the query, since what is secret
  /// in one (the signature of a link, a token) can't be told from what is not.
  package var shown: [UInt8] {
    originText + path + (query == nil ? [] : Array("?***".utf8))
  }
}

#if TLS
  internal import COpenSSL

  /// What the sessions of one configuration share: trust, the client certificate, and the newest session ticket
  /// of each of at most 16 origins, with which the next session to the same host and port resumes.
  ///
  /// OpenSSL is loaded and started by the first of these; a program that never makes one pays nothing for it. A context and
  /// its sessions belong to one thread at a time.
  @safe public final class TLSContext {
    let handle: OpaquePointer
    let pinnedKeys: [[UInt8]]

    public init(_ configuration: TLSConfiguration) throws(TLSError) {
      guard let made = unsafe ossl_context_new() else { throw .configuration(reason: Array("out of memory".utf8)) }
      unsafe handle = made
      pinnedKeys = configuration.pinnedKeys
      let atLeast13 = configuration.minimumVersion == .tls13
      let atMost12 = configuration.maximumVersion == .tls12
      try check(unsafe ossl_context_start(made, atLeast13 ? 1 : 0, atMost12 ? 1 : 0))
      try setTrust(configuration)
      try setIdentity(configuration)
    }

    deinit { unsafe ossl_context_free(handle) }

    private func setTrust(_ configuration: TLSConfiguration) throws(TLSError) {
      let file = configuration.authorityFile
      let directory = configuration.authorityDirectory
      if !configuration.verifiesPeer {
        unsafe ossl_context_trust_everyone(handle)
      } else if file == nil, directory == nil {
        try check(unsafe ossl_context_trust_system(handle))
      } else {
        try check(unsafe ossl_context_trust(handle, file, file?.count ?? 0, directory, directory?.count ?? 0))
      }
    }

    private func setIdentity(_ configuration: TLSConfiguration) throws(TLSError) {
      let key = configuration.keyFile
      guard let certificate = configuration.certificateFile else {
        if key == nil { return }
        throw .configuration(reason: Array("a client key without its certificate".utf8))
      }
      try check(unsafe ossl_context_identify(handle, certificate, certificate.count, key, key?.count ?? 0))
    }

    private func check(_ status: Int32) throws(TLSError) {
      if status == ossl_NOT_LOADED { throw .notLoaded(reason: failureReason) }
      if status != 0 { throw .configuration(reason: failureReason) }
    }

    /// Why the last call failed.
    var failureReason: [UInt8] {
      unsafe text(capacity: ossl_FAILURE_CAPACITY) { unsafe ossl_context_failure(handle, $0, $1) }
    }
  }
#endif

#if !TLS
  import TLS
  import Testing

  /// A build without the trait has the same interface, and says why it is of no use.
  struct WithoutTLSTests {
    @Test func refusesEveryContext() {
      #expect(throws: TLSError.notBuilt) { _ = try TLSContext(TLSConfiguration()) }
    }
  }
#endif

import Dispatch

/// What the threads of one server share: the connections to wake when it stops, and the record.
final class ServerState: Sendable {
  private struct Table {
    var isStopped = false
    var open: [Int: Int32] = [:]  // connection number to descriptor
    var waiting: [Gate] = []
    var connectionCount = 0
    var requests: [RecordedRequest] = []
  }

  private let table = Guarded(Table())

  /// Entered by each thread of the server.
  let threads = DispatchGroup()

  var isStopped: Bool { table.withLock { $0.isStopped } }
  var requests: [RecordedRequest] { table.withLock { $0.requests } }
  var connectionCount: Int { table.withLock { $0.connectionCount } }

  var openConnections: Set<Int> { table.withLock { Set($0.open.keys) } }

  /// Takes charge of an accepted descriptor and numbers it; nil, and closed, when stopping.
  func admit(_ descriptor: Int32) -> Int? {
    table.withLock { table in
      guard !table.isStopped else {
        Socket.close(descriptor)
        return nil
      }
      table.connectionCount += 1
      table.open[table.connectionCount] = descriptor
      return table.connectionCount
    }
  }

  func record(head: [UInt8], connection: Int) -> RecordedRequest {
    table.withLock { table in
      let request = RecordedRequest(number: table.requests.count + 1, connection: connection, head: head)
      table.requests.append(request)
      return request
    }
  }

  /// Closes a connection once; under the lock, so that `stop` never meets a reused descriptor.
  func close(connection: Int) {
    table.withLock { table in
      if let descriptor = table.open.removeValue(forKey: connection) { Socket.close(descriptor) }
    }
  }

  /// Lets `stop` open a gate that a script is about to wait at.
  func willWait(at gate: Gate) {
    let isStopped = table.withLock { table in
      table.waiting.append(gate)
      return table.isStopped
    }
    if isStopped { gate.open() }
  }

  /// Wakes every thread and waits for its end.
  func stop(listener: Int32) {
    let gates = table.withLock { table in
      table.isStopped = true
      for descriptor in table.open.values { Socket.shutDown(descriptor) }
      return table.waiting
    }
    for gate in gates { gate.open() }
    Socket.shutDown(listener)
    threads.wait()
  }
}

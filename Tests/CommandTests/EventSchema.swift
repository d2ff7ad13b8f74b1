import Foundation
import Testing

/// The schema of docs/events.schema.json, as far as it is used there: enough of JSON Schema to hold output against it.
struct EventSchema {
  private let definitions: [String: [String: Any]]

  init(_ file: String = #filePath) throws {
    let root = URL(fileURLWithPath: file).deletingLastPathComponent().deletingLastPathComponent()
    let data = try Data(contentsOf: root.deletingLastPathComponent().appendingPathComponent("docs/events.schema.json"))
    let schema = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    definitions = try #require(schema["$defs"] as? [String: [String: Any]])
  }

  var names: Set<String> { Set(definitions.keys) }

  /// What is wrong with one line; empty for an event as it should be.
  func complaints(about line: String) -> [String] {
    guard let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] else {
      return ["no JSON object: \(line)"]
    }
    guard let name = object["event"] as? String, let definition = definitions[name] else {
      return ["no event: \(line)"]
    }
    return complaints(object, definition, at: name)
  }

  private func complaints(_ value: Any, _ schema: [String: Any], at place: String) -> [String] {
    var found: [String] = []
    if let const = schema["const"], !isEqual(const, value) { found.append("\(place): \(value) is not \(const)") }
    if let choices = schema["enum"] as? [Any], !choices.contains(where: { isEqual($0, value) }) {
      found.append("\(place): \(value) is none of \(choices)")
    }
    if let type = schema["type"] as? String, !isOf(type, value) { found.append("\(place): \(value) is no \(type)") }
    if let pattern = schema["pattern"] as? String, let text = value as? String,
      text.range(of: pattern, options: .regularExpression) == nil
    {
      found.append("\(place): \(text) does not match \(pattern)")
    }
    if let number = value as? NSNumber {
      if let least = schema["minimum"] as? NSNumber, number.compare(least) == .orderedAscending {
        found.append("\(place): \(number) is too small")
      }
      if let most = schema["maximum"] as? NSNumber, number.compare(most) == .orderedDescending {
        found.append("\(place): \(number) is too large")
      }
    }
    if let items = schema["items"] as? [String: Any], let list = value as? [Any] {
      for item in list { found += complaints(item, items, at: place + "[]") }
    }
    if let properties = schema["properties"] as? [String: [String: Any]], let object = value as? [String: Any] {
      for name in schema["required"] as? [String] ?? [] where object[name] == nil {
        found.append("\(place): \(name) is missing")
      }
      for (name, member) in object {
        guard let property = properties[name] else {
          found.append("\(place): \(name) is unknown")
          continue
        }
        found += complaints(member, property, at: place + "." + name)
      }
    }
    return found
  }

  private func isEqual(_ left: Any, _ right: Any) -> Bool { (left as? NSObject)?.isEqual(right) ?? false }

  private func isOf(_ type: String, _ value: Any) -> Bool {
    let isBoolean = (value as? NSNumber).map { CFGetTypeIDIsBoolean($0) } ?? false
    switch type {
    case "object": return value is [String: Any]
    case "array": return value is [Any]
    case "string": return value is String
    case "boolean": return isBoolean
    case "integer":
      return !isBoolean && (value as? NSNumber)?.stringValue.allSatisfy { $0.isNumber || $0 == "-" } == true
    default: return false
    }
  }
}

private func CFGetTypeIDIsBoolean(_ number: NSNumber) -> Bool { String(cString: number.objCType) == "c" }

internal import HTTP1

/// Where the content of a response belongs, decided from its head before a byte of it is kept (docs/RESUME.md). Pure.
enum Landing: Equatable {
  /// From `position` on; what repeats kept bytes is compared as it passes, the rest is appended. `count` bytes, and
  /// `completeLength` in all, when the head says so.
  case append(from: Int64, count: Int64?, completeLength: Int64?)
  /// The whole again: compared with what is here, and where it differs a new part begins.
  case whole(count: Int64?)
  /// Everything is here: nothing lies behind the kept bytes.
  case complete
  /// Nothing that continues what is here: close, and ask for the whole.
  case notAContinuation
  /// A 200, but of something else, such as a login page: what is here stays as it is.
  case notTheResource
  case refused(status: Int)
  case violation(ProtocolError)

  /// What the answer is judged against.
  struct Context: Equatable {
    /// Bytes here.
    var kept: Int64
    /// The range that this request asked for.
    var asked: RangeRequest?
    /// What the kept bytes belong to.
    var known: Representation?
    /// Places in the part were compared: the answer needs no validator.
    var isSampled = false
    /// The part was begun from another URI, where an entity tag alone names nothing.
    var isOtherTarget = false
    /// Seconds since 1970.
    var now: Int64
  }

  init(of head: ResponseHead, framing: Framing, _ context: Context) {
    switch StatusClass(head.status) {
    case .content:
      self = Landing.ofWhole(head, framing: framing, context)
    case .partialContent:
      self = context.asked == nil ? .violation(.invalidContentRange) : Landing.ofPart(head, framing: framing, context)
    case .rangeNotSatisfiable where context.asked != nil:
      self = Landing.provesComplete(head, context) ? .complete : .notAContinuation
    case .redirection, .rangeNotSatisfiable, .transient, .refusal:
      self = .refused(status: head.status)
    }
  }

  private static func ofWhole(_ head: ResponseHead, framing: Framing, _ context: Context) -> Landing {
    var count: Int64? = if case .length(let length) = framing { length } else { nil }
    if context.kept == 0 { return .append(from: 0, count: count, completeLength: count) }
    let fields = RepresentationFields(head.fields)
    if framing == .untilClose, let known = context.known, let validator = known.validator,
      fields.validator(now: context.now) == validator
    {
      count = known.fields.completeLength  // a close before it is no end
    }
    if let mediaType = context.known?.fields.mediaType, fields.entityTag == nil, fields.lastModified == nil,
      fields.mediaType != mediaType
    {
      return .notTheResource
    }
    return .whole(count: count)
  }

  private static func ofPart(_ head: ResponseHead, framing: Framing, _ context: Context) -> Landing {
    let fields = RepresentationFields(head.fields)
    guard let value = head.fields.singleValue(of: .contentRange),
      case .part(let first, let last, let total)? = ContentRange(fieldValue: value), !isMultipart(fields),
      let offset = context.asked?.offset, first <= offset
    else { return .notAContinuation }
    let count = last - first + 1
    if case .length(let length) = framing, length != count { return .notAContinuation }
    let known = context.known?.fields.completeLength
    if let total, let known, total != known { return .notAContinuation }
    if context.isOtherTarget && total == nil { return .notAContinuation }
    let completeLength = total ?? known
    // It reaches beyond what is here, or to its end where that is the end of all.
    let isEnd = completeLength == context.kept && last + 1 == context.kept
    guard last < completeLength ?? .max, last >= context.kept || isEnd else { return .notAContinuation }
    if let known = context.known, known.fields.contentCoding != fields.contentCoding { return .notAContinuation }
    guard provesSameRepresentation(fields, context) else { return .notAContinuation }
    return .append(from: first, count: count, completeLength: completeLength)
  }

  /// The validator of the answer is the one known; or there is none to know, places in the part were compared, and
  /// nothing that the answer says of itself is another than before. Where nothing is kept there is nothing to mix.
  private static func provesSameRepresentation(_ fields: RepresentationFields, _ context: Context) -> Bool {
    guard let known = context.known else { return context.isSampled || context.kept == 0 }
    if let validator = known.validator { return fields.validator(now: context.now) == validator }
    return context.isSampled && !known.fields.contradicts(fields)
  }

  /// Content with a head for each of its ranges. Then a Content-Range of the whole says nothing (RFC 9110 §15.3.7.2).
  private static func isMultipart(_ fields: RepresentationFields) -> Bool {
    let type = "multipart/byteranges"
    return fields.mediaType?.prefix(type.utf8.count).equalsIgnoringCase(type) ?? false
  }

  /// A 416 whose complete length is what is kept (RFC 9110 §15.5.17), and not another than the one known, to a range that
  /// begins there. It need not repeat the validator, but may not name another one.
  private static func provesComplete(_ head: ResponseHead, _ context: Context) -> Bool {
    guard let known = context.known, known.validator != nil, let offset = context.asked?.offset, offset >= context.kept,
      let value = head.fields.singleValue(of: .contentRange),
      case .unsatisfied(let completeLength)? = ContentRange(fieldValue: value)
    else { return false }
    let fields = RepresentationFields(head.fields)
    if known.fields.contradicts(fields) || fields.entityTag != nil && fields.entityTag != known.fields.entityTag {
      return false
    }
    return completeLength == context.kept && (known.fields.completeLength ?? context.kept) == context.kept
  }
}

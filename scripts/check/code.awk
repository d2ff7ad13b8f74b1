# Prints the code of Swift files, without comments and without what string literals hold:
#   path TAB line TAB code
# so that a rule about words of code is not misled by prose. An interpolation's code is kept.
# The stack says where the reader is: "code", "comment", or "text" (a string literal).

FNR == 1 { depth = 1; kind[1] = "code"; level[1] = 0 }

{
  out = ""
  i = 1
  while (i <= length($0)) {
    if (kind[depth] == "code") i = in_code(i)
    else if (kind[depth] == "comment") i = in_comment(i)
    else i = in_text(i)
  }
  while (kind[depth] == "text" && !lines[depth]) depth--  # a literal on one line ends with it
  print FILENAME "\t" FNR "\t" out
}

function push(what) { depth++; kind[depth] = what; level[depth] = 1 }

function in_code(i,   rest, c, marks) {
  rest = substr($0, i)
  c = substr(rest, 1, 1)
  if (substr(rest, 1, 2) == "//") return length($0) + 1
  if (substr(rest, 1, 2) == "/*") { push("comment"); return i + 2 }
  if (match(rest, /^#*"/)) {
    marks = RLENGTH - 1
    push("text")
    hashes[depth] = marks
    lines[depth] = substr(rest, marks + 1, 3) == "\"\"\""
    out = out "\"\""
    return i + marks + (lines[depth] ? 3 : 1)
  }
  out = out c
  if (depth > 1) {  # inside an interpolation: it ends with its parenthesis
    if (c == "(") level[depth]++
    if (c == ")" && --level[depth] == 0) depth--
  }
  return i + 1
}

function in_comment(i,   two) {
  two = substr($0, i, 2)
  if (two == "/*") { level[depth]++; return i + 2 }
  if (two == "*/") { if (--level[depth] == 0) depth--; return i + 2 }
  return i + 1
}

function in_text(i,   rest, quote, fence, n) {
  rest = substr($0, i)
  quote = lines[depth] ? "\"\"\"" : "\""
  fence = substr("################", 1, hashes[depth])
  n = length(quote fence)
  if (substr(rest, 1, n) == quote fence) { depth--; return i + n }
  n = length("\\" fence)
  if (substr(rest, 1, n) != "\\" fence) return i + 1
  if (substr(rest, n + 1, 1) == "(") { out = out "("; push("code") }
  return i + n + 1
}

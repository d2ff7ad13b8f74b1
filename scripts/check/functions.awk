# No function of more than `limit` lines, from the line it is declared on to its closing brace.
# Reads what code.awk prints. Braces are counted; a declaration of a protocol has none.

BEGIN { FS = "\t"; if (!limit) limit = 60 }

$2 == 1 { braces = open = brackets = pending = 0 }

{
  code = $3
  if (pending && !brackets && code !~ /^ *($|[{]|->|where |throws|async)/) pending = 0
  if (is_function(code)) { pending = 1; line = $2; brackets = 0 }
  for (i = 1; i <= length(code); i++) step(substr(code, i, 1))
}

function step(c) {
  if (c == "(" || c == "[") brackets++
  else if (c == ")" || c == "]") brackets--
  else if (c == "{") {
    braces++
    if (pending && brackets == 0) { pending = 0; open++; first[open] = line; within[open] = braces }
  } else if (c == "}") {
    if (open && within[open] == braces) measure(first[open--])
    braces--
  }
}

function measure(from) {
  if ($2 - from + 1 <= limit) return
  print $1 ":" from ": a function of " ($2 - from + 1) " lines; at most " limit
  bad = 1
}

function is_function(code,   modifier) {
  modifier = "^(public|package|internal|fileprivate|private|static|class|final|mutating|nonmutating|consuming" \
    "|borrowing|override|convenience|required|nonisolated|indirect|lazy|isolated)([(][a-z]+[)])? +"
  gsub(/^ +/, "", code)
  while (sub(/^@[A-Za-z_]+(\([^()]*\))? +/, "", code) || sub(modifier, "", code)) { }
  return code ~ /^(func |init[?!]?[(<]|deinit |subscript[(<]|var [^=]*[{] *$)/
}

END { exit bad }

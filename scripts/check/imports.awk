# Who may import whom (docs/ARCHITECTURE.md). Reads what code.awk prints for the files of Sources/.
# SwiftPM lets a module import what its dependencies depend on; this does not.

BEGIN {
  FS = "\t"
  allowed["HTTP1"] = " "
  allowed["Posix"] = " CPosix Synchronization "
  allowed["TLS"] = " COpenSSL "
  allowed["RawGet"] = " HTTP1 Posix TLS "
  allowed["RawGetC"] = " RawGet CRawGet "
  allowed["RawGetCLI"] = " RawGet "
  allowed["RawGetMain"] = " "
}

$2 == 1 { conditions = 0 }

{
  code = $3
  gsub(/^ +| +$/, "", code)
  if (code ~ /^#if /) inside[++conditions] = code ~ /^#if TLS( *&&.*)?$/
  if (code ~ /^#else/ && conditions) inside[conditions] = 0
  if (code ~ /^#endif/ && conditions) conditions--
  if (!is_import(code)) next

  n = split(code, word, " ")
  imported = word[n]
  sub(/[.;].*/, "", imported)
  start = index($1, "Sources/")
  split(substr($1, start + length("Sources/")), folder, "/")
  module = folder[1]
  if (!(module in allowed)) complain("module " module " is not in the import table")
  else if (!index(allowed[module], " " imported " ")) complain(module " may not import " imported)
  else if (imported == "COpenSSL" && !within_TLS()) complain("COpenSSL is imported outside #if TLS")
}

function is_import(code) {
  while (sub(/^@[A-Za-z_]+(\([^()]*\))? +/, "", code)) { }
  sub(/^(public|package|internal|fileprivate|private) +/, "", code)
  return code ~ /^import +[A-Za-z_]/
}

function within_TLS(   i) {
  for (i = 1; i <= conditions; i++) if (inside[i]) return 1
  return 0
}

function complain(text) { print $1 ":" $2 ": " text; bad = 1 }

END { exit bad }

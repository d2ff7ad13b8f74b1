#!/bin/bash
# What the parse driver answers, row by row: the protocol, and what only a parser can show.
#   Tests/ParseDriverCases/run.sh [DRIVER]      (make parse-driver builds it)
# Each response goes in whole, cut in two, and in pieces of three bytes; the answers must be the same.
set -eu

cd "$(dirname "$0")/../.."
driver=${1:-build/rawget-parse-driver}
rows=0
failed=0

ask() { printf '%s\n' "$@" | timeout -k 5 20 "$driver" 2>/dev/null; }

fail() { # fail BECAUSE EXPECTED GOT
  failed=$((failed + 1))
  printf 'not so: %s\n  expected %s\n  got      %s\n' "$@"
}

# The response in pieces of so many bytes, as a JSON list of base64.
pieces() { # pieces SIZE RESPONSE
  printf '%b' "$2" | base64 -w 0 | {
    text=$(cat)
    step=$(($1 / 3)) # three bytes are four characters
    step=$((step * 4))
    while [ ${#text} -gt "$step" ]; do
      printf '"%s",' "${text:0:step}"
      text=${text:step}
    done
    printf '"%s"' "$text"
  }
}

# row BECAUSE METHOD CLOSE RESPONSE MEMBER…: each member, as JSON with its name, is somewhere in the answer.
row() {
  local because=$1 method=$2 close=$3 response=$4 length size answer first='' member
  shift 4
  rows=$((rows + 1))
  length=$(printf '%b' "$response" | wc -c)
  for size in $((length + 3)) $((length / 2 + 3)) 3; do
    answer=$(ask "{\"id\":7,\"method\":\"$method\",\"close\":\"$close\",\"url\":\"http://h.test/d/f.bin\",\"pieces\":[$(pieces "$size" "$response")]}")
    [ -n "$first" ] || first=$answer
    [ "$answer" = "$first" ] || fail "$because: in pieces of $size bytes as in one" "$first" "$answer"
  done
  for member in '"id":7' "$@"; do
    case $first in
    *"$member,"* | *"$member}"*) ;;
    *) fail "$because" "$member" "$first" ;;
    esac
  done
}

accept='"verdict":"accept"'
reject='"verdict":"reject"'
ok='HTTP/1.1 200 OK\r\n'
hello='Content-Length: 5\r\n\r\nhello'

row 'length' GET open "$ok$hello" "$accept" '"framing":"content-length"' '"body":"aGVsbG8="' '"reusable":true' '"leftover":""'
row 'surplus bytes end reuse' GET open "$ok${hello}HTTP" "$accept" '"body":"aGVsbG8="' '"reusable":false' '"leftover":"SFRUUA=="'
row 'HEAD has no content' HEAD open "${ok}Content-Length: 5\r\n\r\n" "$accept" '"framing":"none"' '"body":""' '"reusable":true'
row 'CONNECT opens a tunnel' CONNECT open "$ok\r\n\x16\x03" "$accept" '"framing":"tunnel"' '"leftover":"FgM="' '"reusable":false'
row 'the close proves the end' GET fin "$ok\r\nhello" "$accept" '"framing":"close-delimited"' '"reusable":false'
row 'a reset proves none' GET rst "$ok\r\nhello" "$reject" '"category":"truncated"'
row 'still open, and no end' GET open "$ok\r\nhello" "$reject" '"category":"incomplete"'
row 'a byte is missing' GET fin "${ok}Content-Length: 6\r\n\r\nhello" "$reject" '"category":"truncated"'
row 'a reset after the end is too late' GET rst "$ok$hello" "$accept"
row 'nothing at all' GET fin '' "$reject" '"category":"truncated"'
row 'chunks and trailers' GET open "${ok}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nT: \xff\r\n\r\n" \
  "$accept" '"framing":"chunked"' '"body":"aGVsbG8="' '"trailers":[["T","ÿ"]]'
row 'a size with a sign' GET fin "${ok}Transfer-Encoding: chunked\r\n\r\n+5\r\nhello\r\n0\r\n\r\n" "$reject" '"category":"bad-chunk"'
row 'interim heads' GET open "HTTP/1.1 103 x\r\nA: b\r\n\r\nHTTP/1.1 100\r\n\r\n$ok$hello" "$accept" '"status":200' '"interim":[103,100]'
row '101 unasked' GET open 'HTTP/1.1 101 x\r\n\r\n' "$reject" '"category":"unexpected-upgrade"'
row 'fields in order' GET open "${ok}B: 1\r\nA: \r\nB: 2\r\n$hello" '"headers":[["B","1"],["A",""],["B","2"],["Content-Length","5"]]'

row 'no field to read' GET open "$ok$hello" '"name":"f.bin"' '"interim":[]'
row 'a delay' GET open "HTTP/1.1 503 x\r\nRetry-After: 07\r\n$hello" '"field":{"seconds":7}'
row 'a date to come back' GET open "HTTP/1.1 503 x\r\nRetry-After: Thu Jan  1 00:00:09 1970\r\n$hello" '"field":{"epoch":9}'
row 'two delays' GET open "HTTP/1.1 503 x\r\nRetry-After: 7\r\nRetry-After: 8\r\n$hello" '"field":null'
row 'a strong tag, before the date' GET open "${ok}ETag: \"v\"\r\nLast-Modified: x\r\n$hello" '"field":{"if_range":true,"tag":"v","weak":false}'
row 'a weak tag' GET open "${ok}ETag: W/\"v\"\r\n$hello" '"field":{"if_range":false,"tag":"v","weak":true}'
row 'a broken date' GET open "${ok}Last-Modified: 1\r\n$hello" '"field":null'
row 'length of what was asked beyond' GET open 'HTTP/1.1 416 x\r\nContent-Range: bytes */9\r\nContent-Length: 0\r\n\r\n' '"field":{"complete_length":9}'
digest='LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ='
row 'a digest that agrees' GET open "${ok}Repr-Digest: sha-256=:$digest:\r\n$hello" '"field":{"result":"match"}'
row 'and one that does not' GET open "${ok}Content-Digest: sha-256=:$digest:\r\nContent-Length: 4\r\n\r\nhell" '"field":{"result":"mismatch"}'
row 'the older field' GET open "${ok}Digest: md5=XUFAKrxLKna5cZ2REBfFkg==\r\n$hello" '"field":{"result":"match"}'
row 'of a part only a part is known' GET open "HTTP/1.1 206 x\r\nContent-Range: bytes 0-4/9\r\nContent-Digest: sha-256=:$digest:\r\nRepr-Digest: sha-256=:AAAA:\r\n$hello" \
  '"field":{"result":"match"}'
row 'a name' GET open "${ok}Content-Disposition: attachment; filename*=UTF-8''..%2f%c3%a9\r\n$hello" '"name":"é"'
row 'a way on' GET open 'HTTP/1.1 301 x\r\nLocation: ../b c\r\nContent-Length: 0\r\n\r\n' '"location":"http://h.test/b%20c"'
multipart='HTTP/1.1 206 x\r\nContent-Type: multipart/byteranges; boundary=B\r\n\r\n--B\r\nContent-Range: bytes 3-4/9\r\n\r\nab\r\n--B--'
row 'ranges' GET fin "$multipart" "$accept" '"parts":[[3,"ab"]]'
row 'ranges without their end' GET fin "${multipart%--}" "$reject" '"category":"bad-multipart"'

# Lines that are no case.
answers=$(ask 'x' '[1]' '' '{}' '{"id":"a","method":"GET","close":"fin","pieces":["!"]}' '{"id":[],"method":"G T","close":"fin","pieces":[]}' \
  '{"id":null,"method":"GET","close":"later","pieces":[]}' | sort -u)
expected='{"category":"bad-request","id":"a","verdict":"reject"}
{"category":"bad-request","id":[],"verdict":"reject"}
{"category":"bad-request","id":null,"verdict":"reject"}'
[ "$answers" = "$expected" ] || fail 'lines that are no case' "$expected" "$answers"

echo "$rows responses, $failed not as expected"
[ "$failed" -eq 0 ]

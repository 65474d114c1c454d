#!/bin/sh
# A retriever in shell: chunks ranked by the rare words they share with the query. Needs jq.
# It speaks ragguard's worker protocol: a line of JSON in, a line of JSON out; stderr is the log.
set -eu

words='ascii_downcase | gsub("[^a-z0-9]+"; " ")'

read -r hello # {"ragguard": 1, "depth": 20, "suite": "shell"}
echo "told: $hello" >&2

# A line for each chunk that holds and that anybody may see: its id, a tab, its words. No file is
# made: the process is killed in the end, and would leave it behind.
chunks=$(jq -r "select((.access // []) == [] and (.status // \"active\") == \"active\")
  | [.id, (.text // \"\" | $words)] | @tsv" "$CORPUS")
printf '{"ready": true, "name": "shell-words"}\n'

while IFS= read -r question; do
  {
    IFS= read -r id
    IFS= read -r limit
    IFS= read -r query
  } <<EOF
$(printf '%s\n' "$question" | jq -r ".id, .limit, (.query | $words)")
EOF
  printf '%s\n' "$chunks" |
    awk -F '\t' -v query="$query" '
      BEGIN { count = split(query, list, " "); for (i = 1; i <= count; i++) wanted[list[i]] = 1 }
      {
        split("", seen)
        count = split($2, list, " ")
        for (i = 1; i <= count; i++) {
          word = list[i]
          if (word in wanted && !(word in seen)) {
            seen[word] = 1
            holding[word]++
            shared[$1] = shared[$1] " " word
          }
        }
      }
      END {
        for (id in shared) {
          score = 0
          count = split(shared[id], list, " ")
          for (i = 1; i <= count; i++) score += log(NR / holding[list[i]])
          printf "%.6f\t%s\n", score, id
        }
      }' |
    sort -k1,1nr -k2,2 |
    head -n "$limit" |
    jq -cRn --arg id "$id" \
      '{id: $id, results: [inputs | split("\t") | {id: .[1], score: (.[0] | tonumber)}]}'
done

#!/bin/sh
# Asks svc one question in a CI job, over the protocol an editor speaks:
#
#     examples/ci-search.sh "where are tokens revoked" [folder]
#
# Prints the reply of search_context as one line of JSON; a tool like jq reads the text out of it:
#
#     examples/ci-search.sh "where are tokens revoked" | jq -r '.result.content[].text'
#
# SVC names the program if it is not in the PATH. Set SERVICE_HOME to a folder that your CI keeps
# between jobs, and only what changed is read again.
set -eu

svc=${SVC:-svc}
question=$1
folder=${2:-.}

# Good for this job only, with a name of its own. What the command says about it goes to the job's log.
SERVICE_TOKEN=$("$svc" auth token create --name "ci-$(date +%s)-$$" --ttl 10m)
export SERVICE_TOKEN

# Done first, so that the answer does not come from half an index.
"$svc" index "$folder" >&2

# The question as a JSON string: one line, with backslashes and quotes escaped.
text=$(printf '%s' "$question" | tr '\n\t\r' '   ' | sed 's/\\/\\\\/g; s/"/\\"/g')

reply=$(
  printf '%s\n' \
    '{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"clientInfo": {"name": "ci"}}}' \
    '{"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "search_context", "arguments": {"query": "'"$text"'"}}}' |
    "$svc" mcp --stdio --root "$folder" |
    grep '"id":2'
)
printf '%s\n' "$reply"

# A refusal is an answer too, but not one a job should pass with.
case $reply in *'"error":{'*) exit 1 ;; esac

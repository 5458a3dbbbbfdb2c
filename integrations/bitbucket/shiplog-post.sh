#!/bin/sh
# Posts one deployment event to Shiplog from a pipeline: POSIX sh, od, awk, sed, and curl or wget.
# The rules are those of `shiplog post`; docs/integrations.md describes the options. It is pasted into templates of
# CI tools, so it has no here-documents and no brackets that these tools replace.
set -u
LC_ALL=C
export LC_ALL

help_text='Usage: shiplog-post.sh --service S --environment E --status ST [options]

  --service S --environment E   what is deployed, and where
  --status ST                   pending, queued, waiting, in-progress, success, failure, cancelled or rejected,
                                or the word of the CI tool for its outcome
  --version V --run-url U --run-number N --actor A --ref R --sha H
  --deployment-id ID            the same for all events of a deployment; filled in on known CI tools
  --parent ID                   a deployment that this one was promoted from; may be repeated
  --happened-at T               default: now, once for all attempts
  --reporter NAME               who posts; default: shiplog-post/<tool>
  --url URL                     default: SHIPLOG_URL, else http://127.0.0.1:3000; needed on a CI tool
  --timeout SECONDS             for all attempts; default 60, with best effort 8
  --best-effort                 ends with 0 and a warning where the event could not be posted
  --dry-run                     prints the event and sends nothing

Each option has a variable, such as SHIPLOG_SERVICE or SHIPLOG_BEST_EFFORT=true; SHIPLOG_PARENTS has one id a line.
The key is in SHIPLOG_API_KEY, or in the file that SHIPLOG_API_KEY_FILE names; it is never an argument.
Exit codes: 0 posted, 2 usage, 3 the service refused the event, 4 the service could not be reached.'

# Ends with a sentence and a code. A pipeline that asked for best effort goes on, whatever is wrong with the log.
fail() {
  code=$1
  shift
  if [ "$best_effort" = true ]; then
    printf 'shiplog-post: warning: %s\n' "$*" >&2
    exit 0
  fi
  printf 'shiplog-post: %s\n' "$*" >&2
  exit "$code"
}

# What is wrong with the call is told as such even with best effort.
misused() {
  printf 'shiplog-post: %s\n' "$*" >&2
  exit 2
}

service=${SHIPLOG_SERVICE-}
environment=${SHIPLOG_ENVIRONMENT-}
status=${SHIPLOG_STATUS-}
version=${SHIPLOG_VERSION-}
happened_at=${SHIPLOG_HAPPENED_AT-}
deployment_id=${SHIPLOG_DEPLOYMENT_ID-}
parents=${SHIPLOG_PARENTS-}
run_url=${SHIPLOG_RUN_URL-}
run_number=${SHIPLOG_RUN_NUMBER-}
actor=${SHIPLOG_ACTOR-}
ref=${SHIPLOG_REF-}
sha=${SHIPLOG_SHA-}
reporter=${SHIPLOG_REPORTER-}
url=${SHIPLOG_URL-}
timeout=${SHIPLOG_TIMEOUT-}
best_effort=${SHIPLOG_BEST_EFFORT:-false}
dry_run=false
newline='
'

while [ $# -gt 0 ]; do
  option=$1
  shift
  case $option in
    --best-effort) best_effort=true && continue ;;
    --dry-run) dry_run=true && continue ;;
    --help)
      printf '%s\n' "$help_text"
      exit 0
      ;;
    --*=*)
      value=${option#*=}
      option=${option%%=*}
      ;;
    --*)
      [ $# -gt 0 ] || misused "$option needs a value; --help lists the options."
      value=$1
      shift
      ;;
    *) misused "What $option is for is not known; --help lists the options." ;;
  esac
  case $option in
    --service) service=$value ;;
    --environment) environment=$value ;;
    --status) status=$value ;;
    --version) version=$value ;;
    --happened-at) happened_at=$value ;;
    --deployment-id) deployment_id=$value ;;
    --parent) parents="$parents${parents:+$newline}$value" ;;
    --run-url) run_url=$value ;;
    --run-number) run_number=$value ;;
    --actor) actor=$value ;;
    --ref) ref=$value ;;
    --sha) sha=$value ;;
    --reporter) reporter=$value ;;
    --url) url=$value ;;
    --timeout) timeout=$value ;;
    *) misused "There is no option $option; --help lists the options." ;;
  esac
done
# Best effort holds up a pipeline for less than 10 s, however many seconds the rest of this script needs.
[ -n "$timeout" ] || if [ "$best_effort" = true ]; then timeout=8; else timeout=60; fi

# The words that CI tools have for their outcomes.
case $status in
  succeeded | Succeeded | SucceededWithIssues | SUCCESS | passed) status=success ;;
  failed | Failed | FAILURE | UNSTABLE) status=failure ;;
  canceled | Canceled | ABORTED | skipped | NOT_BUILT) status=cancelled ;;
  running) status=in-progress ;;
esac

# Takes a value that the pipeline knows where none was given, at most so many bytes of it.
fill() {
  eval "given=\${$1}"
  # shellcheck disable=SC2154 # eval sets it
  [ -n "$given" ] || [ -z "$2" ] || {
    eval "$1=\$(printf \"%.${3}s\" \"\$2\")"
    filled="$filled $1"
  }
}

# An address that is none would have the service refuse the event.
fill_url() {
  case $1 in
    *[!A-Za-z0-9._~:/?#@!\$\&\'\(\)*+,\;=%-]*) ;;
    http://?* | https://?*) [ ${#1} -gt 2048 ] || fill run_url "$1" 2048 ;;
  esac
}

filled=''
tool=''
run=''
# What each tool calls its run, the address of it, and what it runs on.
if [ "${GITHUB_ACTIONS-}" = true ]; then
  tool=gha
  run=${GITHUB_RUN_ID-}-${GITHUB_RUN_ATTEMPT:-1}
  fill_url "${GITHUB_SERVER_URL-}/${GITHUB_REPOSITORY-}/actions/runs/${GITHUB_RUN_ID-}"
  fill run_number "${GITHUB_RUN_NUMBER-}" 128
  fill actor "${GITHUB_TRIGGERING_ACTOR:-${GITHUB_ACTOR-}}" 128
  fill ref "${GITHUB_REF-}" 256
  fill sha "${GITHUB_SHA-}" 128
elif [ "${GITLAB_CI-}" = true ]; then
  tool=gitlab
  run=${CI_PIPELINE_ID-}-1
  fill_url "${CI_PIPELINE_URL-}"
  fill run_number "${CI_PIPELINE_IID-}" 128
  fill actor "${GITLAB_USER_LOGIN-}" 128
  fill ref "${CI_COMMIT_REF_NAME-}" 256
  fill sha "${CI_COMMIT_SHA-}" 128
  fill environment "${CI_ENVIRONMENT_NAME-}" 64
elif [ -n "${JENKINS_URL-}" ]; then
  tool=jenkins
  run=${JOB_NAME-}#${BUILD_NUMBER-}-1
  fill_url "${BUILD_URL-}"
  fill run_number "${BUILD_NUMBER-}" 128
  fill actor "${BUILD_USER_ID-}" 128
  fill ref "${GIT_BRANCH-}" 256
  fill sha "${GIT_COMMIT-}" 128
elif [ "${TF_BUILD-}" = True ]; then
  tool=azdo
  run=${BUILD_BUILDID-}-${SYSTEM_STAGEATTEMPT:-1}
  fill_url "${SYSTEM_COLLECTIONURI-}$(printf '%s' "${SYSTEM_TEAMPROJECT-}" | sed 's/ /%20/g')/_build/results?buildId=${BUILD_BUILDID-}"
  fill run_number "${BUILD_BUILDNUMBER-}" 128
  fill actor "${BUILD_REQUESTEDFOR-}" 128
  fill ref "${BUILD_SOURCEBRANCH-}" 256
  fill sha "${BUILD_SOURCEVERSION-}" 128
elif [ "${CIRCLECI-}" = true ]; then
  tool=circleci
  run=${CIRCLE_WORKFLOW_ID-}-1
  fill_url "${CIRCLE_BUILD_URL-}"
  fill run_number "${CIRCLE_BUILD_NUM-}" 128
  fill actor "${CIRCLE_USERNAME-}" 128
  fill ref "${CIRCLE_TAG-}" 256
  fill ref "${CIRCLE_BRANCH-}" 256
  fill sha "${CIRCLE_SHA1-}" 128
elif [ -n "${BITBUCKET_BUILD_NUMBER-}" ]; then
  tool=bitbucket
  run=${BITBUCKET_REPO_FULL_NAME-}#$BITBUCKET_BUILD_NUMBER-${BITBUCKET_STEP_RUN_NUMBER:-1}
  fill_url "${BITBUCKET_GIT_HTTP_ORIGIN-}/pipelines/results/$BITBUCKET_BUILD_NUMBER"
  fill run_number "$BITBUCKET_BUILD_NUMBER" 128
  fill actor "${BITBUCKET_STEP_TRIGGERER_UUID-}" 128
  fill ref "${BITBUCKET_TAG-}" 256
  fill ref "${BITBUCKET_BRANCH-}" 256
  fill sha "${BITBUCKET_COMMIT-}" 128
  fill environment "${BITBUCKET_DEPLOYMENT_ENVIRONMENT-}" 64
elif [ "${BUILDKITE-}" = true ]; then
  tool=buildkite
  run=${BUILDKITE_BUILD_ID-}-$((${BUILDKITE_RETRY_COUNT:-0} + 1))
  fill_url "${BUILDKITE_BUILD_URL-}"
  fill run_number "${BUILDKITE_BUILD_NUMBER-}" 128
  fill actor "${BUILDKITE_UNBLOCKER:-${BUILDKITE_BUILD_CREATOR:-${BUILDKITE_BUILD_AUTHOR-}}}" 128
  fill ref "${BUILDKITE_TAG-}" 256
  fill ref "${BUILDKITE_BRANCH-}" 256
  # Until a build has looked, Buildkite says HEAD.
  [ "${BUILDKITE_COMMIT-}" = HEAD ] || fill sha "${BUILDKITE_COMMIT-}" 128
elif [ -n "${TEAMCITY_VERSION-}" ]; then
  tool=teamcity
  run=${TEAMCITY_PROJECT_NAME-}/${TEAMCITY_BUILDCONF_NAME-}#${BUILD_NUMBER-}-1
  fill_url "${BUILD_URL-}"
  fill run_number "${BUILD_NUMBER-}" 128
  fill sha "${BUILD_VCS_NUMBER-}" 128
elif [ "${DRONE-}" = true ]; then
  tool=drone
  run=${DRONE_REPO-}#${DRONE_BUILD_NUMBER-}-1
  fill_url "${DRONE_BUILD_LINK-}"
  fill run_number "${DRONE_BUILD_NUMBER-}" 128
  # Of a build that nobody began by hand Drone says @hook or @cron.
  case ${DRONE_BUILD_TRIGGER-} in
    '' | @*) fill actor "${DRONE_COMMIT_AUTHOR-}" 128 ;;
    *) fill actor "$DRONE_BUILD_TRIGGER" 128 ;;
  esac
  fill ref "${DRONE_COMMIT_REF-}" 256
  fill sha "${DRONE_COMMIT_SHA-}" 128
fi

[ -n "$service" ] || misused 'Say what was deployed with --service or SHIPLOG_SERVICE.'
[ -n "$environment" ] || misused 'Say where it was deployed with --environment or SHIPLOG_ENVIRONMENT.'
case $status in
  pending | queued | waiting | in-progress | success | failure | cancelled | rejected) ;;
  *) misused "The status \"$status\" is not known; give pending, queued, waiting, in-progress, success, failure, cancelled or rejected." ;;
esac
case $timeout in
  '' | *[!0-9]* | ?????*) misused "The timeout \"$timeout\" is no number of seconds from 0 to 9999." ;;
esac
case $url in
  '' | http://?* | https://?*) ;;
  *) misused "The address \"$url\" of the service does not begin with http:// or https://." ;;
esac

sha256() {
  if command -v sha256sum >/dev/null; then sha256sum; else shasum -a 256; fi
}

if [ -z "$deployment_id" ] && [ -n "$tool" ]; then
  deployment_id=$tool-$run-$service-$environment
  if [ ${#deployment_id} -gt 200 ]; then
    digest=$(printf '%s' "$deployment_id" | sha256 | cut -c 1-12)
    deployment_id=$(printf '%.187s' "$deployment_id")~$digest
  fi
  filled="$filled deployment_id"
fi
[ -n "$deployment_id" ] || misused 'Give all events of this deployment one --deployment-id; no CI tool is known here that has one.'
# An instant that was given may have been posted by an earlier run of this step.
look_first=false
[ -z "$happened_at" ] || look_first=true
[ -n "$happened_at" ] || happened_at=$(date -u +%Y-%m-%dT%H:%M:%SZ)
: "${reporter:=shiplog-post/${tool:-sh}}"
case $reporter in
  [!a-z0-9]* | *[!a-z0-9./-]*) misused "The reporter \"$reporter\" may have small letters, digits, and . / - after the first." ;;
esac

# A JSON string, in ASCII. Bytes that are no UTF-8 become U+FFFD, because a log of a pipeline may hold anything.
json_string() {
  printf '%s' "$1" | od -An -v -tu1 | awk '
    function unit(n) { printf "\\u%04x", n }
    function point(n) {
      if (n < 65536) { unit(n); return }
      unit(55296 + int((n - 65536) / 1024)); unit(56320 + (n - 65536) % 1024)
    }
    { for (i = 1; i <= NF; i++) byte[count++] = $i + 0 }
    END {
      printf "\""
      for (i = 0; i < count; i += size) {
        b = byte[i]; size = 1
        if (b < 32 || b == 127) { unit(b); continue }
        if (b == 34 || b == 92) printf "\\"
        if (b < 128) { printf "%c", b; continue }
        if (b >= 194 && b <= 223) { more = 1; code = b - 192; least = 128 }
        else if (b >= 224 && b <= 239) { more = 2; code = b - 224; least = 2048 }
        else if (b >= 240 && b <= 244) { more = 3; code = b - 240; least = 65536 }
        else { point(65533); continue }
        for (k = 1; k <= more && byte[i + k] >= 128 && byte[i + k] < 192; k++) code = code * 64 + byte[i + k] - 128
        if (k <= more || code < least || code > 1114111 || (code >= 55296 && code <= 57343)) { point(65533); continue }
        point(code); size = more + 1
      }
      printf "\""
    }'
}

percent() {
  printf '%s' "$1" | od -An -v -tu1 | awk '
    { for (i = 1; i <= NF; i++) {
      c = sprintf("%c", $i + 0)
      if ($i < 128 && c ~ /[A-Za-z0-9._~-]/) printf "%s", c; else printf "%%%02X", $i
    } }'
}

member() {
  [ -z "$2" ] || printf ',"%s":%s' "$1" "$(json_string "$2")"
}

parent_members() {
  [ -n "$parents" ] || return 0
  printf ',"parent_deployments":['
  comma=''
  printf '%s\n' "$parents" | while IFS= read -r parent; do
    [ -n "$parent" ] || continue
    printf '%s%s' "$comma" "$(json_string "$parent")"
    comma=,
  done
  printf ']'
}

event() {
  printf '{"deployment_id":%s' "$(json_string "$deployment_id")"
  member service "$service"
  member environment "$environment"
  member status "$status"
  member happened_at "$happened_at"
  member version "$version"
  member run_url "$run_url"
  member run_number "$run_number"
  member actor "$actor"
  member ref "$ref"
  member sha "$sha"
  parent_members
  printf '}'
}

[ -z "$filled" ] || printf 'shiplog-post: filled in by %s:%s\n' "$tool" "$filled" >&2
if [ "$dry_run" = true ]; then
  event
  printf '\n'
  exit 0
fi

# No service runs on the machine of a pipeline, so that waiting for one there would be in vain.
if [ -z "$url" ]; then
  [ -z "$tool" ] || fail 4 'The address of the service is empty; set SHIPLOG_URL, or the url of the step.'
  url=http://127.0.0.1:3000
fi
url=${url%/}

umask 077
folder=$(mktemp -d) || fail 4 'No temporary folder could be made; set TMPDIR to a folder that can be written.'
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP
event >"$folder/event"

key=${SHIPLOG_API_KEY-}
if [ -n "${SHIPLOG_API_KEY_FILE-}" ]; then
  [ -z "$key" ] || fail 2 'SHIPLOG_API_KEY and SHIPLOG_API_KEY_FILE are both set; set one of them.'
  key=$(cat "$SHIPLOG_API_KEY_FILE") || fail 2 'The file that SHIPLOG_API_KEY_FILE names cannot be read.'
fi
case $key in
  *[[:cntrl:]]*) fail 2 'The key has a control character or a line break in it; give it as the service has it.' ;;
esac

if command -v curl >/dev/null; then
  client=curl
elif command -v wget >/dev/null; then
  client=wget
  # Other wgets take headers as arguments only, and everyone on the machine can read those.
  if ! wget --version 2>/dev/null | grep -q GNU; then
    client=small-wget
    [ -z "$key" ] || fail 2 'This wget would show the key to every user of the machine; install curl.'
  fi
else
  fail 2 'Neither curl nor wget is installed; install one of them.'
fi

quoted() {
  printf '%s' "$1" | sed 's/[\\"]/\\&/g'
}

within() {
  if command -v timeout >/dev/null; then timeout "$@"; else shift && "$@"; fi
}

# Sends GET, or POST with the event, within what is left of the time and 10 s, and sets `answer` (000 for none) and `retry_after`; the body is in the file `body`.
send() {
  left=$((deadline - $(date +%s)))
  attempt_seconds=10
  [ "$left" -ge 10 ] || attempt_seconds=$((left > 1 ? left : 1))
  : >"$folder/body"
  : >"$folder/headers"
  case $client in
    curl)
      {
        printf 'url = "%s"\n' "$(quoted "$2")"
        [ -z "$key" ] || printf 'header = "X-Api-Key: %s"\n' "$(quoted "$key")"
        printf 'header = "X-Progress-Reporter: %s"\n' "$reporter"
        [ "$1" = GET ] || printf 'header = "Content-Type: application/json"\nheader = "Expect:"\n'
      } >"$folder/request"
      if [ "$1" = POST ]; then set -- --data-binary "@$folder/event"; else set --; fi
      curl -sS --globoff --max-time "$attempt_seconds" -K "$folder/request" -D "$folder/headers" -o "$folder/body" "$@" \
        2>"$folder/error" || : >"$folder/cut"
      ;;
    wget)
      {
        printf 'header = X-Progress-Reporter: %s\n' "$reporter"
        printf 'header = Content-Type: application/json\n'
        [ -z "$key" ] || printf 'header = X-Api-Key: %s\n' "$key"
      } >"$folder/request"
      if [ "$1" = POST ]; then set -- "$2" "--post-file=$folder/event"; else set -- "$2"; fi
      WGETRC=$folder/request within "$attempt_seconds" wget -q -S --tries=1 --max-redirect=0 --content-on-error \
        -O "$folder/body" "$@" 2>"$folder/headers"
      # 8 is an answer that is an error.
      case $? in 0 | 8) ;; *) : >"$folder/cut" ;; esac
      ;;
    small-wget)
      if [ "$1" = POST ]; then set -- --post-file "$folder/event" "$2"; else set -- "$2"; fi
      within "$attempt_seconds" wget -q -S -O "$folder/body" --header "X-Progress-Reporter: $reporter" \
        --header 'Content-Type: application/json' "$@" 2>"$folder/headers"
      # It ends with 1 after an error of the service too.
      case $? in 0 | 1) ;; *) : >"$folder/cut" ;; esac
      ;;
  esac
  answer=$(sed -n 's/.*HTTP\/[0-9.]* \([0-9][0-9][0-9]\).*/\1/p' "$folder/headers" | tail -n 1)
  retry_after=$(tr -d '\r' <"$folder/headers" | sed -n 's/^ *[Rr]etry-[Aa]fter: *\([0-9]\{1,5\}\)$/\1/p' | tail -n 1)
  # A cut answer to a post has an unknown outcome, whatever its first line said.
  if [ -e "$folder/cut" ]; then
    rm "$folder/cut"
    case $answer in 4??) ;; *) answer=000 ;; esac
  fi
  : "${answer:=000}"
}

# The instant after this one: the log knows six digits of a fraction, and cuts the rest.
instant_after() {
  printf '%s\n' "$1" | awk '{
    match($0, /(Z|z|[+-][0-9][0-9]:[0-9][0-9])$/)
    zone = substr($0, RSTART); time = substr($0, 1, RSTART - 1); fraction = ""
    if ((dot = index(time, ".")) > 0) { fraction = substr(time, dot + 1, 6); time = substr(time, 1, dot - 1) }
    while (length(fraction) < 6) fraction = fraction "0"
    printf "%s.%06d%s\n", time, fraction + 1, zone
  }'
}

case $happened_at in
  ????-??-??[Tt]??:??:??.999999*) misused 'Give --happened-at a fraction below 0.999999 of a second.' ;;
  ????-??-??[Tt]??:??:??*[Zz] | ????-??-??[Tt]??:??:??*[+-]??:??) ;;
  *) misused "The instant \"$happened_at\" is not like 2026-05-04T09:12:02Z." ;;
esac

query="service=$(percent "$service")&environment=$(percent "$environment")&status=$status&limit=1"
query="$query&deployment_id=$(percent "$deployment_id")"
query="$query&since=$(percent "$happened_at")&until=$(percent "$(instant_after "$happened_at")")"
deadline=$(($(date +%s) + timeout))

# Waits so many seconds, or ends where they are more than is left.
pause() {
  left=$((deadline - $(date +%s)))
  [ "$1" -le "$left" ] || fail 4 "The service at $url gave no usable answer in $timeout s ($last); the event may be missing in the log."
  sleep "$1"
}

refused() {
  sentence=$(sed -n 's/.*"detail":"\(\([^"\\]\|\\.\)*\)".*/: \1/p' "$folder/body" | tr -d '[:cntrl:]' | cut -c 1-500)
  case $answer in 401) sentence="$sentence; set SHIPLOG_API_KEY or SHIPLOG_API_KEY_FILE to the key of the service" ;; esac
  fail 3 "The service at $url refused the event with $answer$sentence"
}

wait_seconds=1
unknown=$look_first
while :; do
  if [ "$unknown" = true ]; then
    step=look
    send GET "$url/api/deployments?$query"
    if [ "$answer" = 200 ]; then
      if grep -q '"id"' "$folder/body"; then
        printf 'shiplog-post: the log has this event already\n' >&2
        exit 0
      fi
      step=post
    fi
  else
    step=post
  fi
  if [ "$step" = post ]; then
    send POST "$url/api/deployments"
    case $answer in
      201)
        printf 'shiplog-post: posted %s of %s in %s\n' "$status" "$service" "$environment" | tr -d '\000-\011\013-\037\177' >&2
        exit 0
        ;;
      429) ;;
      503) grep -q 'reset-in-progress' "$folder/body" || unknown=true ;;
      000 | 408 | 5??) unknown=true ;;
      *) refused ;;
    esac
  else
    # A look that is refused would be refused again.
    case $answer in 000 | 408 | 429 | 5??) ;; *) refused ;; esac
  fi
  last="last answer: $answer"
  [ "$answer" != 000 ] || last='no answer'
  pause "${retry_after:-$wait_seconds}"
  [ "$wait_seconds" -ge 16 ] || wait_seconds=$((wait_seconds * 2))
done

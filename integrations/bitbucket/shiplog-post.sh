#!/bin/sh
# Generated from integrations/shiplog-post.sh by `npm run integrations`; do not edit.
# Posts one deployment event to Shiplog from a pipeline: POSIX sh, od, awk, sed, and curl or wget.
# It follows the rules of `shiplog post`; docs/integrations.md describes the options. It is embedded in templates of CI
# tools, so it avoids here-documents and brackets that these tools replace.
set -u
LC_ALL=C
export LC_ALL

help_text='Usage: shiplog-post.sh --service S --environment E --status ST [options]

  --service S --environment E   the service and the environment it is deployed to
  --status ST                   pending, queued, waiting, in-progress, success, failure, cancelled or rejected,
                                or the word that the CI tool uses for the outcome
  --version V --run-url U --run-number N --actor A --ref R --sha H
  --deployment-id ID            shared by all events of one deployment; filled in on known CI tools
  --parent ID                   a deployment that this one was promoted from; repeatable
  --happened-at T               default: the time of the call
  --reporter NAME               what posts the event; default: shiplog-post/<tool>
  --url URL                     default: SHIPLOG_URL, else http://127.0.0.1:3000; required in CI
  --timeout SECONDS             total for all attempts; default 60, or 8 with --best-effort
  --best-effort                 exit with 0 and a warning if the event cannot be posted
  --dry-run                     print the event without sending it

Each option has a variable, such as SHIPLOG_SERVICE or SHIPLOG_BEST_EFFORT=true; SHIPLOG_PARENTS has one id per line.
The key comes from SHIPLOG_API_KEY or from the file that SHIPLOG_API_KEY_FILE names, never from an argument.
Without a key, the identity token of the job is sent: on GitHub Actions, Buildkite and CircleCI, and where
SHIPLOG_ID_TOKEN has one. Its audience is SHIPLOG_AUDIENCE, by default the URL of the service.
Exit codes: 0 posted, 2 usage error, 3 refused by the service, 4 service not reachable.'

# Exits with a message and a code; with best effort, with a warning and 0.
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

# A usage error fails even with best effort.
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
      [ $# -gt 0 ] || misused "$option needs a value. Run --help for a list of options."
      value=$1
      shift
      ;;
    *) misused "Unexpected argument $option. Run --help for a list of options." ;;
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
    *) misused "Unknown option $option. Run --help for a list of options." ;;
  esac
done
# Best effort delays a pipeline by less than 10 s, including the rest of this script.
[ -n "$timeout" ] || if [ "$best_effort" = true ]; then timeout=8; else timeout=60; fi

# The words that CI tools use for outcomes.
case $status in
  succeeded | Succeeded | SucceededWithIssues | SUCCESS | passed) status=success ;;
  failed | Failed | FAILURE | UNSTABLE) status=failure ;;
  canceled | Canceled | ABORTED | skipped | NOT_BUILT) status=cancelled ;;
  running) status=in-progress ;;
esac

# fill NAME VALUE BYTES: fills in an unset variable, truncated to a number of bytes.
fill() {
  eval "given=\${$1}"
  # shellcheck disable=SC2154 # eval sets it
  [ -n "$given" ] || [ -z "$2" ] || {
    eval "$1=\$(printf \"%.${3}s\" \"\$2\")"
    filled="$filled $1"
  }
}

# The service would refuse an event with an invalid URL.
fill_url() {
  case $1 in
    *[!A-Za-z0-9._~:/?#@!\$\&\'\(\)*+,\;=%-]*) ;;
    http://?* | https://?*) [ ${#1} -gt 2048 ] || fill run_url "$1" 2048 ;;
  esac
}

filled=''
tool=''
run=''
# The run, its URL and the commit, by tool.
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
  # Before the checkout, Buildkite reports HEAD instead of a commit.
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
  # For a build that was not started by hand, Drone reports @hook or @cron.
  case ${DRONE_BUILD_TRIGGER-} in
    '' | @*) fill actor "${DRONE_COMMIT_AUTHOR-}" 128 ;;
    *) fill actor "$DRONE_BUILD_TRIGGER" 128 ;;
  esac
  fill ref "${DRONE_COMMIT_REF-}" 256
  fill sha "${DRONE_COMMIT_SHA-}" 128
fi

[ -n "$service" ] || misused 'Set the service with --service or SHIPLOG_SERVICE.'
[ -n "$environment" ] || misused 'Set the environment with --environment or SHIPLOG_ENVIRONMENT.'
case $status in
  pending | queued | waiting | in-progress | success | failure | cancelled | rejected) ;;
  *) misused "Unknown status \"$status\". Use pending, queued, waiting, in-progress, success, failure, cancelled or rejected." ;;
esac
case $timeout in
  '' | *[!0-9]* | ?????*) misused "The timeout must be 0 to 9999 seconds, not \"$timeout\"." ;;
esac
case $url in
  '' | http://?* | https://?*) ;;
  *) misused "The service address \"$url\" does not start with http:// or https://." ;;
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
[ -n "$deployment_id" ] || misused '--deployment-id is required outside a known CI tool; use the same id for all events of this deployment.'
# An earlier run of this step may have posted an event with the given time.
look_first=false
[ -z "$happened_at" ] || look_first=true
[ -n "$happened_at" ] || happened_at=$(date -u +%Y-%m-%dT%H:%M:%SZ)
: "${reporter:=shiplog-post/${tool:-sh}}"
case $reporter in
  [!a-z0-9]* | *[!a-z0-9./-]*) misused "The reporter \"$reporter\" must be lower-case letters, digits, and . / - (not first)." ;;
esac

# Prints a JSON string in ASCII. Invalid UTF-8 becomes U+FFFD, because CI values may contain any bytes.
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

# A CI machine runs no service, so waiting for a service on localhost would be useless.
if [ -z "$url" ]; then
  [ -z "$tool" ] || fail 4 'No service address is set. Set SHIPLOG_URL, or the url of the step.'
  url=http://127.0.0.1:3000
fi
url=${url%/}

umask 077
folder=$(mktemp -d) || fail 4 'Cannot create a temporary folder. Set TMPDIR to a writable folder.'
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP
event >"$folder/event"

key=${SHIPLOG_API_KEY-}
if [ -n "${SHIPLOG_API_KEY_FILE-}" ]; then
  [ -z "$key" ] || fail 2 'SHIPLOG_API_KEY and SHIPLOG_API_KEY_FILE are both set; set only one.'
  key=$(cat "$SHIPLOG_API_KEY_FILE") || fail 2 'Cannot read the file that SHIPLOG_API_KEY_FILE names.'
fi
case $key in
  *[[:cntrl:]]*) fail 2 'The key contains a control character or a line break. Set it to the key of the service.' ;;
esac

# Where the tokens come from if there is no key.
tokens=''
if [ -n "$key" ]; then
  :
elif [ -n "${SHIPLOG_ID_TOKEN-}" ]; then
  tokens=SHIPLOG_ID_TOKEN
  case $SHIPLOG_ID_TOKEN in
    *[!A-Za-z0-9._-]*) fail 2 'SHIPLOG_ID_TOKEN is not an identity token. Set it with id_tokens.' ;;
  esac
elif [ -n "${ACTIONS_ID_TOKEN_REQUEST_URL-}" ] && [ -n "${ACTIONS_ID_TOKEN_REQUEST_TOKEN-}" ]; then
  tokens='GitHub Actions'
elif [ "$tool" = buildkite ] && command -v buildkite-agent >/dev/null; then
  tokens=buildkite-agent
elif [ "$tool" = circleci ] && command -v circleci >/dev/null; then
  tokens=circleci
fi
audience=${SHIPLOG_AUDIENCE:-$url}

if command -v curl >/dev/null; then
  client=curl
elif command -v wget >/dev/null; then
  client=wget
  # Other wgets accept headers only as arguments, which every user of the machine can read.
  if ! wget --version 2>/dev/null | grep -q GNU; then
    client=small-wget
    [ -z "$key$tokens" ] || fail 2 'This wget would expose the key or token to every user of the machine. Install curl.'
  fi
else
  fail 2 'Neither curl nor wget is installed. Install one of them.'
fi

quoted() {
  printf '%s' "$1" | sed 's/[\\"]/\\&/g'
}

within() {
  if command -v timeout >/dev/null; then timeout "$@"; else shift && "$@"; fi
}

# Sets the seconds that one attempt may take.
limit_attempt() {
  left=$((deadline - $(date +%s)))
  attempt_seconds=10
  [ "$left" -ge 10 ] || attempt_seconds=$((left > 1 ? left : 1))
}

# Prints the response of GitHub's token request URL.
github_token() {
  case $ACTIONS_ID_TOKEN_REQUEST_URL in
    *\?*) asked="$ACTIONS_ID_TOKEN_REQUEST_URL&audience=$(percent "$audience")" ;;
    *) asked="$ACTIONS_ID_TOKEN_REQUEST_URL?audience=$(percent "$audience")" ;;
  esac
  if [ "$client" = curl ]; then
    {
      printf 'url = "%s"\n' "$(quoted "$asked")"
      printf 'header = "Authorization: Bearer %s"\n' "$(quoted "$ACTIONS_ID_TOKEN_REQUEST_TOKEN")"
    } >"$folder/request"
    curl -sS --fail --globoff --max-time "$attempt_seconds" -K "$folder/request" 2>/dev/null
  else
    printf 'header = Authorization: Bearer %s\n' "$ACTIONS_ID_TOKEN_REQUEST_TOKEN" >"$folder/request"
    WGETRC=$folder/request within "$attempt_seconds" wget -q --tries=1 --max-redirect=0 -O - "$asked" 2>/dev/null
  fi
}

# Sets `token`, a new one for each request, because GitHub's expire after five minutes. Fails if there is none.
get_token() {
  token=''
  limit_attempt
  case $tokens in
    '') return 0 ;;
    SHIPLOG_ID_TOKEN) token=$SHIPLOG_ID_TOKEN ;;
    'GitHub Actions') token=$(github_token | sed -n 's/.*"value" *: *"\([^"]*\)".*/\1/p') ;;
    buildkite-agent)
      token=$(within "$attempt_seconds" buildkite-agent oidc request-token --audience "$audience" 2>/dev/null)
      ;;
    circleci)
      token=$(within "$attempt_seconds" circleci run oidc get --claims "{\"aud\":$(json_string "$audience")}" 2>/dev/null)
      ;;
  esac
  case $token in
    *[!A-Za-z0-9._-]*) token='' ;;
    ?*.?*.*) return 0 ;;
  esac
  return 1
}

# Sends GET, or POST with the event, for at most 10 s or the remaining time. Sets `answer` (000 without a response)
# and `retry_after`; the response body is in the file `body`.
send() {
  silence='no response'
  retry_after=''
  if ! get_token; then
    silence="no identity token from $tokens"
    answer=000
    return
  fi
  limit_attempt
  : >"$folder/body"
  : >"$folder/headers"
  case $client in
    curl)
      {
        printf 'url = "%s"\n' "$(quoted "$2")"
        [ -z "$key" ] || printf 'header = "X-Api-Key: %s"\n' "$(quoted "$key")"
        [ -z "$token" ] || printf 'header = "Authorization: Bearer %s"\n' "$token"
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
        [ -z "$token" ] || printf 'header = Authorization: Bearer %s\n' "$token"
      } >"$folder/request"
      if [ "$1" = POST ]; then set -- "$2" "--post-file=$folder/event"; else set -- "$2"; fi
      WGETRC=$folder/request within "$attempt_seconds" wget -q -S --tries=1 --max-redirect=0 --content-on-error \
        -O "$folder/body" "$@" 2>"$folder/headers"
      # wget exits with 8 for an error response.
      case $? in 0 | 8) ;; *) : >"$folder/cut" ;; esac
      ;;
    small-wget)
      if [ "$1" = POST ]; then set -- --post-file "$folder/event" "$2"; else set -- "$2"; fi
      within "$attempt_seconds" wget -q -S -O "$folder/body" --header "X-Progress-Reporter: $reporter" \
        --header 'Content-Type: application/json' "$@" 2>"$folder/headers"
      # This wget also exits with 1 after a service error.
      case $? in 0 | 1) ;; *) : >"$folder/cut" ;; esac
      ;;
  esac
  answer=$(sed -n 's/.*HTTP\/[0-9.]* \([0-9][0-9][0-9]\).*/\1/p' "$folder/headers" | tail -n 1)
  retry_after=$(tr -d '\r' <"$folder/headers" | sed -n 's/^ *[Rr]etry-[Aa]fter: *\([0-9]\{1,5\}\)$/\1/p' | tail -n 1)
  # A post with a truncated response has an unknown outcome, whatever its status line said.
  if [ -e "$folder/cut" ]; then
    rm "$folder/cut"
    case $answer in 4??) ;; *) answer=000 ;; esac
  fi
  : "${answer:=000}"
}

# The next instant: the log stores six fractional digits and drops the rest.
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
  ????-??-??[Tt]??:??:??.999999*) misused '--happened-at must have a fraction below 0.999999 of a second.' ;;
  ????-??-??[Tt]??:??:??*[Zz] | ????-??-??[Tt]??:??:??*[+-]??:??) ;;
  *) misused "--happened-at must look like 2026-05-04T09:12:02Z, not \"$happened_at\"." ;;
esac

query="service=$(percent "$service")&environment=$(percent "$environment")&status=$status&limit=1"
query="$query&deployment_id=$(percent "$deployment_id")"
query="$query&since=$(percent "$happened_at")&until=$(percent "$(instant_after "$happened_at")")"
deadline=$(($(date +%s) + timeout))

# Waits a number of seconds, or exits if less time remains.
pause() {
  left=$((deadline - $(date +%s)))
  [ "$1" -le "$left" ] || fail 4 "The service at $url gave no usable response within $timeout s ($last). The event may be missing from the log."
  sleep "$1"
}

refused() {
  sentence=$(sed -n 's/.*"detail":"\(\([^"\\]\|\\.\)*\)".*/: \1/p' "$folder/body" | tr -d '[:cntrl:]' | cut -c 1-500)
  # The service itself says what is wrong with a token.
  if [ "$answer" = 401 ] && [ -z "$token" ]; then
    sentence="$sentence; set SHIPLOG_API_KEY or SHIPLOG_API_KEY_FILE to the key of the service"
    [ -n "$key" ] || sentence="$sentence, or let the job have an identity token (docs/integrations.md)"
  fi
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
        printf 'shiplog-post: the log already has this event\n' >&2
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
    # If the service refused the check, it would refuse again.
    case $answer in 000 | 408 | 429 | 5??) ;; *) refused ;; esac
  fi
  last="last status: $answer"
  [ "$answer" != 000 ] || last=$silence
  pause "${retry_after:-$wait_seconds}"
  [ "$wait_seconds" -ge 16 ] || wait_seconds=$((wait_seconds * 2))
done

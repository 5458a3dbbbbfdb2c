#!/bin/sh
# Maps the pipe's variables to those of shiplog-post.sh. Without STATUS, the exit code of the step decides.
set -u
status=${STATUS-}
if [ -z "$status" ]; then
  case ${EXIT_CODE:-${BITBUCKET_EXIT_CODE-}} in
    '') status=in-progress ;;
    0) status=success ;;
    *) status=failure ;;
  esac
fi
export SHIPLOG_SERVICE="${SERVICE:-${BITBUCKET_REPO_SLUG-}}"
export SHIPLOG_ENVIRONMENT="${ENVIRONMENT:-${BITBUCKET_DEPLOYMENT_ENVIRONMENT-}}"
export SHIPLOG_VERSION="${VERSION:-${BITBUCKET_TAG-}}"
export SHIPLOG_STATUS="$status"
export SHIPLOG_TIMEOUT="${TIMEOUT:-${SHIPLOG_TIMEOUT-}}"
export SHIPLOG_BEST_EFFORT="${BEST_EFFORT:-true}"
exec "$(dirname "$0")/shiplog-post.sh"

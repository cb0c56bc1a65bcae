#!/usr/bin/env bash
# Takes the updates that do not break the app, and opens or updates one merge request with them: the job of
# scheduled-pulls.md. It needs GITLAB_TOKEN, address and key of the service, and what GitLab sets in a job.
set -euo pipefail

BRANCH=prompts/update
REMOTE="https://oauth2:$GITLAB_TOKEN@$CI_SERVER_HOST/$CI_PROJECT_PATH.git"
REQUESTS="$CI_API_V4_URL/projects/$CI_PROJECT_ID/merge_requests"

ask() {
  curl -sS --fail -H "PRIVATE-TOKEN: $GITLAB_TOKEN" "$@"
}

REPORT=$(mktemp)
npx prompts pull --skip-breaking --report "$REPORT"

# Nothing to update: deleting the branch closes its merge request.
if git diff --quiet; then
  git push "$REMOTE" ":$BRANCH" || true
  exit 0
fi

# The date of the last commit gives an unchanged update the same hash, so it starts no second pipeline.
DATE=$(git log -1 --format=%cI)
export GIT_AUTHOR_NAME=prompts GIT_AUTHOR_EMAIL=prompts@example.com GIT_AUTHOR_DATE="$DATE"
export GIT_COMMITTER_NAME=prompts GIT_COMMITTER_EMAIL=prompts@example.com GIT_COMMITTER_DATE="$DATE"
git commit --all --message 'Update prompts'
git push --force -o merge_request.create -o "merge_request.target=$CI_DEFAULT_BRANCH" "$REMOTE" "HEAD:refs/heads/$BRANCH"

ID=$(ask "$REQUESTS?state=opened&source_branch=$BRANCH" | node -p 'JSON.parse(fs.readFileSync(0))[0]?.iid ?? ""')
if test -n "$ID"; then
  ask -o /dev/null -X PUT --data-urlencode "description@$REPORT" "$REQUESTS/$ID"
fi

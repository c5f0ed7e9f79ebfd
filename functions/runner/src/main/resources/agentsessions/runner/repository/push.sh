#!/usr/bin/env bash
# push.sh OWN URL HEAD TREE BRANCH SUBJECT MADE OURS...: pushes TREE to BRANCH, as a commit on HEAD
# unless HEAD has that tree already. OWN is what look.sh has left. A branch with another commit than
# OURS is left alone; MADE is the commit that was pushed for this HEAD and TREE before, if any.
# Prints commit=, base= (the remote's default branch), and refused= with a reason.
set -euo pipefail
own=$1 url=$2 head=$3 tree=$4 branch=$5 subject=$6 made=$7
shift 7
export GIT_DIR=$own
refs=$(git ls-remote --symref "$url" HEAD "refs/heads/$branch")
default=$(sed -n 's,^ref: refs/heads/\(.*\)\tHEAD$,\1,p' <<<"$refs")
echo "base=$default"
if [ "$default" = "$branch" ]; then
  echo "refused=$branch is the default branch of the remote."
  exit
fi
there=$(sed -n "s,^\([0-9a-f]*\)\trefs/heads/.*$,\1,p" <<<"$refs" | head -n 1)
if [ -n "$made" ] && [ "$made" = "$there" ]; then
  echo "commit=$made"
  exit
fi
commit=$head
if [ -z "$head" ] || [ "$(git rev-parse "$head^{tree}")" != "$tree" ]; then
  commit=$(git commit-tree ${head:+-p "$head"} -m "$subject" "$tree")
fi
if [ "$there" != "$commit" ]; then
  ours=${there:+no}
  for known in "$@"; do [ "$known" != "$there" ] || ours=; done
  if [ -n "$ours" ]; then
    echo "refused=The branch $branch has commits that are not this session's."
    exit
  fi
  git -c push.negotiate=true push -q --force-with-lease="refs/heads/$branch:$there" \
    "$url" "$commit:refs/heads/$branch"
fi
echo "commit=$commit"

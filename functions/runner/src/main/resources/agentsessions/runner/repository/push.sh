#!/usr/bin/env bash
# push.sh OWN URL HEAD MADE TREE BRANCH SUBJECT FORWARD ADOPTED OURS...: pushes TREE to BRANCH, as a commit on HEAD
# unless HEAD has that tree already. OWN is what look.sh has left. A branch with another commit than
# OURS and ADOPTED is left alone; MADE is the commit that was pushed for this HEAD and TREE before, if any.
# Where FORWARD is true the commit follows the branch's head, which only ours may do that HEAD does not follow.
# Prints commit=, base= (the remote's default branch), and refused= with a reason.
set -euo pipefail
own=$1 url=$2 head=$3 made=$4 tree=$5 branch=$6 subject=$7 forward=$8 adopted=$9
shift 9
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
commit=$head parents=(${head:+"$head"}) whole=()
precedes() { git merge-base --is-ancestor "$1" "$2" 2>/dev/null; }
# The agent's trees may have other modes than ours, which no difference shows.
has_tree() { git diff-tree -r --quiet "$1^{tree}" "$tree"; }
is_ours() { local known; for known in "$@"; do [ "$known" != "$there" ] || return 0; done; false; }
if [ "$forward" = true ] && [ -n "$there" ]; then
  # The commits are read on the way, which must be whole for that.
  whole=(-c pack.window=0)
  if ! precedes "$there" "$head" && is_ours "$@"; then
    git fetch -q ${head:+--negotiation-tip="$head"} "$url" "refs/heads/$branch"
    if [ "$(git rev-parse "$there^{tree}")" = "$tree" ] && { [ -z "$head" ] || precedes "$head" "$there"; }; then
      echo "commit=$there"
      exit
    fi
    if precedes "$head" "$there"; then parents=(); fi
    parents=("$there" "${parents[@]}") commit=
  elif [ "$there" = "$adopted" ] && ! precedes "$there" "$head"; then
    echo "refused=What is checked out does not follow the branch $branch, which is moved forward only."
    exit
  fi
fi
if [ -z "$commit" ] || ! has_tree "$commit"; then
  after=()
  for parent in "${parents[@]}"; do after+=(-p "$parent"); done
  commit=$(git commit-tree "${after[@]}" -m "$subject" "$tree")
fi
if [ "$there" != "$commit" ]; then
  if [ -n "$there" ] && ! is_ours "$adopted" "$@"; then
    echo "refused=The branch $branch has commits that are not this session's."
    exit
  fi
  git "${whole[@]}" -c push.negotiate=true push -q --force-with-lease="refs/heads/$branch:$there" \
    "$url" "$commit:refs/heads/$branch"
fi
echo "commit=$commit"

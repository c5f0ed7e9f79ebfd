#!/usr/bin/env bash
# push.sh OWN URL HEAD TREE BRANCH SUBJECT MADE FORWARD SHOWN ADOPTED OURS...: pushes TREE to BRANCH, as a commit on HEAD
# unless HEAD has that tree already. OWN is what look.sh has left. A branch with another commit than
# OURS and ADOPTED is left alone; MADE is the commit that was pushed for this HEAD and TREE before, if any.
# Where FORWARD is true the commit follows the branch's head, which only ours may do that HEAD does not follow.
# Where SHOWN is true it is a commit in any case, and only what look.sh has looked at is sent.
# Prints commit=, base= (the remote's default branch), and refused= with a reason.
set -euo pipefail
own=$1 url=$2 head=$3 tree=$4 branch=$5 subject=$6 made=$7 forward=$8 shown=$9 adopted=${10}
shift 10
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
    if [ "$(git rev-parse "$there^{tree}")" = "$tree" ] && { [ "$shown" = true ] || [ -z "$head" ] || precedes "$head" "$there"; }; then
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
# git sends what it reads, which is whatever the agent's folder has under a name. Beside what was looked at, only the parents are needed; of one that
# the look did not begin from also what differs there, so that git knows what the host has. Grafts keep git from asking for what was before them, as
# a shallow folder would; but of that a host is told, and may refuse it.
seen_only() {
  {
    printf '%s\n' "$@"
    if [ "$1" != "$head" ]; then
      git rev-parse "$1^{tree}"
      git diff-tree -r -t --raw --no-renames --no-abbrev "$1^{tree}" "$tree" |
        sed -nE 's/^:([0-7]+) ([0-7]+) ([0-9a-f]+) ([0-9a-f]+) .*/\1 \3\n\2 \4/p' | sed -E '/^(160000|000000) /d; s/^[0-7]+ //'
    fi
  } | sort -u | git pack-objects -q --stdout --window=0 --no-reuse-delta | GIT_DIR=$own/true git index-pack --stdin >"$own/packed"
  mkdir -p "$own/true/info"
  printf '%s\n' "$@" >"$own/true/info/grafts"
}
if [ "$shown" = true ] || [ -z "$commit" ] || ! has_tree "$commit"; then
  if [ "$shown" = true ]; then
    [ ${#parents[@]} = 0 ] || seen_only "${parents[@]}"
    export GIT_DIR=$own/true
  fi
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

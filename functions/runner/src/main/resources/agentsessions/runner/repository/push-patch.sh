#!/usr/bin/env bash
# push-patch.sh OWN URL BASE PATCH TREE BRANCH SUBJECT FORWARD ADOPTED OURS...: pushes what the file PATCH makes of the commit BASE, which is
# to be TREE, to BRANCH as one commit. OWN is to be a git folder. Nothing of the workspace is there: what is needed beside the patch is fetched, so
# that each object is what its name says.
# A branch with another commit than OURS and ADOPTED is left alone. Where FORWARD is true the commit follows the branch's head.
# Prints commit=, base= (the remote's default branch), and refused= with a reason.
set -euo pipefail
own=$1 url=$2 base=$3 patch=$4 tree=$5 branch=$6 subject=$7 forward=$8 adopted=$9
shift 9
refuse() {
  echo "refused=$1"
  exit
}
# Before any other command of git: in a container it starts in the workspace.
format=sha1
[ ${#tree} = 40 ] || format=sha256
rm -rf -- "$own"
git init -q --bare --template= --object-format="$format" -- "$own"
export GIT_DIR=$own
refs=$(git ls-remote --symref "$url" HEAD "refs/heads/$branch")
default=$(sed -n 's,^ref: refs/heads/\(.*\)\tHEAD$,\1,p' <<<"$refs")
echo "base=$default"
[ "$default" != "$branch" ] || refuse "$branch is the default branch of the remote."
there=$(sed -n "s,^\([0-9a-f]*\)\trefs/heads/.*$,\1,p" <<<"$refs" | head -n 1)
is_ours() { local known; for known in "$@"; do [ "$known" != "$there" ] || return 0; done; false; }
[ -z "$there" ] || is_ours "$adopted" "$@" || refuse "The branch $branch has commits that are not this session's."

# The settings of this folder are the service's: what it lacks may be fetched when it is needed.
export GIT_NO_LAZY_FETCH=0
git config remote.origin.url "$url"
get() { git -c fetch.negotiationAlgorithm=noop fetch -q --no-tags --no-write-fetch-head --filter=blob:none "$@"; }
# Commits without those before them.
commits() { printf '%s\n' "$@" | get --depth 1 --stdin origin; }
if [ -n "$there" ] && is_ours "$@"; then
  commits "$there"
  if [ "$(git rev-parse "$there^{tree}")" = "$tree" ]; then
    echo "commit=$there"
    exit
  fi
fi
if [ -n "$base" ] && ! commits "$base" 2>"$own/said"; then
  ! grep -qE 'not our ref|unadvertised object|remote ref' "$own/said" || refuse "The host does not give the commit $base any more, on which the patch was made."
  cat "$own/said" >&2
  exit 1
fi

# Fetches what is listed on standard input and is not here, all at once: git itself asks for one after the other.
bring() {
  git cat-file --batch-all-objects --batch-check='%(objectname)' 2>/dev/null | sort >"$own/here"
  sort -u | comm -23 - "$own/here" >"$own/wanted"
  [ ! -s "$own/wanted" ] || get --stdin origin <"$own/wanted"
}
# The ids and names in the heads of a patch.
changed() {
  LC_ALL=C sed -nE 's/^index ([0-9a-f]+)\.\..*/\1/p; s/^(rename|copy) from //p
    /^diff --git /h; /^old mode /{ g; s,^diff --git a/(.*) b/\1$,\1,p; }' "$patch"
}
[ -z "$base" ] || git read-tree "$base"
changed >"$own/changed"
git ls-files -s | awk -F '\t' 'NR == FNR {changed[$0]; next}
  {split($1, entry, " ")} entry[1] != 160000 && ($2 in changed || entry[2] in changed) {print entry[2]}' "$own/changed" - | bring
git apply --cached --whitespace=nowarn "$patch"
[ "$(git write-tree --missing-ok)" = "$tree" ] || refuse "The patch that was shown does not give the files that were shown."

parents=(${base:+"$base"})
if [ "$forward" = true ] && [ -n "$there" ] && [ "$there" != "$base" ]; then
  if is_ours "$@"; then
    parents=("$there")
  else
    [ -n "$base" ] || refuse "Nothing was cloned that follows the branch $branch, which is moved forward only."
    git fetch -q --no-tags --no-write-fetch-head --filter=tree:0 --unshallow origin "$base" "$there"
    git merge-base --is-ancestor "$there" "$base" ||
      refuse "What was cloned does not follow the branch $branch, which is moved forward only."
  fi
fi
# What the parent has not, as what is again as it was in the base.
for parent in "${parents[@]}"; do
  [ "$parent" = "$base" ] || git diff-tree -r --raw --no-renames --no-abbrev "$parent" "$tree" |
    awk '$2 != 160000 && $2 != "000000" {print $4}' | bring
done
# A host is told of a shallow folder, and may refuse it; it is not told of grafts.
[ ! -f "$own/shallow" ] || { mkdir -p "$own/info" && mv -- "$own/shallow" "$own/info/grafts"; }
after=()
for parent in "${parents[@]}"; do after+=(-p "$parent"); done
commit=$(git commit-tree "${after[@]}" -m "$subject" "$tree")
git -c pack.window=0 -c push.negotiate=true push -q --force-with-lease="refs/heads/$branch:$there" "$url" "$commit:refs/heads/$branch"
echo "commit=$commit"

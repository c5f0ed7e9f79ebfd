#!/usr/bin/env bash
# clone.sh URL REF PATH DEPTH COMMIT AUTHOR SUBMODULES HOST NEAR: clones a repository to PATH below the
# workspace, in one step. Other repositories of HOST are at NEAR. REF is a commit, else a branch before a tag, or empty; COMMIT is what was
# cloned before, if anything. In $IO: a patch to be applied, and where the tree is listed.
# Prints base=, branch= and notes. Runs in the sandbox: nothing of the repository is run.
set -euo pipefail
url=$1 ref=$2 path=$3 depth=$4 commit=$5 author=$6 submodules=$7 host=$8 near=$9
limit=()
[ "$depth" = 0 ] || limit=(--depth "$depth")
cd -- "$AGENT_WORKSPACE"
fresh=$AGENT_WORKSPACE/.agent-clone
rm -rf -- "$fresh" "${AGENT_WORKSPACE:?}/$path"

is_commit() { [[ $1 =~ ^([0-9a-f]{40}|[0-9a-f]{64})$ ]]; }

# The branch that REF names at the remote, or that its HEAD does.
branch_of() {
  if [ -z "$ref" ]; then
    git ls-remote --symref "$url" HEAD | sed -n 's,^ref: refs/heads/\(.*\)\tHEAD$,\1,p'
  elif ! is_commit "$ref" && git ls-remote --exit-code "$url" "refs/heads/$ref" >/dev/null; then
    printf '%s\n' "$ref"
  fi
}

# Hosts need not hand out a commit by its id: then it may be in what they do hand out.
clone_commit() {
  local format=sha1 branch
  [ ${#1} = 40 ] || format=sha256
  rm -rf -- "$fresh"
  git init -q --template= --object-format="$format" -- "$fresh"
  git -C "$fresh" remote add origin "$url"
  git -C "$fresh" fetch -q "${limit[@]}" origin "$1" 2>/dev/null ||
    git -C "$fresh" fetch -q --tags origin
  branch=$(branch_of)
  if [ -n "$branch" ]; then
    git -C "$fresh" checkout -q -B "$branch" "$1"
  else
    git -C "$fresh" checkout -q --detach "$1" --
  fi
}

clone_ref() {
  rm -rf -- "$fresh"
  git clone -q --template= --single-branch "${limit[@]}" ${ref:+--branch "$ref"} -- "$url" "$fresh"
}

if [ -n "$commit" ] && clone_commit "$commit" 2>/dev/null; then
  :
elif is_commit "$ref"; then
  clone_commit "$ref"
else
  clone_ref
fi

cd -- "$fresh"
base=$(git rev-parse -q --verify 'HEAD^{commit}') || base=
if [ -n "$commit" ] && [ "$base" != "$commit" ]; then
  echo "note=The commit $commit is not to be had any more: the repository $path begins anew at $base."
fi
git config user.name "$author"
git config user.email "$author@localhost"
[ -z "$base" ] || git ls-tree -r -z --full-tree HEAD >"$IO/tree"

if [ "$submodules" = true ] && [ -f .gitmodules ]; then
  { git config -z -f .gitmodules --get-regexp '\.path$' || true; } |
    while IFS= read -r -d '' line; do
      name=${line#*$'\n'}
      git -c "url.$near.insteadOf=$host" submodule --quiet update --init \
        --recursive --depth 1 -- "$name" </dev/null >/dev/null 2>&1 ||
        printf 'note=The submodule %s of %s could not be fetched.\n' "${name//$'\n'/?}" "$path"
    done
fi

if [ -s "$IO/patch" ] && [ "$base" = "$commit" ]; then
  if ! git apply --whitespace=nowarn "$IO/patch" 2>/dev/null; then
    git reset -q --hard
    git clean -fdq
    echo "note=What the turns before had changed in $path could not be applied again."
  fi
  ! grep -qaE '^((new|deleted) file mode|index [0-9a-f]+\.\.[0-9a-f]+) 160000$' "$IO/patch" ||
    echo "note=The submodules of $path are at their first commits again."
fi

# Git reads a file again at each look if it is as new as the index, and after a long checkout many are: the index is written anew, a second later.
if [ "$SECONDS" -ge 2 ] && [ -f .git/index ]; then
  for _ in {1..20}; do [ "$(date +%s)" -gt "$(stat -c %Y .git/index)" ] || sleep 0.05; done
  git update-index -q --refresh --force-write-index || true
fi

mkdir -p -- "$(dirname -- "$AGENT_WORKSPACE/$path")"
mv -T -- "$fresh" "$AGENT_WORKSPACE/$path"
echo "base=$base"
echo "branch=$(git -C "$AGENT_WORKSPACE/$path" symbolic-ref -q --short HEAD || true)"

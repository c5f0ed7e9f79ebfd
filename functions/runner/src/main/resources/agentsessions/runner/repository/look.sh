#!/usr/bin/env bash
# look.sh PATH BASE OWN PATCH MOST HEAD BRANCH COPIES OBJECTS FORMAT: what a repository below the workspace has that the commit BASE has not, as
# the file PATCH. Looks with a git folder of its own, OWN, with COPIES of the index and of what is ignored, and borrows OBJECTS, mostly the agent's.
# Git reads nothing else of the agent's git folder, and nothing of the agent's is written. What is checked out is given as HEAD and BRANCH.
# Prints head=, branch=, tree=, stat=, notes, and whole=true if all could be read.
set -euo pipefail
path=$1 base=$2 own=$3 patch=$4 head=$6 branch=$7 copies=$8 objects=$9 format=${10}
# Of each file that is written, in KiB.
ulimit -S -f "$5"
work=$AGENT_WORKSPACE/$path

cd -- "$IO"
rm -rf -- "$own"
git init -q --bare --template= --object-format="$format" -- "$own"
printf '%s\n' "$objects" >"$own/objects/info/alternates"
# With the times of the agent's index only what has changed is read. They must stay as they are.
cp -a -- "$copies/." "$own"
export GIT_DIR=$own GIT_WORK_TREE=$work
cd -- "$work"
head=$(git rev-parse -q --verify "$head^{commit}") || head=
empty=$(git hash-object -t tree /dev/null)
before=$empty
[ -z "$base" ] || before=$(git rev-parse --verify "$base^{tree}")

if ! git ls-files -s >/dev/null 2>&1 || [ ! -f "$own/index" ]; then
  [ ! -f "$own/index" ] || echo "note=The index of $path cannot be read, and does not count."
  rm -f -- "$own/index"
  git read-tree "$before"
fi

marked() { git ls-files -v -z | { grep -az "^$1 " || true; } | sed -z 's/^. //'; }
present() { while IFS= read -r -d '' name; do [ ! -e "$name" ] && [ ! -L "$name" ] || printf '%s\0' "$name"; done; }
noted() { while IFS= read -r name; do printf 'note=%s: %s/%s\n' "$1" "$path" "$name"; done; }
# Also what is neither file nor folder, and what is in a folder that may be listed only.
is_closed() {
  [ ! -L "$1" ] && if [ -e "$1" ]; then [ ! -r "$1" ] || { [ ! -f "$1" ] && [ ! -d "$1" ]; }; else [[ $1 = */* && ! -x ${1%/*} ]]; fi
}
readable() { while IFS= read -r -d '' name; do is_closed "$name" || printf '%s\0' "$name"; done; }
closed() { while IFS= read -r -d '' name; do ! is_closed "$name" || printf '%s\n' "${name//$'\n'/?}"; done; }
# Of what git says as it looks, the names of files and folders that it may not read.
forbidden() { LC_ALL=C sed -nE "/^warning: unable to access /d; s/^warning: could not open directory '(.*)': Permission denied\$/\1/p; s/^(.*): Permission denied\$/\1/p" "$own/said"; }
new() { git ls-files -z -o --exclude-standard; }
# The only look at the files: git reads those whose times do not say whether they have changed, and writes an index whose times do, so that
# nothing after it reads them again. Repositories inside are not asked: their settings are the agent's too. Before each name its kind: a
# repository, gone (or a repository in its place), changed.
seen() {
  GIT_OPTIONAL_LOCKS=1 git status --porcelain=v2 -z -uno --no-renames --ignore-submodules=dirty | LC_ALL=C sed -Ezn '
    /^1 .\./d
    s/^1 .. .{4} [0-7]+ 160000 [0-7]+ ([0-9a-f]+ ){2}/r/p; t
    s/^1 .. .{4} ([0-7]+ ){2}(000000|160000) ([0-9a-f]+ ){2}/g/p; t
    s/^u .. .{4} ([0-7]+ ){3}000000 ([0-9a-f]+ ){3}/g/p; t
    s/^1 .. .{4} ([0-7]+ ){3}([0-9a-f]+ ){2}/c/p; t
    s/^u .. .{4} ([0-7]+ ){4}([0-9a-f]+ ){3}/c/p'
}
those() { LC_ALL=C sed -zn "s/^$1//p" "$own/seen"; }
add() { git update-index -z --add --remove --replace --stdin; }

marked '[a-z]' | git update-index -z --no-assume-unchanged --stdin
marked '[Ss]' | present | git update-index -z --no-skip-worktree --stdin
say() { cat -- "$own/said" >&2 && return "$1"; }
seen >"$own/seen" 2>"$own/said" || say $?
those g | git update-index -z --force-remove --stdin
new >"$own/new" 2>>"$own/said" || say $?
{ those c && { grep -azv '/$' "$own/new" || true; }; } >"$own/changed"
forbidden >"$own/unread"
add <"$own/changed" 2>/dev/null || {
  closed <"$own/changed" >>"$own/unread"
  readable <"$own/changed" | add
}
noted 'Not in the patch, since it cannot be read' <"$own/unread"
{ { grep -az '/$' "$own/new" || true; } && those r; } | tr '\n\0' '?\n' | noted 'Changes inside of another repository are not in the patch'
# The tree of the base with the entries that are others now. An index of the agent's may name trees of its own, and modes with more in them
# than any difference shows.
anew() { GIT_INDEX_FILE=$own/anew git "$@"; }
listed() { "$@" ls-files -s -z | LC_ALL=C sort -z; }
anew read-tree "$before"
listed anew >"$own/then" &
listed git >"$own/now"
wait $!
LC_ALL=C comm -z -3 "$own/now" "$own/then" >"$own/others"
{ sed -zn 's/^\t[0-7]* /0 /p' "$own/others" && sed -z '/^\t/d' "$own/others"; } | anew update-index -z --index-info
tree=$(anew write-tree --missing-ok)

# Without a work tree the attributes in it do not count either. The commits of submodules are shown, since a push publishes them.
unset GIT_WORK_TREE
cd -- "$own"
difference=(git diff-tree -r -M -l400 --ignore-submodules=none --no-ext-diff --no-textconv --no-color)
# What git reads under a name need not have that name: it believes the agent's folders. All that the difference is made of is copied by what it
# is, so that what was forged is missing. Both sides of each file are in it, which may be more than the patch.
differing() {
  printf '%s\n' ${base:+"$base"} "$before" "$tree"
  git diff-tree -r -t --raw --no-renames --no-abbrev "$before" "$tree" |
    sed -nE 's/^:([0-7]+) ([0-7]+) ([0-9a-f]+) ([0-9a-f]+) .*/\1 \3\n\2 \4/p' | sed -E '/^(160000|000000) /d; s/^[0-7]+ //'
}
if [ "$tree" != "$before" ]; then
  git init -q --bare --template= --object-format="$format" -- "$own/true"
  differing | sort -u | { grep -vx "$empty" || true; } | git pack-objects -q --stdout --window=0 --no-reuse-delta |
    (ulimit -S -f "$(ulimit -H -f)" && GIT_DIR=$own/true git index-pack --stdin >"$own/packed")
  export GIT_DIR=$own/true
  # Until here the base was what the agent's folder has under its name.
  [ -z "$base" ] || [ "$(git rev-parse "$base^{tree}")" = "$before" ]
fi
# A text with a zero byte is binary to git, and a shell runs it: whoever looks at the patch has to see its lines.
# As many as fit: what makes a patch so long that nobody reads it shows nothing.
left=1048576 looked=0 MOST_TEXTS=100
is_text() { # TREE NAME, also where there is none
  local size
  size=$(git cat-file -s "$1:$2" 2>/dev/null) || return 0
  [ $((left -= size)) -ge 0 ] && [ "$(git cat-file blob "$1:$2" | tr '\0' ' ' | { LC_ALL=C.UTF-8 grep -caxv '.*' || true; })" = 0 ]
}
pattern() { # NAME, as a pattern for it alone
  local name=${1//\\/\\\\\\\\}
  name=${name//\"/\\\"} name=${name//$'\n'/\\n} name=${name//\[/[[]}
  name=${name//\*/[*]}
  printf '"/%s"' "${name//\?/[?]}"
}
mkdir -p "$GIT_DIR/info"
git diff-tree -r --no-renames --numstat -z "$before" "$tree" | { grep -az $'^-\t-\t' || true; } |
  while IFS= read -r -d '' counted; do
    [ $((looked += 1)) -le $MOST_TEXTS ] || continue
    name=${counted#*$'\t'*$'\t'}
    ! { is_text "$before" "$name" && is_text "$tree" "$name"; } || printf '%s diff\n' "$(pattern "$name")"
  done >"$GIT_DIR/info/attributes"
# git apply does not see that a link which was moved away makes room for a folder, and a renamed submodule would not be named as one.
if "${difference[@]}" --raw "$before" "$tree" | grep -E '^:1[26]0000 .* R' >/dev/null; then difference+=(--no-renames); fi
# git apply finds no name with " /" in a header alone, which is all that a binary change has, unless it is quoted.
quoted() { LC_ALL=C sed 's,^diff --git a/\(.* /.*\) b/\1$,diff --git "a/\1" "b/\1",'; }
"${difference[@]}" -p --binary --full-index "$before" "$tree" | quoted >"$patch"
[ -s "$own/unread" ] || echo "whole=true"
echo "head=$head"
echo "branch=$branch"
echo "tree=$tree"
echo "stat=$("${difference[@]}" --shortstat "$before" "$tree")"

# To be sourced: build MODULE,MODULE... packs them, and what they need, without checks and tests; again only when the content of a
# source has changed since.

build() {
  local built=${1%%,*}/target/built sources others=(-not -path 'infra/proof/localstack/*')
  [[ $1 == infra/proof* ]] || others+=(-not -path 'infra/proof/*')
  sources=$(find pom.xml functions infra -type f -not -path '*/target/*' -not -path '*/src/test/*' "${others[@]}" \
    -exec cksum {} + | sort | cksum)
  [ "$(cat "$built" 2>/dev/null)" != "$1 $sources" ] || return 0
  echo "Building (the first time takes some minutes) ..." >&2
  mvn -q -B -Dstyle.color=never -Dquick -pl "$1" -am package >&2
  echo "$1 $sources" >"$built"
}

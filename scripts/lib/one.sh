# To be sourced after build.sh: tests by the name of their module or class, built quickly, without checks.

# run_some NAME...: modules, classes, or CLASS#METHOD, of which the beginning is enough. Those of one module share a process.
run_some() {
  local name module file files method quick=yes details=tree reports status=0 modules
  local -A selected=()
  . scripts/lib/junit.sh
  for name; do
    if [ -f "$name/pom.xml" ]; then
      selected[$name]+=" --select-package agentsessions --include-methodname agentsessions.*"
      continue
    fi
    mapfile -t files < <(files_of "$name")
    [ ${#files[@]} -gt 0 ] || misunderstood "there is no part, module or test $name"
    for file in "${files[@]}"; do
      # Each name says which methods it wants, since one that does would else leave out the methods of all others.
      method="$(class_in "$file").*"
      [[ $name != *'#'* ]] || method+="#${name#*#}.*"
      selected[${file%%/src/*}]+=" --select-class $(class_in "$file") --include-methodname $method"
    done
  done
  reports=$(mktemp -d) modules=$(IFS=, && echo "${!selected[*]}")
  compile_tests "$modules"
  for module in "${!selected[@]}"; do
    # shellcheck disable=SC2086 # they are words
    junit "$module" ${selected[$module]} || status=1
  done
  return "$status"
}

# files_of CLASS, or CLASS#METHOD, prints the sources of that name; of a method those that have one which begins so.
files_of() {
  local class=${1%%#*} has=
  [[ $1 != *'#'* ]] || has="(void|>) ${1#*#}"
  find functions infra -path "*/src/*/${class//.//}.java" -not -path '*/target/*' -exec grep -lE "$has" {} +
}

class_in() {
  sed -E 's,.*/java/,,; s,\.java$,,; s,/,.,g' <<<"$1"
}

# To be sourced from the project's folder by scripts/keys: the keys of a deployed stack, which its usage plan must know, too.
. scripts/lib/sam.sh

# stack_keys NAME COMMAND...: what "keys" does with the command, and the plan beside it.
stack_keys() {
  local stack=$1 plan id key
  TABLE=$(scripts/output --stack "$stack" Table) || exit 1
  plan=$(scripts/output --stack "$stack" UsagePlan) || exit 1
  export TABLE
  shift
  case ${1:-} in
    create) # The plan first: a key that it does not know would be refused.
      id=$(plan_key add "$plan" "$stack") || exit 1
      key=$(USAGE_ID=$id keys "$@") || { plan_key remove "$id" && exit 1; }
      plan_key name "$id" "$(cut -d_ -f2 <<<"$key")"
      echo "$key"
      ;;
    revoke)
      keys "$@"
      plan_key remove "$(named_key "$@")"
      ;;
    *) keys "$@" ;;
  esac
}

# Prints what is neither the command nor an option.
named_key() {
  while shift && [ $# -gt 0 ]; do
    case $1 in
      --workspace) shift ;;
      --*) ;;
      *) echo "$1" ;;
    esac
  done
}

plan_key() {
  "$tools/sam/bin/python" scripts/lib/plan_key.py "$@"
}

# To be sourced after needs.sh: the LocalStack that scripts/localstack has started, where AWS_ENDPOINT_URL leads to one. What is typed
# then without saying where is meant for the stack there. Its folder, which goes when it stops, holds that stack's base URL and the last
# key that was made, by the names that the folder of a service on this machine has for them.

# own_localstack prints its folder, and fails where the environment leads elsewhere.
own_localstack() {
  local endpoint=${AWS_ENDPOINT_URL:-}
  local folder=$tools/localstack/at-${endpoint##*:}
  [[ $endpoint == http://127.0.0.1:* && -f $folder/pid ]] && echo "$folder"
}

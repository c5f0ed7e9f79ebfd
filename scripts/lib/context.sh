# To be sourced from the project's folder by scripts/image, after build.sh: puts together in $context what an image is built of, and
# sets $dockerfile.

context_of_task() {
  build functions/runner
  dockerfile=infra/runner/task/Dockerfile
  arguments+=(--build-arg "AGENTS=$agents")
  mkdir -p "$context/scripts/lib" "$context/infra"
  cp scripts/tools "$context/scripts/"
  cp -r infra/agents "$context/infra/"
  cp scripts/lib/explain.sh "$context/scripts/lib/"
  cp -r functions/runner/target/lib functions/runner/target/runner.jar infra/agents.yaml infra/runner/task/entry "$context/"
}

# The files of the project that a service needs where nothing is built; all but DynamoDB Local, which must be the one that is locked.
context_of_service() {
  build infra/local,functions/runner,infra/chat,infra/image
  dockerfile=infra/image/Dockerfile
  are_locked || return
  cp --parents LICENSE template.yaml infra/agents.schema.json infra/{turn,export}.asl.yaml infra/local/jvm.options \
    scripts/{start,keys,chat,tools} scripts/help/{start,keys,chat} infra/image/{entry,database.lock} \
    functions/runner/target/runner.jar infra/local/target/local.jar infra/local/dynamodb/target/local-dynamodb.jar \
    infra/chat/target/chat.jar infra/image/target/image.jar "$context"
  cp --parents -r infra/agents scripts/lib {functions/runner,infra/local,infra/local/dynamodb,infra/chat,infra/image}/target/lib "$context"
  for library in needs build build_client; do cp infra/image/built.sh "$context/scripts/lib/$library.sh"; done
}

are_locked() {
  local sum coordinates jar
  while read -r sum coordinates; do
    jar=${coordinates#*:}
    echo "$sum  infra/local/dynamodb/target/database/${jar/:/-}.jar"
  done <infra/image/database.lock | sha256sum --quiet -c - || {
    echo "Error: infra/image/database.lock is not of what infra/local/dynamodb/pom.xml brings" >&2
    return 1
  }
}

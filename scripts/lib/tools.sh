# To be sourced: where the tools that are fetched for this user are kept between runs. Each is unpacked in a folder of its own, and put
# in place whole; of two at once, one is kept.

tools=${XDG_CACHE_HOME:-$HOME/.cache}/agent-sessions

new_folder() {
  mkdir -p "$tools" && mktemp -d "$tools/new.XXXXXX"
}

# keep FOLDER NAME
keep() {
  mv -T "$1" "$tools/$2" 2>/dev/null || [ -d "$tools/$2" ]
}

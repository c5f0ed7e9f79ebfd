told=$(cat)
printf '%s\n' "$told" >>/workspace/told.jsonl

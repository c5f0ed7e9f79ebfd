# A line for each test of a report as JUnit's console writes it, see results in report.sh.
BEGIN { while (unsteady && (getline id < unsteady) > 0) forgiven[id] }
function attribute(name) {
  return match($0, " " name "=\"[^\"]*\"") ? plain(substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 4)) : ""
}
function plain(text) {
  gsub(/&#(x[0-9a-f]+|[0-9]+);/, " ", text); gsub(/&lt;/, "<", text); gsub(/&gt;/, ">", text); gsub(/&quot;/, "\"", text); gsub(/&amp;/, "\\&", text)
  gsub(/[\t\r]/, " ", text)
  return text
}
/^<testcase / {
  test = attribute("name"); class = attribute("classname"); seconds = attribute("time"); result = "passed"; why = ""; sub(/\(\)$/, "", test); id = ""
}
/^<(failure|error)[ >]/ && result == "passed" { result = "failed"; why = attribute("message") }
/^<skipped>/ {
  result = "skipped"; why = plain($0)
  gsub(/<skipped>|<\/skipped>|<!\[CDATA\[|\]\]>|parent was skipped: |org.opentest4j.TestAbortedException: |Assumption failed: /, "", why)
}
/^unique-id: / { id = substr($0, 12) }
/^<\/testcase>/ {
  if (why == "") why = "-"
  if (result == "failed" && id in forgiven) result = "unsteady"
  printf "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", part, class, test, seconds, result, why, module, id
}

"""advisories.py LIST SBOM LOCK...: holds what the product is made of to the advisories of the list.

LIST has the day on which it was made, advisories as OSV writes them (id, affected packages, ranges), and those that are accepted, each
with a reason and a date. SBOM is CycloneDX's of the Java libraries, each LOCK an npm package-lock.json. Each component of a version that
an advisory names is printed, and the exit status is 1; a list that is older than 60 days is only said to be.
"""
import datetime, json, re, sys
from univers.versions import MavenVersion, SemverVersion

VERSIONS = {"Maven": MavenVersion, "npm": SemverVersion}


def components(path):
    """Yields ecosystem, name and version."""
    with open(path) as file:
        made_of = json.load(file)
    for part in made_of.get("components", []):
        group, name = part.get("group", ""), part["name"]
        yield "Maven", f"{group}:{name}", part["version"]
        # Packages of npm as Maven has them.
        if packed := re.fullmatch(r"org\.mvnpm(?:\.at\.(.+))?|org\.webjars\.npm", group):
            yield "npm", f"@{packed[1]}/{name}" if packed[1] else name, part["version"]
    for place, part in made_of.get("packages", {}).items():
        if place:
            yield "npm", place.rpartition("node_modules/")[2], part["version"]


def is_affected(ecosystem, version, affected):
    if version in affected.get("versions", []):
        return True
    parse = VERSIONS[ecosystem]
    return any(is_within(parse, parse(version), span["events"]) for span in affected.get("ranges", []) if span["type"] != "GIT")


def is_within(parse, version, events):
    """By the last event that is not beyond the version; events are in order, as OSV demands."""
    within = False
    for event in events:
        if (began := event.get("introduced")) is not None and (began == "0" or version >= parse(began)):
            within = True
        if "fixed" in event and version >= parse(event["fixed"]):
            within = False
        if "last_affected" in event and version > parse(event["last_affected"]):
            within = False
    return within


def accepted(listed):
    """Names and advisories of what is accepted; an entry without a reason or a date is a mistake."""
    for entry in listed.get("accepted", []):
        datetime.date.fromisoformat(entry["date"])
        if not entry["reason"].strip():
            raise ValueError(f"{entry['id']} is accepted without a reason")
        yield entry["id"], entry["package"]


def found(listed, parts):
    """Sorted lines, one for each component and advisory."""
    let = set(accepted(listed))
    return sorted(
        f"{name} {version}: {advisory['id']}, {advisory['summary']}"
        for advisory in listed["advisories"]
        for affected in advisory["affected"]
        for ecosystem, name, version in set(parts)
        if (ecosystem, name) == (affected["package"]["ecosystem"], affected["package"]["name"])
        and is_affected(ecosystem, version, affected)
        and (advisory["id"], name) not in let
    )


def main(path, *sources):
    with open(path) as file:
        listed = json.load(file)
    parts = [part for source in sources for part in components(source)]
    age = (datetime.date.today() - datetime.date.fromisoformat(listed["date"])).days
    if age > 60:
        print(f"Warning: {path} is {age} days old: renew it.", file=sys.stderr)
    lines = found(listed, parts)
    print(*lines, f"{len(set(parts))} components, {len(listed['advisories'])} advisories, {len(lines)} affected", sep="\n")
    return 1 if lines or not parts else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

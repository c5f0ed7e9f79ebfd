"""What is planted is found: an old version of a part, a list without a reason."""
import json, os, tempfile, unittest
import advisories

LISTED = {
    "advisories": [
        {
            "id": "GHSA-1",
            "summary": "jetty",
            "affected": [
                {
                    "package": {"ecosystem": "Maven", "name": "org.eclipse.jetty:jetty-http"},
                    "ranges": [
                        {"type": "ECOSYSTEM", "events": [{"introduced": "12.0.0"}, {"fixed": "12.0.33"}]},
                        {"type": "ECOSYSTEM", "events": [{"introduced": "12.1.0"}, {"fixed": "12.1.7"}]},
                    ],
                }
            ],
        },
        {
            "id": "GHSA-2",
            "summary": "dompurify",
            "affected": [
                {
                    "package": {"ecosystem": "npm", "name": "dompurify"},
                    "ranges": [{"type": "SEMVER", "events": [{"introduced": "0"}, {"last_affected": "3.4.6"}]}],
                    "versions": ["3.4.8-rc.1"],
                }
            ],
        },
    ]
}
SBOM = {
    "components": [
        {"group": "org.eclipse.jetty", "name": "jetty-http", "version": "12.1.2"},
        {"group": "org.mvnpm", "name": "dompurify", "version": "3.2.6"},
        {"group": "org.mvnpm.at.lit", "name": "reactive-element", "version": "2.1.2"},
    ]
}
LOCK = {"packages": {"": {}, "node_modules/a/node_modules/@b/c": {"version": "1.0.0"}}}


class AdvisoriesTest(unittest.TestCase):
    def test_planted_old_versions_are_found(self):
        found = advisories.found(LISTED, self.read(SBOM))
        self.assertEqual(["dompurify 3.2.6: GHSA-2, dompurify", "org.eclipse.jetty:jetty-http 12.1.2: GHSA-1, jetty"], found)

    def test_ranges_end_where_they_say(self):
        for version, named in {"12.1.6": 1, "12.1.7": 0, "12.1.14": 0, "12.1.0.beta1": 0, "12.0.32": 1, "12.0.33": 0, "11.0.0": 0}.items():
            self.assertEqual(named, len(advisories.found(LISTED, [("Maven", "org.eclipse.jetty:jetty-http", version)])), version)
        for version, named in {"3.4.6": 1, "3.4.7": 0, "3.4.15": 0, "3.4.8-rc.1": 1}.items():
            self.assertEqual(named, len(advisories.found(LISTED, [("npm", "dompurify", version)])), version)

    def test_packages_of_npm_have_their_own_names(self):
        self.assertIn(("npm", "@lit/reactive-element", "2.1.2"), self.read(SBOM))
        self.assertEqual([("npm", "@b/c", "1.0.0")], self.read(LOCK))

    def test_what_is_accepted_has_a_reason_and_a_date(self):
        entry = {"id": "GHSA-2", "package": "dompurify", "reason": "not reached", "date": "2026-11-25"}
        self.assertEqual(1, len(advisories.found(LISTED | {"accepted": [entry]}, self.read(SBOM))))
        for wrong in [{"reason": " "}, {"date": "soon"}]:
            with self.assertRaises(ValueError):
                advisories.found(LISTED | {"accepted": [entry | wrong]}, self.read(SBOM))

    def read(self, content):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "file"), "w") as file:
                json.dump(content, file)
            return list(advisories.components(file.name))


if __name__ == "__main__":
    unittest.main()

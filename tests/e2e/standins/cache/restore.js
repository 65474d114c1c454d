// Main step: unpack the archive of the key, or of the first prefix that matches.
const { execFileSync } = require("child_process");
const { append, file, input, lines, matched, workspace } = require("./store.js");

const key = input("key");
const hit = matched(key, lines("restore-keys"));
append("GITHUB_STATE", "matched", hit ?? "");
append("GITHUB_OUTPUT", "cache-primary-key", key);
if (hit !== null) {
  append("GITHUB_OUTPUT", "cache-matched-key", hit);
  append("GITHUB_OUTPUT", "cache-hit", String(hit === key));
  if (input("lookup-only") !== "true") execFileSync("tar", ["-xPf", file(hit), "-C", workspace]);
  console.log(`Cache restored from key: ${hit}`);
} else {
  append("GITHUB_OUTPUT", "cache-hit", "");
  console.log(`Cache not found for input keys: ${[key, ...lines("restore-keys")].join(", ")}`);
  if (input("fail-on-cache-miss") === "true") process.exit(1);
}

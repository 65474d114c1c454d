// The folder in which archives lie: one tar for each key and set of paths, as the real cache versions them.
const crypto = require("crypto");
const fs = require("fs");
const path = require("path");

const input = (name) => (process.env[`INPUT_${name.toUpperCase()}`] || "").trim();
const lines = (name) => input(name).split("\n").map((line) => line.trim()).filter(Boolean);
const home = (line) => line.replace(/^~(?=\/|$)/, process.env.HOME);
const workspace = process.env.GITHUB_WORKSPACE;
// Relative to the workspace, as the real one keeps them: act gives every run a workspace of its own.
const paths = lines("path").map((line) => path.relative(workspace, path.resolve(workspace, home(line))) || ".");
const version = crypto.createHash("sha256").update(paths.join("|")).digest("hex").slice(0, 12);
const folder = path.join(process.env.STANDIN_CACHE, version);
const file = (key) => path.join(folder, `${encodeURIComponent(key)}.tar`);
const append = (variable, name, value) =>
  fs.appendFileSync(process.env[variable], `${name}=${value}\n`);

/** The exact key, else the newest archive that a prefix matches; null when there is none. */
function matched(key, prefixes) {
  if (!fs.existsSync(folder)) return null;
  const known = fs
    .readdirSync(folder)
    .map((name) => decodeURIComponent(name.slice(0, -4)))
    .sort((a, b) => fs.statSync(file(b)).mtimeMs - fs.statSync(file(a)).mtimeMs);
  if (known.includes(key)) return key;
  for (const prefix of prefixes) {
    const hit = known.find((each) => each.startsWith(prefix));
    if (hit) return hit;
  }
  return null;
}

module.exports = { append, file, folder, input, lines, matched, paths, workspace };

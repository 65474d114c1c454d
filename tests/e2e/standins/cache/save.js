// Post step: keep the paths under the key, unless it was hit; a key is never overwritten.
const { execFileSync } = require("child_process");
const fs = require("fs");
const path = require("path");
const { file, folder, input, paths, workspace } = require("./store.js");

const key = input("key");
const there = paths.filter((each) => fs.existsSync(path.join(workspace, each)));
if (process.env.STATE_matched === key || fs.existsSync(file(key))) {
  console.log(`Cache hit occurred on the primary key ${key}, not saving cache.`);
} else if (there.length === 0) {
  console.log("::warning::Path Validation Error: Path(s) specified in the action for caching do(es) not exist");
} else {
  fs.mkdirSync(folder, { recursive: true });
  const partial = `${file(key)}.${process.pid}`;
  execFileSync("tar", ["-cPf", partial, "-C", workspace, ...there]);
  fs.renameSync(partial, file(key));
  console.log(`Cache saved with key: ${key}`);
}

// A retriever in Node: BM25 over the texts of the manifest, nothing but Node's own modules.
// It speaks ragguard's worker protocol: a line of JSON in, a line of JSON out.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const K1 = 1.2;
const B = 0.75;

const wordsOf = (text) => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];

function indexOf(path) {
  const chunks = [];
  const frequencies = new Map();
  for (const line of readFileSync(path, "utf8").split("\n")) {
    if (!line.trim()) continue;
    const chunk = JSON.parse(line);
    const counts = new Map();
    const words = wordsOf(chunk.text ?? "");
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    for (const word of counts.keys()) frequencies.set(word, (frequencies.get(word) ?? 0) + 1);
    chunks.push({ ...chunk, counts, length: words.length });
  }
  const averageLength = chunks.reduce((sum, chunk) => sum + chunk.length, 0) / chunks.length;
  return { chunks, frequencies, averageLength };
}

function mayBeShown(chunk, roles) {
  const isOpen = !chunk.access?.length || chunk.access.some((role) => roles.includes(role));
  return isOpen && (chunk.status ?? "active") === "active";
}

function search({ chunks, frequencies, averageLength }, question) {
  const words = [...new Set(wordsOf(question.query))].filter((word) => frequencies.has(word));
  const roles = question.context?.roles ?? [];
  const results = [];
  for (const { id, counts, length, ...chunk } of chunks) {
    if (!mayBeShown(chunk, roles)) continue;
    let score = 0;
    for (const word of words) {
      const count = counts.get(word) ?? 0;
      const holding = frequencies.get(word);
      const rarity = Math.log(1 + (chunks.length - holding + 0.5) / (holding + 0.5));
      score += (rarity * count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / averageLength));
    }
    if (score > 0) results.push({ id, score });
  }
  return results.sort((one, other) => other.score - one.score).slice(0, question.limit);
}

const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

let index;
for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if ("ragguard" in message) {
    index = indexOf(process.env.CORPUS);
    say({ ready: true, name: "node-bm25", environment: { node: process.version } });
  } else {
    try {
      say({ id: message.id, results: search(index, message) });
    } catch (error) {
      say({ id: message.id, error: String(error) });
    }
  }
}

// Markdown on stdin, HTML on stdout: what GitHub makes of a comment in the repository named first.
// Line breaks count; what is not allowed is cut out; then @name and #123 become links, wherever they
// stand but in code and links, raw HTML included. Such a link notifies people on GitHub.
import rehypeRaw from "rehype-raw";
import rehypeSanitize from "rehype-sanitize";
import rehypeStringify from "rehype-stringify";
import remarkBreaks from "remark-breaks";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { text } from "node:stream/consumers";
import { unified } from "unified";

const repository = process.argv[2] ?? "org/repo";
const site = "https://github.com";
const references = [
  [/(?<![\w@/-])@([a-z0-9][a-z0-9-]*(?:\/[a-z0-9-]+)?)/i, "user-mention", (name) => `${site}/${name}`],
  [/(?<![\w&/#])(?:#|GH-)(\d+)\b/i, "issue-link", (number) => `${site}/${repository}/issues/${number}`],
];

/** The nodes of a text, its references made into links. */
function linked(value) {
  for (const [pattern, className, address] of references) {
    const found = pattern.exec(value);
    if (found) {
      const [whole, name] = found;
      const link = {
        type: "element",
        tagName: "a",
        properties: { className: [className], href: address(name) },
        children: [{ type: "text", value: whole }],
      };
      const after = value.slice(found.index + whole.length);
      return [...linked(value.slice(0, found.index)), link, ...linked(after)];
    }
  }
  return value ? [{ type: "text", value }] : [];
}

/** Links references in every text below a node. */
function linkReferences(node) {
  node.children = node.children.flatMap((child) => {
    if (child.type === "text") return linked(child.value);
    if (child.children && !["a", "code", "pre", "tt"].includes(child.tagName)) linkReferences(child);
    return [child];
  });
}

const html = await unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkBreaks)
  .use(remarkRehype, { allowDangerousHtml: true })
  .use(rehypeRaw)
  .use(rehypeSanitize)
  .use(() => linkReferences)
  .use(rehypeStringify)
  .process(await text(process.stdin));
process.stdout.write(String(html));

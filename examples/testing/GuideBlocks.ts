/** The code blocks of all guides. A test must take each of them; `left` are those that no test has taken. */
import { globSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"

export const root = resolve(import.meta.dirname, "../..")

/** All pages, with paths from the root of the repository. */
export const pages: ReadonlyArray<string> = globSync(
  [
    "*.md",
    "llms.txt",
    "{packages,adapters,examples}/*/*.md",
    "{cli,examples}/*.md",
    "packages/*/src/**/*.md",
    "packages/*/guides/*.md"
  ],
  { cwd: root }
).sort()

export interface Block {
  readonly page: string
  /** The language after the opening fence. */
  readonly language: string
  readonly text: string
}

export const blocks: ReadonlyArray<Block> = pages.flatMap((page) =>
  [...readFileSync(join(root, page), "utf8").matchAll(/^[ \t]*(`{3,}|~{3,})(.*)\n([\s\S]*?)^[ \t]*\1/gm)].map(
    ([, , language = "", text = ""]) => ({ page, language: language.trim(), text })
  )
)

const taken = new Set<Block>()

/** Takes the blocks of a page in a language, for a test. */
export const take = (
  page: string,
  language: string,
  from = 0,
  to = Number.POSITIVE_INFINITY
): ReadonlyArray<string> => {
  const found = blocks.filter((block) => block.page === page && block.language === language).slice(from, to)
  if (found.length === 0) throw new Error(`${page} has no block of ${language}.`)
  for (const block of found) taken.add(block)
  return found.map(({ text }) => text)
}

/** The blocks of all pages in a language. */
export const takeAll = (language: string): ReadonlyArray<Block> => {
  const found = blocks.filter((block) => block.language === language)
  for (const block of found) taken.add(block)
  return found
}

/** Blocks that no test has taken. */
export const left = (): ReadonlyArray<Block> => blocks.filter((block) => !taken.has(block))

/** The commands in a shell block, one a line: without comments, and with continued lines joined. */
export const commands = (text: string): ReadonlyArray<string> =>
  text
    .replaceAll(/\\\n\s*/g, "")
    .split("\n")
    .map((line) => line.replace(/(?:^|\s+)#\s.*$/, ""))
    .filter((line) => line !== "")

/** The output of a shell line according to the comment after it. */
export const remark = (text: string): string => /\s#\s+(.*)$/m.exec(text)?.[1] ?? ""

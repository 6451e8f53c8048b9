/** Generates doc comments from the descriptions in the document. */

/** Uses the first paragraph. Later tables and lists are omitted. Ends with a line break, or is empty. */
export const comment = (...paragraphs: ReadonlyArray<string | undefined>): string => {
  const lines = paragraphs.flatMap((text) => text?.split("\n\n").slice(0, 1) ?? [])
  if (lines.length === 0) return ""
  const text = lines.map((line) => line.replaceAll("*/", "*\\/").replaceAll("\n", " "))
  return text.length === 1 ? `/** ${text[0]} */\n` : `/**\n${text.map((line) => ` * ${line}\n`).join(" *\n")} */\n`
}

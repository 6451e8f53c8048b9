/**
 * Indents each line by two blanks for every block around it, so that the generators do not have to know their depth.
 */
export const indented = (text: string): string => {
  let depth = 0
  return text
    .split("\n")
    .map((line) => {
      if (/^[})]/.test(line)) depth--
      const blanks = "  ".repeat(depth)
      if (/[{(]$/.test(line)) depth++
      return line === "" ? "" : blanks + line
    })
    .join("\n")
}

/** Two blanks for every block a line stands in, so that no generator of text needs to know its depth. */
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

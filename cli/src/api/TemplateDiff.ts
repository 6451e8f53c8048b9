/** The changes that a push makes to a template, file by file. */
import { diffText } from "../output/Diff.ts"
import type { templateFiles } from "./TemplateFile.ts"

type Files = ReturnType<typeof templateFiles>

/** Empty if the push changes nothing. `file` is the main file. */
export const filesDiff = (file: string, before: Files | undefined, after: Files): string => {
  const base = file.replace(/\.(?:html|mjml)$/, "")
  const endings = [...new Set([...(before?.others.keys() ?? []), ...after.others.keys()])].toSorted()
  const pairs = [
    [file, before?.main ?? "", after.main] as const,
    ...endings.map(
      (ending) => [`${base}.${ending}`, before?.others.get(ending) ?? "", after.others.get(ending) ?? ""] as const
    )
  ]
  return pairs
    .filter(([, old, wanted]) => old !== wanted)
    .map(([name, old, wanted]) => `${name}\n${diffText(old, wanted)}\n`)
    .join("\n")
}

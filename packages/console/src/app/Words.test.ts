/** The words of the console in its languages, without a browser. */
import { existsSync, globSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"

const source = resolve(import.meta.dirname, "..")

/** Texts that are the same in English and in German. */
const same = new Set([
  "API",
  "Alias",
  "Bounce",
  "Bounces",
  "Browser",
  "CSV",
  "Cc",
  "Code",
  "Definition",
  "Domain",
  "Domains",
  "Experiment",
  "Facebook",
  "Format",
  "GitHub",
  "HTML",
  "Host",
  "Import",
  "Instagram",
  "JSON",
  "Link",
  "LinkedIn",
  "Links",
  "Logo",
  "MJML",
  "Marketing",
  "Medium",
  "Message-ID",
  "Name",
  "Newsletter",
  "Passkeys",
  "Pause",
  "Person",
  "Pinterest",
  "Port",
  "Preheader",
  "Radius",
  "Rate",
  "Reputation",
  "SPF",
  "STARTTLS",
  "Segment",
  "Server",
  "Spam",
  "TLS",
  "Tag",
  "Tags",
  "Test",
  "Text",
  "Transport",
  "TypeScript",
  "URL",
  "Variable",
  "Version",
  "Vimeo",
  "Webhook",
  "Webhooks",
  "Website",
  "Workflow",
  "Workflows",
  "X",
  "YouTube",
  "curl",
  "In UTC",
  "Logo (BIMI)",
  "Reverse DNS",
  "Version v1"
])

type Words = { readonly [key: string]: unknown }

/** Measures, colours and addresses, which no language changes. */
const isNoWord = (text: string) => /^(?:[\d#]|https:|v1 ms$)/.test(text)

/** The texts of an object by their paths. A sentence with values is written with `v1`, `v2` and so on. */
const textsOf = (words: Words, path = ""): ReadonlyArray<readonly [path: string, text: string]> =>
  Object.entries(words).flatMap(([key, value]) => {
    const at = path === "" ? key : `${path}.${key}`
    if (typeof value === "string") return [[at, value] as const]
    if (typeof value === "function") return [[at, String(value("v1", "v2", "v3", "v4", "v5"))] as const]
    return textsOf(value as Words, at)
  })

const valuesIn = (text: string) => [...new Set(text.match(/v\d|NaN/g))].toSorted()

describe("the words of the console", () => {
  const files = globSync("**/*.de.ts", { cwd: source }).toSorted()
  const read = async (file: string) => {
    const english: Words = (await import(join(source, file.replace(".de.ts", ".ts")))).english
    const german: Words = (await import(join(source, file))).default
    return { english: textsOf(english), german: new Map(textsOf(german)) }
  }

  beforeAll(() => {
    vi.stubGlobal("localStorage", { getItem: () => null })
    vi.stubGlobal("document", { documentElement: { dataset: {} }, querySelector: () => null })
    vi.stubGlobal("navigator", { languages: ["en-US"] })
    vi.stubGlobal("location", { href: "http://127.0.0.1/console", origin: "http://127.0.0.1", pathname: "/console" })
  })
  afterAll(() => {
    vi.unstubAllGlobals()
  })

  it("are beside each other, and nowhere else", () => {
    const makers = globSync("**/*.{ts,tsx}", { cwd: source }).filter(
      (file) =>
        !/\.test\.ts$|(?:^|\/)Words\.ts$/.test(file) && readFileSync(join(source, file), "utf8").includes("wordsOf(")
    )
    assert.isAbove(makers.length, 25)
    assert.deepStrictEqual(
      makers.filter((file) => !existsSync(join(source, file.replace(/\.tsx?$/, ".de.ts")))),
      []
    )
  })

  it("have a German text for each English one, with the same values, and the same text only where it is a name", async () => {
    const faults: Array<string> = []
    const found = new Set<string>()
    for (const file of files) {
      const { english, german } = await read(file)
      assert.sameMembers(
        english.map(([path]) => path),
        [...german.keys()],
        file
      )
      for (const [path, text] of english) {
        const other = german.get(path) ?? ""
        if (text === other && /\p{L}/u.test(text.replace(/v\d|NaN/g, "")) && !isNoWord(text)) {
          found.add(text)
          if (!same.has(text)) faults.push(`${file} ${path} is "${text}" in both`)
        }
        if ((text === "") !== (other === "")) faults.push(`${file} ${path} is empty in one of them`)
        if (`${valuesIn(text)}` !== `${valuesIn(other)}`) faults.push(`${file} ${path} has other values`)
      }
    }
    assert.deepStrictEqual(faults, [])
    assert.sameMembers([...found], [...same])
  })
})

import { globSync, readFileSync } from "node:fs"
import { resolve } from "node:path"
import { assert, describe, it } from "@effect/vitest"

const root = resolve(import.meta.dirname, "../../../..")

const unshipped = /\.test\.ts$|\/testing\/|(?:Suite|Testing|Arbitraries|Fixture)\.ts$|\.d\.ts$|\.generated\.ts$/

const sources = globSync(
  "{packages/{core,contract,mailer-smtp,pglite,client,platform-node},adapters/*,cli}/src/**/*.ts",
  {
    cwd: root
  }
)
  .filter((file) => !unshipped.test(file))
  .map((file) => ({ file, text: readFileSync(resolve(root, file), "utf8") }))

/** Types and schemas whose name several modules may export, with the reason. */
const shared: { readonly [name: string]: string } = {
  Api: "the API of the contract; in the command line, the service that calls it",
  LiveTopic: "a topic of the live stream: a schema in the contract; a type in the client, which depends on nothing",
  Mailbox: "a mailbox of RFC 5322 3.4: a text in the API, an address and a name in a message",
  Needs: "what the module's layer or function needs; read as `Module.Needs`",
  Options: "the options of the module's function; read as `Module.Options`",
  Posthorn: "the entry of the client, of its Effect client and of the embedded module; a program uses one",
  PosthornOptions: "the options of these entries"
}

const declaration = /^export (?:abstract )?(?:async )?(?:const|class|function\*?|interface|let|type) (\w+)/gm

/** The modules that declare each exported name. */
const modulesOf = (files: typeof sources): ReadonlyMap<string, ReadonlyArray<string>> => {
  const declared = files.flatMap(({ file, text }) =>
    [...new Set(Array.from(text.matchAll(declaration), ([, name = ""]) => name))].map((name) => ({ file, name }))
  )
  return new Map(
    [...Map.groupBy(declared, ({ name }) => name)].map(([name, found]) => [name, found.map((one) => one.file)])
  )
}

const packageOf = (file: string): string => file.slice(0, file.indexOf("/src/"))

describe("exported names", () => {
  it("of types and schemas belong to one module of the repository", () => {
    const repeated = [...modulesOf(sources)].filter(([name, files]) => /^[A-Z]/.test(name) && files.length > 1)
    assert.deepStrictEqual(
      repeated.filter(([name]) => !(name in shared)),
      []
    )
    assert.sameMembers(
      repeated.map(([name]) => name),
      Object.keys(shared)
    )
  })

  it("of values that a package has twice are imported as part of their module or under another name", () => {
    const named = /^import \{([^}]*)\} from "\.[^"]*"/gm
    // A module of a command exports the command under its name.
    const modules = sources.filter(({ file }) => !file.startsWith("cli/src/commands/"))
    const found = [...Map.groupBy(modules, ({ file }) => packageOf(file)).values()].flatMap((files) => {
      const exporters = modulesOf(files)
      const isRepeated = (name: string) => /^[a-z]\w*$/.test(name) && (exporters.get(name)?.length ?? 0) > 1
      return files.flatMap(({ file, text }) =>
        Array.from(text.matchAll(named), ([, names = ""]) => names.split(",").map((name) => name.trim()))
          .flat()
          .filter(isRepeated)
          .map((name) => `${name} in ${file}`)
      )
    })
    assert.deepStrictEqual(found, [])
  })
})

describe("tags", () => {
  const tag = /(\/\*\*(?:(?!\*\/).)*\*\/\n)?export class (\w+) extends Context\.Service</gs
  const tags = sources.flatMap(({ file, text }) =>
    Array.from(text.matchAll(tag), ([, docstring = "", name = ""]) => ({ file, name, docstring }))
  )

  it("of the core are at most 90", () => {
    const ofCore = tags.filter(({ file }) => file.startsWith("packages/core/"))
    assert.isAtLeast(ofCore.length, 50)
    assert.isAtMost(ofCore.length, 90)
  })

  it("are all found by this test", () => {
    const found = sources.flatMap(({ text }) => text.match(/Context\.Service</g) ?? [])
    assert.strictEqual(tags.length, found.length)
  })

  it("have a docstring that says why each is one: a port, or a service with the reason", () => {
    const unexplained = tags.filter(
      ({ docstring }) => !/\b[Pp]ort\b|\bA service(?:, (?:because|so)|:)/.test(docstring.replace(/\s*\n \* /g, " "))
    )
    assert.deepStrictEqual(
      unexplained.map(({ file, name }) => `${name} in ${file}`),
      []
    )
  })
})

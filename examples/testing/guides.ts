/**
 * Writes every TypeScript block of the guides as a module of its own, with a tsconfig beside them, so that `tsc` reads what
 * people copy: `node testing/guides.ts` before `tsc -p ../node_modules/.cache/guides`.
 *
 * A block may use names that the text around it has explained; here is what they stand for.
 */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"

const root = resolve(import.meta.dirname, "../..")
const folder = join(root, "node_modules/.cache/guides")

const explained: Readonly<Record<string, string>> = {
  baseUrl: "declare const baseUrl: string",
  client: 'declare const client: import("pg").Client',
  Effect: 'import { Effect } from "effect"',
  FetchHttpClient: 'import { FetchHttpClient } from "effect/http"',
  handOver:
    'declare const handOver: (envelope: unknown, message: Uint8Array) => import("effect").Effect.Effect<import("@posthorn/core/sending/Mailer").Receipt, Error>',
  id: "declare const id: string",
  Layer: 'import { Layer } from "effect"',
  letter:
    "declare const letter: { readonly to: string; readonly from: string; readonly subject: string; readonly body: string }",
  mail: 'declare const mail: import("@posthorn/client").SendEmail',
  order: "declare const order: { readonly id: string; readonly email: string }",
  posthorn: "",
  projectId: "declare const projectId: string",
  request: "declare const request: Request",
  secretKey: 'declare const secretKey: import("effect").Redacted.Redacted',
  signal: "declare const signal: AbortSignal",
  sql: 'declare const sql: import("effect/sql").SqlClient.SqlClient'
}

/** Each guide speaks of the one that its package makes. */
const posthornOf = (page: string): string =>
  `declare const posthorn: import("@posthorn/${page.includes("client") ? "client" : "embedded"}").Posthorn`

const declares = (block: string, name: string): boolean =>
  new RegExp(`\\b(?:const|import)\\s+(?:\\{[^}]*\\b${name}\\b[^}]*\\}|${name}\\b)|\\(${name}\\) =>`).test(block)

const uses = (block: string, name: string): boolean =>
  new RegExp(`\\b${name}\\b`).test(block.replaceAll(/\/\/.*$|"[^"]*"/gm, ""))

const blocks: ReadonlyArray<{ readonly page: string; readonly block: string }> = globSync(
  ["*.md", "llms.txt", "{packages,adapters,examples}/*/*.md", "{cli,examples}/*.md"],
  { cwd: root }
)
  .sort()
  .flatMap((page) =>
    [...readFileSync(join(root, page), "utf8").matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, block = ""]) => ({
      page,
      block
    }))
  )

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
for (const [number, { page, block }] of blocks.entries()) {
  const names = Object.entries(explained).filter(([name]) => uses(block, name) && !declares(block, name))
  const before = names.map(([name, text]) => (name === "posthorn" ? posthornOf(page) : text))
  const file = `${page.replaceAll(/\W/g, "-")}-${number}.ts`
  writeFileSync(join(folder, file), `${[`// ${page}`, ...before, block, "export {}"].join("\n")}\n`)
}
writeFileSync(
  join(folder, "tsconfig.json"),
  JSON.stringify({
    extends: "../../../tsconfig.base.json",
    compilerOptions: { types: ["node"], noUnusedLocals: false, noPropertyAccessFromIndexSignature: false },
    include: ["*.ts"],
    exclude: []
  })
)

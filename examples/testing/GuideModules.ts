/**
 * The TypeScript blocks of the guides, as modules that are checked and run.
 *
 * A block may use names that the text around it has explained; they are defined here. Values that a reader replaces are
 * in the environment: the URL and the keys of a server, and a database.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Block, root, takeAll } from "./GuideBlocks.ts"

/** Inside the workspace, so that packages are found, and in a place that no other tool checks. */
export const folder = join(root, "examples/.guides")

const variable = (name: string): string => `(process.env["${name}"] ?? "")`

const embedded = `(await import("@posthorn/embedded")).createPosthorn({
  database: ${variable("DATABASE_URL")},
  mailer: { smtp: ${variable("SMTP_URL")} },
  publicUrl: "https://app.example.com",
  secret: "0123456789abcdef0123456789abcdef",
  settings: { devMode: true },
  workers: false
})`

const client = `new (await import("@posthorn/client")).Posthorn({
  baseUrl: ${variable("POSTHORN_URL")},
  secretKey: ${variable("POSTHORN_KEY")},
  publicKey: ${variable("POSTHORN_PUBLIC_KEY")}
})`

const letter = '{ to: "anna@example.com", from: "hi@posthorn.test", subject: "Hi", body: "<p>Hi</p>" }'

/** A call signed by the service. */
const request = `await (async () => {
  const { createHmac } = await import("node:crypto")
  const [id, timestamp, body] = ["call-1", String(Math.floor(Date.now() / 1000)), '{"event":"signed_up"}']
  const key = Buffer.from(${variable("POSTHORN_WEBHOOK_SECRET")}.replace("whsec_", ""), "base64")
  const signature = createHmac("sha256", key).update(\`\${id}.\${timestamp}.\${body}\`).digest("base64")
  const headers = { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": \`v1,\${signature}\` }
  return new Request("https://app.example.com/hooks", { method: "POST", headers, body })
})()`

const explained: Readonly<Record<string, string>> = {
  baseUrl: `const baseUrl = ${variable("POSTHORN_URL")}`,
  client: `const client = new (await import("pg")).default.Client(${variable("DATABASE_URL")})
await client.connect()`,
  Effect: 'import { Effect } from "effect"',
  FetchHttpClient: 'import { FetchHttpClient } from "effect/http"',
  handOver: `const handOver = (_envelope: unknown, message: Uint8Array): import("effect").Effect.Effect<import("@posthorn/core/platform/Mailer").Receipt, Error> =>
  Effect.succeed({ transport: "other1", remoteHost: "example.com", code: 250, reply: String(message.length) })`,
  id: `const id = ${variable("CONTACT_ID")}`,
  Layer: 'import { Layer } from "effect"',
  letter: `const letter = ${letter}`,
  mail: `const mail: import("@posthorn/client").SendEmail = ${letter}`,
  order: 'const order = { id: crypto.randomUUID(), email: "anna@example.com" }',
  posthorn: "",
  projectId: `const projectId = ${variable("PROJECT_ID")}`,
  request: `const request = ${request}`,
  secretKey: `const secretKey = (await import("effect")).Redacted.make(${variable("POSTHORN_KEY")})`,
  userOf: `const userOf = async (_request: Request): Promise<{ id: string; email: string; isAdmin: boolean } | null> =>
  ({ id: "42", email: "ada@example.com", isAdmin: true })`,
  signal: "const { signal } = new AbortController()",
  sql: `const database = (await import("effect")).ManagedRuntime.make(
  (await import("@effect/sql-pg")).PgClient.layer({ url: (await import("effect")).Redacted.make(${variable("DATABASE_URL")}) })
)
const sql = await database.runPromise((await import("effect/sql")).SqlClient.SqlClient)`
}

/** The guide of the package that runs inside an application use the embedded service. */
const isEmbedded = ({ page, text }: Block): boolean => page.includes("embedded") || text.includes("createPosthorn(")

const declares = (block: string, name: string): boolean =>
  new RegExp(`\\b(?:const|import)\\s+(?:\\{[^}]*\\b${name}\\b[^}]*\\}|${name}\\b)|\\(${name}\\) =>`).test(block)

const uses = (block: string, name: string): boolean =>
  new RegExp(`(?<!\\.)\\b${name}\\b`).test(block.replaceAll(/\/\/.*$|"[^"]*"/gm, ""))

/** Fills in the values that a reader would. */
const filledIn = (block: string): string =>
  block
    .replaceAll('"https://mail.example.com"', variable("POSTHORN_URL"))
    .replaceAll(/"postgres:\/\/[^"]*"/g, variable("DATABASE_URL"))
    .replaceAll(/"smtp:\/\/[^"]*"/g, variable("SMTP_URL"))
    .replaceAll('"pk_..."', variable("POSTHORN_PUBLIC_KEY"))
    .replaceAll(/(from: "[^"@]*@)[^">]*/g, "$1posthorn.test")

const moduleOf = (block: Block): string => {
  const { page, text } = block
  const names = Object.entries(explained).filter(([name]) => uses(text, name) && !declares(text, name))
  const before = names.map(([name, made]) =>
    name === "posthorn" ? `const posthorn = ${isEmbedded(block) ? `await ${embedded}` : client}` : made
  )
  const isMade = (wanted: string) => names.some(([name]) => name === wanted)
  const hasPosthorn = isMade("posthorn") || declares(text, "posthorn")
  const after = [
    ...(isMade("client") ? ["await client.end()"] : []),
    ...(isMade("sql") ? ["await database.dispose()"] : []),
    ...(isEmbedded(block) && hasPosthorn && !text.includes("posthorn.close()") ? ["await posthorn.close()"] : [])
  ]
  const imports = before.filter((line) => line.startsWith("import"))
  const made = before.filter((line) => !line.startsWith("import"))
  return `${[`// ${page}`, ...imports, ...made, filledIn(text), ...after, "export {}"].join("\n")}\n`
}

export interface Module {
  readonly page: string
  readonly file: string
}

/** In the order of the pages. */
export const writeModules = (): ReadonlyArray<Module> => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({
      extends: "../../tsconfig.base.json",
      compilerOptions: { types: ["node"], noUnusedLocals: false, noPropertyAccessFromIndexSignature: false },
      include: ["*.ts"]
    })
  )
  return takeAll("ts").map((block, number) => {
    const file = join(folder, `${block.page.replaceAll(/\W/g, "-")}-${number}.ts`)
    writeFileSync(file, moduleOf(block))
    return { page: block.page, file }
  })
}

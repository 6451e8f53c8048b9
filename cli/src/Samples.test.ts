/** The command lines of the API reference are valid, and reach the service. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { endpoints, OpenApiDocument } from "@posthorn/docs/document/OpenApiDocument"
import { cliOf, exampleOf } from "@posthorn/docs/samples/Samples"
import { Context, Effect, Layer, Schema } from "effect"
import { newFolder, posthorn } from "./testing/CommandLine.ts"

const file = new URL("../../openapi/openapi.json", import.meta.url)
const document = Schema.decodeUnknownSync(Schema.fromJsonString(OpenApiDocument))(readFileSync(file, "utf8"))
const samples = endpoints(document).map((endpoint) => ({ id: endpoint.operation.operationId, endpoint }))

/** A service that has nothing, and notes what it is asked for. */
class Empty extends Context.Service<Empty, { readonly url: string; readonly asked: Array<string> }>()(
  "posthorn/Samples.test/Empty"
) {}

const nothing = JSON.stringify({
  success: false,
  error: { code: "RESOURCE_NOT_FOUND", message: "There is nothing.", statusCode: 404, requestId: "1" },
  timestamp: "2026-03-01T09:30:00.000Z"
})

const empty = Layer.effect(
  Empty,
  Effect.acquireRelease(
    Effect.callback<{ readonly url: string; readonly asked: Array<string>; readonly close: () => void }>((resume) => {
      const asked: Array<string> = []
      const server = createServer((request, response) => {
        asked.push(`${request.method} ${request.url}`)
        request.resume()
        response.writeHead(404, { "content-type": "application/json", "x-request-id": "1" }).end(nothing)
      })
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        const port = typeof address === "object" ? address?.port : undefined
        const close = () => server.close().closeAllConnections()
        resume(Effect.succeed({ url: `http://127.0.0.1:${port}`, asked, close }))
      })
    }),
    ({ close }) => Effect.sync(close)
  ).pipe(Effect.map(({ url, asked }) => Empty.of({ url, asked })))
)

const project = { id: "019a9f3c-5e1d-7a40-8f21-0c6b1d2e3f02", name: "Shop", publicKey: `pk_${"x".repeat(43)}` }

/** A folder with the files that samples name, and with a login. */
const surroundings = (url: string) => {
  const cwd = newFolder()
  for (const name of ["forms", "templates", "workflows", "posthorn"]) mkdirSync(join(cwd, name))
  writeFileSync(join(cwd, "people.csv"), "email\nada@example.com\n")
  writeFileSync(join(cwd, "receipts.ndjson"), '{"to":"ada@example.com"}\n')
  writeFileSync(join(cwd, "logo.png"), "")
  writeFileSync(join(cwd, "routes.json"), '{"routes":[{"transportIds":["Marketing"]}]}')
  writeFileSync(join(cwd, "forms/newsletter.yaml"), "key: newsletter\nname: Newsletter\n")
  const head = "name: Welcome\nsubject: Welcome\nfrom: hello@mail.example.com\ntype: TRANSACTIONAL"
  writeFileSync(join(cwd, "templates/welcome.html"), `---\n${head}\n---\n<p>Hello</p>`)
  const workflow =
    "name: Welcome\ntriggerConfig: { eventName: signed_up }\nentry: End\nsteps: { End: { type: EXIT } }\n"
  writeFileSync(join(cwd, "workflows/welcome.yaml"), workflow)
  const profile = { url: `${url}/`, email: "ada@example.com", session: "session", project }
  writeFileSync(
    join(cwd, "posthorn/profiles.json"),
    JSON.stringify({ current: "default", profiles: { default: profile } })
  )
  const env = { POSTHORN_URL: url, POSTHORN_KEY: `sk_${"x".repeat(43)}`, XDG_CONFIG_HOME: cwd }
  return { cwd, env, input: "correct horse battery staple\n" }
}

const variables: Readonly<Record<string, string>> = { POSTHORN_PUBLIC_KEY: project.publicKey }

/** The words of a command line, as a shell reads them. */
const wordsOf = (line: string): ReadonlyArray<string> =>
  Array.from(
    line.replaceAll("\\\n", " ").matchAll(/'([^']*)'|"\$(\w+)"|(\S+)/g),
    ([, quoted, variable = "", plain = ""]) => quoted ?? variables[variable] ?? plain
  )

/** A person types these passwords. */
const asksForPassword = /^posthorn (?:login|account two-factor (?:on|off)) ?/

layer(empty)("the command line of", (it) => {
  it.effect.each(samples)("$id is valid and reaches the service", ({ endpoint }) =>
    Effect.gen(function* () {
      const { asked, url } = yield* Empty
      asked.length = 0
      const line = cliOf(endpoint)
      const [, ...words] = wordsOf(line)
      const more = asksForPassword.test(line) ? ["--password-stdin"] : []
      const { code, stderr } = yield* posthorn([...words, ...more], surroundings(url))
      assert.notStrictEqual(code, 2, `${line}\n${stderr}`)
      assert.isNotEmpty(asked, `${line}\n${stderr}`)
      if (!line.startsWith("posthorn api ")) return
      const { path, query = {} } = exampleOf(endpoint)
      const sent = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
      assert.deepStrictEqual(asked, [`${endpoint.method} ${path}${sent.size === 0 ? "" : `?${sent}`}`])
    })
  )
})

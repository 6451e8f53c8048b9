/** The samples of the reference exist, type-check, and have examples of requests and answers that fit the document. */
import { execFile } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { requestExamples } from "@posthorn/contract/service/examples/RequestExamples"
import { deviation, misfit, operations } from "@posthorn/node/endToEnd/testing/Operations"
import { Schema } from "effect"
import { assert, describe, it } from "vitest"
import { endpoints, OpenApiDocument } from "../document/OpenApiDocument.ts"
import { commandSamples } from "./CommandSamples.ts"
import { samplesOf } from "./Samples.ts"
import { answerOf } from "./SampleView.ts"

const root = join(import.meta.dirname, "../../../..")
const document = Schema.decodeUnknownSync(Schema.fromJsonString(OpenApiDocument))(
  readFileSync(join(root, "openapi/openapi.json"), "utf8")
)
const all = endpoints(document)
const operationOf = (id: string) =>
  operations.find((operation) => operation.id === id) ?? assert.fail(`openapi.json has no operation ${id}`)

describe("every operation of openapi.json", () => {
  it("has a sample for curl, for TypeScript and for the command line", () => {
    assert.strictEqual(all.length, operations.length)
    for (const endpoint of all) {
      const { operationId } = endpoint.operation
      const { curl, typescript, cli } = samplesOf(endpoint, document)
      assert.match(curl, /^curl (?:-N |-X [A-Z]+ )?"\$POSTHORN_URL\//, operationId)
      assert.match(typescript, /await (?:posthorn|fetch)|for await/, operationId)
      assert.match(cli, /^posthorn [a-z]/, operationId)
      for (const sample of [curl, typescript, cli]) assert.notMatch(sample, /\{[a-z][A-Za-z]*\}|undefined/, operationId)
    }
  })

  it("has an example of its request that matches the document, if it has a body", () => {
    for (const { id, body } of operations) {
      const example = requestExamples[id]?.body
      if (body === undefined) assert.isUndefined(example, id)
      else if (example !== undefined) assert.isUndefined(misfit(body, example), id)
    }
    const without = operations
      .filter(({ id, body }) => body !== undefined && requestExamples[id]?.body === undefined)
      .map(({ id }) => id)
    assert.deepStrictEqual(without, [])
  })

  it("has an example of its response that matches the document", () => {
    for (const endpoint of all) {
      const { operationId } = endpoint.operation
      const operation = operationOf(operationId)
      const { status, type, text = "" } = answerOf(endpoint, document)
      const headers = new Headers(Object.keys(operation.responses[status]?.headers ?? {}).map((name) => [name, "1"]))
      if (type !== undefined) headers.set("content-type", type)
      assert.isUndefined(deviation(operation, { status: Number(status), headers, text }), operationId)
    }
  })

  it("exists for every example, query and command of the lists", () => {
    const known = new Set(operations.map(({ id }) => id))
    for (const id of [...Object.keys(requestExamples), ...Object.keys(commandSamples)]) assert.include([...known], id)
    for (const { id, query } of operations) {
      assert.includeMembers([...query], Object.keys(requestExamples[id]?.query ?? {}), id)
    }
  })
})

describe("the samples in TypeScript", () => {
  /** All samples in one file, each in a function of its own. */
  const program = () => {
    const imports = new Set<string>()
    const bodies = all.map((endpoint) => {
      const lines = samplesOf(endpoint, document).typescript.split("\n")
      for (const line of lines) if (line.startsWith("import ")) imports.add(line)
      const rest = lines.filter((line) => !line.startsWith("import "))
      return `export const sample_${endpoint.operation.operationId.replace(".", "_")} = async () => {\n${rest.join("\n")}\n}`
    })
    return [...imports, ...bodies].join("\n")
  }

  const check = async (name: string, text: string) => {
    const folder = join(root, "node_modules/.cache/reference-samples", name)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, "samples.ts"), text)
    const compilerOptions = {
      strict: true,
      module: "nodenext",
      target: "esnext",
      lib: ["esnext"],
      types: ["node"],
      typeRoots: [join(root, "node_modules/@types")],
      allowImportingTsExtensions: true,
      skipLibCheck: true,
      noEmit: true
    }
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["samples.ts"] }))
    const tsc = join(root, "node_modules/@typescript/native/bin/tsc")
    return promisify(execFile)(process.execPath, [tsc, "-p", folder]).then(
      () => "",
      ({ stdout }: { readonly stdout: string }) => stdout
    )
  }

  it("type-check", async () => {
    assert.strictEqual(await check("all", program()), "")
  })

  it("would not type-check with a field that the client does not know", async () => {
    assert.include(await check("wrong", program().replace("email:", "e_mail:")), "e_mail")
  })
})

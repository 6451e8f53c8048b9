import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { rolldown } from "rolldown"
import { assert, describe, it } from "vitest"

/** The documented size of the whole client, minified and gzipped. */
const budget = 6 * 1024

describe("The bundle", () => {
  it("stands alone, fits into its budget and runs without Node", async () => {
    const bundle = await rolldown({
      input: fileURLToPath(new URL("index.ts", import.meta.url)),
      platform: "browser",
      treeshake: false
    })
    const { output } = await bundle.generate({ minify: true })
    await bundle.close()
    assert.lengthOf(output, 1)
    const [{ code, imports, dynamicImports }] = output
    assert.isEmpty([...imports, ...dynamicImports])
    assert.notMatch(code, /\bnode:|\brequire\(|\bprocess\.|\bBuffer\b|\bglobal\./)
    assert.isAtMost(gzipSync(code).length, budget)
  })

  it("of React adds at most 1.5 kB, and only it needs React", async () => {
    const here = fileURLToPath(new URL("react.ts", import.meta.url))
    const bundle = await rolldown({ input: here, platform: "browser", external: (id) => id !== here })
    const { output } = await bundle.generate({ minify: true })
    await bundle.close()
    const [{ code, imports }] = output
    assert.deepStrictEqual(
      imports.filter((name) => !name.endsWith(".ts")),
      ["@react-email/render"]
    )
    assert.isAtMost(gzipSync(code).length, 1_536)
  })
})

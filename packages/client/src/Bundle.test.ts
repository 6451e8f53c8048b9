import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { rolldown } from "rolldown"
import { assert, describe, it } from "vitest"

/** The documented maximum sizes of the client, minified and gzipped. */
const budgets = [
  ["index.ts", 10_000],
  ["session.ts", 13_000]
] as const

const bundled = async (file: string, treeshake: boolean) => {
  const bundle = await rolldown({
    input: fileURLToPath(new URL(file, import.meta.url)),
    platform: "browser",
    treeshake
  })
  const { output } = await bundle.generate({ minify: true })
  await bundle.close()
  assert.lengthOf(output, 1)
  return output[0]
}

describe("The bundle", () => {
  it.each(budgets)(
    "of %s has no dependencies, stays within its size limit and runs without Node",
    async (file, budget) => {
      const { code, imports, dynamicImports } = await bundled(file, false)
      assert.isEmpty([...imports, ...dynamicImports])
      assert.notMatch(code, /\bnode:|\brequire\(|\bprocess\.|\bBuffer\b|\bglobal\./)
      assert.isAtMost(gzipSync(code).length, budget)
    }
  )

  it("for keys has no operation of a session, and the bundle for sessions none that only keys can use", async () => {
    const ofKey = await bundled("index.ts", true)
    const ofSession = await bundled("session.ts", true)
    // As arguments of a call: the session's table of operations has all paths.
    assert.match(ofKey.code, /POST[`"],[`"]\/v1\/send[`"]/)
    assert.notInclude(ofKey.code, "/auth/login")
    assert.match(ofSession.code, /POST[`"],[`"]\/auth\/login[`"]/)
    assert.notMatch(ofSession.code, /POST[`"],[`"]\/v1\/send[`"]/)
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

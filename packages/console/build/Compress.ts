/** Writes a gzip and a Brotli file beside each file of the build that gets smaller by it. */
import { globSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { brotliCompressSync, constants, gzipSync } from "node:zlib"
import type { Plugin } from "vite"

const compressible = /\.(?:js|css|svg|html|json)$/

export const compress = (folder: string): Plugin => ({
  name: "posthorn-compress",
  apply: "build",
  closeBundle() {
    for (const name of globSync("**/*", { cwd: folder })) {
      const path = join(folder, name)
      if (!compressible.test(name) || !statSync(path).isFile()) continue
      const content = readFileSync(path)
      writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }))
      writeFileSync(`${path}.br`, brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }))
    }
  }
})

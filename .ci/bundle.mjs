// `node .ci/bundle.mjs FOLDER [--with-server]` bundles the program `posthorn` as it is published, with the libraries it
// uses. A start then reads a dozen files instead of two thousand, and loads only the code that it uses.
import { globSync, readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { rolldown } from "rolldown"

const root = resolve(import.meta.dirname, "..")

/**
 * Installed beside the program, because they contain more than code: a database, one native library for each platform,
 * the files of the console, and WebAssembly.
 */
export const installed = ["@electric-sql/pglite", "@node-rs/argon2", "@posthorn/console", "mrml"]

const isInstalled = (id) => installed.some((name) => id === name || id.startsWith(`${name}/`))

/** The folder of a third-party library, from one of its files. */
const libraryOf = (file) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0]

/** The licences require a copy with every distribution. */
const notice = (library) => {
  const { name, version, license } = JSON.parse(readFileSync(join(library, "package.json"), "utf8"))
  const [file] = globSync("{LICENSE,LICENCE,license,licence}*", { cwd: library })
  const text = file === undefined ? `Licence: ${license}` : readFileSync(join(library, file), "utf8").trim()
  return `${name} ${version}\n\n${text}\n`
}

/**
 * Writes the program into `dist` of the folder, with the licences of the libraries that it contains. `more` names other
 * programs that share its files.
 */
export const bundle = async (folder, more = {}) => {
  const program = await rolldown({
    input: {
      main: join(root, "cli/src/main.ts"),
      Thread: join(root, "adapters/node/src/lease/Thread.ts"),
      TextThread: join(root, "packages/platform-node/src/text/TextThread.ts"),
      MjmlThread: join(root, "packages/platform-node/src/text/MjmlThread.ts"),
      ...more
    },
    platform: "node",
    external: (id) => isInstalled(id) || id === "pg-native",
    plugins: [
      {
        name: "threads",
        // A thread is started by the path of its file, so the file is beside the others.
        transform: (code) =>
          code.includes("import.meta.url")
            ? code.replace(/new URL\("\.\/(\w+)\.ts", import\.meta\.url\)/g, 'new URL("./$1.js", import.meta.url)')
            : undefined
      }
    ]
  })
  const { output } = await program.write({
    dir: join(folder, "dist"),
    format: "esm",
    comments: { legal: true, annotation: false, jsdoc: false },
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js"
  })
  await program.close()
  const files = output.flatMap((chunk) => (chunk.type === "chunk" ? Object.keys(chunk.modules) : []))
  const libraries = new Set(files.map(libraryOf).filter((library) => library !== undefined))
  const notices = [...libraries].toSorted().map(notice)
  writeFileSync(join(folder, "NOTICES"), notices.join(`\n${"-".repeat(80)}\n\n`))
}

if (import.meta.main) {
  const [folder, more] = process.argv.slice(2)
  if (folder === undefined) throw new Error("Usage: node .ci/bundle.mjs FOLDER [--with-server]")
  await bundle(resolve(folder), more === "--with-server" ? { server: join(root, "adapters/node/src/main.ts") } : {})
}

/** Whether `dist` was built from the sources as they are: the hash of sources and lock file is kept in `dist/stamp`. */
import { createHash } from "node:crypto"
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"

const home = resolve(import.meta.dirname, "..")
const root = resolve(home, "../..")

const sources = ["index.html", "vite.config.ts", "package.json", "build/*.ts", "public/*", "src/**/*.{ts,tsx,css}"]
const outside = ["package-lock.json", "packages/client/src/**/*.ts"]

export const currentStamp = (): string => {
  const hash = createHash("sha256")
  const add = (folder: string, patterns: ReadonlyArray<string>) => {
    for (const name of globSync([...patterns], { cwd: folder }).toSorted()) {
      if (/\.test\.ts$|\/testing\//.test(name)) continue
      hash
        .update(name)
        .update("\0")
        .update(readFileSync(join(folder, name)))
        .update("\0")
    }
  }
  add(home, sources)
  add(root, outside)
  return hash.digest("base64url")
}

const file = join(home, "dist/stamp")

export const isBuilt = (): boolean => existsSync(file) && readFileSync(file, "utf8") === currentStamp()

export const stampBuild = (stamp: string): void => writeFileSync(file, stamp)

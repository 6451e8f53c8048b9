/** The built files, and the form in which a request takes one. */
import { existsSync, globSync, readFileSync, statSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { extname, join } from "node:path"

const types: { readonly [extension: string]: string } = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
  ".mjml": "text/plain; charset=utf-8",
  ".json": "application/json"
}

export interface BuiltFile {
  readonly type: string
  /** The content, in the first encoding that the request takes. */
  readonly read: (
    accepted: string
  ) => Promise<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly encoding: string | null }>
}

const encodings = [
  ["br", ".br"],
  ["gzip", ".gz"]
] as const

/** Whether `Accept-Encoding` names the encoding with a weight above zero (RFC 9110, 12.5.3). */
const takes = (accepted: string, encoding: string) =>
  accepted.split(",").some((choice) => {
    const [name = "", weight = ""] = choice.trim().toLowerCase().split(";")
    return name.trim() === encoding && !/^\s*q=0(?:\.0*)?\s*$/.test(weight)
  })

const bytesOf = async (path: string): Promise<Uint8Array<ArrayBuffer>> => new Uint8Array(await readFile(path))

const built = (path: string): BuiltFile => {
  const forms = encodings.filter(([, suffix]) => existsSync(path + suffix))
  return {
    type: types[extname(path)] ?? "application/octet-stream",
    read: async (accepted) => {
      const form = forms.find(([encoding]) => takes(accepted, encoding))
      return { bytes: await bytesOf(path + (form?.[1] ?? "")), encoding: form?.[0] ?? null }
    }
  }
}

/** The files of a build by their path, and the text of its index page. */
export interface Build {
  /** What the build was made from. */
  readonly stamp: string
  readonly files: ReadonlyMap<string, BuiltFile>
  readonly index: string
}

/** Undefined while there is no whole build: the stamp is written last. */
export const stampOf = (folder: string): string | undefined => {
  const file = join(folder, "stamp")
  return existsSync(file) ? readFileSync(file, "utf8") : undefined
}

export const readBuild = (folder: string): Build | undefined => {
  const stamp = stampOf(folder)
  if (stamp === undefined) return undefined
  const names = globSync("**/*", { cwd: folder }).filter(
    (name) => !/\.(?:br|gz)$|^stamp$|^index\.html$/.test(name) && statSync(join(folder, name)).isFile()
  )
  return {
    stamp,
    files: new Map(names.map((name) => [name.replaceAll("\\", "/"), built(join(folder, name))])),
    index: readFileSync(join(folder, "index.html"), "utf8")
  }
}

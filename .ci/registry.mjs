// An npm registry on this machine, for tests of a release. It has what is published to it, and redirects requests for
// other packages to the registry that npm is configured with.

import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { once } from "node:events"
import { createServer } from "node:http"
import { json } from "node:stream/consumers"

const digest = (algorithm, content, encoding) => createHash(algorithm).update(content).digest(encoding)

/** What `npm publish` sends: the manifest of one version, and its tarball in base64. */
const publication = ({ versions, _attachments: files }) => {
  const [manifest, ...others] = Object.values(versions)
  const [file] = Object.values(files)
  if (others.length > 0) throw new Error("A publication has one version.")
  const tarball = Buffer.from(file.data, "base64")
  const { integrity, shasum } = manifest.dist
  if (integrity !== `sha512-${digest("sha512", tarball, "base64")}` || shasum !== digest("sha1", tarball, "hex"))
    throw new Error(`${manifest.name}: the tarball differs from its checksum.`)
  return { manifest, tarball }
}

/** Starts a registry. `published` has the manifests that were published to it, in their order. */
export const startRegistry = async () => {
  const upstream = execFileSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).trim()
  const packages = new Map()
  const published = []

  const publish = async (request, name) => {
    const { manifest, tarball } = publication(await json(request))
    const known = packages.get(name) ?? new Map()
    if (manifest.name !== name) return 400
    if (known.has(manifest.version)) return 409
    packages.set(name, known.set(manifest.version, { manifest, tarball }))
    published.push(manifest)
    return 201
  }
  const document = (url, name, versions) => ({
    name,
    "dist-tags": { latest: [...versions.keys()].at(-1) },
    versions: Object.fromEntries(
      [...versions].map(([version, { manifest }]) => [
        version,
        { ...manifest, dist: { ...manifest.dist, tarball: `${url}-/tarball/${encodeURIComponent(name)}/${version}` } }
      ])
    )
  })
  const answer = async (request, response) => {
    const [first = "", kind, ofName, version] = request.url.slice(1).split("?")[0].split("/")
    const name = decodeURIComponent(kind === "tarball" ? ofName : first)
    const send = (status, body) => response.writeHead(status, { "content-type": "application/json" }).end(body)
    if (request.method === "PUT") return send(await publish(request, name), "{}")
    const versions = packages.get(name)
    if (versions === undefined)
      return response.writeHead(302, { location: new URL(request.url.slice(1), upstream).href }).end()
    if (kind === "tarball") return response.end(versions.get(version).tarball)
    send(200, JSON.stringify(document(url, name, versions)))
  }
  const server = createServer((request, response) => {
    answer(request, response).catch(({ message }) => response.writeHead(400).end(JSON.stringify({ error: message })))
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const url = `http://127.0.0.1:${server.address().port}/`
  return {
    published,
    /** Makes npm use this registry. Publishing asks for some token; this registry takes any. */
    env: { npm_config_registry: url, [`npm_config_//127.0.0.1:${server.address().port}/:_authToken`]: "any" },
    close: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}

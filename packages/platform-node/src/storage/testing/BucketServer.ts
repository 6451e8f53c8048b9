/** A bucket that verifies signatures (AWS Signature Version 4). For tests. */
import { createHash, createHmac } from "node:crypto"
import type { IncomingMessage } from "node:http"
import { Deferred, Effect, Redacted } from "effect"
import { localServer } from "../../testing/LocalServer.ts"

interface Account {
  readonly bucket: string
  readonly accessKey: string
  readonly secretKey: Redacted.Redacted<string>
  /** Accepts requests and never answers. */
  readonly isSilent?: boolean
  /** Denies access to missing files, as storage does for a client that may not list the bucket. */
  readonly hidesAbsent?: boolean
}

const sha256 = (content: string | Uint8Array) => createHash("sha256").update(content).digest("hex")
const hmac = (key: string | Uint8Array, text: string) => createHmac("sha256", key).update(text).digest()

const form =
  /^AWS4-HMAC-SHA256 Credential=(?<id>[^/]+)\/(?<day>\d{8})\/(?<region>[^/]+)\/(?<service>[^/]+)\/aws4_request, SignedHeaders=(?<names>[^,]+), Signature=(?<signature>[0-9a-f]{64})$/

const headerOf = ({ headers }: IncomingMessage, name: string) => String(headers[name] ?? "")

const isSigned = (request: IncomingMessage, body: Uint8Array, { accessKey, secretKey }: Account): boolean => {
  const { id, day, region, service, names, signature } = form.exec(headerOf(request, "authorization"))?.groups ?? {}
  const time = headerOf(request, "x-amz-date")
  const payload = headerOf(request, "x-amz-content-sha256")
  if (id !== accessKey || day === undefined || region === undefined || names === undefined || service !== "s3")
    return false
  if (!time.startsWith(day) || !names.split(";").includes("host")) return false
  if (payload !== "UNSIGNED-PAYLOAD" && payload !== sha256(body)) return false
  const canonical = [
    request.method,
    request.url,
    "",
    ...names.split(";").map((name) => `${name}:${headerOf(request, name).trim()}`),
    "",
    names,
    payload
  ].join("\n")
  const scope = `${day}/${region}/s3/aws4_request`
  const key = [day, region, "s3", "aws4_request"].reduce<string | Uint8Array>(hmac, `AWS4${Redacted.value(secretKey)}`)
  const wanted = hmac(key, ["AWS4-HMAC-SHA256", time, scope, sha256(canonical)].join("\n"))
  return wanted.toString("hex") === signature
}

const bodyOf = async (request: IncomingMessage) => {
  const chunks: Array<Uint8Array> = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

export const bucketServer = Effect.fnUntraced(function* (account: Account) {
  const objects = new Map<
    string,
    { readonly content: Uint8Array; readonly type: string; readonly cacheControl: string }
  >()
  const asked = yield* Deferred.make<void>()
  const methods: Array<string | undefined> = []
  let refused = 0
  const prefix = `/${account.bucket}/`
  const fault = (status: number, code: string) => [status, Buffer.from(`<Error><Code>${code}</Code></Error>`)] as const

  const answer = (request: IncomingMessage, body: Uint8Array): readonly [status: number, content?: Uint8Array] => {
    methods.push(request.method)
    if (!isSigned(request, body, account)) {
      refused++
      return fault(403, "SignatureDoesNotMatch")
    }
    if (!request.url?.startsWith(prefix)) return fault(404, "NoSuchBucket")
    const key = request.url.slice(prefix.length)
    if (request.method === "PUT") {
      const type = headerOf(request, "content-type")
      objects.set(key, { content: body, type, cacheControl: headerOf(request, "cache-control") })
      return [200]
    }
    if (request.method === "DELETE") {
      objects.delete(key)
      return [204]
    }
    const found = objects.get(key)
    if (found !== undefined) return [200, found.content]
    return account.hidesAbsent ? fault(403, "AccessDenied") : fault(404, "NoSuchKey")
  }

  const port = yield* localServer(async (request, response) => {
    const body = await bodyOf(request)
    Deferred.doneUnsafe(asked, Effect.void)
    if (account.isSilent) return
    const [status, content] = answer(request, body)
    response.writeHead(status, { "content-length": content?.length ?? 0 }).end(content)
  })
  return { url: `http://127.0.0.1:${port}`, objects, asked: Deferred.await(asked), methods, refused: () => refused }
})

/** Uploaded files in a bucket of any S3-compatible storage, with path-style URLs. */
import { ObjectStorage, StorageFailed } from "@posthorn/core/content/uploads/ObjectStorage"
import { AwsClient } from "aws4fetch"
import { Data, Duration, Effect, Layer, Option, Redacted, Stream } from "effect"

export interface Bucket {
  /** For example `https://s3.eu-west-1.amazonaws.com`; the region is read from it if it names one. */
  readonly endpoint: string
  readonly bucket: string
  readonly accessKey: string
  readonly secretKey: Redacted.Redacted<string>
  /** The base of the URLs of files if the bucket serves them; otherwise this service does. */
  readonly publicUrl: string | undefined
}

const timeout = Duration.seconds(30)
/**
 * Codes that mean that no file has the key. Without the permission to list the bucket, the storage denies access to a
 * missing file. A wrong secret or bucket gives another code.
 */
const noKey = "readiness-check"
const neverChanges = "public, max-age=31536000, immutable"

class UnexpectedAnswer extends Data.TaggedError("UnexpectedAnswer")<{
  readonly method: string
  readonly status: number
}> {
  override readonly message = `The storage answered ${this.method} with ${this.status}.`
}

export const make = ({ endpoint, bucket, accessKey, secretKey, publicUrl }: Bucket): ObjectStorage => {
  // The client does not retry; its caller decides.
  const client = new AwsClient({
    accessKeyId: accessKey,
    secretAccessKey: Redacted.value(secretKey),
    service: "s3",
    retries: 0
  })

  const ask = (
    method: string,
    key: string,
    init: { readonly body?: Uint8Array<ArrayBuffer>; readonly headers?: Record<string, string> } = {}
  ) =>
    Effect.tryPromise({
      try: (signal) => client.fetch(`${endpoint}/${bucket}/${key}`, { method, redirect: "error", signal, ...init }),
      catch: (cause) => new StorageFailed({ cause })
    }).pipe(
      Effect.timeoutOrElse({
        duration: timeout,
        orElse: () => Effect.fail(new StorageFailed({ cause: new Error("The storage does not answer.") }))
      })
    )

  const unexpected = (method: string, { status }: Response) =>
    Effect.fail(new StorageFailed({ cause: new UnexpectedAnswer({ method, status }) }))

  const sizeOf = ({ headers }: Response): number | undefined => {
    const length = Number(headers.get("content-length") ?? Number.NaN)
    return Number.isInteger(length) ? length : undefined
  }

  const drained = (response: Response) => Effect.promise(() => response.body?.cancel() ?? Promise.resolve())

  return {
    put: Effect.fn("S3Storage.put")(function* (key, content, contentType) {
      const response = yield* ask("PUT", key, {
        body: Uint8Array.from(content),
        headers: { "content-type": contentType, "cache-control": neverChanges }
      })
      yield* drained(response)
      if (!response.ok) yield* unexpected("PUT", response)
    }),
    get: Effect.fn("S3Storage.get")(function* (key) {
      const response = yield* ask("GET", key)
      const { body, ok, status } = response
      if (ok && body !== null) {
        const content = Stream.fromReadableStream({
          evaluate: () => body,
          onError: (cause) => new StorageFailed({ cause })
        })
        return Option.some({ size: sizeOf(response), content })
      }
      yield* drained(response)
      return status === 404 ? Option.none() : yield* unexpected("GET", response)
    }),
    look: Effect.fn("S3Storage.look")(function* (key) {
      const response = yield* ask("HEAD", key)
      yield* drained(response)
      if (response.ok) return Option.some({ size: sizeOf(response) })
      return response.status === 404 ? Option.none() : yield* unexpected("HEAD", response)
    }),
    delete: Effect.fn("S3Storage.delete")(function* (key) {
      const response = yield* ask("DELETE", key)
      yield* drained(response)
      if (!response.ok && response.status !== 404) yield* unexpected("DELETE", response)
    }),
    check: Effect.gen(function* () {
      const response = yield* ask("GET", noKey)
      const text = yield* Effect.tryPromise({
        try: () => response.text(),
        catch: (cause) => new StorageFailed({ cause })
      })
      const code = /<Code>(\w+)<\/Code>/.exec(text)?.[1]
      const isIn = response.status === 404 ? code !== "NoSuchBucket" : response.ok || code === "AccessDenied"
      if (!isIn) yield* unexpected("GET", response)
    }).pipe(Effect.withSpan("S3Storage.check")),
    kind: "s3",
    publicUrl: (key) => (publicUrl === undefined ? undefined : `${publicUrl}/${key}`)
  }
}

export const layer = (bucket: Bucket): Layer.Layer<never> => Layer.succeed(ObjectStorage, make(bucket))

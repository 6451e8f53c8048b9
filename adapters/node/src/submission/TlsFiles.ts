/** The certificate and key of the submission service. Reads their PEM files again when they change. */
import { readFile, stat } from "node:fs/promises"
import { createSecureContext } from "node:tls"
import { Data, Effect, Schedule } from "effect"

/** The paths of the files. */
export interface TlsFiles {
  readonly cert: string
  readonly key: string
}

export interface TlsCertificate {
  /** PEM. */
  readonly cert: string
  readonly key: string
}

export class UnusableCertificate extends Data.TaggedError("UnusableCertificate")<{
  readonly files: TlsFiles
  readonly reason: string
}> {
  override get message() {
    const { cert, key } = this.files
    return `The certificate ${cert} (POSTHORN_SUBMISSION_TLS_CERT) with the key ${key} (POSTHORN_SUBMISSION_TLS_KEY) cannot be used: ${this.reason}.`
  }
}

/** Reads both files and checks that they belong together. */
export const read = (files: TlsFiles): Effect.Effect<TlsCertificate, UnusableCertificate> =>
  Effect.tryPromise({
    try: async () => {
      const [cert, key] = await Promise.all([readFile(files.cert, "utf8"), readFile(files.key, "utf8")])
      createSecureContext({ cert, key })
      return { cert, key }
    },
    catch: (cause) => new UnusableCertificate({ files, reason: cause instanceof Error ? cause.message : String(cause) })
  })

/** Changes with the content of the files, also where a link to them changes. */
const versionOf = (files: TlsFiles): Effect.Effect<string> =>
  Effect.forEach([files.cert, files.key], (path) =>
    Effect.tryPromise(() => stat(path)).pipe(
      Effect.map(({ ino, mtimeMs, size }) => `${ino} ${mtimeMs} ${size}`),
      Effect.catch(() => Effect.succeed("absent"))
    )
  ).pipe(Effect.map((versions) => versions.join(", ")))

/**
 * Checks the files every ten seconds while the fiber runs. Files that cannot be used change nothing, for example while
 * only one of them has been replaced.
 */
export const watch = Effect.fnUntraced(function* (
  files: TlsFiles,
  use: (certificate: TlsCertificate) => void,
  every: "10 seconds" | "100 millis" = "10 seconds"
) {
  let known = yield* versionOf(files)
  const look = Effect.gen(function* () {
    const version = yield* versionOf(files)
    if (version === known) return
    known = version
    const found = yield* Effect.result(read(files))
    if (found._tag === "Failure")
      return yield* Effect.logWarning(`${found.failure.message} The old certificate stays in use.`)
    use(found.success)
    yield* Effect.logInfo("The submission service uses its new certificate", files)
  })
  return yield* Effect.repeat(look, Schedule.spaced(every))
})

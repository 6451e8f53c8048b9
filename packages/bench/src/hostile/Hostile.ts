/**
 * Fills every text of a server with every hostile shape of n and 2n characters. The time must not grow faster than the
 * text, and no other request may wait.
 */
import { hostileFields, type Tally } from "@posthorn/node/endToEnd/testing/HostileFields"
import { operations as documented, type Operation } from "@posthorn/node/endToEnd/testing/Operations"
import { Effect, Option } from "effect"
import * as Known from "../fuzz/Known.ts"
import { samples } from "../fuzz/Requests.ts"
import { signUp } from "../fuzz/SignUp.ts"
import * as Target from "../fuzz/Target.ts"
import * as Things from "../fuzz/Things.ts"

export interface Options {
  /** Shapes of each field; neighbouring fields get different ones. */
  readonly shapes: number
  /** Characters of a field without its own limit. */
  readonly longest: number
  readonly seed: number
  /** Operations, or groups of them (`templates` is all of `templates.create` and so on). Default: all. */
  readonly operations?: ReadonlyArray<string> | undefined
  /** Position of the first field that is tried. */
  readonly from: number
  /** Minutes after which no further field is tried. */
  readonly minutes: number
  /** Findings of an earlier run. Only these are tried. */
  readonly again?: ReadonlyArray<string> | undefined
}

/** Milliseconds that the event loop may be blocked. */
const mostStanding = 100
/** Milliseconds of work below which nothing is a finding. */
const quick = 20

/** A run takes hours; this shows how far it is, and what it has found. */
const printProgress = ({
  at,
  fields,
  findings
}: {
  readonly at: number
  readonly fields: number
  readonly findings: ReadonlyArray<string>
}) => {
  for (const finding of findings) globalThis.console.error(finding)
  if (at % 50 === 0) globalThis.console.error(`${at} of ${fields} fields`)
}

const named = (operations: ReadonlyArray<string>) => (field: string) => {
  const [id = ""] = field.split(" ")
  return operations.some((name) => id === name || id.startsWith(`${name}.`))
}

const among = (findings: ReadonlyArray<string>) => (field: string, shape: string) =>
  findings.some((finding) => finding.startsWith(`${field}, ${shape}: `))

/** The resource must outlast the run. */
const keepsResource = ({ method, path }: Operation) => method !== "DELETE" && !path.endsWith("/cancel")

const unknownId = "019a0000-0000-7000-8000-00000000ffff"

/** The parameters of a path, as in the same path with values. */
const filled = (path: string, known: string) => {
  const values = known.split("/")
  return path
    .split("/")
    .map((segment, at) => (segment.startsWith("{") ? (values[at] ?? unknownId) : segment))
    .join("/")
    .replaceAll(/\{\w+\}/g, unknownId)
}

export const hostile = Effect.fn("hostile")(function* ({
  again,
  from,
  longest,
  minutes,
  operations,
  seed,
  shapes
}: Options) {
  const { sender, domain, server } = yield* Target.start("hostile", 0)
  const user = yield* signUp(server.url, "hostile")
  const { session } = user
  const fitting = new Map(Array.from(yield* samples(seed, domain), ([id, [first]]) => [id, first]))
  const hello = { from: `hello@${domain}`, subject: "Hello", body: "<p>Hello</p>" }
  for (const id of ["send", "emails.send"]) fitting.set(id, { ...hello, to: "anna@example.org" })
  fitting.set("batch", { emails: [{ ...hello, to: "anna@example.org" }], defaults: {}, atomic: true })
  fitting.set("templates.create", { ...hello, name: "News" })
  fitting.set("campaigns.create", { ...hello, name: "News", audienceType: "ALL" })
  // What a text of an existing resource meets, an unknown one hides with 404.
  const known = Known.make({ projects: sender.id, templates: sender.template, versions: "1", tags: "order" })
  yield* Things.make(server.url, { ...user, secretKey: sender.key, publicKey: sender.publicKey }, known, domain, 0)
  for (const [id, body] of fitting) fitting.set(id, yield* known.filled(body))
  const paths = new Map<string, string>()
  for (const operation of documented) {
    const segments = yield* Effect.forEach(operation.path.split("/"), (segment, at) =>
      segment.startsWith("{") && keepsResource(operation)
        ? Effect.map(
            known.any(Known.kindOfParameter(operation.path, at)),
            Option.getOrElse(() => unknownId)
          )
        : Effect.succeed(segment)
    )
    paths.set(operation.id, segments.join("/"))
  }
  const keys = { secretKey: sender.key, publicKey: sender.publicKey }
  return yield* Effect.promise(
    (): Promise<Tally> =>
      hostileFields(
        {
          url: server.url,
          pid: server.pid,
          headersOf: ({ key, sessionOnly }) => ({
            ...(key !== undefined && { authorization: `Bearer ${keys[key]}` }),
            ...(sessionOnly && { cookie: `posthorn_session=${session}` })
          }),
          sampleOf: ({ id }) => fitting.get(id),
          pathOf: ({ id, path }) => filled(path, paths.get(id) ?? path)
        },
        {
          shapes,
          longest,
          mostStanding,
          quick,
          onField: printProgress,
          from,
          duration: minutes * 60_000,
          ...(operations && { fields: named(operations) }),
          ...(again && { only: among(again) })
        }
      )
  )
})

/**
 * Fills every text of a server with every hostile shape of n and 2n characters. The time must not grow faster than the
 * text, and no other request may wait.
 */
import { hostileFields, type Tally } from "@posthorn/node/endToEnd/testing/HostileFields"
import { Effect } from "effect"
import { samples } from "../fuzz/Requests.ts"
import { signUp } from "../fuzz/SignUp.ts"
import * as Target from "../fuzz/Target.ts"

export interface Options {
  /** Shapes of each field; neighbouring fields get different ones. */
  readonly shapes: number
  /** Characters of a field without its own limit. */
  readonly longest: number
  readonly seed: number
  /** Operations, or groups of them (`templates` is all of `templates.create` and so on). Default: all. */
  readonly operations?: ReadonlyArray<string> | undefined
  /** Findings of an earlier run. Only these are tried. */
  readonly again?: ReadonlyArray<string> | undefined
}

/** Milliseconds that the event loop may be blocked. */
const mostStanding = 100
/** Milliseconds below which an answer proves nothing. */
const quick = 100

/** A run takes an hour; this shows how far it is. */
const printTenth = ({
  done,
  fields,
  findings
}: {
  readonly done: number
  readonly fields: number
  readonly findings: number
}) => {
  if (done % 10 === 0) globalThis.console.error(`${done} of ${fields} fields, ${findings} findings`)
}

const named = (operations: ReadonlyArray<string>) => (field: string) => {
  const [id = ""] = field.split(" ")
  return operations.some((name) => id === name || id.startsWith(`${name}.`))
}

const among = (findings: ReadonlyArray<string>) => (field: string, shape: string) =>
  findings.some((finding) => finding.startsWith(`${field}, ${shape}: `))

const unknownId = "019a0000-0000-7000-8000-00000000ffff"

export const hostile = Effect.fn("hostile")(function* ({ again, longest, operations, seed, shapes }: Options) {
  const { sender, domain, server } = yield* Target.start("hostile", 0)
  const { session } = yield* signUp(server.url, "hostile")
  const fitting = new Map(Array.from(yield* samples(seed, domain), ([id, [first]]) => [id, first]))
  const hello = { from: `hello@${domain}`, subject: "Hello", body: "<p>Hello</p>" }
  for (const id of ["send", "emails.send"]) fitting.set(id, { ...hello, to: "anna@example.org" })
  fitting.set("batch", { emails: [{ ...hello, to: "anna@example.org" }], defaults: {}, atomic: true })
  fitting.set("templates.create", { ...hello, name: "News" })
  fitting.set("campaigns.create", { ...hello, name: "News", audienceType: "ALL" })
  const keys = { secretKey: sender.key, publicKey: sender.publicKey }
  return yield* Effect.promise(
    (): Promise<Tally> =>
      hostileFields(
        {
          url: server.url,
          headersOf: ({ key, sessionOnly }) => ({
            ...(key !== undefined && { authorization: `Bearer ${keys[key]}` }),
            ...(sessionOnly && { cookie: `posthorn_session=${session}` })
          }),
          sampleOf: ({ id }) => fitting.get(id),
          pathOf: ({ path }) => path.replaceAll(/\{\w+\}/g, unknownId)
        },
        {
          shapes,
          longest,
          mostStanding,
          quick,
          onField: printTenth,
          ...(operations && { fields: named(operations) }),
          ...(again && { only: among(again) })
        }
      )
  )
})

/** Tells the members of a project that an API key will expire, and records in the audit log that one has expired. */
import { DateTime, Effect } from "effect"
import { Transaction } from "../../platform/Transaction.ts"
import { Accounts } from "../people/Accounts.ts"
import { inSubject, inText } from "../systemmail/Names.ts"
import { type SystemEmail, SystemMail } from "../systemmail/SystemMail.ts"
import { ApiKeyStore, type ExpiringKey } from "./ApiKeyStore.ts"
import { Projects } from "./Projects.ts"

/** Days before the expiry at which the letter is sent. */
export const noticeDays = 7

const letterTo =
  (project: string, { name, hint, expiresAt }: ExpiringKey) =>
  (to: string): SystemEmail => ({
    to,
    subject: `${inSubject(`The API key ${name}`, "An API key")} is about to expire`,
    body: [
      `The API key ${inText(name)} of the project ${inText(project)}, which ends in ${hint}, expires at ${DateTime.formatIso(expiresAt)}. Requests with it are refused from then on.`,
      "PATCH /api-keys/{id} with another `expiresAt` extends it. POST /api-keys/{id}/rotate replaces it."
    ].join("\n\n")
  })

/** Emails the OWNER and ADMINs of the project, once for each key and expiry. */
export const sendKeyLetters: Effect.Effect<void, never, Accounts | ApiKeyStore | Projects | SystemMail | Transaction> =
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const mail = yield* SystemMail
    const projects = yield* Projects
    const store = yield* ApiKeyStore
    const transaction = yield* Transaction

    const now = yield* DateTime.now
    yield* transaction.run(
      Effect.gen(function* () {
        for (const key of yield* store.takeExpiring(DateTime.add(now, { days: noticeDays }), now)) {
          const found = yield* Effect.option(projects.get(key.project))
          if (found._tag === "None") continue
          const administrators = yield* accounts.administrators(key.project)
          yield* mail.post(administrators.map(letterTo(found.value.name, key)))
        }
      })
    )
    yield* store.recordExpired(now)
  }).pipe(Effect.withSpan("KeyLetters.send"))

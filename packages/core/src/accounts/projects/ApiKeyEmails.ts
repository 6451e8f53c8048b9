/** Emails the members of a project before an API key expires, and records in the audit log that a key has expired. */
import { DateTime, Effect } from "effect"
import { Transaction } from "../../platform/Transaction.ts"
import { Accounts } from "../people/Accounts.ts"
import { inSubject, inText } from "../systemmail/Names.ts"
import { SystemMail, systemEmail, type UnaddressedEmail } from "../systemmail/SystemMail.ts"
import { ApiKeyStore, type ExpiringKey } from "./ApiKeyStore.ts"
import { Projects } from "./Projects.ts"

/** Days between the email and the expiry. */
export const noticeDays = 7

const expiryEmail = (project: string, { name, hint, expiresAt }: ExpiringKey): UnaddressedEmail =>
  systemEmail(
    `${inSubject(`The API key ${name}`, "An API key")} is about to expire`,
    `The API key ${inText(name)} of the project ${inText(project)}, which ends in ${hint}, expires at ${DateTime.formatIso(expiresAt)}. Requests with it are refused from then on.`,
    "PATCH /api-keys/{id} with another `expiresAt` extends it. POST /api-keys/{id}/rotate replaces it."
  )

/** Emails the OWNER and ADMINs of the project, once for each key and expiry. */
export const sendExpiryEmails: Effect.Effect<
  void,
  never,
  Accounts | ApiKeyStore | Projects | SystemMail | Transaction
> = Effect.gen(function* () {
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
        yield* mail.post(administrators.map(expiryEmail(found.value.name, key)))
      }
    })
  )
  yield* store.recordExpired(now)
}).pipe(Effect.withSpan("ApiKeyEmails.send"))

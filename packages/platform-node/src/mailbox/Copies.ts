/** Sends email as usual, and keeps a copy of each in the dev mailbox. */
import type { Mailer } from "@posthorn/core/platform/Mailer"
import { Effect } from "effect"
import type { MailboxStore } from "./MailboxStore.ts"

/** A copy that cannot be kept does not fail the send: the email has left. */
export const withCopies = (mailer: Mailer["Service"], store: MailboxStore["Service"]): Mailer["Service"] => ({
  ...mailer,
  send: (envelope, message) =>
    Effect.tap(mailer.send(envelope, message), () =>
      Effect.catch(store.keep(envelope, message), (error) =>
        Effect.logWarning("The copy of an email could not be kept", error)
      )
    )
})

/** Sends mail as usual, and keeps a copy of each message in the dev mailbox. */
import type { Mailer } from "@posthorn/core/platform/Mailer"
import { Effect } from "effect"
import type { MailboxStore } from "./MailboxStore.ts"

/** A copy that cannot be stored does not make the send fail, because the mail has left. */
export const withCopies = (mailer: Mailer["Service"], store: MailboxStore["Service"]): Mailer["Service"] => ({
  ...mailer,
  send: (envelope, message) =>
    Effect.tap(mailer.send(envelope, message), () =>
      Effect.catch(store.keep(envelope, message), (error) =>
        Effect.logWarning("The copy of an email could not be stored in the dev mailbox", error)
      )
    )
})

/** The actions of recipients on the public pages: view, unsubscribe, subscribe. */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { SqlClient } from "effect/sql"
import type { Bearer } from "../../platform/links/PublicLinks.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { ContactMail } from "../contacts/ContactMail.ts"
import { Contacts } from "../contacts/Contacts.ts"
import * as PageStore from "./PageStore.ts"

/** A service, because HTTP handlers call it. */
export class Pages extends Context.Service<
  Pages,
  {
    /** Reads the state and changes nothing. None if the project or the contact is deleted. */
    readonly look: (bearer: Bearer) => Effect.Effect<Option.Option<PageStore.SubscriptionState>>
    /**
     * Sets the subscription and returns the new state. A repeated call changes nothing, and neither does a link in a
     * test mail. The first unsubscribe through a link of a mail is recorded on that mail.
     */
    readonly subscribe: (
      bearer: Bearer,
      subscribed: boolean,
      reason: "page" | "one_click"
    ) => Effect.Effect<Option.Option<PageStore.SubscriptionState>>
  }
>()("@posthorn/core/audience/pages/Pages") {}

export const layer: Layer.Layer<Pages, never, ContactMail | Contacts | SqlClient.SqlClient | Transaction> =
  Layer.effect(
    Pages,
    Effect.gen(function* () {
      const contacts = yield* Contacts
      const mail = yield* ContactMail
      const store = yield* PageStore.make
      const transaction = yield* Transaction

      const subscribe = Effect.fn("Pages.subscribe")(
        function* (bearer: Bearer, subscribed: boolean, reason: "page" | "one_click") {
          const found = yield* store.find(bearer)
          if (Option.isNone(found) || found.value.mail?.test === true) return found
          const campaignId = found.value.mail?.campaignId ?? null
          const flipped = yield* contacts.setSubscribed(bearer.project, bearer.contact, subscribed, {
            reason,
            ...(bearer.email !== null && { emailId: bearer.email }),
            ...(campaignId !== null && { campaignId })
          })
          if (flipped && !subscribed && bearer.email !== null) {
            yield* mail.markUnsubscribed(bearer.project, bearer.email, bearer.contact, yield* DateTime.now)
          }
          return Option.some({ ...found.value, subscribed })
        },
        transaction.run,
        // The contact was deleted concurrently.
        Effect.catchTag("CONTACT_NOT_FOUND", () => Effect.succeed(Option.none<PageStore.SubscriptionState>()))
      )

      return Pages.of({ look: store.find, subscribe })
    })
  )

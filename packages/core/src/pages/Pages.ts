/** What recipients do on the public pages: look, unsubscribe, subscribe (contract-2 15). */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { Contacts } from "../contacts/Contacts.ts"
import { Ledger } from "../emails/Ledger.ts"
import type { Bearer } from "../links/PublicLinks.ts"
import { Transaction } from "../Transaction.ts"
import { PageStore, type Standing } from "./PageStore.ts"

export class Pages extends Context.Service<
  Pages,
  {
    /** Changes nothing. None when project or contact are gone. */
    readonly look: (bearer: Bearer) => Effect.Effect<Option.Option<Standing>>
    /**
     * Sets the subscription, and gives how things stand after it. A repeat changes nothing, and neither does a link of
     * a test mail. The first time that a mail's link unsubscribes its recipient is marked on the mail.
     */
    readonly subscribe: (
      bearer: Bearer,
      subscribed: boolean,
      reason: "page" | "one_click"
    ) => Effect.Effect<Option.Option<Standing>>
  }
>()("@posthorn/core/pages/Pages") {}

export const layer: Layer.Layer<Pages, never, Contacts | Ledger | PageStore | Transaction> = Layer.effect(
  Pages,
  Effect.gen(function* () {
    const contacts = yield* Contacts
    const ledger = yield* Ledger
    const store = yield* PageStore
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
          yield* ledger.markUnsubscribed(bearer.project, bearer.email, bearer.contact, yield* DateTime.now)
        }
        return Option.some({ ...found.value, subscribed })
      },
      transaction.run,
      // Deleted this moment.
      Effect.catchTag("CONTACT_NOT_FOUND", () => Effect.succeed(Option.none<Standing>()))
    )

    return Pages.of({ look: store.find, subscribe })
  })
)

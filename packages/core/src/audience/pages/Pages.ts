/** The actions of recipients on the public pages: view, leave, join, pause, choose a language. */
import type { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import type { ContactLinks } from "@posthorn/contract/audience/preferences/Preferences"
import type { AudienceSettings } from "@posthorn/contract/audience/settings/AudienceSettings"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Option } from "effect"
import type { SqlClient } from "effect/sql"
import { type Bearer, PublicLinks, preferencesLink } from "../../platform/links/PublicLinks.ts"
import { Transaction } from "../../platform/Transaction.ts"
import type { ConsentProof } from "../consents/ConsentProof.ts"
import { ContactMail } from "../contacts/ContactMail.ts"
import { Contacts } from "../contacts/Contacts.ts"
import { AudienceRules } from "../settings/AudienceRules.ts"
import type { SuppressedAddress } from "../suppression/SuppressedAddress.ts"
import * as PageStore from "./PageStore.ts"

/** What a page shows. */
export interface PageState extends PageStore.SubscriptionState {
  readonly settings: AudienceSettings
}

/** What a link leads to. */
export interface OpenedLink {
  /** The holder of the link now: the contact that has taken the place of the one in the link, if it was merged. */
  readonly holder: Bearer
  readonly state: PageState
}

/** What a recipient wants. Absent fields change nothing. */
export interface Wish {
  readonly subscribed?: boolean
  /** By id. */
  readonly topics?: Readonly<Record<string, "subscribed" | "unsubscribed">>
  /** Null ends a pause. */
  readonly snoozedUntil?: DateTime.Utc | null
  readonly locale?: string
}

/** What a recipient does, and what proves it. */
export interface Act {
  readonly wish: Wish
  readonly proof: ConsentProof
}

export interface Pages {
  /** The links to the pages of a contact, without a mail. */
  readonly links: (project: ProjectId, contact: ContactId) => Effect.Effect<ContactLinks>
  /** Reads the state and changes nothing. None if the project or the contact is deleted. */
  readonly look: (bearer: Bearer) => Effect.Effect<Option.Option<OpenedLink>>
  /**
   * Does what the recipient wants and returns the new state. The wish is made from the present state; undefined
   * changes nothing. A repeated call changes nothing, and neither does a link in a test mail.
   */
  readonly act: <R>(
    bearer: Bearer,
    wish: (state: PageState) => Effect.Effect<Act | undefined, never, R>,
    reason: "page" | "one_click"
  ) => Effect.Effect<Option.Option<OpenedLink>, never, R>
}

/** Whether the wish leaves all mail, or the topic of this mail. */
const leaves = ({ subscribed, topics = {} }: Wish, topicId: string | null | undefined) =>
  subscribed === false || (topicId != null && topics[topicId] === "unsubscribed")

export type Needs =
  | AudienceRules
  | ContactMail
  | Contacts
  | PublicLinks
  | SqlClient.SqlClient
  | SuppressedAddress
  | Transaction

export const make: Effect.Effect<Pages, never, Needs> = Effect.gen(function* () {
  const contacts = yield* Contacts
  const mail = yield* ContactMail
  const publicLinks = yield* PublicLinks
  const rules = yield* AudienceRules
  const store = yield* PageStore.make
  const transaction = yield* Transaction

  const find = Effect.fnUntraced(function* (bearer: Bearer) {
    const found = yield* store.find(bearer)
    if (Option.isNone(found)) return Option.none()
    const settings = yield* rules.getCached(bearer.project)
    const { contact, state, after } = found.value
    return Option.some({ holder: { ...bearer, contact }, state: { ...state, settings }, after })
  })

  const look = Effect.fn("Pages.look")(function* (bearer: Bearer): Effect.fn.Return<Option.Option<OpenedLink>> {
    return yield* find(bearer)
  })

  /** Returns the contact after it, and whether it has set the locale. */
  const write = Effect.fnUntraced(
    function* ({ holder, state }: OpenedLink, { wish, proof }: Act, reason: "page" | "one_click") {
      const { project, contact: id, email, topic } = holder
      const campaignId = state.mail?.campaignId ?? null
      const cause = {
        reason,
        ...(email !== null && { emailId: email }),
        ...(campaignId !== null && { campaignId })
      }
      const { subscribed, topics = {}, snoozedUntil, locale } = wish
      // Who subscribes by topics takes no other topic.
      const narrow = Object.values(topics).includes("subscribed")
      const consent = yield* contacts.setConsent(project, id, { subscribed, topics, narrow }, cause, proof)
      if (consent.changed && email !== null && leaves(wish, topic ?? state.mail?.topicId)) {
        yield* mail.markUnsubscribed(project, email, id, yield* DateTime.now)
      }
      const paused =
        snoozedUntil === undefined ? consent.contact : yield* contacts.update(project, id, { snoozedUntil }, "page")
      if (locale === undefined) return { contact: paused, hasLocale: false }
      // Data that are full keep the language that they have.
      return yield* transaction.attempt(contacts.update(project, id, { locale }, "page")).pipe(
        Effect.map((contact) => ({ contact, hasLocale: true })),
        Effect.catchTag("VALIDATION_ERROR", () => Effect.succeed({ contact: paused, hasLocale: false }))
      )
    },
    // Only a change of address or external id, or a pause that the caller has not checked, can fail this way.
    Effect.catchTag(["CONFLICT", "EMAIL_ALREADY_EXISTS", "VALIDATION_ERROR"], Effect.die),
    transaction.run,
    Effect.asSome,
    // The contact was deleted concurrently.
    Effect.catchTag("CONTACT_NOT_FOUND", () => Effect.succeedNone)
  )

  const act = Effect.fn("Pages.act")(function* <R>(
    bearer: Bearer,
    wishOf: (state: PageState) => Effect.Effect<Act | undefined, never, R>,
    reason: "page" | "one_click"
  ): Effect.fn.Return<Option.Option<OpenedLink>, never, R> {
    const found = yield* find(bearer)
    if (Option.isNone(found) || found.value.state.mail?.test) return found
    const { after, holder, state } = found.value
    const done = yield* wishOf(state)
    if (done === undefined) return found
    const written = yield* write(found.value, done, reason)
    if (Option.isNone(written)) return Option.none()
    const known = after(written.value.contact, written.value.hasLocale)
    if (Option.isNone(known)) return yield* look(holder)
    return Option.some({ holder, state: { ...known.value, settings: state.settings } })
  })

  const links = Effect.fn("Pages.links")(function* (project: ProjectId, contact: ContactId) {
    const bearer = { project, contact, email: null }
    const { pages } = yield* rules.get(project)
    return {
      unsubscribeUrl: yield* publicLinks.url("unsubscribe", bearer),
      subscribeUrl: yield* publicLinks.url("subscribe", bearer),
      manageUrl: preferencesLink(pages.preferencesUrl, yield* publicLinks.url("manage", bearer)),
      token: yield* publicLinks.token("manage", bearer)
    }
  })

  return { links, look, act } satisfies Pages
})

/** What strangers submit with a form: judged, and stored in one transaction. */
import type { Contact } from "@posthorn/contract/audience/contacts/Contact"
import { SegmentId } from "@posthorn/contract/audience/segments/Segment"
import { Context, DateTime, Duration, Effect, Layer, Metric, Option } from "effect"
import type { Mac, SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { EventLog } from "../../events/EventLog.ts"
import type { Secrets } from "../../platform/Secrets.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { languageOf } from "../../platform/web/Languages.ts"
import type { PageBrand } from "../../platform/web/PageBrand.ts"
import { pageWords } from "../../platform/web/PageWords.ts"
import { Contacts } from "../contacts/Contacts.ts"
import { type OptInRequest, OptInRequests } from "../optins/OptInRequests.ts"
import { isDue } from "../optins/OptInRules.ts"
import { Segments } from "../segments/Segments.ts"
import { AudienceRules } from "../settings/AudienceRules.ts"
import { Topics } from "../topics/Topics.ts"
import { countForm } from "./FormCounts.ts"
import * as FormStore from "./FormStore.ts"
import { type SpokenForm, spokenIn, wordingOf } from "./FormTexts.ts"
import * as FormTickets from "./FormTickets.ts"
import type { FormSubmission } from "./FormValues.ts"
import { leftByPerson } from "./OwnActs.ts"

const submissionsTotal = Metric.counter("posthorn_form_submissions_total", {
  description: "Submissions of sign-up forms",
  incremental: true
})

/** What became of a submission. `step`: it had no ticket. `forbidden`: its page may not send it. */
export type SubmissionResult = "forbidden" | "invalid" | "limited" | "spam" | "step" | "stored"

export const countSubmission = (result: SubmissionResult): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(submissionsTotal, { result }), 1)

/** How a submission came. */
export interface Arrival {
  /** Undefined if the form needs none, and none was sent. */
  readonly ticket: FormTickets.FormTicket | undefined
  /** The language of the page, unless the ticket has one. */
  readonly language: string
  readonly ip: string | undefined
  readonly userAgent: string | undefined
}

/** A service, because it needs the secret of the installation, which routes and jobs do not see. */
export class FormSubmissions extends Context.Service<
  FormSubmissions,
  {
    /** None for a form that is not enabled or gone, and while its project is disabled. */
    readonly look: (publicId: string) => Effect.Effect<Option.Option<FormStore.PublicForm>>
    readonly brand: (form: FormStore.PublicForm) => Effect.Effect<PageBrand>
    /** What the form says now. */
    readonly speak: (form: FormStore.PublicForm, language: string) => Effect.Effect<SpokenForm>
    readonly challenge: (form: FormStore.PublicForm, language: string) => Effect.Effect<FormTickets.FormChallenge>
    /** A ticket that needs no proof of work: asking for it was the price. */
    readonly ticketFor: (form: FormStore.PublicForm, language: string) => Effect.Effect<string>
    readonly ticketOf: (
      form: FormStore.PublicForm,
      text: string
    ) => Effect.Effect<Option.Option<FormTickets.FormTicket>>
    /** Notes a submission of a program. Nothing of it is stored. */
    readonly noteSpam: (form: FormStore.PublicForm) => Effect.Effect<void>
    /**
     * Stores a submission, all of it or nothing. What a contact has already said about itself stays. A ticket that was
     * used before, or that is younger than a person needs, makes it spam.
     */
    readonly submit: (
      form: FormStore.PublicForm,
      submitted: FormSubmission,
      arrival: Arrival
    ) => Effect.Effect<"spam" | "stored">
    /** Deletes tickets that have expired. */
    readonly sweep: Effect.Effect<void>
  }
>()("@posthorn/core/audience/forms/FormSubmissions") {}

const missingIn = (contact: Contact, values: FormSubmission["values"]): FormSubmission["values"] =>
  Object.fromEntries(Object.entries(values).filter(([key]) => !Object.hasOwn(contact.data, key)))

export const layer: Layer.Layer<
  FormSubmissions,
  never,
  | AudienceRules
  | Contacts
  | EventLog
  | Mac.Mac
  | OptInRequests
  | Secrets
  | SecureRandom.SecureRandom
  | Segments
  | SqlClient.SqlClient
  | Topics
  | Transaction
> = Layer.effect(
  FormSubmissions,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const store = FormStore.make(sql)
    const count = countForm(sql)
    const tickets = yield* FormTickets.make
    const contacts = yield* Contacts
    const events = yield* EventLog
    const optIns = yield* OptInRequests
    const rules = yield* AudienceRules
    const segments = yield* Segments
    const topics = yield* Topics
    const transaction = yield* Transaction

    const speak = Effect.fn("FormSubmissions.speak")(function* (form: FormStore.PublicForm, language: string) {
      const known = form.settings.topics.length === 0 ? [] : yield* topics.all(form.projectId)
      return spokenIn(FormStore.shownOf(form), known, language)
    })

    const noteSpam = Effect.fn("FormSubmissions.noteSpam")((form: FormStore.PublicForm) =>
      count(form.projectId, form.id, "spam")
    )

    const isFresh = Effect.fnUntraced(function* (form: FormStore.PublicForm, ticket: FormTickets.FormTicket) {
      const visited = DateTime.distance(ticket.issuedAt, yield* DateTime.now)
      if (Duration.isLessThan(visited, FormTickets.shortestVisit)) return false
      return yield* store.useTicket(form.projectId, ticket.challenge, ticket.expiresAt)
    })

    /** Asks the contact to confirm. Without a sender for the mail, the contact stays as it is. */
    const confirmationOf = Effect.fnUntraced(function* (
      form: FormStore.PublicForm,
      contact: Contact,
      asked: Pick<OptInRequest, "madeContact" | "proof" | "subscribe" | "topics" | "values">
    ) {
      const request = optIns.request(form.projectId, contact.id, {
        ...asked,
        source: "form",
        isPublic: true,
        formId: form.id,
        redirectUrl: form.settings.confirmedRedirectUrl
      })
      return yield* request.pipe(
        Effect.map((made) => (Option.isSome(made) ? ("asked" as const) : ("none" as const))),
        Effect.catchTag("VALIDATION_ERROR", () => Effect.succeed("impossible" as const)),
        Effect.orDie
      )
    })

    /** Fills in what the contact lacks. What does not fit into its data is left out. */
    const fill = Effect.fnUntraced(function* (
      form: FormStore.PublicForm,
      contact: Contact,
      values: FormSubmission["values"]
    ) {
      const data = missingIn(contact, values)
      if (Object.keys(data).length === 0) return
      const cause = { reason: "form", formId: form.id } as const
      yield* transaction
        .attempt(contacts.alter(form.projectId, contact.id, { data, subscribed: undefined }, cause))
        .pipe(
          Effect.catchTag("DataTooLarge", () => Effect.void),
          Effect.orDie
        )
    })

    /** What the visitor saw: the version and language of its ticket, else what the form shows now. */
    const seenIn = Effect.fnUntraced(function* (form: FormStore.PublicForm, { ticket, language }: Arrival) {
      const seen = ticket ?? { version: form.version, language }
      const earlier =
        seen.version === form.version ? Option.none() : yield* store.version(form.projectId, form.id, seen.version)
      const known = yield* topics.all(form.projectId)
      const spoken = spokenIn(
        Option.getOrElse(earlier, () => FormStore.shownOf(form)),
        known,
        seen.language
      )
      const button = spoken.button ?? pageWords[languageOf(seen.language, form.language)].subscribe.button
      return {
        wording: { text: wordingOf(spoken, button), language: seen.language, formVersion: seen.version },
        known
      }
    })

    const submit = Effect.fn("FormSubmissions.submit")(function* (
      form: FormStore.PublicForm,
      { email, values, topics: ticked }: FormSubmission,
      arrival: Arrival
    ) {
      const { id, projectId: project, key, settings } = form
      const { ticket, ip, userAgent } = arrival
      if (ticket !== undefined && !(yield* isFresh(form, ticket))) {
        yield* noteSpam(form)
        return "spam" as const
      }
      const now = yield* DateTime.now
      const joined = [...settings.segmentIds].sort().map((segment) => SegmentId.make(segment))
      // Segments are locked before contacts.
      for (const segment of joined) yield* Effect.orDie(segments.holdStatic(project, segment))
      const { wording, known } = yield* seenIn(form, arrival)
      const wanted = settings.topics.flatMap(({ id: topic, mode }) => {
        const offered = known.find((one) => one.id === topic && one.visibility === "public")
        return offered !== undefined && (mode === "always" || ticked.includes(offered.key)) ? [offered] : []
      })
      const audience = yield* rules.get(project)
      const asking = { isPublic: true, form: settings.doubleOptIn }
      const isSubscriptionDue = settings.subscribe && isDue(audience, asking)
      const waits = isSubscriptionDue || wanted.some(({ doubleOptIn }) => isDue(audience, asking, doubleOptIn))
      const cause = { reason: "form", formId: id } as const
      const proof = { actor: { type: "recipient" }, wording, ip, userAgent } as const
      const { contact, isNew } = yield* Effect.orDie(
        contacts.touch(
          project,
          { email, originId: id, subscribedWhenNew: false, keepKnown: true, data: waits ? {} : values },
          cause
        )
      )

      const left = isNew ? { everything: false, topics: new Set<string>() } : yield* leftByPerson(sql)(project, contact)
      const subscribes = settings.subscribe && !contact.subscribed
      const isAsked = subscribes && (isSubscriptionDue || left.everything)
      const missing = wanted.filter((topic) => contact.topics[topic.key] !== "subscribed")
      const asked = missing.filter(
        (topic) => isDue(audience, asking, topic.doubleOptIn) || left.everything || left.topics.has(topic.id)
      )
      const granted = missing.filter((topic) => !asked.includes(topic))
      const isGranted = subscribes && !isAsked
      const request =
        isAsked || asked.length > 0
          ? yield* confirmationOf(form, contact, {
              subscribe: isAsked,
              topics: asked.map((topic) => topic.id),
              madeContact: isNew,
              proof: { wording, ip, userAgent },
              values
            })
          : "none"
      if (request === "none") yield* fill(form, contact, values)
      const { changed } =
        isGranted || granted.length > 0
          ? yield* Effect.orDie(
              contacts.setConsent(
                project,
                contact.id,
                {
                  ...(isGranted && { subscribed: true }),
                  topics: Object.fromEntries(granted.map((topic) => [topic.id, "subscribed"] as const)),
                  narrow: wanted.length > 0
                },
                cause,
                proof
              )
            )
          : { changed: false }
      for (const segment of joined) yield* Effect.orDie(segments.addMembers(project, segment, { emails: [email] }))
      yield* events.record(
        project,
        [
          {
            contact: contact.id,
            name: `form.${key}.submitted`,
            source: "system",
            data: {
              formId: id,
              formKey: key,
              fields: values,
              topics: wanted.map((topic) => topic.key),
              status: request === "asked" ? "pending" : changed ? "subscribed" : "unchanged"
            }
          }
        ],
        now
      )
      yield* count(project, id, "submissions")
      if (changed && request !== "asked") yield* count(project, id, "confirmed")
      return "stored" as const
    }, transaction.run)

    return FormSubmissions.of({
      look: store.findPublic,
      brand: ({ projectId }) => Effect.map(rules.get(projectId), ({ pages }) => pages),
      speak,
      challenge: ({ publicId, version }, language) => tickets.issue({ publicId, version, language }),
      ticketFor: ({ publicId, version }, language) => tickets.solved({ publicId, version, language }),
      ticketOf: ({ publicId }, text) => tickets.read(publicId, text),
      noteSpam,
      submit,
      sweep: Effect.flatMap(DateTime.now, store.sweepTickets)
    })
  })
)

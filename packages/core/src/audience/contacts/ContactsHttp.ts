/** Handlers of ContactsApi. */

import { Api } from "@posthorn/contract/Api"
import { GivenConsent } from "@posthorn/contract/audience/consents/GivenConsent"
import type { CreatedContact, UpdatedContact } from "@posthorn/contract/audience/contacts/Contact"
import { ImportOptIn, maxImportBytes } from "@posthorn/contract/audience/contacts/ContactJob"
import { SegmentId } from "@posthorn/contract/audience/segments/Segment"
import { CurrentProject, type ProjectAccess } from "@posthorn/contract/platform/Auth"
import { ValidationError } from "@posthorn/contract/platform/Errors"
import { Id, maxFramingBytes } from "@posthorn/contract/platform/Primitives"
import type { JsonBody, Validation } from "@posthorn/contract/platform/Request"
import { Effect, type Layer, Option, Result, Schema } from "effect"
import type { HttpApiGroup } from "effect/http-api"
import { BodyReaders } from "../../platform/http/BodyReaders.ts"
import { download } from "../../platform/http/Download.ts"
import { faultsOf } from "../../platform/http/Faults.ts"
import { group } from "../../platform/http/RequestContext.ts"
import { readUpload, type Upload } from "../../platform/http/Upload.ts"
import { JobId } from "../../platform/jobs/Job.ts"
import * as Consents from "../consents/Consents.ts"
import * as Pages from "../pages/Pages.ts"
import { Segments } from "../segments/Segments.ts"
import * as TopicContacts from "../topics/TopicContacts.ts"
import { Verification } from "../verification/Verification.ts"
import * as ContactBulk from "./ContactBulk.ts"
import type { ContactMerges } from "./ContactMerges.ts"
import * as ContactSelections from "./ContactSelections.ts"
import type { Upserted } from "./ContactStore.ts"
import { Contacts } from "./Contacts.ts"
import { DataSubjectRequests } from "./DataSubjectRequests.ts"
import { ContactFields } from "./fields/ContactFields.ts"
import { mappingOf } from "./files/ImportMapping.ts"
import type { SendingStates } from "./SendingStates.ts"

/** The encoder chooses 201 or 200 by `_meta`. */
const answer = ({ contact, isNew }: Upserted): typeof CreatedContact.Type | typeof UpdatedContact.Type =>
  isNew ? { ...contact, _meta: { isNew, isUpdate: false } } : { ...contact, _meta: { isNew, isUpdate: true } }

const isFlag = (given: string): given is "true" | "false" => given === "true" || given === "false"

const flagOf = ({ fields }: Upload, name: string, fallback: boolean) => {
  const given = fields.get(name) ?? String(fallback)
  return isFlag(given)
    ? Effect.succeed(given === "true")
    : Effect.fail(
        ValidationError.one(name, "invalid_enum", "Expected true or false.", { received: given.slice(0, 100) })
      )
}

const isImportOptIn = Schema.is(ImportOptIn)

const importOptInOf = ({ fields }: Upload) => {
  const given = fields.get("doubleOptIn") || undefined
  return given === undefined || isImportOptIn(given)
    ? Effect.succeed(given)
    : Effect.fail(
        ValidationError.one("doubleOptIn", "invalid_enum", "Expected send or skip.", { received: given.slice(0, 100) })
      )
}

const parse = Option.liftThrowable((text: string): unknown => JSON.parse(text))
const decodeConsent = Schema.decodeUnknownEffect(GivenConsent, { errors: "all", reportInput: true })

const consentOf = ({ fields }: Upload) => {
  const given = fields.get("consent")
  if (!given) return Effect.succeed(undefined)
  return Effect.mapError(decodeConsent(Option.getOrUndefined(parse(given))), ({ issue }) => {
    const errors = faultsOf(issue).map((fault) => ({ ...fault, field: `consent.${fault.field}`.replace(/\.$/, "") }))
    return new ValidationError({ errors })
  })
}

const decodeId = Schema.decodeUnknownOption(Id)

const idOf = ({ fields }: Upload, name: string) => {
  const given = fields.get(name)
  if (!given) return Effect.succeed(undefined)
  const id = decodeId(given)
  return Option.isSome(id)
    ? Effect.succeed(id.value)
    : Effect.fail(ValidationError.one(name, "invalid_string", "Not a valid id.", { received: given.slice(0, 100) }))
}

/** The parts of the form beside the file. */
const importOptionsOf = Effect.fnUntraced(function* (upload: Upload) {
  const mapping = mappingOf(upload.fields.get("mapping") || "{}")
  if (Result.isFailure(mapping)) return yield* new ValidationError({ errors: mapping.failure })
  const segmentId = yield* idOf(upload, "segmentId")
  return {
    inferTypes: yield* flagOf(upload, "inferTypes", true),
    mapping: mapping.success,
    dryRun: yield* flagOf(upload, "dryRun", false),
    doubleOptIn: yield* importOptInOf(upload),
    consent: yield* consentOf(upload),
    segmentId: segmentId === undefined ? undefined : SegmentId.make(segmentId),
    groupId: yield* idOf(upload, "groupId")
  }
})

/** The services of areas above. */
interface Above<R> {
  readonly makeMerges: Effect.Effect<ContactMerges, never, R>
  readonly makeStates: Effect.Effect<SendingStates, never, R>
}

export const layer = <R>({
  makeMerges,
  makeStates
}: Above<R>): Layer.Layer<
  HttpApiGroup.Service<"posthorn", "contacts">,
  never,
  | R
  | BodyReaders
  | ContactBulk.Needs
  | ContactFields
  | ContactSelections.Needs
  | Consents.Needs
  | Contacts
  | DataSubjectRequests
  | JsonBody
  | Pages.Needs
  | ProjectAccess
  | Segments
  | TopicContacts.Needs
  | Validation
  | Verification
> =>
  group(
    Api,
    "contacts",
    Effect.fnUntraced(function* (handlers) {
      const consents = yield* Consents.make
      const contacts = yield* Contacts
      const topicContacts = yield* TopicContacts.make
      const bulk = yield* ContactBulk.make
      const merges = yield* makeMerges
      const fields = yield* ContactFields
      const segments = yield* Segments
      const selections = yield* ContactSelections.make
      const states = yield* makeStates
      const pages = yield* Pages.make
      const persons = yield* DataSubjectRequests
      const readers = yield* BodyReaders
      const verification = yield* Verification
      return handlers.handleAll({
        list: ({ query }) => CurrentProject.use(({ id }) => contacts.list(id, query)),
        upsert: ({ payload }) =>
          CurrentProject.use(({ id }) =>
            (payload.onConflict === "merge" ? merges : contacts).upsert(id, payload).pipe(
              Effect.map(answer),
              Effect.catchTag("AddressMissing", () => Effect.fail({ error: "Email is required" }))
            )
          ),
        get: ({ params }) => CurrentProject.use(({ id }) => contacts.get(id, params.id)),
        sendingState: ({ params }) => CurrentProject.use(({ id }) => states.of(id, params.id)),
        links: ({ params }) =>
          CurrentProject.use(({ id }) =>
            Effect.flatMap(contacts.get(id, params.id), (contact) => pages.links(id, contact.id))
          ),
        update: ({ params, payload }) => CurrentProject.use(({ id }) => contacts.update(id, params.id, payload)),
        delete: ({ params }) => CurrentProject.use(({ id }) => contacts.delete(id, params.id)),
        merge: ({ params, payload }) => CurrentProject.use(({ id }) => merges.merge(id, params.id, payload)),
        query: ({ payload }) => CurrentProject.use(({ id }) => selections.page(id, payload)),
        count: ({ payload }) => CurrentProject.use(({ id }) => selections.count(id, payload)),
        topics: ({ params }) => CurrentProject.use(({ id }) => topicContacts.ofContact(id, params.id)),
        consents: ({ params, query }) => CurrentProject.use(({ id }) => consents.ofContact(id, params.id, query)),
        segments: ({ params }) => CurrentProject.use(({ id }) => segments.ofContact(id, params.id)),
        verify: ({ payload }) =>
          Effect.map(verification.verify(payload.email), (data) => ({ success: true as const, data })),
        lookup: ({ payload }) => CurrentProject.use(({ id }) => bulk.lookUp(id, payload)),
        fields: () => CurrentProject.use(({ id }) => fields.list(id)),
        fieldValues: ({ params, query }) => CurrentProject.use(({ id }) => fields.values(id, params.field, query)),
        fieldUsage: ({ params }) => CurrentProject.use(({ id }) => fields.usage(id, params.field)),
        deleteField: ({ params }) => CurrentProject.use(({ id }) => fields.delete(id, params.field)),
        import: ({ payload }) =>
          CurrentProject.use(({ id }) =>
            Effect.gen(function* () {
              const upload = yield* readers.read(
                maxImportBytes,
                readUpload(payload, { maxFile: maxImportBytes, maxFraming: maxFramingBytes })
              )
              return yield* bulk.imports.queue(id, upload.file, yield* importOptionsOf(upload))
            })
          ),
        imports: ({ query }) => CurrentProject.use(({ id }) => bulk.imports.list(id, query)),
        cancelImport: ({ params }) => CurrentProject.use(({ id }) => bulk.imports.cancel(id, JobId.make(params.jobId))),
        importErrors: ({ params }) =>
          CurrentProject.use(({ id }) =>
            Effect.map(bulk.imports.faults(id, JobId.make(params.jobId)), (text) =>
              download(text, "faulty-rows", "csv")
            )
          ),
        importJob: ({ params }) => CurrentProject.use(({ id }) => bulk.imports.find(id, JobId.make(params.jobId))),
        export: ({ query }) =>
          CurrentProject.use(({ id }) =>
            Effect.map(bulk.exports.text(id, query), (text) => download(text, "contacts", query.format ?? "csv"))
          ),
        exportSelected: ({ payload }) =>
          CurrentProject.use(({ id }) =>
            Effect.map(bulk.exports.selected(id, payload), (text) =>
              download(text, "contacts", payload.format ?? "csv")
            )
          ),
        exportOne: ({ params }) => CurrentProject.use(({ id }) => persons.export(id, params.id)),
        erase: ({ params }) => CurrentProject.use(({ id }) => persons.erase(id, params.id)),
        bulkSubscribe: ({ payload }) => CurrentProject.use(({ id }) => bulk.queue(id, "bulk-subscribe", payload)),
        bulkUnsubscribe: ({ payload }) => CurrentProject.use(({ id }) => bulk.queue(id, "bulk-unsubscribe", payload)),
        bulkDelete: ({ payload }) => CurrentProject.use(({ id }) => bulk.queue(id, "bulk-delete", payload)),
        bulk: ({ payload }) => CurrentProject.use(({ id }) => bulk.change(id, payload)),
        bulkJobs: ({ query }) => CurrentProject.use(({ id }) => bulk.list(id, query)),
        cancelBulk: ({ params }) => CurrentProject.use(({ id }) => bulk.cancel(id, JobId.make(params.jobId))),
        bulkJob: ({ params }) => CurrentProject.use(({ id }) => bulk.find(id, JobId.make(params.jobId)))
      })
    })
  )

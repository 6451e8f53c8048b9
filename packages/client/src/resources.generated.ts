// Generated from openapi.json by generate.ts; not to be edited.
import type { Call } from "./Answer.ts"
import { followerOf, type LiveOptions, type LiveTopic } from "./Live.ts"
import { type List, type Lister, type WholeList, whole } from "./List.ts"
import type { CallOptions, KeyedCallOptions } from "./Options.ts"
import { type Caller, path } from "./Requests.ts"
import type * as Wire from "./types.generated.ts"

/** People, one for each address, with the custom data that their mail is rendered from. */
export interface Contacts {
  /**
   * List contacts
   *
   * The contacts of the project, newest first unless sorted otherwise.
   *
   * `GET /contacts`
   */
  readonly list: (query?: Wire.ContactsListQuery, options?: CallOptions) => List<Wire.Contact, Wire.ContactPage>
  /**
   * Create or update a contact by its address or external id
   *
   * 201 when the contact is new, 200 when it existed; `_meta` says which. Concurrent calls for one address create one contact with all data merged. A contact with the `externalId` gets the address of the call; 409 `EMAIL_ALREADY_EXISTS` if another contact has that address, and 409 with reason `external_id_taken` if the contact with the address has another external id.
   *
   * `POST /contacts`
   */
  readonly upsert: (body?: Wire.UpsertContact, options?: CallOptions) => Call<Wire.UpdatedContact | Wire.CreatedContact>
  /**
   * Read a contact
   *
   * One contact with its custom data.
   *
   * `GET /contacts/{id}`
   */
  readonly get: (id: string, options?: CallOptions) => Call<Wire.Contact>
  /**
   * Change a contact
   *
   * Absent fields keep their values. 409 with reason `external_id_taken` if another contact has the `externalId`. A changed `subscribed` emits `contact.subscribed` or `contact.unsubscribed`. When the address changes, history and segments stay with the contact; suppressions stay with the old address.
   *
   * `PATCH /contacts/{id}`
   */
  readonly update: (id: string, body?: Wire.UpdateContact, options?: CallOptions) => Call<Wire.Contact>
  /**
   * Delete a contact
   *
   * Deletes the contact with its events and memberships, and cannot be undone. Mail not yet sent is cancelled, records of sent mail stay without the contact, and a suppression of the address stays.
   *
   * `DELETE /contacts/{id}`
   */
  readonly delete: (id: string, options?: CallOptions) => Call<true>
  /**
   * Links to the pages of a contact
   *
   * For an application that shows the pages to its signed-in user. A person who has a link acts for the contact; links do not expire.
   *
   * `GET /contacts/{id}/links`
   */
  readonly links: (id: string, options?: CallOptions) => Call<Wire.ContactLinks>
  /**
   * Read how the sending policy acts on a contact
   *
   * By the rules of `/settings/sending` at this moment, in the time zone of the contact.
   *
   * `GET /contacts/{id}/sending-state`
   */
  readonly sendingState: (id: string, options?: CallOptions) => Call<Wire.SendingState>
  /**
   * Merge another contact into a contact
   *
   * The contact of the path stays, with its id and address; the one of the body goes. Its events, mails, ended executions and static segments move, keys that are missing in the data come from it, its external id becomes a further one, and its links act on the contact that stays. Of two subscriptions the stricter wins. Active executions of it are cancelled, and its unsent mail goes to the address that stays, unless that has its own from the same campaign. 404 for its id then names the other in `details.mergedInto`. At most 50,000 events and mails. Cannot be undone.
   *
   * `POST /contacts/{id}/merge`
   */
  readonly merge: (id: string, body?: Wire.MergeContact, options?: CallOptions) => Call<Wire.MergedContact>
  /**
   * List contacts by a condition
   *
   * The contacts that match a condition, or the members of a segment, newest first unless sorted otherwise. Without either, all contacts. Changes nothing, so it also works while the project is disabled.
   *
   * `POST /contacts/query`
   */
  readonly query: (body?: Wire.QueryContacts, options?: CallOptions) => List<Wire.Contact, Wire.SelectedContactPage>
  /**
   * Count contacts by a condition
   *
   * The number of contacts that match a condition or are members of a segment; without either, of all. With `for`, also how many of them a campaign with mail of that type would reach, and why it would not reach the others. Changes nothing, so it also works while the project is disabled.
   *
   * `POST /contacts/count`
   */
  readonly count: (body?: Wire.CountContacts, options?: CallOptions) => Call<Wire.ContactCount>
  /**
   * List the segments of a contact
   *
   * The segments that contain the contact now, newest segment first, at most 1,000. Dynamic segments are evaluated by this request.
   *
   * `GET /contacts/{id}/segments`
   */
  readonly segments: (id: string, options?: CallOptions) => Call<ReadonlyArray<Wire.ContactSegment>>
  /**
   * Verify an address with a session
   *
   * The same as `POST /v1/verify`, which takes keys only: also with a session. Nothing is stored and no contact is created.
   *
   * `POST /contacts/verify`
   */
  readonly verify: (body: Wire.VerifyAddress, options?: CallOptions) => Call<Wire.VerifiedAddress["data"]>
  /**
   * Look up which addresses exist
   *
   * Up to 500 addresses in one call. A malformed address is not an error: it counts as not found and is listed in `invalid`.
   *
   * `POST /contacts/lookup`
   */
  readonly lookup: (body?: Wire.LookupContacts, options?: CallOptions) => Call<Wire.ContactLookup>
  /**
   * List the fields of contacts
   *
   * Standard fields and custom fields in use, with the type of their values and the share of contacts that have them; at most the 10,000 most frequent ones. The response may be up to 60 seconds old.
   *
   * `GET /contacts/fields`
   */
  readonly fields: (options?: CallOptions) => Call<Wire.ContactFields>
  /**
   * List the values of a custom field
   *
   * Distinct values with their JSON type, ordered as text. `subscribed` has two. Other standard fields and unknown fields have none.
   *
   * `GET /contacts/fields/{field}/values`
   */
  readonly fieldValues: (field: string, query?: Wire.ContactsFieldValuesQuery, options?: CallOptions) => Call<Wire.FieldValues>
  /**
   * List the references to a field
   *
   * Segments, campaigns that are not sent yet and workflows that name the field or a path below it.
   *
   * `GET /contacts/fields/{field}/usage`
   */
  readonly fieldUsage: (field: string, options?: CallOptions) => Call<Wire.FieldUsage>
  /**
   * Delete a custom field from all contacts
   *
   * Cannot be undone; no events are emitted. Refused while something uses the field, and for standard fields. If the request is interrupted, repeat it.
   *
   * `DELETE /contacts/fields/{field}`
   */
  readonly deleteField: (field: string, options?: CallOptions) => Call<Wire.DeletedField>
  /**
   * List imports
   *
   * The imports of the last 30 days and those under way, newest first, without their faulty rows.
   *
   * `GET /contacts/import`
   */
  readonly imports: (query?: Wire.ContactsImportsQuery, options?: CallOptions) => List<Wire.ImportSummary, Wire.ImportPage>
  /**
   * Import contacts from a CSV file
   *
   * At most 5 MB, 100,000 rows and 100 columns; UTF-8, with a header line that has a column `email` or `externalId`. An `externalId` finds the contact before the address does, as in `POST /contacts`; a row whose id and address belong to two contacts is faulty. A column `subscribed` says whether a contact may get marketing mail. Every other column is stored in the data under its header. Rows are upserted in the order of the file; the last row of an address wins; empty cells are ignored. `mapping` gives columns other targets; a dry run counts new, changed and faulty rows first. 409 with reason `segment_not_static`. Queued; `GET /contacts/import/{jobId}` has the progress and the result.
   *
   * `POST /contacts/import`
   */
  readonly import: (body: {
    readonly file: Blob
    /** `false`: every cell stays text. Wire.Default: `true`. */
    readonly inferTypes?: boolean | undefined
    /** Wire.A Wire.JSON object: the target of each column by its header. Wire.Targets are `email`, `externalId`, `subscribed`, `locale`, `timezone`, `topic.<key>` and `data.<key>`; `null` skips the column. Wire.Columns that are not named keep their usual meaning. `{"Wire.E-Mail": "email", "Plan": "data.plan", "Notes": null}` */
    readonly mapping?: string | undefined
    /** `true`: count what the import would do, and change no contact. Wire.Default: `false`. */
    readonly dryRun?: boolean | undefined
    /** `send`: contacts that the file subscribes, or for which it takes a topic, must confirm by mail. `skip`: it takes effect at once. Wire.Required if the file has a column for `subscribed` or a topic and `doubleOptIn.mode` of the project is `all`, or if it has a column for a topic that asks for a confirmation itself. */
    readonly doubleOptIn?: "send" | "skip" | undefined
    /** Wire.Evidence of the consent of every contact in the file, as a Wire.JSON object with the fields of `Wire.GivenConsent`. `{"basis": "consent", "wording": "Wire.Yes, send me news."}` */
    readonly consent?: string | undefined
    /** Wire.Id of a static segment, which each imported contact joins. */
    readonly segmentId?: string | undefined
    /** Wire.A Wire.UUID that ties the parts of one file together, to find their imports by it. */
    readonly groupId?: string | undefined
  }, options?: CallOptions) => Call<Wire.JobQueued>
  /**
   * Cancel an import
   *
   * Rows that were imported stay, and no further ones follow. 409 with reason `already_finished` for an import that has ended.
   *
   * `POST /contacts/import/{jobId}/cancel`
   */
  readonly cancelImport: (jobId: string, options?: CallOptions) => Call<Wire.ImportJob>
  /**
   * Read an import
   *
   * The progress, and the faulty rows of the file. Faulty rows do not affect the others.
   *
   * `GET /contacts/import/{jobId}`
   */
  readonly importJob: (jobId: string, options?: CallOptions) => Call<Wire.ImportJob>
  /**
   * Download the faulty rows of an import
   *
   * CSV with the columns `row`, `error` and those of the file, whose cells are as given, so that the rows can be corrected and imported again. At most 10,000 rows. Kept as long as the import, for 30 days. A text that a spreadsheet would run as a formula starts with an apostrophe.
   *
   * `GET /contacts/import/{jobId}/errors`
   */
  readonly importErrors: (jobId: string, options?: CallOptions) => Call<ReadableStream<Uint8Array>>
  /**
   * Subscribe many contacts
   *
   * Up to 1,000 contacts by id. Each contact that was not subscribed emits `contact.subscribed`. Queued; `GET /contacts/bulk/{jobId}` has the progress and the result.
   *
   * `POST /contacts/bulk-subscribe`
   */
  readonly bulkSubscribe: (body: Wire.BulkContacts, options?: CallOptions) => Call<Wire.JobQueued>
  /**
   * Unsubscribe many contacts
   *
   * Up to 1,000 contacts by id. Each contact that was subscribed emits `contact.unsubscribed`. Queued; `GET /contacts/bulk/{jobId}` has the progress and the result.
   *
   * `POST /contacts/bulk-unsubscribe`
   */
  readonly bulkUnsubscribe: (body: Wire.BulkContacts, options?: CallOptions) => Call<Wire.JobQueued>
  /**
   * Delete many contacts
   *
   * Up to 1,000 contacts by id. For OWNER and ADMIN. Cannot be undone. Queued; `GET /contacts/bulk/{jobId}` has the progress and the result.
   *
   * `POST /contacts/bulk-delete`
   */
  readonly bulkDelete: (body: Wire.BulkContacts, options?: CallOptions) => Call<Wire.JobQueued>
  /**
   * List bulk jobs
   *
   * The bulk jobs of the last 30 days and those under way, newest first, without their errors.
   *
   * `GET /contacts/bulk`
   */
  readonly bulkJobs: (query?: Wire.ContactsBulkJobsQuery, options?: CallOptions) => List<Wire.BulkSummary, Wire.BulkPage>
  /**
   * Change selected contacts
   *
   * The contacts that a condition, a segment or a list of ids selects now, or all. `dryRun` counts them and gives the token that confirms the same change for 15 minutes; without it, more than 1,000 contacts (`delete`: 100) are 409 with reason `confirmation_required`. If many more match by then, 409 with reason `audience_changed`. `delete` is for OWNER and ADMIN. Queued; one job of a project runs at a time, and at most 20 wait.
   *
   * `POST /contacts/bulk`
   */
  readonly bulk: (body: Wire.ChangeContacts, options?: CallOptions) => Call<Wire.BulkPreview | Wire.JobQueued>
  /**
   * Cancel a bulk job
   *
   * Contacts that were changed stay so, and no further ones follow. 409 with reason `already_finished` for a job that has ended.
   *
   * `POST /contacts/bulk/{jobId}/cancel`
   */
  readonly cancelBulk: (jobId: string, options?: CallOptions) => Call<Wire.BulkJob>
  /**
   * Read a bulk job
   *
   * The progress, and the reason for each contact that could not be changed.
   *
   * `GET /contacts/bulk/{jobId}`
   */
  readonly bulkJob: (jobId: string, options?: CallOptions) => Call<Wire.BulkJob>
  /**
   * List the topics of a contact
   *
   * Every topic of the project that is not archived, by position, and what the contact said about it.
   *
   * `GET /contacts/{id}/topics`
   */
  readonly topics: (id: string, options?: CallOptions) => Call<ReadonlyArray<Wire.ContactTopic>>
  /**
   * List the records of consent of a contact
   *
   * Newest first. The first record of a contact that was created subscribed follows from the contact.
   *
   * `GET /contacts/{id}/consents`
   */
  readonly consents: (id: string, query?: Wire.ContactsConsentsQuery, options?: CallOptions) => List<Wire.Consent, Wire.ConsentPage>
  /**
   * Export contacts
   *
   * A file of all contacts, or of those that match the query, ordered by id, each at most once. CSV has the columns id, email, subscribed, createdAt, updatedAt and every custom field; objects and lists are JSON, and a text that a spreadsheet would run as a formula starts with an apostrophe. With more than 10,000 custom fields, only NDJSON is possible.
   *
   * `GET /contacts/export`
   */
  readonly export: (query?: Wire.ContactsExportQuery, options?: CallOptions) => Call<ReadableStream<Uint8Array>>
  /**
   * Export selected contacts
   *
   * As `GET /contacts/export`, for the contacts that match a condition, are members of a segment or are named by their ids; at most one of the three.
   *
   * `POST /contacts/export`
   */
  readonly exportSelected: (body?: Wire.ExportContacts, options?: CallOptions) => Call<ReadableStream<Uint8Array>>
  /**
   * Export everything about a contact
   *
   * The contact with its events, mail, segments, workflow executions and suppression.
   *
   * `GET /contacts/{id}/export`
   */
  readonly exportOne: (id: string, options?: CallOptions) => Call<Wire.PersonalData>
  /**
   * Erase a contact
   *
   * Deletes the contact and removes personal data from the records of its mail; their state and times stay, so counts do not change. A suppression of the address is kept only as a keyed hash. Cannot be undone.
   *
   * `POST /contacts/{id}/erase`
   */
  readonly erase: (id: string, options?: CallOptions) => Call<Wire.Erasure>
}

export const contactsOf = (call: Caller, list: Lister): Contacts => ({
  list: (query, options) => list("/contacts", query, options),
  upsert: (body, options) => call("POST", "/contacts", { body, options }),
  get: (id, options) => call("GET", path`/contacts/${id}`, { options }),
  update: (id, body, options) => call("PATCH", path`/contacts/${id}`, { body, options }),
  delete: (id, options) => call("DELETE", path`/contacts/${id}`, { options }),
  links: (id, options) => call("GET", path`/contacts/${id}/links`, { options }),
  sendingState: (id, options) => call("GET", path`/contacts/${id}/sending-state`, { options }),
  merge: (id, body, options) => call("POST", path`/contacts/${id}/merge`, { body, options }),
  query: (body, options) => list("/contacts/query", body, options, "POST"),
  count: (body, options) => call("POST", "/contacts/count", { body, options }),
  segments: (id, options) => call("GET", path`/contacts/${id}/segments`, { options }),
  verify: (body, options) => call("POST", "/contacts/verify", { body, options }),
  lookup: (body, options) => call("POST", "/contacts/lookup", { body, options }),
  fields: (options) => call("GET", "/contacts/fields", { options }),
  fieldValues: (field, query, options) => call("GET", path`/contacts/fields/${field}/values`, { query, options }),
  fieldUsage: (field, options) => call("GET", path`/contacts/fields/${field}/usage`, { options }),
  deleteField: (field, options) => call("DELETE", path`/contacts/fields/${field}`, { options }),
  imports: (query, options) => list("/contacts/import", query, options),
  import: (body, options) => call("POST", "/contacts/import", { body, options, form: true }),
  cancelImport: (jobId, options) => call("POST", path`/contacts/import/${jobId}/cancel`, { options }),
  importJob: (jobId, options) => call("GET", path`/contacts/import/${jobId}`, { options }),
  importErrors: (jobId, options) => call("GET", path`/contacts/import/${jobId}/errors`, { options, stream: true }),
  bulkSubscribe: (body, options) => call("POST", "/contacts/bulk-subscribe", { body, options }),
  bulkUnsubscribe: (body, options) => call("POST", "/contacts/bulk-unsubscribe", { body, options }),
  bulkDelete: (body, options) => call("POST", "/contacts/bulk-delete", { body, options }),
  bulkJobs: (query, options) => list("/contacts/bulk", query, options),
  bulk: (body, options) => call("POST", "/contacts/bulk", { body, options }),
  cancelBulk: (jobId, options) => call("POST", path`/contacts/bulk/${jobId}/cancel`, { options }),
  bulkJob: (jobId, options) => call("GET", path`/contacts/bulk/${jobId}`, { options }),
  topics: (id, options) => call("GET", path`/contacts/${id}/topics`, { options }),
  consents: (id, query, options) => list(path`/contacts/${id}/consents`, query, options),
  export: (query, options) => call("GET", "/contacts/export", { query, options, stream: true }),
  exportSelected: (body, options) => call("POST", "/contacts/export", { body, options, stream: true }),
  exportOne: (id, options) => call("GET", path`/contacts/${id}/export`, { options }),
  erase: (id, options) => call("POST", path`/contacts/${id}/erase`, { options })
})

/** Double opt-in: contacts confirm by mail that they want what was asked for. */
export interface OptIns {
  /**
   * List opt-ins
   *
   * Requests to confirm subscriptions, newest first.
   *
   * `GET /opt-ins`
   */
  readonly list: (query?: Wire.OptInsListQuery, options?: CallOptions) => List<Wire.OptIn, Wire.OptInPage>
  /**
   * Ask a contact to confirm
   *
   * Stores the request and its confirmation mail. While one is open, what is asked for is added to it. 409 with reason `already_confirmed` if the contact has all of it, or `suppressed`; 429 after one mail in a minute or ten in a day.
   *
   * `POST /contacts/{id}/opt-in`
   */
  readonly request: (id: string, body?: Wire.RequestOptIn, options?: CallOptions) => Call<Wire.OptIn>
  /**
   * End a contact's open opt-in
   *
   * Its links do nothing from then on, and a confirmation mail that waits is cancelled.
   *
   * `DELETE /contacts/{id}/opt-in`
   */
  readonly cancel: (id: string, options?: CallOptions) => Call<true>
  /**
   * List a contact's opt-ins
   *
   * All of them, newest first.
   *
   * `GET /contacts/{id}/opt-ins`
   */
  readonly ofContact: (id: string, options?: CallOptions) => Call<ReadonlyArray<Wire.OptIn>>
}

export const optInsOf = (call: Caller, list: Lister): OptIns => ({
  list: (query, options) => list("/opt-ins", query, options),
  request: (id, body, options) => call("POST", path`/contacts/${id}/opt-in`, { body, options }),
  cancel: (id, options) => call("DELETE", path`/contacts/${id}/opt-in`, { options }),
  ofContact: (id, options) => call("GET", path`/contacts/${id}/opt-ins`, { options })
})

/** Named groups of contacts, by a condition or by hand. */
export interface Segments {
  /**
   * List segments
   *
   * Every segment of the project, newest first, without pages.
   *
   * `GET /segments`
   */
  readonly list: (options?: CallOptions) => WholeList<ReadonlyArray<Wire.Segment>>
  /**
   * Create a segment
   *
   * The members are counted at once. The slug in the names of its events is set now and never changes.
   *
   * `POST /segments`
   */
  readonly create: (body: Wire.CreateSegment, options?: CallOptions) => Call<Wire.Segment>
  /**
   * Read a segment
   *
   * One segment with its cached `memberCount`.
   *
   * `GET /segments/{id}`
   */
  readonly get: (id: string, options?: CallOptions) => Call<Wire.Segment>
  /**
   * Change a segment
   *
   * Absent fields keep their values. With `ifUpdatedAt`, only if nothing has changed the segment since, else 409 with reason `changed_meanwhile`. Members are counted again when the condition changes. Turning tracking off ends the tracked memberships without events. Turning it on again starts with no members.
   *
   * `PATCH /segments/{id}`
   */
  readonly update: (id: string, body?: Wire.UpdateSegment, options?: CallOptions) => Call<Wire.Segment>
  /**
   * Delete a segment
   *
   * Deletes the segment and its memberships without events. Refused while a campaign in DRAFT, SCHEDULED or SENDING, another segment's condition or a workflow uses it.
   *
   * `DELETE /segments/{id}`
   */
  readonly delete: (id: string, options?: CallOptions) => Call<true>
  /**
   * List the members of a segment
   *
   * For a dynamic segment, the contacts that match now, newest contact first. For a static one, its members, newest member first.
   *
   * `GET /segments/{id}/contacts`
   */
  readonly contacts: (id: string, query?: Wire.SegmentsContactsQuery, options?: CallOptions) => List<Wire.Contact, Wire.SegmentContactPage>
  /**
   * Add to a static segment
   *
   * By address, all or none. Contacts that this creates emit no subscription event.
   *
   * `POST /segments/{id}/members`
   */
  readonly addMembers: (id: string, body: Wire.AddMembers, options?: CallOptions) => Call<Wire.AddedMembers>
  /**
   * Remove from a static segment
   *
   * By address, in a JSON body.
   *
   * `DELETE /segments/{id}/members`
   */
  readonly removeMembers: (id: string, body: Wire.RemoveMembers, options?: CallOptions) => Call<Wire.RemovedMembers>
  /**
   * Recompute the members of a tracked segment
   *
   * Stores which contacts joined and left, and emits an event for each. 400 for a dynamic segment that does not track its membership; a static one has nothing to recompute.
   *
   * `POST /segments/{id}/compute`
   */
  readonly compute: (id: string, options?: CallOptions) => Call<Wire.ComputedSegment>
  /**
   * Count the members of a segment
   *
   * Only updates the count: emits no events and stores no membership.
   *
   * `POST /segments/{id}/refresh`
   */
  readonly refresh: (id: string, options?: CallOptions) => Call<Wire.RefreshedSegment>
}

export const segmentsOf = (call: Caller, list: Lister): Segments => ({
  list: (options) => whole(call("GET", "/segments", { options })),
  create: (body, options) => call("POST", "/segments", { body, options }),
  get: (id, options) => call("GET", path`/segments/${id}`, { options }),
  update: (id, body, options) => call("PATCH", path`/segments/${id}`, { body, options }),
  delete: (id, options) => call("DELETE", path`/segments/${id}`, { options }),
  contacts: (id, query, options) => list(path`/segments/${id}/contacts`, query, options),
  addMembers: (id, body, options) => call("POST", path`/segments/${id}/members`, { body, options }),
  removeMembers: (id, body, options) => call("DELETE", path`/segments/${id}/members`, { body, options }),
  compute: (id, options) => call("POST", path`/segments/${id}/compute`, { options }),
  refresh: (id, options) => call("POST", path`/segments/${id}/refresh`, { options })
})

/** Kinds of mail that contacts take or leave, apart from all other mail. */
export interface Topics {
  /**
   * List topics
   *
   * By position, without pages. Archived topics are left out unless asked for.
   *
   * `GET /topics`
   */
  readonly list: (query?: Wire.TopicsListQuery, options?: CallOptions) => WholeList<ReadonlyArray<Wire.Topic>>
  /**
   * Create a topic
   *
   * A project has at most 100 topics, archived ones included. 409 with reason `key_taken` if another topic has the key.
   *
   * `POST /topics`
   */
  readonly create: (body: Wire.CreateTopic, options?: CallOptions) => Call<Wire.Topic>
  /**
   * Read a topic
   *
   * By its id or its key, with its counts.
   *
   * `GET /topics/{topic}`
   */
  readonly get: (topic: string, options?: CallOptions) => Call<Wire.Topic>
  /**
   * Change a topic
   *
   * Absent fields keep their values. Key and `defaultSubscription` never change. An archived topic is gone from pages, forms, and new campaigns, templates and sends; scheduled campaigns and mail that is already made go on, and the states of contacts stay.
   *
   * `PATCH /topics/{topic}`
   */
  readonly update: (topic: string, body?: Wire.UpdateTopic, options?: CallOptions) => Call<Wire.Topic>
  /**
   * Delete a topic
   *
   * Refused while a campaign in DRAFT, SCHEDULED or SENDING, a template, a step of a workflow, a form or a segment uses it; the details list them. What contacts said about it is gone at once.
   *
   * `DELETE /topics/{topic}`
   */
  readonly delete: (topic: string, options?: CallOptions) => Call<true>
  /**
   * List the uses of a topic
   *
   * What uses the topic, at most 100 of each kind, and whether it can be deleted.
   *
   * `GET /topics/{topic}/usage`
   */
  readonly usage: (topic: string, options?: CallOptions) => Call<Wire.TopicUsage>
  /**
   * List the contacts of a topic
   *
   * Those that take the topic, snoozes aside, or those that said yes or no, or were asked to confirm; newest first.
   *
   * `GET /topics/{topic}/contacts`
   */
  readonly contacts: (topic: string, query?: Wire.TopicsContactsQuery, options?: CallOptions) => List<Wire.Contact, Wire.ContactPage>
}

export const topicsOf = (call: Caller, list: Lister): Topics => ({
  list: (query, options) => whole(call("GET", "/topics", { query, options })),
  create: (body, options) => call("POST", "/topics", { body, options }),
  get: (topic, options) => call("GET", path`/topics/${topic}`, { options }),
  update: (topic, body, options) => call("PATCH", path`/topics/${topic}`, { body, options }),
  delete: (topic, options) => call("DELETE", path`/topics/${topic}`, { options }),
  usage: (topic, options) => call("GET", path`/topics/${topic}/usage`, { options }),
  contacts: (topic, query, options) => list(path`/topics/${topic}/contacts`, query, options)
})

/** What proves that contacts agreed to mail, or withdrew. */
export interface Consents {
  /**
   * List records of consent
   *
   * Newest first. A contact that was created subscribed and did nothing since has one record, which follows from the contact.
   *
   * `GET /consents`
   */
  readonly list: (query?: Wire.ConsentsListQuery, options?: CallOptions) => List<Wire.Consent, Wire.ConsentPage>
  /**
   * Export records of consent
   *
   * For OWNER and ADMIN. A file of all records, or of those that match the query, newest first. CSV has a column for each field; evidence is JSON, and a text that a spreadsheet would run as a formula starts with an apostrophe.
   *
   * `GET /consents/export`
   */
  readonly export: (query?: Wire.ConsentsExportQuery, options?: CallOptions) => Call<ReadableStream<Uint8Array>>
}

export const consentsOf = (call: Caller, list: Lister): Consents => ({
  list: (query, options) => list("/consents", query, options),
  export: (query, options) => call("GET", "/consents/export", { query, options, stream: true })
})

/** What recipients ask about their data on the page of preferences. */
export interface PrivacyRequests {
  /**
   * List privacy requests
   *
   * What recipients asked about their data, newest first. Kept for three years.
   *
   * `GET /privacy-requests`
   */
  readonly list: (query?: Wire.PrivacyRequestsListQuery, options?: CallOptions) => List<Wire.PrivacyRequest, Wire.PrivacyRequestPage>
  /**
   * Get a privacy request
   *
   * Requests with their state. After an erasure a request names no person.
   *
   * `GET /privacy-requests/{id}`
   */
  readonly get: (id: string, options?: CallOptions) => Call<Wire.PrivacyRequest>
  /**
   * Do what a recipient asked for
   *
   * For OWNER and ADMIN. Erases the person, as `POST /contacts/{id}/erase` does. Cannot be undone. 409 with reason `already_finished` unless the request is `OPEN`. Also works while the project is disabled.
   *
   * `POST /privacy-requests/{id}/complete`
   */
  readonly complete: (id: string, options?: CallOptions) => Call<Wire.PrivacyRequest>
  /**
   * Refuse a privacy request
   *
   * For OWNER and ADMIN. Mails the note to the person, as plain text. 409 with reason `already_finished` unless the request is `OPEN`. Also works while the project is disabled.
   *
   * `POST /privacy-requests/{id}/refuse`
   */
  readonly refuse: (id: string, body: Wire.RefusePrivacyRequest, options?: CallOptions) => Call<Wire.PrivacyRequest>
}

export const privacyRequestsOf = (call: Caller, list: Lister): PrivacyRequests => ({
  list: (query, options) => list("/privacy-requests", query, options),
  get: (id, options) => call("GET", path`/privacy-requests/${id}`, { options }),
  complete: (id, options) => call("POST", path`/privacy-requests/${id}/complete`, { options }),
  refuse: (id, body, options) => call("POST", path`/privacy-requests/${id}/refuse`, { body, options })
})

/** Sign-up forms: their fields, texts and topics, and the HTML for a page. */
export interface Forms {
  /**
   * List sign-up forms
   *
   * Every form of the project, newest first, without pages. The counts are exact.
   *
   * `GET /forms`
   */
  readonly list: (options?: CallOptions) => WholeList<ReadonlyArray<Wire.Form>>
  /**
   * Create a sign-up form
   *
   * Its page is at once at `/f/<publicId>`. A project has at most 50 forms; one more is 422. 409 with reason `key_taken` if another form has the key.
   *
   * `POST /forms`
   */
  readonly create: (body: Wire.CreateForm, options?: CallOptions) => Call<Wire.Form>
  /**
   * Read a sign-up form
   *
   * One form with its counts.
   *
   * `GET /forms/{id}`
   */
  readonly get: (id: string, options?: CallOptions) => Call<Wire.Form>
  /**
   * Change a sign-up form
   *
   * Absent fields keep their values; null gives the default. Lists and texts are replaced as a whole. With `ifUpdatedAt`, only if nothing has changed the form since, else 409 with reason `changed_meanwhile`.
   *
   * `PATCH /forms/{id}`
   */
  readonly update: (id: string, body?: Wire.UpdateForm, options?: CallOptions) => Call<Wire.Form>
  /**
   * Delete a sign-up form
   *
   * Its page is gone at once. Contacts, events and records of consent keep its id.
   *
   * `DELETE /forms/{id}`
   */
  readonly remove: (id: string, options?: CallOptions) => Call<true>
  /**
   * Get the HTML of a sign-up form
   *
   * For a page of your own: a form that works without script, and the script that helps it.
   *
   * `GET /forms/{id}/snippet`
   */
  readonly snippet: (id: string, options?: CallOptions) => Call<Wire.FormSnippet>
}

export const formsOf = (call: Caller): Forms => ({
  list: (options) => whole(call("GET", "/forms", { options })),
  create: (body, options) => call("POST", "/forms", { body, options }),
  get: (id, options) => call("GET", path`/forms/${id}`, { options }),
  update: (id, body, options) => call("PATCH", path`/forms/${id}`, { body, options }),
  remove: (id, options) => call("DELETE", path`/forms/${id}`, { options }),
  snippet: (id, options) => call("GET", path`/forms/${id}/snippet`, { options })
})

/** Content that is written once and rendered for each recipient. */
export interface Templates {
  /**
   * List templates
   *
   * The templates of the project, newest first unless sorted otherwise.
   *
   * `GET /templates`
   */
  readonly list: (query?: Wire.TemplatesListQuery, options?: CallOptions) => List<Wire.TemplateSummary, Wire.TemplatePage>
  /**
   * Create a template
   *
   * All texts are parsed at once; the domain of `from` must be verified. If another template has the alias: 409 with reason `alias_taken`. At most 10 MB.
   *
   * `POST /templates`
   */
  readonly create: (body: Wire.CreateTemplate, options?: CallOptions) => Call<Wire.Template>
  /**
   * Render texts
   *
   * Like `POST /templates/{id}/render`, with texts of the request. Nothing is sent or stored; it counts as a read. At most 10 MB.
   *
   * `POST /templates/render`
   */
  readonly renderTexts: (body?: Wire.RenderTexts, options?: CallOptions) => Call<Wire.RenderedMail>
  /**
   * Read a template
   *
   * One template with its texts as written.
   *
   * `GET /templates/{id}`
   */
  readonly get: (id: string, options?: CallOptions) => Call<Wire.Template>
  /**
   * Change a template
   *
   * Absent fields keep their values; `null` clears a field that may be empty. The change applies to mail rendered afterwards. Changed content is a new version, which is live at once. At most 10 MB.
   *
   * `PATCH /templates/{id}`
   */
  readonly update: (id: string, body?: Wire.UpdateTemplate, options?: CallOptions) => Call<Wire.Template>
  /**
   * Delete a template
   *
   * Refused while a workflow step uses it. Campaigns keep the texts they copied.
   *
   * `DELETE /templates/{id}`
   */
  readonly delete: (id: string, options?: CallOptions) => Call<true>
  /**
   * Duplicate a template
   *
   * The copy has ` (Copy)` after its name. The domain of `from` is not checked again.
   *
   * `POST /templates/{id}/duplicate`
   */
  readonly duplicate: (id: string, options?: CallOptions) => Call<Wire.Template>
  /**
   * Clicks on the links of a template
   *
   * For all mail from the template, by the links as written. Exact; counts stay when mails are deleted.
   *
   * `GET /templates/{id}/links`
   */
  readonly links: (id: string, options?: CallOptions) => Call<Wire.TemplateLinks>
  /**
   * Results of a template
   *
   * Counts and rates of all mail from the template: single mails, campaigns and workflows, without test mail.
   *
   * `GET /templates/{id}/stats`
   */
  readonly stats: (id: string, options?: CallOptions) => Call<Wire.OwnerResults>
  /**
   * Render a template
   *
   * The mail as a recipient would get it, with its size, its variables and warnings. Content fields of the request replace those of the template. Nothing is sent or stored, and no contact is created; it counts as a read. At most 10 MB.
   *
   * `POST /templates/{id}/render`
   */
  readonly render: (id: string, body?: Wire.RenderTemplate, options?: CallOptions) => Call<Wire.RenderedMail>
  /**
   * Send a test of a template
   *
   * Sends to one address, of a contact or a member of the project, with `[TEST] ` before the subject. Its links change nothing, it is not tracked, and no count includes it. Without a contact, a missing variable is printed as its name in brackets, also by a strict template. A draft with faults is refused with them. 409 with reason `suppressed` for a suppressed address.
   *
   * `POST /templates/{id}/test`
   */
  readonly test: (id: string, body: Wire.TestTemplate, options?: CallOptions) => Call<Wire.TemplateTested["data"]>
  /**
   * List the uses of a template
   *
   * Campaigns and workflow steps that use it, the number of mails from it, and whether it can be deleted.
   *
   * `GET /templates/{id}/usage`
   */
  readonly usage: (id: string, options?: CallOptions) => Call<Wire.TemplateUsage>
  /**
   * List versions of a template
   *
   * Newest first. The last 100 versions are kept.
   *
   * `GET /templates/{id}/versions`
   */
  readonly versions: (id: string, query?: Wire.TemplatesVersionsQuery, options?: CallOptions) => List<Wire.TemplateVersion, Wire.TemplateVersionPage>
  /**
   * Read a version of a template
   *
   * The template with the content and the number of that version.
   *
   * `GET /templates/{id}/versions/{version}`
   */
  readonly version: (id: string, version: string, options?: CallOptions) => Call<Wire.Template>
  /**
   * Restore a version of a template
   *
   * Creates a new version with the content of this one, unless the live version already has that content. The draft is kept.
   *
   * `POST /templates/{id}/versions/{version}/restore`
   */
  readonly restore: (id: string, version: string, body?: Wire.RestoreVersion, options?: CallOptions) => Call<Wire.Template>
  /**
   * Read the draft of a template
   *
   * The draft, and the faults that prevent its publication.
   *
   * `GET /templates/{id}/draft`
   */
  readonly draft: (id: string, options?: CallOptions) => Call<Wire.TemplateDraft>
  /**
   * Store the draft of a template
   *
   * Replaces the draft. Absent fields have the values of the live version. Only types and sizes are checked; all other faults are listed in `problems`. Nothing is sent from a draft. At most 10 MB.
   *
   * `PUT /templates/{id}/draft`
   */
  readonly saveDraft: (id: string, body?: Wire.WriteDraft, options?: CallOptions) => Call<Wire.TemplateDraft>
  /**
   * Delete the draft of a template
   *
   * The live version is not changed.
   *
   * `DELETE /templates/{id}/draft`
   */
  readonly deleteDraft: (id: string, options?: CallOptions) => Call<true>
  /**
   * Publish the draft of a template
   *
   * Makes the draft the next version, which is live at once, and deletes it. 409 with reason `no_draft` without one, and with reason `version_changed` if another version became live since it was stored, unless `force` is set.
   *
   * `POST /templates/{id}/publish`
   */
  readonly publish: (id: string, body?: Wire.PublishDraft, options?: CallOptions) => Call<Wire.Template>
}

export const templatesOf = (call: Caller, list: Lister): Templates => ({
  list: (query, options) => list("/templates", query, options),
  create: (body, options) => call("POST", "/templates", { body, options }),
  renderTexts: (body, options) => call("POST", "/templates/render", { body, options }),
  get: (id, options) => call("GET", path`/templates/${id}`, { options }),
  update: (id, body, options) => call("PATCH", path`/templates/${id}`, { body, options }),
  delete: (id, options) => call("DELETE", path`/templates/${id}`, { options }),
  duplicate: (id, options) => call("POST", path`/templates/${id}/duplicate`, { options }),
  links: (id, options) => call("GET", path`/templates/${id}/links`, { options }),
  stats: (id, options) => call("GET", path`/templates/${id}/stats`, { options }),
  render: (id, body, options) => call("POST", path`/templates/${id}/render`, { body, options }),
  test: (id, body, options) => call("POST", path`/templates/${id}/test`, { body, options }),
  usage: (id, options) => call("GET", path`/templates/${id}/usage`, { options }),
  versions: (id, query, options) => list(path`/templates/${id}/versions`, query, options),
  version: (id, version, options) => call("GET", path`/templates/${id}/versions/${version}`, { options }),
  restore: (id, version, body, options) => call("POST", path`/templates/${id}/versions/${version}/restore`, { body, options }),
  draft: (id, options) => call("GET", path`/templates/${id}/draft`, { options }),
  saveDraft: (id, body, options) => call("PUT", path`/templates/${id}/draft`, { body, options }),
  deleteDraft: (id, options) => call("DELETE", path`/templates/${id}/draft`, { options }),
  publish: (id, body, options) => call("POST", path`/templates/${id}/publish`, { body, options })
})

/** Pieces of mail that several templates and campaigns include with `{{> name}}`. A layout is a partial around a whole body. */
export interface Partials {
  /**
   * List partials
   *
   * The partials of the project, newest first unless sorted otherwise.
   *
   * `GET /partials`
   */
  readonly list: (query?: Wire.PartialsListQuery, options?: CallOptions) => List<Wire.Partial, Wire.PartialPage>
  /**
   * Create a partial
   *
   * Body and text are parsed at once, with the partials that they use. A project has at most 200 partials. If another partial has the name: 409 with reason `name_taken`.
   *
   * `POST /partials`
   */
  readonly create: (body: Wire.CreatePartial, options?: CallOptions) => Call<Wire.Partial>
  /**
   * Read a partial
   *
   * One partial with its texts as written.
   *
   * `GET /partials/{id}`
   */
  readonly get: (id: string, options?: CallOptions) => Call<Wire.Partial>
  /**
   * Change a partial
   *
   * Absent fields keep their values; `null` clears `description` and `text`. The change applies to all mail rendered afterwards, except mail of campaigns whose sending has started. Changed texts are a new version. A new name is refused while the partial is in use.
   *
   * `PATCH /partials/{id}`
   */
  readonly update: (id: string, body?: Wire.UpdatePartial, options?: CallOptions) => Call<Wire.Partial>
  /**
   * Delete a partial
   *
   * Refused while a template, another partial, a draft of one of them, or a campaign whose sending has not started uses it; the details list them. Its versions and its draft are deleted too.
   *
   * `DELETE /partials/{id}`
   */
  readonly delete: (id: string, options?: CallOptions) => Call<true>
  /**
   * List the uses of a partial
   *
   * Templates, partials and campaigns that use it, at most 100 of each, and whether it can be deleted.
   *
   * `GET /partials/{id}/usage`
   */
  readonly usage: (id: string, options?: CallOptions) => Call<Wire.PartialUsage>
  /**
   * List versions of a partial
   *
   * Newest first. The last 100 versions are kept.
   *
   * `GET /partials/{id}/versions`
   */
  readonly versions: (id: string, query?: Wire.PartialsVersionsQuery, options?: CallOptions) => List<Wire.PartialVersion, Wire.PartialVersionPage>
  /**
   * Read a version of a partial
   *
   * The partial with the texts and the number of that version.
   *
   * `GET /partials/{id}/versions/{version}`
   */
  readonly version: (id: string, version: string, options?: CallOptions) => Call<Wire.Partial>
  /**
   * Restore a version of a partial
   *
   * Makes a new version with the texts of that one, and none if the live version has them. Refused if a partial that they name is gone. The draft stays.
   *
   * `POST /partials/{id}/versions/{version}/restore`
   */
  readonly restore: (id: string, version: string, body?: Wire.RestoreVersion, options?: CallOptions) => Call<Wire.Partial>
  /**
   * Read the draft of a partial
   *
   * The texts that are not published yet, and the faults that prevent their publication.
   *
   * `GET /partials/{id}/draft`
   */
  readonly draft: (id: string, options?: CallOptions) => Call<Wire.PartialDraft>
  /**
   * Store the draft of a partial
   *
   * Replaces the draft. Absent fields are as in the live version. Only types and sizes are checked; all other faults are listed in `problems`. No mail has the texts of a draft.
   *
   * `PUT /partials/{id}/draft`
   */
  readonly saveDraft: (id: string, body?: Wire.WritePartialDraft, options?: CallOptions) => Call<Wire.PartialDraft>
  /**
   * Delete the draft of a partial
   *
   * The live version stays.
   *
   * `DELETE /partials/{id}/draft`
   */
  readonly deleteDraft: (id: string, options?: CallOptions) => Call<true>
  /**
   * Publish the draft of a partial
   *
   * Makes the draft the next version, which all mail rendered afterwards includes, and deletes the draft. 409 with reason `no_draft` without one, and with reason `version_changed` if another version went live since it was stored, unless `force` is set.
   *
   * `POST /partials/{id}/publish`
   */
  readonly publish: (id: string, body?: Wire.PublishDraft, options?: CallOptions) => Call<Wire.Partial>
}

export const partialsOf = (call: Caller, list: Lister): Partials => ({
  list: (query, options) => list("/partials", query, options),
  create: (body, options) => call("POST", "/partials", { body, options }),
  get: (id, options) => call("GET", path`/partials/${id}`, { options }),
  update: (id, body, options) => call("PATCH", path`/partials/${id}`, { body, options }),
  delete: (id, options) => call("DELETE", path`/partials/${id}`, { options }),
  usage: (id, options) => call("GET", path`/partials/${id}/usage`, { options }),
  versions: (id, query, options) => list(path`/partials/${id}/versions`, query, options),
  version: (id, version, options) => call("GET", path`/partials/${id}/versions/${version}`, { options }),
  restore: (id, version, body, options) => call("POST", path`/partials/${id}/versions/${version}/restore`, { body, options }),
  draft: (id, options) => call("GET", path`/partials/${id}/draft`, { options }),
  saveDraft: (id, body, options) => call("PUT", path`/partials/${id}/draft`, { body, options }),
  deleteDraft: (id, options) => call("DELETE", path`/partials/${id}/draft`, { options }),
  publish: (id, body, options) => call("POST", path`/partials/${id}/publish`, { body, options })
})

/** One message to an audience, sent at once or at a scheduled time. */
export interface Campaigns {
  /**
   * List campaigns
   *
   * The campaigns of the project, newest first unless sorted otherwise. `search` matches name, subject and sender address.
   *
   * `GET /campaigns`
   */
  readonly list: (query?: Wire.CampaignsListQuery, options?: CallOptions) => List<Wire.CampaignSummary, Wire.CampaignPage>
  /**
   * Create a campaign
   *
   * The new campaign is a draft. A template supplies the texts and the sender that the request does not have. MJML is compiled now. Subject, body and condition are checked at once; the domain of `from` must be verified. If its topic is archived: 409 with reason `topic_archived`. At most 10 MB.
   *
   * `POST /campaigns`
   */
  readonly create: (body: Wire.WriteCampaign, options?: CallOptions) => Call<Wire.CampaignAnswer["data"]>
  /**
   * Read a campaign
   *
   * One campaign with its counters, the segment of its audience and its topic.
   *
   * `GET /campaigns/{id}`
   */
  readonly get: (id: string, options?: CallOptions) => Call<Wire.CampaignDetailAnswer["data"]>
  /**
   * Replace a campaign
   *
   * Only while it is `DRAFT` or `SCHEDULED`, else 409 with reason `campaign_state`. Takes the same body as create: an absent field gets its default. With `ifUpdatedAt`, only if nothing has changed it since, else 409 with reason `changed_meanwhile`. The schedule is kept. A change ends a requested or given approval. A scheduled campaign of a caller who needs an approval cannot be changed: 409 with reason `approval_required`. At most 10 MB.
   *
   * `PUT /campaigns/{id}`
   */
  readonly update: (id: string, body: Wire.ReplaceCampaign, options?: CallOptions) => Call<Wire.CampaignAnswer["data"]>
  /**
   * Delete a campaign
   *
   * Refused while mails of the campaign wait or are being sent. The records of sent mails are kept.
   *
   * `DELETE /campaigns/{id}`
   */
  readonly delete: (id: string, options?: CallOptions) => Call<true>
  /**
   * Duplicate a campaign
   *
   * Creates a draft with the same texts and audience, and ` (Copy)` after the name.
   *
   * `POST /campaigns/{id}/duplicate`
   */
  readonly duplicate: (id: string, options?: CallOptions) => Call<Wire.CampaignDone["data"]>
  /**
   * Follow up a campaign
   *
   * Creates a draft with the same texts and the default `delivery`, to all contacts that were recipients of the campaign and reacted as `who` says, or did not. 409 with reason `campaign_state` for a draft or scheduled campaign.
   *
   * `POST /campaigns/{id}/follow-up`
   */
  readonly followUp: (id: string, body: Wire.FollowUpCampaign, options?: CallOptions) => Call<Wire.CampaignAnswer["data"]>
  /**
   * Send or schedule a campaign
   *
   * The audience is fixed at once, and the mails are sent in the background. With `scheduledFor`, sending starts within 5 seconds of that time; sending again replaces the time. 409 with reason `approval_required` if `campaignApproval` of `/settings/sending` asks for an approval that the campaign does not have. Of two simultaneous requests one succeeds and the other gets 409.
   *
   * `POST /campaigns/{id}/send`
   */
  readonly send: (id: string, body?: Wire.SendCampaign, options?: CallOptions) => Call<Wire.CampaignDone["data"]>
  /**
   * Send a campaign again and again
   *
   * Only for a draft, else 409 with reason `campaign_state`. Each firing makes a campaign with the texts and the audience that the draft has then, the date after its name and `parentId`, and starts it as a schedule does; with `delivery.localTime` when the first time zone of the world has reached its wall clock. Of the firings that an outage missed, the latest of the last 24 hours runs, once. None fires from `delivery.expiresAt` on. An approval is asked for as on sending. At most 50 for each project. Safe to repeat.
   *
   * `PUT /campaigns/{id}/recurrence`
   */
  readonly setRecurrence: (id: string, body: Wire.SetRecurrence, options?: CallOptions) => Call<Wire.CampaignAnswer["data"]>
  /**
   * End the recurrence of a campaign
   *
   * The campaigns that it has made go on. Safe to repeat.
   *
   * `DELETE /campaigns/{id}/recurrence`
   */
  readonly removeRecurrence: (id: string, options?: CallOptions) => Call<true>
  /**
   * Cancel a campaign
   *
   * No more mail of the campaign is sent, except mail that is already being transmitted. Waiting mails become `CANCELLED`. Safe to repeat.
   *
   * `POST /campaigns/{id}/cancel`
   */
  readonly cancel: (id: string, options?: CallOptions) => Call<Wire.CampaignDone["data"]>
  /**
   * Pause a campaign
   *
   * Like cancel, but waiting mails stay until `resume`. Safe to repeat.
   *
   * `POST /campaigns/{id}/pause`
   */
  readonly pause: (id: string, options?: CallOptions) => Call<Wire.CampaignDone["data"]>
  /**
   * Resume a campaign
   *
   * Waiting mails are sent. Safe to repeat.
   *
   * `POST /campaigns/{id}/resume`
   */
  readonly resume: (id: string, options?: CallOptions) => Call<Wire.CampaignDone["data"]>
  /**
   * Send failed mails of a campaign again
   *
   * Queues `FAILED` mails again, and with `includeAmbiguous` also `AMBIGUOUS` ones, with the same ids; a campaign that was `SENT` is `SENDING` until they are done. Mails that were sent are not sent again.
   *
   * `POST /campaigns/{id}/retry-failed`
   */
  readonly retryFailed: (id: string, body?: Wire.RetryFailed, options?: CallOptions) => Call<Wire.CampaignRetried["data"]>
  /**
   * Send a test
   *
   * Sends to one address, of a contact or a member of the project, with `[TEST] ` before the subject. Its links change nothing, and no count includes it. Without a contact, a missing variable is printed as its name in brackets. 409 with reason `suppressed` for a suppressed address.
   *
   * `POST /campaigns/{id}/test`
   */
  readonly test: (id: string, body: Wire.TestCampaign, options?: CallOptions) => Call<Wire.CampaignTested["data"]>
  /**
   * Counters and rates of a campaign
   *
   * Exact current counts.
   *
   * `GET /campaigns/{id}/stats`
   */
  readonly stats: (id: string, options?: CallOptions) => Call<Wire.CampaignStatsAnswer["data"]>
  /**
   * Clicks on the links of a campaign
   *
   * By the links as written in the template, so that a link with placeholders counts as one for all recipients. Exact current counts.
   *
   * `GET /campaigns/{id}/links`
   */
  readonly links: (id: string, query?: Wire.CampaignsLinksQuery, options?: CallOptions) => Call<Wire.CampaignLinksAnswer["data"]>
  /**
   * Results of a campaign by mailbox provider
   *
   * By the mailbox providers of the recipients. Exact current counts; mail before its first attempt does not count.
   *
   * `GET /campaigns/{id}/providers`
   */
  readonly providers: (id: string, options?: CallOptions) => Call<Wire.CampaignProvidersAnswer["data"]>
  /**
   * Report of a campaign
   *
   * Its results by variant, by hour or by mailbox provider. Exact current counts; they stay when contacts and mails are deleted.
   *
   * `GET /campaigns/{id}/report`
   */
  readonly report: (id: string, query?: Wire.CampaignsReportQuery, options?: CallOptions) => Call<Wire.CampaignReportAnswer["data"]>
  /**
   * List the recipients of a campaign
   *
   * The audience, as fixed when sending started, with the status and the variant of each mail, ordered by contact id; empty before that. The rest of an experiment has no mail before the decision. `search` matches the address.
   *
   * `GET /campaigns/{id}/recipients`
   */
  readonly recipients: (id: string, query?: Wire.CampaignsRecipientsQuery, options?: CallOptions) => List<Wire.Recipient, Wire.RecipientPage>
  /**
   * Show the experiment of a campaign
   *
   * 404 for a campaign without `experiment`. Figures decide nothing before `final`.
   *
   * `GET /campaigns/{id}/experiment`
   */
  readonly experiment: (id: string, options?: CallOptions) => Call<Wire.CampaignExperimentAnswer["data"]>
  /**
   * Choose the winner of an experiment
   *
   * While it is `TESTING` or `WAITING`, else 409 with reason `experiment_state`. The rest of the audience gets the variant. The same variant again changes nothing.
   *
   * `POST /campaigns/{id}/experiment/winner`
   */
  readonly decideExperiment: (id: string, body: Wire.ChooseVariant, options?: CallOptions) => Call<Wire.CampaignExperimentAnswer["data"]>
  /**
   * Ask for the approval of a campaign
   *
   * Only for a draft that is not approved, else 409 with reason `approval_state`. The administrators get a mail. `campaignApproval` of `/settings/sending` says whose campaigns need an approval. Safe to repeat.
   *
   * `POST /campaigns/{id}/request-approval`
   */
  readonly requestApproval: (id: string, body?: Wire.RequestApproval, options?: CallOptions) => Call<Wire.CampaignAnswer["data"]>
  /**
   * Approve a campaign
   *
   * Takes the session of an ADMIN or OWNER, and no key. The draft may then be sent as it is; changing it ends the approval. 409 with reason `approval_state` unless an approval is requested. If `campaignApproval` is `ALL`, 403 with reason `own_request` for the one who asked, unless the project has no other administrator. Safe to repeat.
   *
   * `POST /campaigns/{id}/approve`
   */
  readonly approve: (id: string, body?: Wire.ApproveCampaign, options?: CallOptions) => Call<Wire.CampaignAnswer["data"]>
  /**
   * Reject a campaign
   *
   * Takes the session of an ADMIN or OWNER, and no key. 409 with reason `approval_state` unless an approval is requested. It can be asked for again. Safe to repeat.
   *
   * `POST /campaigns/{id}/reject`
   */
  readonly reject: (id: string, body: Wire.RejectCampaign, options?: CallOptions) => Call<Wire.CampaignAnswer["data"]>
}

export const campaignsOf = (call: Caller, list: Lister): Campaigns => ({
  list: (query, options) => list("/campaigns", query, options),
  create: (body, options) => call("POST", "/campaigns", { body, options }),
  get: (id, options) => call("GET", path`/campaigns/${id}`, { options }),
  update: (id, body, options) => call("PUT", path`/campaigns/${id}`, { body, options }),
  delete: (id, options) => call("DELETE", path`/campaigns/${id}`, { options }),
  duplicate: (id, options) => call("POST", path`/campaigns/${id}/duplicate`, { options }),
  followUp: (id, body, options) => call("POST", path`/campaigns/${id}/follow-up`, { body, options }),
  send: (id, body, options) => call("POST", path`/campaigns/${id}/send`, { body, options }),
  setRecurrence: (id, body, options) => call("PUT", path`/campaigns/${id}/recurrence`, { body, options }),
  removeRecurrence: (id, options) => call("DELETE", path`/campaigns/${id}/recurrence`, { options }),
  cancel: (id, options) => call("POST", path`/campaigns/${id}/cancel`, { options }),
  pause: (id, options) => call("POST", path`/campaigns/${id}/pause`, { options }),
  resume: (id, options) => call("POST", path`/campaigns/${id}/resume`, { options }),
  retryFailed: (id, body, options) => call("POST", path`/campaigns/${id}/retry-failed`, { body, options }),
  test: (id, body, options) => call("POST", path`/campaigns/${id}/test`, { body, options }),
  stats: (id, options) => call("GET", path`/campaigns/${id}/stats`, { options }),
  links: (id, query, options) => call("GET", path`/campaigns/${id}/links`, { query, options }),
  providers: (id, options) => call("GET", path`/campaigns/${id}/providers`, { options }),
  report: (id, query, options) => call("GET", path`/campaigns/${id}/report`, { query, options }),
  recipients: (id, query, options) => list(path`/campaigns/${id}/recipients`, query, options),
  experiment: (id, options) => call("GET", path`/campaigns/${id}/experiment`, { options }),
  decideExperiment: (id, body, options) => call("POST", path`/campaigns/${id}/experiment/winner`, { body, options }),
  requestApproval: (id, body, options) => call("POST", path`/campaigns/${id}/request-approval`, { body, options }),
  approve: (id, body, options) => call("POST", path`/campaigns/${id}/approve`, { body, options }),
  reject: (id, body, options) => call("POST", path`/campaigns/${id}/reject`, { body, options })
})

/** Graphs of steps that contacts go through. */
export interface Workflows {
  /**
   * List workflows
   *
   * Newest first unless sorted otherwise, without their graphs. `search` matches name and description.
   *
   * `GET /workflows`
   */
  readonly list: (query?: Wire.WorkflowsListQuery, options?: CallOptions) => List<Wire.ListedWorkflow, Wire.WorkflowPage>
  /**
   * Create a workflow
   *
   * The new workflow is disabled, is started by an event, and has a TRIGGER but no other step. A project has at most 500 workflows.
   *
   * `POST /workflows`
   */
  readonly create: (body: Wire.CreateWorkflow, options?: CallOptions) => Call<Wire.Workflow>
  /**
   * List fields for a CONDITION
   *
   * Fields of contacts, and data keys of the newest 100 events; with `eventName`, only of events with that name.
   *
   * `GET /workflows/fields`
   */
  readonly fields: (query?: Wire.WorkflowsFieldsQuery, options?: CallOptions) => Call<Wire.WorkflowFields>
  /**
   * Read the signing secret
   *
   * For OWNER and ADMIN. The requests of WEBHOOK steps are signed with it.
   *
   * `GET /workflows/signing-secret`
   */
  readonly signingSecret: (options?: CallOptions) => Call<Wire.WorkflowSigningSecret>
  /**
   * Replace the signing secret
   *
   * For OWNER and ADMIN. For 24 hours every request carries two signatures, one with the new secret and one with the old.
   *
   * `POST /workflows/signing-secret/rotate`
   */
  readonly rotateSigningSecret: (options?: CallOptions) => Call<Wire.RotatedWorkflowSigningSecret>
  /**
   * Read a workflow
   *
   * With its steps and transitions.
   *
   * `GET /workflows/{id}`
   */
  readonly get: (id: string, options?: CallOptions) => Call<Wire.WorkflowDetail>
  /**
   * Change, enable or disable a workflow
   *
   * Absent fields keep their values. With `ifUpdatedAt`, only if nothing has changed the workflow or its graph since, else 409 with reason `changed_meanwhile`. Refused with 422 and all faults if it would leave an invalid workflow enabled. Running executions are not affected. With `versioning: PUBLISHED`, trigger, re-entry, goal and exit rules of the draft change; enabling a workflow without a version publishes the draft. 409 with reason `draft_changed` for `versioning: LIVE` beside a changed draft, or `migration_running` while many live executions are still pinned or released after the last change of `versioning`.
   *
   * `PATCH /workflows/{id}`
   */
  readonly update: (id: string, body?: Wire.UpdateWorkflow, options?: CallOptions) => Call<Wire.WorkflowDetail>
  /**
   * Delete a workflow
   *
   * Deletes its graph and its finished executions too; mails and events stay. Refused while an execution is RUNNING or WAITING.
   *
   * `DELETE /workflows/{id}`
   */
  readonly delete: (id: string, options?: CallOptions) => Call<true>
  /**
   * Check a workflow
   *
   * Returns the faults that prevent enabling it, and warnings about probable mistakes. Changes nothing.
   *
   * `GET /workflows/{id}/validate`
   */
  readonly validate: (id: string, options?: CallOptions) => Call<Wire.WorkflowValidity>
  /**
   * Check a graph without storing it
   *
   * The answer of `GET /workflows/{id}/validate` if this were the graph of the workflow. Faults name steps by key or id and transitions by position. `ifUpdatedAt` is not compared. Changes nothing; allowed while the project is disabled.
   *
   * `POST /workflows/{id}/validate`
   */
  readonly validateGraph: (id: string, body: Wire.WholeGraph, options?: CallOptions) => Call<Wire.WorkflowValidity>
  /**
   * Report of a workflow
   *
   * How many executions started and ended, and how many entered and left each step: what a drawing of the workflow with numbers needs. Exact as of the answer. Counts stay when contacts and mails are deleted.
   *
   * `GET /workflows/{id}/report`
   */
  readonly report: (id: string, query?: Wire.WorkflowsReportQuery, options?: CallOptions) => Call<Wire.WorkflowReport>
  /**
   * Copy a workflow
   *
   * The copy is disabled and has ` (Copy)` after its name, the same trigger and graph, and no executions.
   *
   * `POST /workflows/{id}/duplicate`
   */
  readonly duplicate: (id: string, options?: CallOptions) => Call<Wire.Workflow>
  /**
   * Replace the graph of a workflow
   *
   * Steps, transitions and trigger in one transaction; what the body leaves out is removed. Steps with an id keep their executions and results. Faults name steps by key or id (`steps.<key>.config.amount`) and transitions by position. Refused with all faults if a config is wrong or an enabled workflow would become invalid. 409 RESOURCE_IN_USE with `steps`, each `{stepId, activeExecutions}`, while executions are at removed steps. 409 CONFLICT `changed_meanwhile` if the workflow was changed after `ifUpdatedAt`.
   *
   * `PUT /workflows/{id}/graph`
   */
  readonly replaceGraph: (id: string, body: Wire.WholeGraph, options?: CallOptions) => Call<Wire.ReplacedGraph>
  /**
   * Add a step
   *
   * Connects the newest step without an outgoing transition to the new step, unless `autoConnect` is false. A workflow has at most 100 steps. Refused if it would make an enabled workflow invalid.
   *
   * `POST /workflows/{id}/steps`
   */
  readonly addStep: (id: string, body: Wire.CreateStep, options?: CallOptions) => Call<Wire.AddedStep>
  /**
   * Change a step
   *
   * Absent fields keep their values; `config` is replaced as a whole. The change applies to executions that reach the step afterwards. Only the name and position of the TRIGGER can change.
   *
   * `PATCH /workflows/{id}/steps/{stepId}`
   */
  readonly updateStep: (id: string, stepId: string, body?: Wire.UpdateStep, options?: CallOptions) => Call<Wire.Step>
  /**
   * Delete a step
   *
   * Deletes its transitions too; with `splice=true` the step before it is connected to the step after it. Refused while an execution is at the step.
   *
   * `DELETE /workflows/{id}/steps/{stepId}`
   */
  readonly deleteStep: (id: string, stepId: string, query?: Wire.WorkflowsDeleteStepQuery, options?: CallOptions) => Call<true>
  /**
   * Try out a workflow
   *
   * Takes one contact through the graph, enabled or not, with the logic of its steps and a clock of its own. Nothing is stored, sent, called, charged or tracked: `UPDATE_CONTACT` changes a copy, a RATE_LIMIT counts this run alone, and a WEBHOOK gets the answer from `webhooks`. Conditions see the stored events of the contact and those of the run. A mail counts as sent and delivered at once; the script opens and clicks it. 422 on `script` beyond 1,000 visits, 5 years, 2 seconds of computing or 2 MB.
   *
   * `POST /workflows/{id}/test-runs`
   */
  readonly testRun: (id: string, body?: Wire.StartTestRun, options?: CallOptions) => Call<Wire.TestRun>
  /**
   * Clicks on the links of a step
   *
   * For a SEND_EMAIL step, by the links as written in its template. Exact; counts stay when mails are deleted.
   *
   * `GET /workflows/{id}/steps/{stepId}/links`
   */
  readonly stepLinks: (id: string, stepId: string, options?: CallOptions) => Call<Wire.TemplateLinks>
  /**
   * Results of a step
   *
   * Counts and rates of the mail of a SEND_EMAIL step.
   *
   * `GET /workflows/{id}/steps/{stepId}/stats`
   */
  readonly stepStats: (id: string, stepId: string, options?: CallOptions) => Call<Wire.OwnerResults>
  /**
   * Show the experiment of a step
   *
   * For a SPLIT step with `experiment`. Figures decide nothing before `final`.
   *
   * `GET /workflows/{id}/steps/{stepId}/experiment`
   */
  readonly experiment: (id: string, stepId: string, options?: CallOptions) => Call<Wire.SplitExperiment>
  /**
   * Choose the winner of an experiment
   *
   * At any time. Every contact takes the branch from then on. The same branch again changes nothing.
   *
   * `POST /workflows/{id}/steps/{stepId}/experiment/winner`
   */
  readonly decideExperiment: (id: string, stepId: string, body: Wire.ChooseWinner, options?: CallOptions) => Call<Wire.Step>
  /**
   * Restart an experiment
   *
   * Counts from 0 and splits the contacts by their shares again.
   *
   * `POST /workflows/{id}/steps/{stepId}/experiment/restart`
   */
  readonly restartExperiment: (id: string, stepId: string, options?: CallOptions) => Call<Wire.Step>
  /**
   * Connect two steps
   *
   * Replaces automatic transitions that contradict it. 200 if the transition already exists. 409 with reason `branch_taken` if the step has another transition for this branch. At most 300 transitions.
   *
   * `POST /workflows/{id}/transitions`
   */
  readonly addTransition: (id: string, body: Wire.CreateTransition, options?: CallOptions) => Call<Wire.Transition | Wire.AddedTransition>
  /**
   * Delete a transition
   *
   * An execution that would have followed it completes instead.
   *
   * `DELETE /workflows/{id}/transitions/{transitionId}`
   */
  readonly deleteTransition: (id: string, transitionId: string, options?: CallOptions) => Call<true>
  /**
   * Insert a step into a transition
   *
   * The transition from A to B becomes one from A to the new step and one from the new step to B. A new CONDITION leads to B on the branch `yes`.
   *
   * `POST /workflows/{id}/transitions/{transitionId}/insert-step`
   */
  readonly insertStep: (id: string, transitionId: string, body: Wire.InsertStep, options?: CallOptions) => Call<Wire.AddedStep>
  /**
   * Publish the draft
   *
   * Makes the draft the next version, with which executions start from then on. Live executions stay on theirs. Refused with 422 and all faults. 409 with reason `no_draft` when nothing has changed, `version_changed`, `not_versioned` for a workflow that is edited live, or `migration_running` while its executions are still pinned after a change of `versioning`.
   *
   * `POST /workflows/{id}/publish`
   */
  readonly publish: (id: string, body?: Wire.PublishWorkflow, options?: CallOptions) => Call<Wire.WorkflowDetail>
  /**
   * Discard the draft
   *
   * The draft is the published version again. 409 with reason `not_versioned`.
   *
   * `DELETE /workflows/{id}/draft`
   */
  readonly removeDraft: (id: string, options?: CallOptions) => Call<true>
  /**
   * List the versions of a workflow
   *
   * Newest first, without their graphs. A workflow that is edited live gets a version when it is enabled and by edits while it is; the edits of one caller within 10 minutes are one. At most 100 are kept, beside those with live executions.
   *
   * `GET /workflows/{id}/versions`
   */
  readonly versions: (id: string, query?: Wire.WorkflowsVersionsQuery, options?: CallOptions) => List<Wire.WorkflowVersionSummary, Wire.WorkflowVersionPage>
  /**
   * Read a version of a workflow
   *
   * With trigger, settings, steps and transitions.
   *
   * `GET /workflows/{id}/versions/{n}`
   */
  readonly version: (id: string, n: string, options?: CallOptions) => Call<Wire.WorkflowVersion>
  /**
   * Compare two versions of a workflow
   *
   * What changes from this version to the other one, or to the draft. Steps have the same id in all versions.
   *
   * `GET /workflows/{id}/versions/{n}/diff`
   */
  readonly diff: (id: string, n: string, query?: Wire.WorkflowsDiffQuery, options?: CallOptions) => Call<Wire.WorkflowDiff>
  /**
   * Restore a version of a workflow
   *
   * The draft becomes this version; in a workflow that is edited live, the graph does, checked while it is enabled. Removed steps return with their ids. 409 RESOURCE_IN_USE with `steps` when a live execution is at a step of a live workflow that would go.
   *
   * `POST /workflows/{id}/versions/{n}/restore`
   */
  readonly restore: (id: string, n: string, options?: CallOptions) => Call<Wire.WorkflowDetail>
  /**
   * Move live executions to a version
   *
   * An execution at a step that maps to itself goes on as it was; a wait that has begun keeps its config and its instant. At another step, its visit ends SKIPPED with the reason `migrated`, and the target step begins. Without a target it stays, or ends EXITED with exitReason `migrated`. `dryRun` counts. Queued; `GET /workflows/{id}/migrations/{jobId}` has the progress and the result. 409 with reason `migration_running` or `not_versioned`.
   *
   * `POST /workflows/{id}/migrations`
   */
  readonly migrate: (id: string, body: Wire.MigrateExecutions, options?: CallOptions) => Call<Wire.WorkflowMigrationPlan | Wire.JobQueued>
  /**
   * Read a migration
   *
   * Its progress, and the counts so far.
   *
   * `GET /workflows/{id}/migrations/{jobId}`
   */
  readonly migration: (id: string, jobId: string, options?: CallOptions) => Call<Wire.WorkflowMigrationJob>
}

export const workflowsOf = (call: Caller, list: Lister): Workflows => ({
  list: (query, options) => list("/workflows", query, options),
  create: (body, options) => call("POST", "/workflows", { body, options }),
  fields: (query, options) => call("GET", "/workflows/fields", { query, options }),
  signingSecret: (options) => call("GET", "/workflows/signing-secret", { options }),
  rotateSigningSecret: (options) => call("POST", "/workflows/signing-secret/rotate", { options }),
  get: (id, options) => call("GET", path`/workflows/${id}`, { options }),
  update: (id, body, options) => call("PATCH", path`/workflows/${id}`, { body, options }),
  delete: (id, options) => call("DELETE", path`/workflows/${id}`, { options }),
  validate: (id, options) => call("GET", path`/workflows/${id}/validate`, { options }),
  validateGraph: (id, body, options) => call("POST", path`/workflows/${id}/validate`, { body, options }),
  report: (id, query, options) => call("GET", path`/workflows/${id}/report`, { query, options }),
  duplicate: (id, options) => call("POST", path`/workflows/${id}/duplicate`, { options }),
  replaceGraph: (id, body, options) => call("PUT", path`/workflows/${id}/graph`, { body, options }),
  addStep: (id, body, options) => call("POST", path`/workflows/${id}/steps`, { body, options }),
  updateStep: (id, stepId, body, options) => call("PATCH", path`/workflows/${id}/steps/${stepId}`, { body, options }),
  deleteStep: (id, stepId, query, options) => call("DELETE", path`/workflows/${id}/steps/${stepId}`, { query, options }),
  testRun: (id, body, options) => call("POST", path`/workflows/${id}/test-runs`, { body, options }),
  stepLinks: (id, stepId, options) => call("GET", path`/workflows/${id}/steps/${stepId}/links`, { options }),
  stepStats: (id, stepId, options) => call("GET", path`/workflows/${id}/steps/${stepId}/stats`, { options }),
  experiment: (id, stepId, options) => call("GET", path`/workflows/${id}/steps/${stepId}/experiment`, { options }),
  decideExperiment: (id, stepId, body, options) => call("POST", path`/workflows/${id}/steps/${stepId}/experiment/winner`, { body, options }),
  restartExperiment: (id, stepId, options) => call("POST", path`/workflows/${id}/steps/${stepId}/experiment/restart`, { options }),
  addTransition: (id, body, options) => call("POST", path`/workflows/${id}/transitions`, { body, options }),
  deleteTransition: (id, transitionId, options) => call("DELETE", path`/workflows/${id}/transitions/${transitionId}`, { options }),
  insertStep: (id, transitionId, body, options) => call("POST", path`/workflows/${id}/transitions/${transitionId}/insert-step`, { body, options }),
  publish: (id, body, options) => call("POST", path`/workflows/${id}/publish`, { body, options }),
  removeDraft: (id, options) => call("DELETE", path`/workflows/${id}/draft`, { options }),
  versions: (id, query, options) => list(path`/workflows/${id}/versions`, query, options),
  version: (id, n, options) => call("GET", path`/workflows/${id}/versions/${n}`, { options }),
  diff: (id, n, query, options) => call("GET", path`/workflows/${id}/versions/${n}/diff`, { query, options }),
  restore: (id, n, options) => call("POST", path`/workflows/${id}/versions/${n}/restore`, { options }),
  migrate: (id, body, options) => call("POST", path`/workflows/${id}/migrations`, { body, options }),
  migration: (id, jobId, options) => call("GET", path`/workflows/${id}/migrations/${jobId}`, { options })
})

/** Executions: each is one contact in one workflow. */
export interface Executions {
  /**
   * List executions
   *
   * Newest first, without their step executions.
   *
   * `GET /workflows/{id}/executions`
   */
  readonly list: (id: string, query?: Wire.ExecutionsListQuery, options?: CallOptions) => List<Wire.Execution, Wire.ExecutionPage>
  /**
   * Start a workflow for a contact
   *
   * Works with any type of trigger; the steps run after the response. 409 with reason `workflow_disabled`, `reentry_not_allowed` or `already_running`.
   *
   * `POST /workflows/{id}/executions`
   */
  readonly start: (id: string, body: Wire.StartExecution, options?: CallOptions) => Call<Wire.Execution>
  /**
   * Cancel all executions
   *
   * Cancels the executions that are RUNNING or WAITING; new ones can start meanwhile unless the workflow is disabled.
   *
   * `POST /workflows/{id}/executions/cancel-all`
   */
  readonly cancelAll: (id: string, options?: CallOptions) => Call<Wire.CancelledExecutions>
  /**
   * Read an execution
   *
   * With its step executions, oldest first.
   *
   * `GET /workflows/{id}/executions/{executionId}`
   */
  readonly get: (id: string, executionId: string, options?: CallOptions) => Call<Wire.ExecutionDetail>
  /**
   * Cancel an execution
   *
   * A running step finishes, but no other step starts. Safe to repeat; 409 with reason `already_finished` for an execution that ended in another way.
   *
   * `DELETE /workflows/{id}/executions/{executionId}`
   */
  readonly cancel: (id: string, executionId: string, options?: CallOptions) => Call<Wire.Execution>
  /**
   * Retry a failed execution
   *
   * Runs the failed step again. 409 with reason `not_retryable` or `already_running`.
   *
   * `POST /workflows/{id}/executions/{executionId}/retry`
   */
  readonly retry: (id: string, executionId: string, options?: CallOptions) => Call<Wire.Execution>
  /**
   * List a contact's executions
   *
   * In all workflows, newest first, without their step executions.
   *
   * `GET /contacts/{id}/executions`
   */
  readonly ofContact: (id: string, query?: Wire.ExecutionsOfContactQuery, options?: CallOptions) => List<Wire.ContactExecution, Wire.ContactExecutionPage>
}

export const executionsOf = (call: Caller, list: Lister): Executions => ({
  list: (id, query, options) => list(path`/workflows/${id}/executions`, query, options),
  start: (id, body, options) => call("POST", path`/workflows/${id}/executions`, { body, options }),
  cancelAll: (id, options) => call("POST", path`/workflows/${id}/executions/cancel-all`, { options }),
  get: (id, executionId, options) => call("GET", path`/workflows/${id}/executions/${executionId}`, { options }),
  cancel: (id, executionId, options) => call("DELETE", path`/workflows/${id}/executions/${executionId}`, { options }),
  retry: (id, executionId, options) => call("POST", path`/workflows/${id}/executions/${executionId}/retry`, { options }),
  ofContact: (id, query, options) => list(path`/contacts/${id}/executions`, query, options)
})

/** Sender domains, with the DNS records for their ownership and signatures. */
export interface Domains {
  /**
   * List domains
   *
   * All domains of the project, verified and pending, newest first. The project must be that of the key.
   *
   * `GET /domains/project/{projectId}`
   */
  readonly list: (projectId: string, options?: CallOptions) => WholeList<ReadonlyArray<Wire.Domain>>
  /**
   * Add a domain
   *
   * Returns the DNS records to publish; the first check follows within 10 seconds. IP addresses, public suffixes and domains of mailbox providers are refused; at most 100 domains in a project.
   *
   * `POST /domains`
   */
  readonly add: (body: Wire.AddDomain, options?: CallOptions) => Call<Wire.Domain>
  /**
   * Read a domain
   *
   * One domain with its DNS records and the values found in DNS.
   *
   * `GET /domains/{id}`
   */
  readonly get: (id: string, options?: CallOptions) => Call<Wire.Domain>
  /**
   * Change a domain
   *
   * Sets the host of the links in its mail. Publish the CNAME record of the response, and give the host a certificate; links use it once both are valid. Former hosts keep working.
   *
   * `PATCH /domains/{id}`
   */
  readonly update: (id: string, body?: Wire.UpdateDomain, options?: CallOptions) => Call<Wire.Domain>
  /**
   * Remove a domain
   *
   * Deletes its signing keys. Refused while a template, a workflow step, an unfinished campaign or unsent mail sends from it.
   *
   * `DELETE /domains/{id}`
   */
  readonly remove: (id: string, options?: CallOptions) => Call<true>
  /**
   * Read the health of a domain
   *
   * What mailbox providers require of bulk senders, and whether it is so. DNS is asked once a day, and now with `refresh=true`, at most once a minute. Figures are those of the mail of this domain.
   *
   * `GET /domains/{id}/health`
   */
  readonly health: (id: string, query?: Wire.DomainsHealthQuery, options?: CallOptions) => Call<Wire.DomainHealth>
  /**
   * Read DMARC reports of a domain
   *
   * What mailbox providers report about mail with this domain in From; by default of the last 30 days. Anyone can send such reports, so they inform and change nothing. Sums are kept for 400 days.
   *
   * `GET /domains/{id}/dmarc`
   */
  readonly dmarc: (id: string, query?: Wire.DomainsDmarcQuery, options?: CallOptions) => Call<Wire.DmarcSummary>
  /**
   * Read the warm-up of a domain
   *
   * The plan, its step and cap of today, the mail that waits, and every day that is over.
   *
   * `GET /domains/{id}/warmup`
   */
  readonly warmup: (id: string, query?: Wire.DomainsWarmupQuery, options?: CallOptions) => Call<Wire.Warmup>
  /**
   * Warm up a domain
   *
   * Sets the plan, or replaces it; the step stays if `preset` and `caps` do. Campaigns, workflow mail and single mail with a MARKETING or HEADLESS template wait when the cap of the day is used up. Where a plan of the domain and one of a transport fit, the tighter one holds.
   *
   * `PUT /domains/{id}/warmup`
   */
  readonly setWarmup: (id: string, body: Wire.SetWarmup, query?: Wire.DomainsSetWarmupQuery, options?: CallOptions) => Call<Wire.Warmup>
  /**
   * End the warm-up of a domain
   *
   * Removes the plan with its days. The mail that waits is sent at once.
   *
   * `DELETE /domains/{id}/warmup`
   */
  readonly removeWarmup: (id: string, query?: Wire.DomainsRemoveWarmupQuery, options?: CallOptions) => Call<true>
  /**
   * List the warm-ups of a domain
   *
   * The plan of all mail of the domain, and those of single transports. Empty without a plan: at most one for each transport.
   *
   * `GET /domains/{id}/warmups`
   */
  readonly warmups: (id: string, options?: CallOptions) => Call<ReadonlyArray<Wire.Warmup>>
  /**
   * Pause the warm-up of a domain
   *
   * No bulk mail of the domain leaves until `resume`. A plan that is paused or completed stays as it is.
   *
   * `POST /domains/{id}/warmup/pause`
   */
  readonly pauseWarmup: (id: string, query?: Wire.DomainsPauseWarmupQuery, options?: CallOptions) => Call<Wire.Warmup>
  /**
   * Resume the warm-up of a domain
   *
   * Begins the same step again on the next local day. A plan that is not paused stays as it is.
   *
   * `POST /domains/{id}/warmup/resume`
   */
  readonly resumeWarmup: (id: string, query?: Wire.DomainsResumeWarmupQuery, options?: CallOptions) => Call<Wire.Warmup>
  /**
   * Check a domain now
   *
   * Checks DNS at once instead of waiting for the check every 5 minutes. Returns the result of an earlier check if it is less than 10 seconds old.
   *
   * `GET /domains/{id}/verify`
   */
  readonly verify: (id: string, options?: CallOptions) => Call<Wire.CheckedDomain>
}

export const domainsOf = (call: Caller): Domains => ({
  list: (projectId, options) => whole(call("GET", path`/domains/project/${projectId}`, { options })),
  add: (body, options) => call("POST", "/domains", { body, options }),
  get: (id, options) => call("GET", path`/domains/${id}`, { options }),
  update: (id, body, options) => call("PATCH", path`/domains/${id}`, { body, options }),
  remove: (id, options) => call("DELETE", path`/domains/${id}`, { options }),
  health: (id, query, options) => call("GET", path`/domains/${id}/health`, { query, options }),
  dmarc: (id, query, options) => call("GET", path`/domains/${id}/dmarc`, { query, options }),
  warmup: (id, query, options) => call("GET", path`/domains/${id}/warmup`, { query, options }),
  setWarmup: (id, body, query, options) => call("PUT", path`/domains/${id}/warmup`, { body, query, options }),
  removeWarmup: (id, query, options) => call("DELETE", path`/domains/${id}/warmup`, { query, options }),
  warmups: (id, options) => call("GET", path`/domains/${id}/warmups`, { options }),
  pauseWarmup: (id, query, options) => call("POST", path`/domains/${id}/warmup/pause`, { query, options }),
  resumeWarmup: (id, query, options) => call("POST", path`/domains/${id}/warmup/resume`, { query, options }),
  verify: (id, options) => call("GET", path`/domains/${id}/verify`, { options })
})

/** The delivery ledger: one record for each mail to each recipient. */
export interface Emails {
  /**
   * List emails
   *
   * The records of the project's mail, one for each mail to each recipient, newest first.
   *
   * `GET /emails`
   */
  readonly list: (query?: Wire.EmailsListQuery, options?: CallOptions) => List<Wire.Email, Wire.EmailPage>
  /**
   * Send email with a session
   *
   * The same as `POST /v1/send`, which takes keys only: also with a session, of any role.
   *
   * `POST /emails`
   */
  readonly send: (body: Wire.SendEmail, options?: KeyedCallOptions) => Call<Wire.SentEmails["data"]>
  /**
   * Read an email
   *
   * The record with every delivery attempt and its result.
   *
   * `GET /emails/{id}`
   */
  readonly get: (id: string, options?: CallOptions) => Call<Wire.EmailDetail>
  /**
   * Reschedule an email
   *
   * Only mail that is still `SCHEDULED`, else 409 with reason `not_scheduled`. A later time moves it; null or a past time sends it at once.
   *
   * `PATCH /emails/{id}`
   */
  readonly update: (id: string, body?: Wire.UpdateEmail, options?: CallOptions) => Call<Wire.Email>
  /**
   * Read the content of an email
   *
   * As rendered, before link rewriting and without the tracking pixel, so that reading it does not count as an open. After retention the texts are null and `raw` is 404.
   *
   * `GET /emails/{id}/content`
   */
  readonly content: (id: string, query?: Wire.EmailsContentQuery, options?: CallOptions) => Call<Wire.EmailContent | Uint8Array>
  /**
   * Cancel an email
   *
   * Only mail that is still `SCHEDULED` or `PENDING`, else 409 with reason `not_cancellable`. Safe to repeat.
   *
   * `POST /emails/{id}/cancel`
   */
  readonly cancel: (id: string, options?: CallOptions) => Call<Wire.Email>
  /**
   * Send a failed email again
   *
   * Only mail that is `FAILED` or `AMBIGUOUS`, with the same Message-ID. Sender domain, suppression and subscription are checked again: 409 with reason `not_retryable`, `content_purged`, `suppressed` or `contact_unsubscribed`.
   *
   * `POST /emails/{id}/retry`
   */
  readonly retry: (id: string, options?: CallOptions) => Call<Wire.Email>
}

export const emailsOf = (call: Caller, list: Lister): Emails => ({
  list: (query, options) => list("/emails", query, options),
  send: (body, options) => call("POST", "/emails", { body, options, keyed: true }),
  get: (id, options) => call("GET", path`/emails/${id}`, { options }),
  update: (id, body, options) => call("PATCH", path`/emails/${id}`, { body, options }),
  content: (id, query, options) => call("GET", path`/emails/${id}/content`, { query, options, bytes: true }),
  cancel: (id, options) => call("POST", path`/emails/${id}/cancel`, { options }),
  retry: (id, options) => call("POST", path`/emails/${id}/retry`, { options })
})

/** Addresses that get no mail of any type. */
export interface Suppressions {
  /**
   * List suppressions
   *
   * Addresses that get no mail of any type, newest first.
   *
   * `GET /suppressions`
   */
  readonly list: (query?: Wire.SuppressionsListQuery, options?: CallOptions) => List<Wire.Suppression, Wire.SuppressionPage>
  /**
   * Suppress addresses
   *
   * With `email`: 201 and the record, or 200 and the unchanged record when the address is already on the list. With `emails`: 201 and the counts. The reason is `MANUAL`. Subscriptions do not change, and waiting mail becomes `SUPPRESSED` when it is due.
   *
   * `POST /suppressions`
   */
  readonly add: (body?: Wire.AddSuppressions, options?: CallOptions) => Call<Wire.Suppression | Wire.Suppression | Wire.AddedSuppressions>
  /**
   * Export suppressions
   *
   * For OWNER and ADMIN. A file of all suppressed addresses, or of those that match the query, newest first, each at most once. Erased addresses are left out. CSV has the columns id, email, reason, emailId, note and createdAt; a text that a spreadsheet would run as a formula starts with an apostrophe.
   *
   * `GET /suppressions/export`
   */
  readonly export: (query?: Wire.SuppressionsExportQuery, options?: CallOptions) => Call<ReadableStream<Uint8Array>>
  /**
   * Look up an address
   *
   * The record of the address; 404 when it is not suppressed.
   *
   * `GET /suppressions/{email}`
   */
  readonly get: (email: string, options?: CallOptions) => Call<Wire.Suppression>
  /**
   * Lift a suppression
   *
   * For OWNER and ADMIN. The address may get mail again. A contact that was unsubscribed by a bounce or complaint stays unsubscribed, and suppressed mail is not sent.
   *
   * `DELETE /suppressions/{email}`
   */
  readonly remove: (email: string, options?: CallOptions) => Call<true>
}

export const suppressionsOf = (call: Caller, list: Lister): Suppressions => ({
  list: (query, options) => list("/suppressions", query, options),
  add: (body, options) => call("POST", "/suppressions", { body, options }),
  export: (query, options) => call("GET", "/suppressions/export", { query, options, stream: true }),
  get: (email, options) => call("GET", path`/suppressions/${email}`, { options }),
  remove: (email, options) => call("DELETE", path`/suppressions/${email}`, { options })
})

/** Actions of contacts, and events of their mail. */
export interface Events {
  /**
   * List events
   *
   * Events that callers tracked, newest first: those of one name by `occurredAt`, others by `createdAt`.
   *
   * `GET /events`
   */
  readonly list: (query?: Wire.EventsListQuery, options?: CallOptions) => List<Wire.Event, Wire.EventPage>
  /**
   * Count events by name
   *
   * The most frequent first, at most 1,000 names. By default the last 30 days.
   *
   * `GET /events/stats`
   */
  readonly stats: (query?: Wire.EventsStatsQuery, options?: CallOptions) => Call<Wire.EventStats>
  /**
   * List a contact's events
   *
   * All events of the contact, newest first, 50 on a page by default.
   *
   * `GET /events/contact/{contactId}`
   */
  readonly ofContact: (contactId: string, query?: Wire.EventsOfContactQuery, options?: CallOptions) => List<Wire.Event, Wire.EventPage>
  /**
   * List names of events
   *
   * For a picker: every name in use.
   *
   * `GET /events/names`
   */
  readonly names: (query?: Wire.EventsNamesQuery, options?: CallOptions) => Call<Wire.EventNames>
  /**
   * List the uses of an event name
   *
   * Segments, campaigns that have not ended, and workflows that use the name. An unknown name has no uses.
   *
   * `GET /events/{eventName}/usage`
   */
  readonly usage: (eventName: string, options?: CallOptions) => Call<Wire.EventUsage>
  /**
   * Count an event by day
   *
   * How often callers tracked the event, with one entry for each day of the window, including days without it; by default the last 30 days. Days are counted whole, even if the window starts or ends within one. Counts stay when contacts are deleted. An unknown name has zeros.
   *
   * `GET /events/{eventName}/timeseries`
   */
  readonly timeseries: (eventName: string, query?: Wire.EventsTimeseriesQuery, options?: CallOptions) => Call<Wire.EventTimeseries>
  /**
   * Delete events by name
   *
   * For OWNER and ADMIN. Deletes every stored event with the name; lists and filters stop seeing them at once. Refused with 409 while something uses the name, and with 422 for names of the service. The name can be tracked again.
   *
   * `DELETE /events/{eventName}`
   */
  readonly delete: (eventName: string, options?: CallOptions) => Call<Wire.DeletedEvents>
  /**
   * Track an event with the secret key
   *
   * The same as `POST /v1/track`, for servers: with the secret key or a session.
   *
   * `POST /events/track`
   */
  readonly track: (body: Wire.TrackEvent, options?: KeyedCallOptions) => Call<Wire.TrackedEvent["data"]>
}

export const eventsOf = (call: Caller, list: Lister): Events => ({
  list: (query, options) => list("/events", query, options),
  stats: (query, options) => call("GET", "/events/stats", { query, options }),
  ofContact: (contactId, query, options) => list(path`/events/contact/${contactId}`, query, options),
  names: (query, options) => call("GET", "/events/names", { query, options }),
  usage: (eventName, options) => call("GET", path`/events/${eventName}/usage`, { options }),
  timeseries: (eventName, query, options) => call("GET", path`/events/${eventName}/timeseries`, { query, options }),
  delete: (eventName, options) => call("DELETE", path`/events/${eventName}`, { options }),
  track: (body, options) => call("POST", "/events/track", { body, options, keyed: true })
})

/** The activity feed of the project, across its resources. */
export interface Activity {
  /**
   * List activity
   *
   * The activity feed of the project, newest first, by default 50 entries per page, of the last 30 days. `total` is counted up to 10,000. Entries of deleted contacts and campaigns are not included.
   *
   * `GET /activity`
   */
  readonly list: (query?: Wire.ActivityListQuery, options?: CallOptions) => List<Wire.ActivityEntry, Wire.ActivityPage>
  /**
   * Count activity
   *
   * Totals and rates of a window, by default of the last 30 days.
   *
   * `GET /activity/stats`
   */
  readonly stats: (query?: Wire.ActivityStatsQuery, options?: CallOptions) => Call<Wire.ActivityStats>
  /**
   * Count recent activity
   *
   * Counts the entries of the last minutes, by default 5.
   *
   * `GET /activity/recent-count`
   */
  readonly recentCount: (query?: Wire.ActivityRecentCountQuery, options?: CallOptions) => Call<Wire.RecentCount>
  /**
   * List types of activity
   *
   * All types, and those that occurred in the project.
   *
   * `GET /activity/types`
   */
  readonly types: (options?: CallOptions) => Call<Wire.ActivityTypes>
  /**
   * List scheduled activity
   *
   * Scheduled campaigns, workflows and steps, earliest first; by default 50 entries of the next 30 days.
   *
   * `GET /activity/upcoming`
   */
  readonly upcoming: (query?: Wire.ActivityUpcomingQuery, options?: CallOptions) => Call<Wire.Upcoming>
}

export const activityOf = (call: Caller, list: Lister): Activity => ({
  list: (query, options) => list("/activity", query, options),
  stats: (query, options) => call("GET", "/activity/stats", { query, options }),
  recentCount: (query, options) => call("GET", "/activity/recent-count", { query, options }),
  types: (options) => call("GET", "/activity/types", { options }),
  upcoming: (query, options) => call("GET", "/activity/upcoming", { query, options })
})

/** Statistics of mail, campaigns and events. */
export interface Analytics {
  /**
   * Mail by day
   *
   * One entry for each day of the window, including days without mail; by default the last 30 days. Days are counted whole, even if the window starts or ends within one. Counts stay when contacts and campaigns are deleted.
   *
   * `GET /analytics/timeseries`
   */
  readonly timeseries: (query?: Wire.AnalyticsTimeseriesQuery, options?: CallOptions) => Call<Wire.Timeseries>
  /**
   * Results by mailbox provider
   *
   * Results of mail by the mailbox providers of the recipients; by default of the last 30 days. Days are counted whole, and each result counts on the day on which it happened. Counts stay when contacts and campaigns are deleted.
   *
   * `GET /analytics/providers`
   */
  readonly providers: (query?: Wire.AnalyticsProvidersQuery, options?: CallOptions) => Call<Wire.ProviderResults>
  /**
   * The best campaigns
   *
   * Campaigns that are sent or being sent, ordered by a metric, by default 10. The dates refer to the start of sending.
   *
   * `GET /analytics/top-campaigns`
   */
  readonly topCampaigns: (query?: Wire.AnalyticsTopCampaignsQuery, options?: CallOptions) => Call<Wire.TopCampaigns>
  /**
   * Statistics of all campaigns
   *
   * Counts by state, average rates and the newest campaigns. The dates refer to the creation of the campaigns.
   *
   * `GET /analytics/campaign-stats`
   */
  readonly campaignStats: (query?: Wire.AnalyticsCampaignStatsQuery, options?: CallOptions) => Call<Wire.CampaignOverview>
  /**
   * Conversions and revenue
   *
   * Goals reached, by day, campaign or workflow, at most 500 rows; by default of the last 30 days. A conversion counts on the day on which it was recorded, in UTC. Sums stay when contacts are deleted, and go with their campaign or workflow.
   *
   * `GET /analytics/conversions`
   */
  readonly conversions: (query?: Wire.AnalyticsConversionsQuery, options?: CallOptions) => Call<Wire.Conversions>
  /**
   * The most frequent events
   *
   * The names that callers tracked most; by default 5, of the last 30 days.
   *
   * `GET /analytics/top-events`
   */
  readonly topEvents: (query?: Wire.AnalyticsTopEventsQuery, options?: CallOptions) => Call<Wire.TopEvents>
}

export const analyticsOf = (call: Caller): Analytics => ({
  timeseries: (query, options) => call("GET", "/analytics/timeseries", { query, options }),
  providers: (query, options) => call("GET", "/analytics/providers", { query, options }),
  topCampaigns: (query, options) => call("GET", "/analytics/top-campaigns", { query, options }),
  campaignStats: (query, options) => call("GET", "/analytics/campaign-stats", { query, options }),
  conversions: (query, options) => call("GET", "/analytics/conversions", { query, options }),
  topEvents: (query, options) => call("GET", "/analytics/top-events", { query, options })
})

/** How mail to mailbox providers goes. */
export interface Deliverability {
  /**
   * How mail to each mailbox provider goes
   *
   * Mailbox providers that got mail of the project in 7 days, or that asked for less mail. The service then sends less there, lets the rest wait, and sends more again by itself.
   *
   * `GET /deliverability/providers`
   */
  readonly providers: (options?: CallOptions) => Call<Wire.ProviderDeliveries>
}

export const deliverabilityOf = (call: Caller): Deliverability => ({
  providers: (options) => call("GET", "/deliverability/providers", { options })
})

/** One search over the records of the project. */
export interface Search {
  /**
   * Find records by name, address or id
   *
   * Contacts by address; campaigns, templates, partials, segments, workflows and domains by name, templates also by alias; any of them, and mails, by id. Contacts match within their address from three characters on, and with two at its beginning. Closed to API keys.
   *
   * `GET /search`
   */
  readonly find: (query: Wire.SearchFindQuery, options?: CallOptions) => Call<Wire.SearchResults>
}

export const searchOf = (call: Caller): Search => ({
  find: (query, options) => call("GET", "/search", { query, options })
})

/** Queries of lists that people come back to. Closed to API keys. */
export interface Views {
  /**
   * List saved views
   *
   * Views that the member has made, and those that are shared. With the secret key only shared ones.
   *
   * `GET /views`
   */
  readonly list: (query?: Wire.ViewsListQuery, options?: CallOptions) => WholeList<Wire.ViewList>
  /**
   * Save a view
   *
   * At most 50 of each member and 200 of the project; one more is 422. Views leave the project with the member who made them.
   *
   * `POST /views`
   */
  readonly create: (body: Wire.CreateView, options?: CallOptions) => Call<Wire.View>
  /**
   * Change a view
   *
   * For its maker, and for a shared one also OWNER and ADMIN. Absent fields keep their values. A view that was made with the secret key stays shared.
   *
   * `PATCH /views/{id}`
   */
  readonly update: (id: string, body?: Wire.UpdateView, options?: CallOptions) => Call<Wire.View>
  /**
   * Delete a view
   *
   * For its maker, and for a shared one also OWNER and ADMIN.
   *
   * `DELETE /views/{id}`
   */
  readonly remove: (id: string, options?: CallOptions) => Call<true>
}

export const viewsOf = (call: Caller): Views => ({
  list: (query, options) => whole(call("GET", "/views", { query, options })),
  create: (body, options) => call("POST", "/views", { body, options }),
  update: (id, body, options) => call("PATCH", path`/views/${id}`, { body, options }),
  remove: (id, options) => call("DELETE", path`/views/${id}`, { options })
})

/** Images for mails. */
export interface Uploads {
  /**
   * Upload an image
   *
   * One JPEG, PNG, GIF or WebP in the field `image`, at most 10 MB and 10,000 pixels on each side; 415 for anything else, including SVG. The response has its public URL, which is always the same for the same image. All images of a project together may have 1 GB.
   *
   * `POST /uploads/image`
   */
  readonly image: (body: {
    readonly image: Blob
  }, options?: CallOptions) => Call<Wire.UploadedImage>
  /**
   * List images
   *
   * The images of the project, newest first. An image that was uploaded again has its first date.
   *
   * `GET /uploads/images`
   */
  readonly images: (query?: Wire.UploadsImagesQuery, options?: CallOptions) => List<Wire.StoredImage, Wire.ImagePage>
  /**
   * Delete an image
   *
   * For OWNER and ADMIN. Its URL answers 404 from then on: mail that was sent with it loses the picture, and so do templates and campaigns that name it. Caches may show it for longer.
   *
   * `DELETE /uploads/images/{name}`
   */
  readonly removeImage: (name: string, options?: CallOptions) => Call<true>
}

export const uploadsOf = (call: Caller, list: Lister): Uploads => ({
  image: (body, options) => call("POST", "/uploads/image", { body, options, form: true }),
  images: (query, options) => list("/uploads/images", query, options),
  removeImage: (name, options) => call("DELETE", path`/uploads/images/${name}`, { options })
})

/** Rules of the audience and of sending: consent, pages of recipients, ingestion, quiet hours, frequency caps, approval of campaigns. */
export interface Settings {
  /**
   * Read the settings of the audience
   *
   * All settings, with their defaults.
   *
   * `GET /settings/audience`
   */
  readonly audience: (options?: CallOptions) => Call<Wire.AudienceSettings>
  /**
   * Change the settings of the audience
   *
   * Absent fields keep their values, in the groups too. 403 if the domain of `doubleOptIn.from` is not verified. Not in force yet: `selfService`. It is checked and stored.
   *
   * `PATCH /settings/audience`
   */
  readonly updateAudience: (body?: Wire.UpdateAudienceSettings, options?: CallOptions) => Call<Wire.AudienceSettings>
  /**
   * Read the settings of sending
   *
   * All settings, with their defaults.
   *
   * `GET /settings/sending`
   */
  readonly sending: (options?: CallOptions) => Call<Wire.SendingSettings>
  /**
   * Change the settings of sending
   *
   * Absent fields keep their values. `campaignApproval` acts on campaigns that are sent or scheduled afterwards, the rest on mail that is made or taken for its first attempt afterwards.
   *
   * `PATCH /settings/sending`
   */
  readonly updateSending: (body?: Wire.UpdateSendingSettings, options?: CallOptions) => Call<Wire.SendingSettings>
  /**
   * Preview the preference page
   *
   * The page with the settings of the body in place of the stored ones. Changes nothing. The form is taken out, so the page can be shown to members as it is.
   *
   * `POST /settings/audience/preview`
   */
  readonly previewPreferences: (body?: Wire.PreviewPreferences, options?: CallOptions) => Call<Wire.PreferencesPreview>
}

export const settingsOf = (call: Caller): Settings => ({
  audience: (options) => call("GET", "/settings/audience", { options }),
  updateAudience: (body, options) => call("PATCH", "/settings/audience", { body, options }),
  sending: (options) => call("GET", "/settings/sending", { options }),
  updateSending: (body, options) => call("PATCH", "/settings/sending", { body, options }),
  previewPreferences: (body, options) => call("POST", "/settings/audience/preview", { body, options })
})

/** The project itself. */
export interface Projects {
  /**
   * Read the project of a key
   *
   * The project of the credential by id and name, and the kind of the key.
   *
   * `GET /projects/current`
   */
  readonly current: (options?: CallOptions) => Call<Wire.CurrentProject>
  /**
   * Read the setup state of the project
   *
   * The parts that are set up and those that are missing. The project must be that of the key.
   *
   * `GET /projects/{id}/setup-state`
   */
  readonly setupState: (id: string, options?: CallOptions) => Call<Wire.SetupStateAnswer["data"]>
  /**
   * List changes of the project
   *
   * For OWNER and ADMIN, and the secret key; closed to API keys. Who changed what, newest first. The project must be that of the key.
   *
   * `GET /projects/{id}/audit`
   */
  readonly audit: (id: string, query?: Wire.ProjectsAuditQuery, options?: CallOptions) => List<Wire.ProjectAuditEntry, Wire.ProjectAuditPage>
  /**
   * Read the sender reputation of the project
   *
   * Bounce and complaint rates of seven days and of all time, their limits, and the last suspensions of the project. The project must be that of the key.
   *
   * `GET /projects/{id}/security`
   */
  readonly security: (id: string, options?: CallOptions) => Call<Wire.SecurityAnswer["data"]>
}

export const projectsOf = (call: Caller, list: Lister): Projects => ({
  current: (options) => call("GET", "/projects/current", { options }),
  setupState: (id, options) => call("GET", path`/projects/${id}/setup-state`, { options }),
  audit: (id, query, options) => list(path`/projects/${id}/audit`, query, options),
  security: (id, options) => call("GET", path`/projects/${id}/security`, { options })
})

/** Credentials with their own scopes, in addition to the two keys of the project. */
export interface ApiKeys {
  /**
   * List API keys
   *
   * Newest first, without the keys themselves.
   *
   * `GET /api-keys`
   */
  readonly list: (options?: CallOptions) => WholeList<ReadonlyArray<Wire.ApiKey>>
  /**
   * Create an API key
   *
   * A key with its own scopes, sent as `Authorization: Bearer`. Within its scopes it is accepted wherever the secret key is. It is shown only in this response. At most 100 in a project.
   *
   * `POST /api-keys`
   */
  readonly create: (body: Wire.CreateApiKey, options?: CallOptions) => Call<Wire.ApiKeyWithKey>
  /**
   * Read an API key
   *
   * One API key, without the key itself.
   *
   * `GET /api-keys/{id}`
   */
  readonly get: (id: string, options?: CallOptions) => Call<Wire.ApiKey>
  /**
   * Change an API key
   *
   * When the response arrives, the change applies in every process.
   *
   * `PATCH /api-keys/{id}`
   */
  readonly update: (id: string, body?: Wire.UpdateApiKey, options?: CallOptions) => Call<Wire.ApiKey>
  /**
   * Revoke an API key
   *
   * When the response arrives, no process accepts the key. Mail that is already accepted is still delivered.
   *
   * `DELETE /api-keys/{id}`
   */
  readonly remove: (id: string, options?: CallOptions) => Call<true>
  /**
   * Replace an API key
   *
   * Creates a new key with the same settings. The old key is accepted until `previousValidUntil`; a key from an earlier rotation stops working at once.
   *
   * `POST /api-keys/{id}/rotate`
   */
  readonly rotate: (id: string, body?: Wire.RotateApiKey, options?: CallOptions) => Call<Wire.ApiKeyWithKey>
}

export const apiKeysOf = (call: Caller): ApiKeys => ({
  list: (options) => whole(call("GET", "/api-keys", { options })),
  create: (body, options) => call("POST", "/api-keys", { body, options }),
  get: (id, options) => call("GET", path`/api-keys/${id}`, { options }),
  update: (id, body, options) => call("PATCH", path`/api-keys/${id}`, { body, options }),
  remove: (id, options) => call("DELETE", path`/api-keys/${id}`, { options }),
  rotate: (id, body, options) => call("POST", path`/api-keys/${id}/rotate`, { body, options })
})

/** SMTP servers of the project, and their routes. */
export interface Transports {
  /**
   * List transports
   *
   * Newest first, without their passwords.
   *
   * `GET /transports`
   */
  readonly list: (options?: CallOptions) => WholeList<ReadonlyArray<Wire.Transport>>
  /**
   * Add a transport
   *
   * Opens a session with the server first; nothing is stored if that fails. Connections use TLS with a valid certificate and go to public addresses only. At most 20 in a project, and 30 such tests an hour.
   *
   * `POST /transports`
   */
  readonly create: (body: Wire.CreateTransport, options?: CallOptions) => Call<Wire.Transport>
  /**
   * Read the routes
   *
   * The routes, which choose the transports for mail.
   *
   * `GET /transports/routes`
   */
  readonly routes: (options?: CallOptions) => Call<Wire.TransportRoutes>
  /**
   * Replace the routes
   *
   * Applies to attempts from one second later on. Mail that matches no route uses the transports of the installation.
   *
   * `PUT /transports/routes`
   */
  readonly setRoutes: (body: Wire.SetTransportRoutes, options?: CallOptions) => Call<Wire.TransportRoutes>
  /**
   * Read a transport
   *
   * One transport, without its password.
   *
   * `GET /transports/{id}`
   */
  readonly get: (id: string, options?: CallOptions) => Call<Wire.Transport>
  /**
   * Change a transport
   *
   * A change of `host`, `port`, `tls`, `user` or `password` opens a session first; nothing is stored if that fails.
   *
   * `PATCH /transports/{id}`
   */
  readonly update: (id: string, body?: Wire.UpdateTransport, options?: CallOptions) => Call<Wire.Transport>
  /**
   * Remove a transport
   *
   * Refused while a route uses it.
   *
   * `DELETE /transports/{id}`
   */
  readonly remove: (id: string, options?: CallOptions) => Call<true>
  /**
   * Check a transport
   *
   * Opens a session without sending mail. Returns the result of an earlier check if it is less than 10 seconds old.
   *
   * `POST /transports/{id}/verify`
   */
  readonly verify: (id: string, options?: CallOptions) => Call<Wire.CheckedTransport>
}

export const transportsOf = (call: Caller): Transports => ({
  list: (options) => whole(call("GET", "/transports", { options })),
  create: (body, options) => call("POST", "/transports", { body, options }),
  routes: (options) => call("GET", "/transports/routes", { options }),
  setRoutes: (body, options) => call("PUT", "/transports/routes", { body, options }),
  get: (id, options) => call("GET", path`/transports/${id}`, { options }),
  update: (id, body, options) => call("PATCH", path`/transports/${id}`, { body, options }),
  remove: (id, options) => call("DELETE", path`/transports/${id}`, { options }),
  verify: (id, options) => call("POST", path`/transports/${id}/verify`, { options })
})

/** Endpoints that receive events. */
export interface Webhooks {
  /**
   * List webhooks
   *
   * Newest first, without their secrets.
   *
   * `GET /webhooks`
   */
  readonly list: (options?: CallOptions) => WholeList<ReadonlyArray<Wire.Webhook>>
  /**
   * Add a webhook
   *
   * From now on the URL receives the events that match the patterns, signed by the Standard Webhooks convention. The secret is shown only in this response. At most 20 in a project.
   *
   * `POST /webhooks`
   */
  readonly create: (body: Wire.CreateWebhook, options?: CallOptions) => Call<Wire.CreatedWebhook>
  /**
   * Read a webhook
   *
   * One endpoint, without its secret.
   *
   * `GET /webhooks/{id}`
   */
  readonly get: (id: string, options?: CallOptions) => Call<Wire.Webhook>
  /**
   * Change a webhook
   *
   * A disabled endpoint receives nothing, and its waiting deliveries fail; `POST /webhooks/{id}/replay` delivers them later. With `ifUpdatedAt`, only if nothing has changed the webhook since, else 409 with reason `changed_meanwhile`.
   *
   * `PATCH /webhooks/{id}`
   */
  readonly update: (id: string, body?: Wire.UpdateWebhook, options?: CallOptions) => Call<Wire.Webhook>
  /**
   * Remove a webhook
   *
   * Ends its waiting deliveries and deletes its log.
   *
   * `DELETE /webhooks/{id}`
   */
  readonly remove: (id: string, options?: CallOptions) => Call<true>
  /**
   * Replace the secret of a webhook
   *
   * For 24 hours, requests have two signatures: one with the new secret and one with the previous secret.
   *
   * `POST /webhooks/{id}/rotate-secret`
   */
  readonly rotateSecret: (id: string, options?: CallOptions) => Call<Wire.RotatedWebhook>
  /**
   * Test a webhook
   *
   * Delivers one `webhook.test`, even to a disabled endpoint.
   *
   * `POST /webhooks/{id}/test`
   */
  readonly test: (id: string, options?: CallOptions) => Call<Wire.WebhookDelivery>
  /**
   * List deliveries
   *
   * Deliveries to the endpoint, newest first. They are kept for 30 days.
   *
   * `GET /webhooks/{id}/deliveries`
   */
  readonly deliveries: (id: string, query?: Wire.WebhooksDeliveriesQuery, options?: CallOptions) => List<Wire.WebhookDelivery, Wire.WebhookDeliveryPage>
  /**
   * Read a delivery
   *
   * With its payload and every attempt.
   *
   * `GET /webhooks/{id}/deliveries/{deliveryId}`
   */
  readonly delivery: (id: string, deliveryId: string, options?: CallOptions) => Call<Wire.WebhookDeliveryDetail>
  /**
   * Deliver again
   *
   * Starts a new series of attempts with the same `webhook-id` and payload. 200 if the delivery is still pending.
   *
   * `POST /webhooks/{id}/deliveries/{deliveryId}/replay`
   */
  readonly replayDelivery: (id: string, deliveryId: string, options?: CallOptions) => Call<Wire.WebhookDelivery>
  /**
   * Deliver many again
   *
   * Repeats deliveries of a period that failed, or delivers events of the period that were missed. Delivers nothing to a disabled endpoint.
   *
   * `POST /webhooks/{id}/replay`
   */
  readonly replay: (id: string, body: Wire.ReplayWebhook, options?: CallOptions) => Call<Wire.ReplayedWebhook>
}

export const webhooksOf = (call: Caller, list: Lister): Webhooks => ({
  list: (options) => whole(call("GET", "/webhooks", { options })),
  create: (body, options) => call("POST", "/webhooks", { body, options }),
  get: (id, options) => call("GET", path`/webhooks/${id}`, { options }),
  update: (id, body, options) => call("PATCH", path`/webhooks/${id}`, { body, options }),
  remove: (id, options) => call("DELETE", path`/webhooks/${id}`, { options }),
  rotateSecret: (id, options) => call("POST", path`/webhooks/${id}/rotate-secret`, { options }),
  test: (id, options) => call("POST", path`/webhooks/${id}/test`, { options }),
  deliveries: (id, query, options) => list(path`/webhooks/${id}/deliveries`, query, options),
  delivery: (id, deliveryId, options) => call("GET", path`/webhooks/${id}/deliveries/${deliveryId}`, { options }),
  replayDelivery: (id, deliveryId, options) => call("POST", path`/webhooks/${id}/deliveries/${deliveryId}/replay`, { options }),
  replay: (id, body, options) => call("POST", path`/webhooks/${id}/replay`, { body, options })
})

/** Users who may act for the project. */
export interface Members {
  /**
   * List members
   *
   * Members, oldest first, then open invitations.
   *
   * `GET /projects/{id}/members`
   */
  readonly list: (id: string, options?: CallOptions) => WholeList<Wire.MemberList["data"]>
  /**
   * Invite a member
   *
   * For OWNER and ADMIN with a confirmed address; with the secret key the OWNER's address must be confirmed. The address gets an email with a link that is valid for 7 days; its owner becomes a member by accepting. At most 100 members and invitations, 3 emails an hour to one address, and 100 emails a day from one inviting account, including withdrawn invitations; invitations with the secret key count for the OWNER.
   *
   * `POST /projects/{id}/members`
   */
  readonly invite: (id: string, body: Wire.InviteMember, options?: CallOptions) => Call<Wire.InvitedMember["data"]>
  /**
   * Change the role of a member
   *
   * For OWNER and ADMIN. A member cannot change their own role or the OWNER's. The OWNER can offer the project to a member: the response has `pendingRole`, and the member gets an email with a link that is valid for 7 days. Giving the member another role withdraws the offer.
   *
   * `PATCH /projects/{id}/members/{userId}`
   */
  readonly update: (id: string, userId: string, body: Wire.UpdateMember, options?: CallOptions) => Call<Wire.MemberAnswer["data"]>
  /**
   * Remove a member
   *
   * For OWNER and ADMIN; members may leave. The OWNER can neither be removed nor leave.
   *
   * `DELETE /projects/{id}/members/{userId}`
   */
  readonly remove: (id: string, userId: string, options?: CallOptions) => Call<true>
}

export const membersOf = (call: Caller): Members => ({
  list: (id, options) => whole(call("GET", path`/projects/${id}/members`, { options })),
  invite: (id, body, options) => call("POST", path`/projects/${id}/members`, { body, options }),
  update: (id, userId, body, options) => call("PATCH", path`/projects/${id}/members/${userId}`, { body, options }),
  remove: (id, userId, options) => call("DELETE", path`/projects/${id}/members/${userId}`, { options })
})

/** Invitations to the project. */
export interface Invitations {
  /**
   * List invitations
   *
   * The open invitations, oldest first.
   *
   * `GET /projects/{id}/invitations`
   */
  readonly list: (id: string, options?: CallOptions) => WholeList<Wire.InvitationList["data"]>
  /**
   * Withdraw an invitation
   *
   * For OWNER and ADMIN; only the OWNER withdraws an offer of ownership. The link stops working.
   *
   * `DELETE /projects/{id}/invitations/{invitationId}`
   */
  readonly remove: (id: string, invitationId: string, options?: CallOptions) => Call<true>
}

export const invitationsOf = (call: Caller): Invitations => ({
  list: (id, options) => whole(call("GET", path`/projects/${id}/invitations`, { options })),
  remove: (id, invitationId, options) => call("DELETE", path`/projects/${id}/invitations/${invitationId}`, { options })
})

/** Every operation of the service that takes a key, as a method. */
export class Resources {
  /**
   * Track an event
   *
   * Records what a contact did, and creates or updates the contact. Needs the public key. A repeated call records another event, unless it has an `Idempotency-Key`. The `publicKeyPolicy` of the project defines what the key may do; at most 60 calls a minute for one contact, and 600 from one client address.
   *
   * `POST /v1/track`
   */
  readonly track: (body: Wire.TrackEvent, options?: KeyedCallOptions) => Call<Wire.TrackedEvent["data"]>
  /**
   * Send email
   *
   * Sends a separate email to each of 1 to 1,000 recipients; the contacts are created or updated. Requires a template, or subject and body. All recipients are accepted or none. 200 means stored and queued: `GET /emails/{id}` has the delivery state. At most 40 MB.
   *
   * `POST /v1/send`
   */
  readonly send: (body: Wire.SendEmail, options?: KeyedCallOptions) => Call<Wire.SentEmails["data"]>
  /**
   * Send a batch
   *
   * Sends 1 to 1,000 different emails in one request and one transaction. `atomic` decides whether a faulty item refuses the whole batch or only itself. An item with an `idempotencyKey` counts as `POST /v1/send` with that key: with `Idempotency-Mode: replay`, a repeated batch sends only the items that were not accepted before. At most 40 MB.
   *
   * `POST /v1/batch`
   */
  readonly batch: (body: Wire.SendBatch, options?: KeyedCallOptions) => Call<Wire.SentBatch["data"]>
  /**
   * Verify an address
   *
   * Checks the syntax of the address and looks up its domain in the DNS. The mail server is not contacted, no mail is sent, nothing is stored and no contact is created.
   *
   * `POST /v1/verify`
   */
  readonly verify: (body: Wire.VerifyAddress, options?: CallOptions) => Call<Wire.VerifiedAddress["data"]>
  /**
   * Follow changes
   *
   * A stream of server-sent events: what happens in the project, within about two seconds. Lines with an `id` alone move the position. A comment comes every 15 seconds. The stream ends after 15 minutes, and at once when the server stops: connect again with the last id in `Last-Event-ID`, and nothing is lost. An entry that is recorded more than 30 seconds after its own time may be missing; lists have it. At most 20 streams of a user or key and 200 of a project at one server: 429.
   *
   * `GET /live`
   */
  readonly live: (topics?: ReadonlyArray<LiveTopic>, options?: LiveOptions) => AsyncIterable<Wire.LiveEvent>
  /** People, one for each address, with the custom data that their mail is rendered from. */
  readonly contacts: Contacts
  /** Double opt-in: contacts confirm by mail that they want what was asked for. */
  readonly optIns: OptIns
  /** Named groups of contacts, by a condition or by hand. */
  readonly segments: Segments
  /** Kinds of mail that contacts take or leave, apart from all other mail. */
  readonly topics: Topics
  /** What proves that contacts agreed to mail, or withdrew. */
  readonly consents: Consents
  /** What recipients ask about their data on the page of preferences. */
  readonly privacyRequests: PrivacyRequests
  /** Sign-up forms: their fields, texts and topics, and the HTML for a page. */
  readonly forms: Forms
  /** Content that is written once and rendered for each recipient. */
  readonly templates: Templates
  /** Pieces of mail that several templates and campaigns include with `{{> name}}`. A layout is a partial around a whole body. */
  readonly partials: Partials
  /** One message to an audience, sent at once or at a scheduled time. */
  readonly campaigns: Campaigns
  /** Graphs of steps that contacts go through. */
  readonly workflows: Workflows
  /** Executions: each is one contact in one workflow. */
  readonly executions: Executions
  /** Sender domains, with the DNS records for their ownership and signatures. */
  readonly domains: Domains
  /** The delivery ledger: one record for each mail to each recipient. */
  readonly emails: Emails
  /** Addresses that get no mail of any type. */
  readonly suppressions: Suppressions
  /** Actions of contacts, and events of their mail. */
  readonly events: Events
  /** The activity feed of the project, across its resources. */
  readonly activity: Activity
  /** Statistics of mail, campaigns and events. */
  readonly analytics: Analytics
  /** How mail to mailbox providers goes. */
  readonly deliverability: Deliverability
  /** One search over the records of the project. */
  readonly search: Search
  /** Queries of lists that people come back to. Closed to API keys. */
  readonly views: Views
  /** Images for mails. */
  readonly uploads: Uploads
  /** Rules of the audience and of sending: consent, pages of recipients, ingestion, quiet hours, frequency caps, approval of campaigns. */
  readonly settings: Settings
  /** The project itself. */
  readonly projects: Projects
  /** Credentials with their own scopes, in addition to the two keys of the project. */
  readonly apiKeys: ApiKeys
  /** SMTP servers of the project, and their routes. */
  readonly transports: Transports
  /** Endpoints that receive events. */
  readonly webhooks: Webhooks
  /** Users who may act for the project. */
  readonly members: Members
  /** Invitations to the project. */
  readonly invitations: Invitations

  constructor(call: Caller, list: Lister) {
    this.track = (body, options) => call("POST", "/v1/track", { body, options, publicKey: true, keyed: true })
    this.send = (body, options) => call("POST", "/v1/send", { body, options, keyed: true })
    this.batch = (body, options) => call("POST", "/v1/batch", { body, options, keyed: true })
    this.verify = (body, options) => call("POST", "/v1/verify", { body, options })
    this.live = followerOf(call)
    this.contacts = contactsOf(call, list)
    this.optIns = optInsOf(call, list)
    this.segments = segmentsOf(call, list)
    this.topics = topicsOf(call, list)
    this.consents = consentsOf(call, list)
    this.privacyRequests = privacyRequestsOf(call, list)
    this.forms = formsOf(call)
    this.templates = templatesOf(call, list)
    this.partials = partialsOf(call, list)
    this.campaigns = campaignsOf(call, list)
    this.workflows = workflowsOf(call, list)
    this.executions = executionsOf(call, list)
    this.domains = domainsOf(call)
    this.emails = emailsOf(call, list)
    this.suppressions = suppressionsOf(call, list)
    this.events = eventsOf(call, list)
    this.activity = activityOf(call, list)
    this.analytics = analyticsOf(call)
    this.deliverability = deliverabilityOf(call)
    this.search = searchOf(call)
    this.views = viewsOf(call)
    this.uploads = uploadsOf(call, list)
    this.settings = settingsOf(call)
    this.projects = projectsOf(call, list)
    this.apiKeys = apiKeysOf(call)
    this.transports = transportsOf(call)
    this.webhooks = webhooksOf(call, list)
    this.members = membersOf(call)
    this.invitations = invitationsOf(call)
  }
}

// Generated from openapi.json by generate.ts; not to be edited.
import type { Call } from "./Answer.ts"
import type { List, Lister } from "./List.ts"
import type { CallOptions, KeyedCallOptions } from "./Options.ts"
import { type Caller, path } from "./Requests.ts"
import type * as Wire from "./types.generated.ts"

/** People, one for each address, with the custom data their mail is rendered from. */
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
   * Create or update a contact by its address
   *
   * 201 when the contact is new, 200 when it existed; `_meta` says which. Calls at the same moment for one address end in one contact with all data merged.
   *
   * `POST /contacts`
   */
  readonly upsert: (body: Wire.UpsertContact, options?: CallOptions) => Call<Wire.UpdatedContact | Wire.CreatedContact>
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
   * What is absent stays. A changed `subscribed` emits `contact.subscribed` or `contact.unsubscribed`. History and segments stay with the contact when its address changes; suppressions stay with the address.
   *
   * `PATCH /contacts/{id}`
   */
  readonly update: (id: string, body?: Wire.UpdateContact, options?: CallOptions) => Call<Wire.Contact>
  /**
   * Delete a contact
   *
   * For good, with its events and memberships. Mail not yet sent is cancelled, sent mail stays on record without the contact, and a suppression of the address stays.
   *
   * `DELETE /contacts/{id}`
   */
  readonly delete: (id: string, options?: CallOptions) => Call<true>
  /**
   * Tell which addresses exist
   *
   * Up to 500 addresses in one call. A badly formed one is no error: it is not found, and named.
   *
   * `POST /contacts/lookup`
   */
  readonly lookup: (body: Wire.LookupContacts, options?: CallOptions) => Call<Wire.ContactLookup>
  /**
   * List the fields of contacts
   *
   * Standard fields and every custom one in use, with the type of its values and the share of contacts that have it. Answers may be up to 60 seconds old.
   *
   * `GET /contacts/fields`
   */
  readonly fields: (options?: CallOptions) => Call<Wire.ContactFields>
  /**
   * List the values of a custom field
   *
   * Different values with their JSON type, ordered as text. `subscribed` has two; other standard fields and unknown ones have none here.
   *
   * `GET /contacts/fields/{field}/values`
   */
  readonly fieldValues: (field: string, query?: Wire.ContactsFieldValuesQuery, options?: CallOptions) => Call<Wire.FieldValues>
  /**
   * Tell where a field is referenced
   *
   * Segments, campaigns that are not sent yet and workflows that name the field or a path below it.
   *
   * `GET /contacts/fields/{field}/usage`
   */
  readonly fieldUsage: (field: string, options?: CallOptions) => Call<Wire.FieldUsage>
  /**
   * Delete a custom field from all contacts
   *
   * For good; no events are emitted. Refused while something refers to it, and for standard fields. Interrupted on the way, it may be repeated.
   *
   * `DELETE /contacts/fields/{field}`
   */
  readonly deleteField: (field: string, options?: CallOptions) => Call<Wire.DeletedField>
  /**
   * Import contacts from a CSV file
   *
   * At most 5 MB, 100,000 rows and 100 columns; UTF-8, with a header line that has a column `email`. A column `subscribed` says who takes marketing mail, every other one goes to the data under its header. Rows are upserted in the order of the file, the last row of an address wins, empty cells mean nothing. Queued; `GET /contacts/import/{jobId}` tells what becomes of it.
   *
   * `POST /contacts/import`
   */
  readonly import: (body: {
    readonly file: Blob
    /** `false`: every cell stays text; `true` unless given. */
    readonly inferTypes?: boolean | undefined
  }, options?: CallOptions) => Call<Wire.JobQueued>
  /**
   * Read an import
   *
   * How far it is, and which rows of the file were faulty. Faulty rows do not fail the others.
   *
   * `GET /contacts/import/{jobId}`
   */
  readonly importJob: (jobId: string, options?: CallOptions) => Call<Wire.ImportJob>
  /**
   * Subscribe many contacts
   *
   * Up to 1,000 contacts by id. Each one that was not subscribed emits `contact.subscribed`. Queued; `GET /contacts/bulk/{jobId}` tells what becomes of it.
   *
   * `POST /contacts/bulk-subscribe`
   */
  readonly bulkSubscribe: (body: Wire.BulkContacts, options?: CallOptions) => Call<Wire.JobQueued>
  /**
   * Unsubscribe many contacts
   *
   * Up to 1,000 contacts by id. Each one that was subscribed emits `contact.unsubscribed`. Queued; `GET /contacts/bulk/{jobId}` tells what becomes of it.
   *
   * `POST /contacts/bulk-unsubscribe`
   */
  readonly bulkUnsubscribe: (body: Wire.BulkContacts, options?: CallOptions) => Call<Wire.JobQueued>
  /**
   * Delete many contacts
   *
   * Up to 1,000 contacts by id. For good, as the deletion of a single one. Queued; `GET /contacts/bulk/{jobId}` tells what becomes of it.
   *
   * `POST /contacts/bulk-delete`
   */
  readonly bulkDelete: (body: Wire.BulkContacts, options?: CallOptions) => Call<Wire.JobQueued>
  /**
   * Read a bulk job
   *
   * How far it is, and what became of each contact that it could not change.
   *
   * `GET /contacts/bulk/{jobId}`
   */
  readonly bulkJob: (jobId: string, options?: CallOptions) => Call<Wire.BulkJob>
  /**
   * Export contacts
   *
   * A file of all contacts, or of those that the query names, ordered by id, each at most once. CSV has the columns id, email, subscribed, createdAt, updatedAt and every custom field; objects and lists are JSON, and a text that a spreadsheet would run gets an apostrophe in front.
   *
   * `GET /contacts/export`
   */
  readonly export: (query?: Wire.ContactsExportQuery, options?: CallOptions) => Call<ReadableStream<Uint8Array>>
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
   * Deletes the contact and strips all that is personal from the records of its mail; their state and times stay, so counts do not change. A suppression of the address is kept as a keyed hash alone. Cannot be undone.
   *
   * `POST /contacts/{id}/erase`
   */
  readonly erase: (id: string, options?: CallOptions) => Call<Wire.Erasure>
}

/** Named parts of the audience, by a condition or by hand. */
export interface Segments {
  /**
   * List segments
   *
   * Every segment of the project, newest first; not in pages.
   *
   * `GET /segments`
   */
  readonly list: (options?: CallOptions) => Call<ReadonlyArray<Wire.Segment>>
  /**
   * Create a segment
   *
   * Its members are counted at once. The slug in the names of its events is made now and kept.
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
   * What is absent stays. Members are counted anew when the condition changed. Switching tracking off ends the tracked memberships without events; on again starts from none.
   *
   * `PATCH /segments/{id}`
   */
  readonly update: (id: string, body?: Wire.UpdateSegment, options?: CallOptions) => Call<Wire.Segment>
  /**
   * Delete a segment
   *
   * With its memberships, and without events. Refused while a campaign in DRAFT, SCHEDULED or SENDING, another segment's condition or a workflow uses it.
   *
   * `DELETE /segments/{id}`
   */
  readonly delete: (id: string, options?: CallOptions) => Call<true>
  /**
   * List the members of a segment
   *
   * Of a dynamic segment the contacts that match now, newest contact first; of a static one the newest member first.
   *
   * `GET /segments/{id}/contacts`
   */
  readonly contacts: (id: string, query?: Wire.SegmentsContactsQuery, options?: CallOptions) => List<Wire.Contact, Wire.SegmentContactPage>
  /**
   * Add to a static segment
   *
   * By address, all or none. Contacts that are created on the way emit no subscription event.
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
   * Stores who joined and who left, and emits an event for each. 400 for a dynamic segment that does not track its membership; a static one has nothing to recompute.
   *
   * `POST /segments/{id}/compute`
   */
  readonly compute: (id: string, options?: CallOptions) => Call<Wire.ComputedSegment>
  /**
   * Count the members of a segment
   *
   * The count only: no events, and no membership is stored.
   *
   * `POST /segments/{id}/refresh`
   */
  readonly refresh: (id: string, options?: CallOptions) => Call<Wire.RefreshedSegment>
}

/** Content that is written once and rendered for each recipient. */
export interface Templates {
  /**
   * List templates
   *
   * The templates of the project, newest first unless sorted otherwise.
   *
   * `GET /templates`
   */
  readonly list: (query?: Wire.TemplatesListQuery, options?: CallOptions) => List<Wire.Template, Wire.TemplatePage>
  /**
   * Create a template
   *
   * Subject and body are parsed at once; the domain of `from` must be verified. At most 10 MB.
   *
   * `POST /templates`
   */
  readonly create: (body: Wire.CreateTemplate, options?: CallOptions) => Call<Wire.Template>
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
   * What is absent stays; `null` clears `description`, `fromName` and `replyTo`. The change acts on mail rendered after it. At most 10 MB.
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
   * The copy has the name with ` (Copy)` after it. The domain of `from` is not checked again.
   *
   * `POST /templates/{id}/duplicate`
   */
  readonly duplicate: (id: string, options?: CallOptions) => Call<Wire.Template>
  /**
   * Where a template is used
   *
   * Campaigns and workflow steps that name it, the number of mails made from it, and whether it can be deleted.
   *
   * `GET /templates/{id}/usage`
   */
  readonly usage: (id: string, options?: CallOptions) => Call<Wire.TemplateUsage>
}

/** Sender domains, and the DNS records that prove and sign for them. */
export interface Domains {
  /**
   * List domains
   *
   * All domains of the project, verified and pending, newest first. The project must be that of the key.
   *
   * `GET /domains/project/{projectId}`
   */
  readonly list: (projectId: string, options?: CallOptions) => Call<ReadonlyArray<Wire.Domain>>
  /**
   * Add a domain
   *
   * Answers the DNS records to publish; the first check follows within 10 seconds. No IP addresses, public suffixes or domains of mailbox providers; at most 100 domains in a project.
   *
   * `POST /domains`
   */
  readonly add: (body: Wire.AddDomain, options?: CallOptions) => Call<Wire.Domain>
  /**
   * Read a domain
   *
   * One domain with its DNS records and what was found of them.
   *
   * `GET /domains/{id}`
   */
  readonly get: (id: string, options?: CallOptions) => Call<Wire.Domain>
  /**
   * Remove a domain
   *
   * Its keys are destroyed. Refused while a template, a workflow step, an unfinished campaign or unsent mail sends from it.
   *
   * `DELETE /domains/{id}`
   */
  readonly remove: (id: string, options?: CallOptions) => Call<true>
  /**
   * Check a domain now
   *
   * Looks at DNS at once instead of waiting for the check of every 5 minutes. A check made less than 10 seconds ago is returned as it is.
   *
   * `GET /domains/{id}/verify`
   */
  readonly verify: (id: string, options?: CallOptions) => Call<Wire.CheckedDomain>
}

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
   * Read an email
   *
   * The record with every try to hand the mail over, and what became of it.
   *
   * `GET /emails/{id}`
   */
  readonly get: (id: string, options?: CallOptions) => Call<Wire.EmailDetail>
  /**
   * Read what an email said
   *
   * As rendered, before link rewriting and without the pixel, so looking does not count. After retention the texts are null and `raw` is 404.
   *
   * `GET /emails/{id}/content`
   */
  readonly content: (id: string, query?: Wire.EmailsContentQuery, options?: CallOptions) => Call<Wire.EmailContent | Uint8Array>
  /**
   * Cancel an email
   *
   * Only mail that is still `PENDING`, else 409 with reason `not_cancellable`. Repeating it is harmless.
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

/** What contacts did, and what became of their mail. */
export interface Events {
  /**
   * List events
   *
   * Those that callers tracked, newest first.
   *
   * `GET /events`
   */
  readonly list: (query?: Wire.EventsListQuery, options?: CallOptions) => List<Wire.Event, Wire.EventPage>
  /**
   * Count events by name
   *
   * The most frequent first, at most 1,000 names; of the last 30 days unless dates are given.
   *
   * `GET /events/stats`
   */
  readonly stats: (query?: Wire.EventsStatsQuery, options?: CallOptions) => Call<Wire.EventStats>
  /**
   * List a contact's events
   *
   * All of them, newest first, 50 on a page unless asked for otherwise.
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
   * See where an event is used
   *
   * Segments, campaigns that are not over, and workflows that name it. An unknown name has zeros.
   *
   * `GET /events/{eventName}/usage`
   */
  readonly usage: (eventName: string, options?: CallOptions) => Call<Wire.EventUsage>
  /**
   * Delete events by name
   *
   * Every stored event of the name, gone from lists and filters at once. Refused with 409 while something uses the name, and with 422 for the service's own names. The name may be tracked again.
   *
   * `DELETE /events/{eventName}`
   */
  readonly delete: (eventName: string, options?: CallOptions) => Call<Wire.DeletedEvents>
  /**
   * Track an event with the secret key
   *
   * The same as `POST /v1/track`, for servers: it takes the secret key, or a session.
   *
   * `POST /events/track`
   */
  readonly track: (body: Wire.TrackEvent, options?: KeyedCallOptions) => Call<Wire.TrackedEvent["data"]>
}

/** Every operation of the service that takes a key, as a method. */
export class Resources {
  /**
   * Track an event
   *
   * Records what a contact did, and creates or updates the contact. Takes the public key. The same call again makes a new event, unless an `Idempotency-Key` is sent.
   *
   * `POST /v1/track`
   */
  readonly track: (body: Wire.TrackEvent, options?: KeyedCallOptions) => Call<Wire.TrackedEvent["data"]>
  /**
   * Send email
   *
   * To one or up to 1,000 recipients, each with a mail of its own; the contacts are created or updated. Needs a template, or subject and body. All recipients are accepted or none. 200 means stored and queued: `GET /emails/{id}` tells of the delivery. At most 40 MB.
   *
   * `POST /v1/send`
   */
  readonly send: (body: Wire.SendEmail, options?: KeyedCallOptions) => Call<Wire.SentEmails["data"]>
  /**
   * Verify an address
   *
   * Looks at the form of the address and asks the DNS about its domain. The mail server is not contacted, no mail is sent, nothing is stored and no contact is created.
   *
   * `POST /v1/verify`
   */
  readonly verify: (body: Wire.VerifyAddress, options?: CallOptions) => Call<Wire.VerifiedAddress["data"]>
  /** People, one for each address, with the custom data their mail is rendered from. */
  readonly contacts: Contacts
  /** Named parts of the audience, by a condition or by hand. */
  readonly segments: Segments
  /** Content that is written once and rendered for each recipient. */
  readonly templates: Templates
  /** Sender domains, and the DNS records that prove and sign for them. */
  readonly domains: Domains
  /** The delivery ledger: one record for each mail to each recipient. */
  readonly emails: Emails
  /** What contacts did, and what became of their mail. */
  readonly events: Events

  constructor(call: Caller, list: Lister) {
    this.track = (body, options) => call("POST", "/v1/track", { body, options, publicKey: true, keyed: true })
    this.send = (body, options) => call("POST", "/v1/send", { body, options, keyed: true })
    this.verify = (body, options) => call("POST", "/v1/verify", { body, options })
    this.contacts = {
      list: (query, options) => list("/contacts", query, options),
      upsert: (body, options) => call("POST", "/contacts", { body, options }),
      get: (id, options) => call("GET", path`/contacts/${id}`, { options }),
      update: (id, body, options) => call("PATCH", path`/contacts/${id}`, { body, options }),
      delete: (id, options) => call("DELETE", path`/contacts/${id}`, { options }),
      lookup: (body, options) => call("POST", "/contacts/lookup", { body, options }),
      fields: (options) => call("GET", "/contacts/fields", { options }),
      fieldValues: (field, query, options) => call("GET", path`/contacts/fields/${field}/values`, { query, options }),
      fieldUsage: (field, options) => call("GET", path`/contacts/fields/${field}/usage`, { options }),
      deleteField: (field, options) => call("DELETE", path`/contacts/fields/${field}`, { options }),
      import: (body, options) => call("POST", "/contacts/import", { body, options, form: true }),
      importJob: (jobId, options) => call("GET", path`/contacts/import/${jobId}`, { options }),
      bulkSubscribe: (body, options) => call("POST", "/contacts/bulk-subscribe", { body, options }),
      bulkUnsubscribe: (body, options) => call("POST", "/contacts/bulk-unsubscribe", { body, options }),
      bulkDelete: (body, options) => call("POST", "/contacts/bulk-delete", { body, options }),
      bulkJob: (jobId, options) => call("GET", path`/contacts/bulk/${jobId}`, { options }),
      export: (query, options) => call("GET", "/contacts/export", { query, options, stream: true }),
      exportOne: (id, options) => call("GET", path`/contacts/${id}/export`, { options }),
      erase: (id, options) => call("POST", path`/contacts/${id}/erase`, { options })
    }
    this.segments = {
      list: (options) => call("GET", "/segments", { options }),
      create: (body, options) => call("POST", "/segments", { body, options }),
      get: (id, options) => call("GET", path`/segments/${id}`, { options }),
      update: (id, body, options) => call("PATCH", path`/segments/${id}`, { body, options }),
      delete: (id, options) => call("DELETE", path`/segments/${id}`, { options }),
      contacts: (id, query, options) => list(path`/segments/${id}/contacts`, query, options),
      addMembers: (id, body, options) => call("POST", path`/segments/${id}/members`, { body, options }),
      removeMembers: (id, body, options) => call("DELETE", path`/segments/${id}/members`, { body, options }),
      compute: (id, options) => call("POST", path`/segments/${id}/compute`, { options }),
      refresh: (id, options) => call("POST", path`/segments/${id}/refresh`, { options })
    }
    this.templates = {
      list: (query, options) => list("/templates", query, options),
      create: (body, options) => call("POST", "/templates", { body, options }),
      get: (id, options) => call("GET", path`/templates/${id}`, { options }),
      update: (id, body, options) => call("PATCH", path`/templates/${id}`, { body, options }),
      delete: (id, options) => call("DELETE", path`/templates/${id}`, { options }),
      duplicate: (id, options) => call("POST", path`/templates/${id}/duplicate`, { options }),
      usage: (id, options) => call("GET", path`/templates/${id}/usage`, { options })
    }
    this.domains = {
      list: (projectId, options) => call("GET", path`/domains/project/${projectId}`, { options }),
      add: (body, options) => call("POST", "/domains", { body, options }),
      get: (id, options) => call("GET", path`/domains/${id}`, { options }),
      remove: (id, options) => call("DELETE", path`/domains/${id}`, { options }),
      verify: (id, options) => call("GET", path`/domains/${id}/verify`, { options })
    }
    this.emails = {
      list: (query, options) => list("/emails", query, options),
      get: (id, options) => call("GET", path`/emails/${id}`, { options }),
      content: (id, query, options) => call("GET", path`/emails/${id}/content`, { query, options, bytes: true }),
      cancel: (id, options) => call("POST", path`/emails/${id}/cancel`, { options }),
      retry: (id, options) => call("POST", path`/emails/${id}/retry`, { options })
    }
    this.events = {
      list: (query, options) => list("/events", query, options),
      stats: (query, options) => call("GET", "/events/stats", { query, options }),
      ofContact: (contactId, query, options) => list(path`/events/contact/${contactId}`, query, options),
      names: (query, options) => call("GET", "/events/names", { query, options }),
      usage: (eventName, options) => call("GET", path`/events/${eventName}/usage`, { options }),
      delete: (eventName, options) => call("DELETE", path`/events/${eventName}`, { options }),
      track: (body, options) => call("POST", "/events/track", { body, options, keyed: true })
    }
  }
}

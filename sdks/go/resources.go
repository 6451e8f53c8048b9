// Code generated from openapi.json by generate.ts; DO NOT EDIT.

package posthorn

import (
	"context"
	"io"
	"net/url"
)

// Resources has every operation that takes a key.
type Resources struct {
	requests        *requests
	Contacts        *Contacts
	OptIns          *OptIns
	Segments        *Segments
	Topics          *Topics
	Consents        *Consents
	PrivacyRequests *PrivacyRequests
	Forms           *Forms
	Templates       *Templates
	Partials        *Partials
	Campaigns       *Campaigns
	Workflows       *Workflows
	Executions      *Executions
	Domains         *Domains
	Emails          *Emails
	Suppressions    *Suppressions
	Events          *Events
	Activity        *Activity
	Analytics       *Analytics
	Deliverability  *Deliverability
	Search          *Search
	Views           *Views
	Uploads         *Uploads
	Settings        *Settings
	Projects        *Projects
	ApiKeys         *ApiKeys
	Transports      *Transports
	Webhooks        *Webhooks
	Members         *Members
	Invitations     *Invitations
}

func resourcesOf(r *requests) Resources {
	return Resources{r, &Contacts{r}, &OptIns{r}, &Segments{r}, &Topics{r}, &Consents{r}, &PrivacyRequests{r}, &Forms{r}, &Templates{r}, &Partials{r}, &Campaigns{r}, &Workflows{r}, &Executions{r}, &Domains{r}, &Emails{r}, &Suppressions{r}, &Events{r}, &Activity{r}, &Analytics{r}, &Deliverability{r}, &Search{r}, &Views{r}, &Uploads{r}, &Settings{r}, &Projects{r}, &ApiKeys{r}, &Transports{r}, &Webhooks{r}, &Members{r}, &Invitations{r}}
}

// Track: Track an event
//
// Records what a contact did, and creates or updates the contact. Needs the public key. A repeated call
// records another event, unless it has an `Idempotency-Key`. The `publicKeyPolicy` of the project defines
// what the key may do; at most 60 calls a minute for one contact, and 600 from one client
// address.
//
// POST /v1/track
func (r *Resources) Track(ctx context.Context, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: "/v1/track", body: body, public: true, keyed: true}, out, options)
}

// Send: Send email
//
// Sends a separate email to each of 1 to 1,000 recipients; the contacts are created or updated. Requires a
// template, or subject and body. All recipients are accepted or none. 200 means stored and queued: `GET
// /emails/{id}` has the delivery state. At most 40 MB.
//
// POST /v1/send
func (r *Resources) Send(ctx context.Context, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: "/v1/send", body: body, keyed: true}, out, options)
}

// Batch: Send a batch
//
// Sends 1 to 1,000 different emails in one request and one transaction. `atomic` decides whether a faulty
// item refuses the whole batch or only itself. An item with an `idempotencyKey` counts as `POST /v1/send`
// with that key: with `Idempotency-Mode: replay`, a repeated batch sends only the items that were not
// accepted before. At most 40 MB.
//
// POST /v1/batch
func (r *Resources) Batch(ctx context.Context, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: "/v1/batch", body: body, keyed: true}, out, options)
}

// Verify: Verify an address
//
// Checks the syntax of the address and looks up its domain in the DNS. The mail server is not contacted, no
// mail is sent, nothing is stored and no contact is created.
//
// POST /v1/verify
func (r *Resources) Verify(ctx context.Context, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: "/v1/verify", body: body}, out, options)
}

// Contacts: People, one for each address, with the custom data that their mail is rendered
// from.
type Contacts struct{ requests *requests }

// ContactsListQuery has the parameters of ContactsList; zero values are left out.
type ContactsListQuery struct {
	Limit      int
	Cursor     string
	Search     string
	Email      string
	ExternalId string
	Subscribed *bool
	Sort       string
	Dir        string
}

func (q ContactsListQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "limit", q.Limit)
	setString(values, "cursor", q.Cursor)
	setString(values, "search", q.Search)
	setString(values, "email", q.Email)
	setString(values, "externalId", q.ExternalId)
	setBool(values, "subscribed", q.Subscribed)
	setString(values, "sort", q.Sort)
	setString(values, "dir", q.Dir)
	return values
}

// List: List contacts
//
// The contacts of the project, newest first unless sorted otherwise.
//
// GET /contacts
func (r *Contacts) List(query ContactsListQuery) *Items {
	return itemsOf(r.requests, call{method: "GET", route: "/contacts", query: query.values()})
}

// Upsert: Create or update a contact by its address or external id
//
// 201 when the contact is new, 200 when it existed; `_meta` says which. Concurrent calls for one address
// create one contact with all data merged. A contact with the `externalId` gets the address of the call;
// 409 `EMAIL_ALREADY_EXISTS` if another contact has that address, and 409 with reason `external_id_taken`
// if the contact with the address has another external id.
//
// POST /contacts
func (r *Contacts) Upsert(ctx context.Context, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: "/contacts", body: body}, out, options)
}

// Get: Read a contact
//
// One contact with its custom data.
//
// GET /contacts/{id}
func (r *Contacts) Get(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/contacts/%s", id)}, out, options)
}

// Update: Change a contact
//
// Absent fields keep their values. 409 with reason `external_id_taken` if another contact has the
// `externalId`. A changed `subscribed` emits `contact.subscribed` or `contact.unsubscribed`. When the
// address changes, history and segments stay with the contact; suppressions stay with the old
// address.
//
// PATCH /contacts/{id}
func (r *Contacts) Update(ctx context.Context, id string, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "PATCH", route: pathOf("/contacts/%s", id), body: body}, out, options)
}

// Delete: Delete a contact
//
// Deletes the contact with its events and memberships, and cannot be undone. Mail not yet sent is
// cancelled, records of sent mail stay without the contact, and a suppression of the address
// stays.
//
// DELETE /contacts/{id}
func (r *Contacts) Delete(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "DELETE", route: pathOf("/contacts/%s", id)}, out, options)
}

// Links: Links to the pages of a contact
//
// For an application that shows the pages to its signed-in user. A person who has a link acts for the
// contact; links do not expire.
//
// GET /contacts/{id}/links
func (r *Contacts) Links(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/contacts/%s/links", id)}, out, options)
}

// SendingState: Read how the sending policy acts on a contact
//
// By the rules of `/settings/sending` at this moment, in the time zone of the contact.
//
// GET /contacts/{id}/sending-state
func (r *Contacts) SendingState(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/contacts/%s/sending-state", id)}, out, options)
}

// Merge: Merge another contact into a contact
//
// The contact of the path stays, with its id and address; the one of the body goes. Its events, mails,
// ended executions and static segments move, keys that are missing in the data come from it, its external
// id becomes a further one, and its links act on the contact that stays. Of two subscriptions the stricter
// wins. Active executions of it are cancelled, and its unsent mail goes to the address that stays, unless
// that has its own from the same campaign. 404 for its id then names the other in `details.mergedInto`. At
// most 50,000 events and mails. Cannot be undone.
//
// POST /contacts/{id}/merge
func (r *Contacts) Merge(ctx context.Context, id string, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: pathOf("/contacts/%s/merge", id), body: body}, out, options)
}

// Query: List contacts by a condition
//
// The contacts that match a condition, or the members of a segment, newest first unless sorted otherwise.
// Without either, all contacts. Changes nothing, so it also works while the project is
// disabled.
//
// POST /contacts/query
func (r *Contacts) Query(body interface{}) *Items {
	return itemsOf(r.requests, call{method: "POST", route: "/contacts/query", body: body})
}

// Count: Count contacts by a condition
//
// The number of contacts that match a condition or are members of a segment; without either, of all. With
// `for`, also how many of them a campaign with mail of that type would reach, and why it would not reach
// the others. Changes nothing, so it also works while the project is disabled.
//
// POST /contacts/count
func (r *Contacts) Count(ctx context.Context, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: "/contacts/count", body: body}, out, options)
}

// Segments: List the segments of a contact
//
// The segments that contain the contact now, newest segment first, at most 1,000. Dynamic segments are
// evaluated by this request.
//
// GET /contacts/{id}/segments
func (r *Contacts) Segments(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/contacts/%s/segments", id)}, out, options)
}

// Verify: Verify an address with a session
//
// The same as `POST /v1/verify`, which takes keys only: also with a session. Nothing is stored and no
// contact is created.
//
// POST /contacts/verify
func (r *Contacts) Verify(ctx context.Context, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: "/contacts/verify", body: body}, out, options)
}

// Lookup: Look up which addresses exist
//
// Up to 500 addresses in one call. A malformed address is not an error: it counts as not found and is
// listed in `invalid`.
//
// POST /contacts/lookup
func (r *Contacts) Lookup(ctx context.Context, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: "/contacts/lookup", body: body}, out, options)
}

// Fields: List the fields of contacts
//
// Standard fields and custom fields in use, with the type of their values and the share of contacts that
// have them; at most the 10,000 most frequent ones. The response may be up to 60 seconds
// old.
//
// GET /contacts/fields
func (r *Contacts) Fields(ctx context.Context, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: "/contacts/fields"}, out, options)
}

// ContactsFieldValuesQuery has the parameters of ContactsFieldValues; zero values are left out.
type ContactsFieldValuesQuery struct {
	Limit int
}

func (q ContactsFieldValuesQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "limit", q.Limit)
	return values
}

// FieldValues: List the values of a custom field
//
// Distinct values with their JSON type, ordered as text. `subscribed` has two. Other standard fields and
// unknown fields have none.
//
// GET /contacts/fields/{field}/values
func (r *Contacts) FieldValues(ctx context.Context, field string, query ContactsFieldValuesQuery, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/contacts/fields/%s/values", field), query: query.values()}, out, options)
}

// FieldUsage: List the references to a field
//
// Segments, campaigns that are not sent yet and workflows that name the field or a path below
// it.
//
// GET /contacts/fields/{field}/usage
func (r *Contacts) FieldUsage(ctx context.Context, field string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/contacts/fields/%s/usage", field)}, out, options)
}

// DeleteField: Delete a custom field from all contacts
//
// Cannot be undone; no events are emitted. Refused while something uses the field, and for standard fields.
// If the request is interrupted, repeat it.
//
// DELETE /contacts/fields/{field}
func (r *Contacts) DeleteField(ctx context.Context, field string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "DELETE", route: pathOf("/contacts/fields/%s", field)}, out, options)
}

// ContactsImportsQuery has the parameters of ContactsImports; zero values are left out.
type ContactsImportsQuery struct {
	Limit   int
	Cursor  string
	GroupId string
	State   string
}

func (q ContactsImportsQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "limit", q.Limit)
	setString(values, "cursor", q.Cursor)
	setString(values, "groupId", q.GroupId)
	setString(values, "state", q.State)
	return values
}

// Imports: List imports
//
// The imports of the last 30 days and those under way, newest first, without their faulty
// rows.
//
// GET /contacts/import
func (r *Contacts) Imports(query ContactsImportsQuery) *Items {
	return itemsOf(r.requests, call{method: "GET", route: "/contacts/import", query: query.values()})
}

// Import: Import contacts from a CSV file
//
// At most 5 MB, 100,000 rows and 100 columns; UTF-8, with a header line that has a column `email` or
// `externalId`. An `externalId` finds the contact before the address does, as in `POST /contacts`; a row
// whose id and address belong to two contacts is faulty. A column `subscribed` says whether a contact may
// get marketing mail. Every other column is stored in the data under its header. Rows are upserted in the
// order of the file; the last row of an address wins; empty cells are ignored. `mapping` gives columns
// other targets; a dry run counts new, changed and faulty rows first. 409 with reason `segment_not_static`.
// Queued; `GET /contacts/import/{jobId}` has the progress and the result.
//
// POST /contacts/import
func (r *Contacts) Import(ctx context.Context, body map[string]interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: "/contacts/import", body: body, form: true}, out, options)
}

// CancelImport: Cancel an import
//
// Rows that were imported stay, and no further ones follow. 409 with reason `already_finished` for an
// import that has ended.
//
// POST /contacts/import/{jobId}/cancel
func (r *Contacts) CancelImport(ctx context.Context, jobId string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: pathOf("/contacts/import/%s/cancel", jobId)}, out, options)
}

// ImportJob: Read an import
//
// The progress, and the faulty rows of the file. Faulty rows do not affect the others.
//
// GET /contacts/import/{jobId}
func (r *Contacts) ImportJob(ctx context.Context, jobId string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/contacts/import/%s", jobId)}, out, options)
}

// ImportErrors: Download the faulty rows of an import
//
// CSV with the columns `row`, `error` and those of the file, whose cells are as given, so that the rows can
// be corrected and imported again. At most 10,000 rows. Kept as long as the import, for 30 days. A text
// that a spreadsheet would run as a formula starts with an apostrophe.
//
// GET /contacts/import/{jobId}/errors
func (r *Contacts) ImportErrors(ctx context.Context, jobId string, options ...CallOption) (io.ReadCloser, error) {
	return r.requests.stream(ctx, call{method: "GET", route: pathOf("/contacts/import/%s/errors", jobId)}, options)
}

// BulkSubscribe: Subscribe many contacts
//
// Up to 1,000 contacts by id. Each contact that was not subscribed emits `contact.subscribed`. Queued; `GET
// /contacts/bulk/{jobId}` has the progress and the result.
//
// POST /contacts/bulk-subscribe
func (r *Contacts) BulkSubscribe(ctx context.Context, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: "/contacts/bulk-subscribe", body: body}, out, options)
}

// BulkUnsubscribe: Unsubscribe many contacts
//
// Up to 1,000 contacts by id. Each contact that was subscribed emits `contact.unsubscribed`. Queued; `GET
// /contacts/bulk/{jobId}` has the progress and the result.
//
// POST /contacts/bulk-unsubscribe
func (r *Contacts) BulkUnsubscribe(ctx context.Context, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: "/contacts/bulk-unsubscribe", body: body}, out, options)
}

// BulkDelete: Delete many contacts
//
// Up to 1,000 contacts by id. For OWNER and ADMIN. Cannot be undone. Queued; `GET /contacts/bulk/{jobId}`
// has the progress and the result.
//
// POST /contacts/bulk-delete
func (r *Contacts) BulkDelete(ctx context.Context, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: "/contacts/bulk-delete", body: body}, out, options)
}

// ContactsBulkJobsQuery has the parameters of ContactsBulkJobs; zero values are left out.
type ContactsBulkJobsQuery struct {
	Limit  int
	Cursor string
	State  string
}

func (q ContactsBulkJobsQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "limit", q.Limit)
	setString(values, "cursor", q.Cursor)
	setString(values, "state", q.State)
	return values
}

// BulkJobs: List bulk jobs
//
// The bulk jobs of the last 30 days and those under way, newest first, without their
// errors.
//
// GET /contacts/bulk
func (r *Contacts) BulkJobs(query ContactsBulkJobsQuery) *Items {
	return itemsOf(r.requests, call{method: "GET", route: "/contacts/bulk", query: query.values()})
}

// Bulk: Change selected contacts
//
// The contacts that a condition, a segment or a list of ids selects now, or all. `dryRun` counts them and
// gives the token that confirms the same change for 15 minutes; without it, more than 1,000 contacts
// (`delete`: 100) are 409 with reason `confirmation_required`. If many more match by then, 409 with reason
// `audience_changed`. `delete` is for OWNER and ADMIN. Queued; one job of a project runs at a time, and at
// most 20 wait.
//
// POST /contacts/bulk
func (r *Contacts) Bulk(ctx context.Context, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: "/contacts/bulk", body: body}, out, options)
}

// CancelBulk: Cancel a bulk job
//
// Contacts that were changed stay so, and no further ones follow. 409 with reason `already_finished` for a
// job that has ended.
//
// POST /contacts/bulk/{jobId}/cancel
func (r *Contacts) CancelBulk(ctx context.Context, jobId string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: pathOf("/contacts/bulk/%s/cancel", jobId)}, out, options)
}

// BulkJob: Read a bulk job
//
// The progress, and the reason for each contact that could not be changed.
//
// GET /contacts/bulk/{jobId}
func (r *Contacts) BulkJob(ctx context.Context, jobId string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/contacts/bulk/%s", jobId)}, out, options)
}

// Topics: List the topics of a contact
//
// Every topic of the project that is not archived, by position, and what the contact said about
// it.
//
// GET /contacts/{id}/topics
func (r *Contacts) Topics(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/contacts/%s/topics", id)}, out, options)
}

// ContactsConsentsQuery has the parameters of ContactsConsents; zero values are left out.
type ContactsConsentsQuery struct {
	Limit  int
	Cursor string
}

func (q ContactsConsentsQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "limit", q.Limit)
	setString(values, "cursor", q.Cursor)
	return values
}

// Consents: List the records of consent of a contact
//
// Newest first. The first record of a contact that was created subscribed follows from the
// contact.
//
// GET /contacts/{id}/consents
func (r *Contacts) Consents(id string, query ContactsConsentsQuery) *Items {
	return itemsOf(r.requests, call{method: "GET", route: pathOf("/contacts/%s/consents", id), query: query.values()})
}

// ContactsExportQuery has the parameters of ContactsExport; zero values are left out.
type ContactsExportQuery struct {
	Format     string
	Search     string
	Subscribed *bool
	SegmentId  string
}

func (q ContactsExportQuery) values() url.Values {
	values := url.Values{}
	setString(values, "format", q.Format)
	setString(values, "search", q.Search)
	setBool(values, "subscribed", q.Subscribed)
	setString(values, "segmentId", q.SegmentId)
	return values
}

// Export: Export contacts
//
// A file of all contacts, or of those that match the query, ordered by id, each at most once. CSV has the
// columns id, email, subscribed, createdAt, updatedAt and every custom field; objects and lists are JSON,
// and a text that a spreadsheet would run as a formula starts with an apostrophe. With more than 10,000
// custom fields, only NDJSON is possible.
//
// GET /contacts/export
func (r *Contacts) Export(ctx context.Context, query ContactsExportQuery, options ...CallOption) (io.ReadCloser, error) {
	return r.requests.stream(ctx, call{method: "GET", route: "/contacts/export", query: query.values()}, options)
}

// ExportSelected: Export selected contacts
//
// As `GET /contacts/export`, for the contacts that match a condition, are members of a segment or are named
// by their ids; at most one of the three.
//
// POST /contacts/export
func (r *Contacts) ExportSelected(ctx context.Context, body interface{}, options ...CallOption) (io.ReadCloser, error) {
	return r.requests.stream(ctx, call{method: "POST", route: "/contacts/export", body: body}, options)
}

// ExportOne: Export everything about a contact
//
// The contact with its events, mail, segments, workflow executions and suppression.
//
// GET /contacts/{id}/export
func (r *Contacts) ExportOne(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/contacts/%s/export", id)}, out, options)
}

// Erase: Erase a contact
//
// Deletes the contact and removes personal data from the records of its mail; their state and times stay,
// so counts do not change. A suppression of the address is kept only as a keyed hash. Cannot be
// undone.
//
// POST /contacts/{id}/erase
func (r *Contacts) Erase(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: pathOf("/contacts/%s/erase", id)}, out, options)
}

// OptIns: Double opt-in: contacts confirm by mail that they want what was asked for.
type OptIns struct{ requests *requests }

// OptInsListQuery has the parameters of OptInsList; zero values are left out.
type OptInsListQuery struct {
	Limit     int
	Cursor    string
	Status    string
	Source    string
	StartDate string
	EndDate   string
}

func (q OptInsListQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "limit", q.Limit)
	setString(values, "cursor", q.Cursor)
	setString(values, "status", q.Status)
	setString(values, "source", q.Source)
	setString(values, "startDate", q.StartDate)
	setString(values, "endDate", q.EndDate)
	return values
}

// List: List opt-ins
//
// Requests to confirm subscriptions, newest first.
//
// GET /opt-ins
func (r *OptIns) List(query OptInsListQuery) *Items {
	return itemsOf(r.requests, call{method: "GET", route: "/opt-ins", query: query.values()})
}

// Request: Ask a contact to confirm
//
// Stores the request and its confirmation mail. While one is open, what is asked for is added to it. 409
// with reason `already_confirmed` if the contact has all of it, or `suppressed`; 429 after one mail in a
// minute or ten in a day.
//
// POST /contacts/{id}/opt-in
func (r *OptIns) Request(ctx context.Context, id string, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: pathOf("/contacts/%s/opt-in", id), body: body}, out, options)
}

// Cancel: End a contact's open opt-in
//
// Its links do nothing from then on, and a confirmation mail that waits is cancelled.
//
// DELETE /contacts/{id}/opt-in
func (r *OptIns) Cancel(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "DELETE", route: pathOf("/contacts/%s/opt-in", id)}, out, options)
}

// OfContact: List a contact's opt-ins
//
// All of them, newest first.
//
// GET /contacts/{id}/opt-ins
func (r *OptIns) OfContact(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/contacts/%s/opt-ins", id)}, out, options)
}

// Segments: Named groups of contacts, by a condition or by hand.
type Segments struct{ requests *requests }

// List: List segments
//
// Every segment of the project, newest first, without pages.
//
// GET /segments
func (r *Segments) List(ctx context.Context, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: "/segments"}, out, options)
}

// Create: Create a segment
//
// The members are counted at once. The slug in the names of its events is set now and never
// changes.
//
// POST /segments
func (r *Segments) Create(ctx context.Context, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: "/segments", body: body}, out, options)
}

// Get: Read a segment
//
// One segment with its cached `memberCount`.
//
// GET /segments/{id}
func (r *Segments) Get(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/segments/%s", id)}, out, options)
}

// Update: Change a segment
//
// Absent fields keep their values. With `ifUpdatedAt`, only if nothing has changed the segment since, else
// 409 with reason `changed_meanwhile`. Members are counted again when the condition changes. Turning
// tracking off ends the tracked memberships without events. Turning it on again starts with no
// members.
//
// PATCH /segments/{id}
func (r *Segments) Update(ctx context.Context, id string, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "PATCH", route: pathOf("/segments/%s", id), body: body}, out, options)
}

// Delete: Delete a segment
//
// Deletes the segment and its memberships without events. Refused while a campaign in DRAFT, SCHEDULED or
// SENDING, another segment's condition or a workflow uses it.
//
// DELETE /segments/{id}
func (r *Segments) Delete(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "DELETE", route: pathOf("/segments/%s", id)}, out, options)
}

// SegmentsContactsQuery has the parameters of SegmentsContacts; zero values are left out.
type SegmentsContactsQuery struct {
	Page     int
	PageSize int
}

func (q SegmentsContactsQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "page", q.Page)
	setInt(values, "pageSize", q.PageSize)
	return values
}

// Contacts: List the members of a segment
//
// For a dynamic segment, the contacts that match now, newest contact first. For a static one, its members,
// newest member first.
//
// GET /segments/{id}/contacts
func (r *Segments) Contacts(id string, query SegmentsContactsQuery) *Items {
	return itemsOf(r.requests, call{method: "GET", route: pathOf("/segments/%s/contacts", id), query: query.values()})
}

// AddMembers: Add to a static segment
//
// By address, all or none. Contacts that this creates emit no subscription event.
//
// POST /segments/{id}/members
func (r *Segments) AddMembers(ctx context.Context, id string, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: pathOf("/segments/%s/members", id), body: body}, out, options)
}

// RemoveMembers: Remove from a static segment
//
// By address, in a JSON body.
//
// DELETE /segments/{id}/members
func (r *Segments) RemoveMembers(ctx context.Context, id string, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "DELETE", route: pathOf("/segments/%s/members", id), body: body}, out, options)
}

// Compute: Recompute the members of a tracked segment
//
// Stores which contacts joined and left, and emits an event for each. 400 for a dynamic segment that does
// not track its membership; a static one has nothing to recompute.
//
// POST /segments/{id}/compute
func (r *Segments) Compute(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: pathOf("/segments/%s/compute", id)}, out, options)
}

// Refresh: Count the members of a segment
//
// Only updates the count: emits no events and stores no membership.
//
// POST /segments/{id}/refresh
func (r *Segments) Refresh(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: pathOf("/segments/%s/refresh", id)}, out, options)
}

// Topics: Kinds of mail that contacts take or leave, apart from all other mail.
type Topics struct{ requests *requests }

// TopicsListQuery has the parameters of TopicsList; zero values are left out.
type TopicsListQuery struct {
	Archived string
}

func (q TopicsListQuery) values() url.Values {
	values := url.Values{}
	setString(values, "archived", q.Archived)
	return values
}

// List: List topics
//
// By position, without pages. Archived topics are left out unless asked for.
//
// GET /topics
func (r *Topics) List(ctx context.Context, query TopicsListQuery, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: "/topics", query: query.values()}, out, options)
}

// Create: Create a topic
//
// A project has at most 100 topics, archived ones included. 409 with reason `key_taken` if another topic
// has the key.
//
// POST /topics
func (r *Topics) Create(ctx context.Context, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: "/topics", body: body}, out, options)
}

// Get: Read a topic
//
// By its id or its key, with its counts.
//
// GET /topics/{topic}
func (r *Topics) Get(ctx context.Context, topic string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/topics/%s", topic)}, out, options)
}

// Update: Change a topic
//
// Absent fields keep their values. Key and `defaultSubscription` never change. An archived topic is gone
// from pages, forms, and new campaigns, templates and sends; scheduled campaigns and mail that is already
// made go on, and the states of contacts stay.
//
// PATCH /topics/{topic}
func (r *Topics) Update(ctx context.Context, topic string, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "PATCH", route: pathOf("/topics/%s", topic), body: body}, out, options)
}

// Delete: Delete a topic
//
// Refused while a campaign in DRAFT, SCHEDULED or SENDING, a template, a step of a workflow, a form or a
// segment uses it; the details list them. What contacts said about it is gone at once.
//
// DELETE /topics/{topic}
func (r *Topics) Delete(ctx context.Context, topic string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "DELETE", route: pathOf("/topics/%s", topic)}, out, options)
}

// Usage: List the uses of a topic
//
// What uses the topic, at most 100 of each kind, and whether it can be deleted.
//
// GET /topics/{topic}/usage
func (r *Topics) Usage(ctx context.Context, topic string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/topics/%s/usage", topic)}, out, options)
}

// TopicsContactsQuery has the parameters of TopicsContacts; zero values are left out.
type TopicsContactsQuery struct {
	Limit  int
	Cursor string
	State  string
}

func (q TopicsContactsQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "limit", q.Limit)
	setString(values, "cursor", q.Cursor)
	setString(values, "state", q.State)
	return values
}

// Contacts: List the contacts of a topic
//
// Those that take the topic, snoozes aside, or those that said yes or no, or were asked to confirm; newest
// first.
//
// GET /topics/{topic}/contacts
func (r *Topics) Contacts(topic string, query TopicsContactsQuery) *Items {
	return itemsOf(r.requests, call{method: "GET", route: pathOf("/topics/%s/contacts", topic), query: query.values()})
}

// Consents: What proves that contacts agreed to mail, or withdrew.
type Consents struct{ requests *requests }

// ConsentsListQuery has the parameters of ConsentsList; zero values are left out.
type ConsentsListQuery struct {
	Limit     int
	Cursor    string
	ContactId string
	Email     string
	Topic     string
	Action    string
	Source    string
	FormId    string
	StartDate string
	EndDate   string
}

func (q ConsentsListQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "limit", q.Limit)
	setString(values, "cursor", q.Cursor)
	setString(values, "contactId", q.ContactId)
	setString(values, "email", q.Email)
	setString(values, "topic", q.Topic)
	setString(values, "action", q.Action)
	setString(values, "source", q.Source)
	setString(values, "formId", q.FormId)
	setString(values, "startDate", q.StartDate)
	setString(values, "endDate", q.EndDate)
	return values
}

// List: List records of consent
//
// Newest first. A contact that was created subscribed and did nothing since has one record, which follows
// from the contact.
//
// GET /consents
func (r *Consents) List(query ConsentsListQuery) *Items {
	return itemsOf(r.requests, call{method: "GET", route: "/consents", query: query.values()})
}

// ConsentsExportQuery has the parameters of ConsentsExport; zero values are left out.
type ConsentsExportQuery struct {
	Format    string
	ContactId string
	Email     string
	Topic     string
	Action    string
	Source    string
	FormId    string
	StartDate string
	EndDate   string
}

func (q ConsentsExportQuery) values() url.Values {
	values := url.Values{}
	setString(values, "format", q.Format)
	setString(values, "contactId", q.ContactId)
	setString(values, "email", q.Email)
	setString(values, "topic", q.Topic)
	setString(values, "action", q.Action)
	setString(values, "source", q.Source)
	setString(values, "formId", q.FormId)
	setString(values, "startDate", q.StartDate)
	setString(values, "endDate", q.EndDate)
	return values
}

// Export: Export records of consent
//
// For OWNER and ADMIN. A file of all records, or of those that match the query, newest first. CSV has a
// column for each field; evidence is JSON, and a text that a spreadsheet would run as a formula starts with
// an apostrophe.
//
// GET /consents/export
func (r *Consents) Export(ctx context.Context, query ConsentsExportQuery, options ...CallOption) (io.ReadCloser, error) {
	return r.requests.stream(ctx, call{method: "GET", route: "/consents/export", query: query.values()}, options)
}

// PrivacyRequests: What recipients ask about their data on the page of preferences.
type PrivacyRequests struct{ requests *requests }

// PrivacyRequestsListQuery has the parameters of PrivacyRequestsList; zero values are left out.
type PrivacyRequestsListQuery struct {
	Limit  int
	Cursor string
	Status string
	Type   string
}

func (q PrivacyRequestsListQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "limit", q.Limit)
	setString(values, "cursor", q.Cursor)
	setString(values, "status", q.Status)
	setString(values, "type", q.Type)
	return values
}

// List: List privacy requests
//
// What recipients asked about their data, newest first. Kept for three years.
//
// GET /privacy-requests
func (r *PrivacyRequests) List(query PrivacyRequestsListQuery) *Items {
	return itemsOf(r.requests, call{method: "GET", route: "/privacy-requests", query: query.values()})
}

// Get: Get a privacy request
//
// Requests with their state. After an erasure a request names no person.
//
// GET /privacy-requests/{id}
func (r *PrivacyRequests) Get(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/privacy-requests/%s", id)}, out, options)
}

// Complete: Do what a recipient asked for
//
// For OWNER and ADMIN. Erases the person, as `POST /contacts/{id}/erase` does. Cannot be undone. 409 with
// reason `already_finished` unless the request is `OPEN`. Also works while the project is
// disabled.
//
// POST /privacy-requests/{id}/complete
func (r *PrivacyRequests) Complete(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: pathOf("/privacy-requests/%s/complete", id)}, out, options)
}

// Refuse: Refuse a privacy request
//
// For OWNER and ADMIN. Mails the note to the person, as plain text. 409 with reason `already_finished`
// unless the request is `OPEN`. Also works while the project is disabled.
//
// POST /privacy-requests/{id}/refuse
func (r *PrivacyRequests) Refuse(ctx context.Context, id string, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: pathOf("/privacy-requests/%s/refuse", id), body: body}, out, options)
}

// Forms: Sign-up forms: their fields, texts and topics, and the HTML for a page.
type Forms struct{ requests *requests }

// List: List sign-up forms
//
// Every form of the project, newest first, without pages. The counts are exact.
//
// GET /forms
func (r *Forms) List(ctx context.Context, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: "/forms"}, out, options)
}

// Create: Create a sign-up form
//
// Its page is at once at `/f/<publicId>`. A project has at most 50 forms; one more is 422. 409 with reason
// `key_taken` if another form has the key.
//
// POST /forms
func (r *Forms) Create(ctx context.Context, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: "/forms", body: body}, out, options)
}

// Get: Read a sign-up form
//
// One form with its counts.
//
// GET /forms/{id}
func (r *Forms) Get(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/forms/%s", id)}, out, options)
}

// Update: Change a sign-up form
//
// Absent fields keep their values; null gives the default. Lists and texts are replaced as a whole. With
// `ifUpdatedAt`, only if nothing has changed the form since, else 409 with reason `changed_meanwhile`.
//
// PATCH /forms/{id}
func (r *Forms) Update(ctx context.Context, id string, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "PATCH", route: pathOf("/forms/%s", id), body: body}, out, options)
}

// Remove: Delete a sign-up form
//
// Its page is gone at once. Contacts, events and records of consent keep its id.
//
// DELETE /forms/{id}
func (r *Forms) Remove(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "DELETE", route: pathOf("/forms/%s", id)}, out, options)
}

// Snippet: Get the HTML of a sign-up form
//
// For a page of your own: a form that works without script, and the script that helps
// it.
//
// GET /forms/{id}/snippet
func (r *Forms) Snippet(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/forms/%s/snippet", id)}, out, options)
}

// Templates: Content that is written once and rendered for each recipient.
type Templates struct{ requests *requests }

// TemplatesListQuery has the parameters of TemplatesList; zero values are left out.
type TemplatesListQuery struct {
	Page     int
	PageSize int
	Type     string
	Search   string
	Sort     string
	Dir      string
}

func (q TemplatesListQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "page", q.Page)
	setInt(values, "pageSize", q.PageSize)
	setString(values, "type", q.Type)
	setString(values, "search", q.Search)
	setString(values, "sort", q.Sort)
	setString(values, "dir", q.Dir)
	return values
}

// List: List templates
//
// The templates of the project, newest first unless sorted otherwise.
//
// GET /templates
func (r *Templates) List(query TemplatesListQuery) *Items {
	return itemsOf(r.requests, call{method: "GET", route: "/templates", query: query.values()})
}

// Create: Create a template
//
// All texts are parsed at once; the domain of `from` must be verified. If another template has the alias:
// 409 with reason `alias_taken`. At most 10 MB.
//
// POST /templates
func (r *Templates) Create(ctx context.Context, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: "/templates", body: body}, out, options)
}

// RenderTexts: Render texts
//
// Like `POST /templates/{id}/render`, with texts of the request. Nothing is sent or stored; it counts as a
// read. At most 10 MB.
//
// POST /templates/render
func (r *Templates) RenderTexts(ctx context.Context, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: "/templates/render", body: body}, out, options)
}

// Get: Read a template
//
// One template with its texts as written.
//
// GET /templates/{id}
func (r *Templates) Get(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/templates/%s", id)}, out, options)
}

// Update: Change a template
//
// Absent fields keep their values; `null` clears a field that may be empty. The change applies to mail
// rendered afterwards. Changed content is a new version, which is live at once. At most 10
// MB.
//
// PATCH /templates/{id}
func (r *Templates) Update(ctx context.Context, id string, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "PATCH", route: pathOf("/templates/%s", id), body: body}, out, options)
}

// Delete: Delete a template
//
// Refused while a workflow step uses it. Campaigns keep the texts they copied.
//
// DELETE /templates/{id}
func (r *Templates) Delete(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "DELETE", route: pathOf("/templates/%s", id)}, out, options)
}

// Duplicate: Duplicate a template
//
// The copy has ` (Copy)` after its name. The domain of `from` is not checked again.
//
// POST /templates/{id}/duplicate
func (r *Templates) Duplicate(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: pathOf("/templates/%s/duplicate", id)}, out, options)
}

// Links: Clicks on the links of a template
//
// For all mail from the template, by the links as written. Exact; counts stay when mails are
// deleted.
//
// GET /templates/{id}/links
func (r *Templates) Links(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/templates/%s/links", id)}, out, options)
}

// Stats: Results of a template
//
// Counts and rates of all mail from the template: single mails, campaigns and workflows, without test
// mail.
//
// GET /templates/{id}/stats
func (r *Templates) Stats(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/templates/%s/stats", id)}, out, options)
}

// Render: Render a template
//
// The mail as a recipient would get it, with its size, its variables and warnings. Content fields of the
// request replace those of the template. Nothing is sent or stored, and no contact is created; it counts as
// a read. At most 10 MB.
//
// POST /templates/{id}/render
func (r *Templates) Render(ctx context.Context, id string, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: pathOf("/templates/%s/render", id), body: body}, out, options)
}

// Test: Send a test of a template
//
// Sends to one address, of a contact or a member of the project, with `[TEST] ` before the subject. Its
// links change nothing, it is not tracked, and no count includes it. Without a contact, a missing variable
// is printed as its name in brackets, also by a strict template. A draft with faults is refused with them.
// 409 with reason `suppressed` for a suppressed address.
//
// POST /templates/{id}/test
func (r *Templates) Test(ctx context.Context, id string, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: pathOf("/templates/%s/test", id), body: body}, out, options)
}

// Usage: List the uses of a template
//
// Campaigns and workflow steps that use it, the number of mails from it, and whether it can be
// deleted.
//
// GET /templates/{id}/usage
func (r *Templates) Usage(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/templates/%s/usage", id)}, out, options)
}

// TemplatesVersionsQuery has the parameters of TemplatesVersions; zero values are left out.
type TemplatesVersionsQuery struct {
	Page     int
	PageSize int
}

func (q TemplatesVersionsQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "page", q.Page)
	setInt(values, "pageSize", q.PageSize)
	return values
}

// Versions: List versions of a template
//
// Newest first. The last 100 versions are kept.
//
// GET /templates/{id}/versions
func (r *Templates) Versions(id string, query TemplatesVersionsQuery) *Items {
	return itemsOf(r.requests, call{method: "GET", route: pathOf("/templates/%s/versions", id), query: query.values()})
}

// Version: Read a version of a template
//
// The template with the content and the number of that version.
//
// GET /templates/{id}/versions/{version}
func (r *Templates) Version(ctx context.Context, id string, version string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/templates/%s/versions/%s", id, version)}, out, options)
}

// Restore: Restore a version of a template
//
// Creates a new version with the content of this one, unless the live version already has that content. The
// draft is kept.
//
// POST /templates/{id}/versions/{version}/restore
func (r *Templates) Restore(ctx context.Context, id string, version string, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: pathOf("/templates/%s/versions/%s/restore", id, version), body: body}, out, options)
}

// Draft: Read the draft of a template
//
// The draft, and the faults that prevent its publication.
//
// GET /templates/{id}/draft
func (r *Templates) Draft(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/templates/%s/draft", id)}, out, options)
}

// SaveDraft: Store the draft of a template
//
// Replaces the draft. Absent fields have the values of the live version. Only types and sizes are checked;
// all other faults are listed in `problems`. Nothing is sent from a draft. At most 10
// MB.
//
// PUT /templates/{id}/draft
func (r *Templates) SaveDraft(ctx context.Context, id string, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "PUT", route: pathOf("/templates/%s/draft", id), body: body}, out, options)
}

// DeleteDraft: Delete the draft of a template
//
// The live version is not changed.
//
// DELETE /templates/{id}/draft
func (r *Templates) DeleteDraft(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "DELETE", route: pathOf("/templates/%s/draft", id)}, out, options)
}

// Publish: Publish the draft of a template
//
// Makes the draft the next version, which is live at once, and deletes it. 409 with reason `no_draft`
// without one, and with reason `version_changed` if another version became live since it was stored, unless
// `force` is set.
//
// POST /templates/{id}/publish
func (r *Templates) Publish(ctx context.Context, id string, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: pathOf("/templates/%s/publish", id), body: body}, out, options)
}

// Partials: Pieces of mail that several templates and campaigns include with `{{> name}}`. A layout is a
// partial around a whole body.
type Partials struct{ requests *requests }

// PartialsListQuery has the parameters of PartialsList; zero values are left out.
type PartialsListQuery struct {
	Page     int
	PageSize int
	Search   string
	Sort     string
	Dir      string
}

func (q PartialsListQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "page", q.Page)
	setInt(values, "pageSize", q.PageSize)
	setString(values, "search", q.Search)
	setString(values, "sort", q.Sort)
	setString(values, "dir", q.Dir)
	return values
}

// List: List partials
//
// The partials of the project, newest first unless sorted otherwise.
//
// GET /partials
func (r *Partials) List(query PartialsListQuery) *Items {
	return itemsOf(r.requests, call{method: "GET", route: "/partials", query: query.values()})
}

// Create: Create a partial
//
// Body and text are parsed at once, with the partials that they use. A project has at most 200 partials. If
// another partial has the name: 409 with reason `name_taken`.
//
// POST /partials
func (r *Partials) Create(ctx context.Context, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: "/partials", body: body}, out, options)
}

// Get: Read a partial
//
// One partial with its texts as written.
//
// GET /partials/{id}
func (r *Partials) Get(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/partials/%s", id)}, out, options)
}

// Update: Change a partial
//
// Absent fields keep their values; `null` clears `description` and `text`. The change applies to all mail
// rendered afterwards, except mail of campaigns whose sending has started. Changed texts are a new version.
// A new name is refused while the partial is in use.
//
// PATCH /partials/{id}
func (r *Partials) Update(ctx context.Context, id string, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "PATCH", route: pathOf("/partials/%s", id), body: body}, out, options)
}

// Delete: Delete a partial
//
// Refused while a template, another partial, a draft of one of them, or a campaign whose sending has not
// started uses it; the details list them. Its versions and its draft are deleted too.
//
// DELETE /partials/{id}
func (r *Partials) Delete(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "DELETE", route: pathOf("/partials/%s", id)}, out, options)
}

// Usage: List the uses of a partial
//
// Templates, partials and campaigns that use it, at most 100 of each, and whether it can be
// deleted.
//
// GET /partials/{id}/usage
func (r *Partials) Usage(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/partials/%s/usage", id)}, out, options)
}

// PartialsVersionsQuery has the parameters of PartialsVersions; zero values are left out.
type PartialsVersionsQuery struct {
	Page     int
	PageSize int
}

func (q PartialsVersionsQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "page", q.Page)
	setInt(values, "pageSize", q.PageSize)
	return values
}

// Versions: List versions of a partial
//
// Newest first. The last 100 versions are kept.
//
// GET /partials/{id}/versions
func (r *Partials) Versions(id string, query PartialsVersionsQuery) *Items {
	return itemsOf(r.requests, call{method: "GET", route: pathOf("/partials/%s/versions", id), query: query.values()})
}

// Version: Read a version of a partial
//
// The partial with the texts and the number of that version.
//
// GET /partials/{id}/versions/{version}
func (r *Partials) Version(ctx context.Context, id string, version string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/partials/%s/versions/%s", id, version)}, out, options)
}

// Restore: Restore a version of a partial
//
// Makes a new version with the texts of that one, and none if the live version has them. Refused if a
// partial that they name is gone. The draft stays.
//
// POST /partials/{id}/versions/{version}/restore
func (r *Partials) Restore(ctx context.Context, id string, version string, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: pathOf("/partials/%s/versions/%s/restore", id, version), body: body}, out, options)
}

// Draft: Read the draft of a partial
//
// The texts that are not published yet, and the faults that prevent their publication.
//
// GET /partials/{id}/draft
func (r *Partials) Draft(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/partials/%s/draft", id)}, out, options)
}

// SaveDraft: Store the draft of a partial
//
// Replaces the draft. Absent fields are as in the live version. Only types and sizes are checked; all other
// faults are listed in `problems`. No mail has the texts of a draft.
//
// PUT /partials/{id}/draft
func (r *Partials) SaveDraft(ctx context.Context, id string, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "PUT", route: pathOf("/partials/%s/draft", id), body: body}, out, options)
}

// DeleteDraft: Delete the draft of a partial
//
// The live version stays.
//
// DELETE /partials/{id}/draft
func (r *Partials) DeleteDraft(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "DELETE", route: pathOf("/partials/%s/draft", id)}, out, options)
}

// Publish: Publish the draft of a partial
//
// Makes the draft the next version, which all mail rendered afterwards includes, and deletes the draft. 409
// with reason `no_draft` without one, and with reason `version_changed` if another version went live since
// it was stored, unless `force` is set.
//
// POST /partials/{id}/publish
func (r *Partials) Publish(ctx context.Context, id string, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: pathOf("/partials/%s/publish", id), body: body}, out, options)
}

// Campaigns: One message to an audience, sent at once or at a scheduled time.
type Campaigns struct{ requests *requests }

// CampaignsListQuery has the parameters of CampaignsList; zero values are left out.
type CampaignsListQuery struct {
	Page     int
	PageSize int
	Status   string
	ParentId string
	Search   string
	Sort     string
	Dir      string
}

func (q CampaignsListQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "page", q.Page)
	setInt(values, "pageSize", q.PageSize)
	setString(values, "status", q.Status)
	setString(values, "parentId", q.ParentId)
	setString(values, "search", q.Search)
	setString(values, "sort", q.Sort)
	setString(values, "dir", q.Dir)
	return values
}

// List: List campaigns
//
// The campaigns of the project, newest first unless sorted otherwise. `search` matches name, subject and
// sender address.
//
// GET /campaigns
func (r *Campaigns) List(query CampaignsListQuery) *Items {
	return itemsOf(r.requests, call{method: "GET", route: "/campaigns", query: query.values()})
}

// Create: Create a campaign
//
// The new campaign is a draft. A template supplies the texts and the sender that the request does not have.
// MJML is compiled now. Subject, body and condition are checked at once; the domain of `from` must be
// verified. If its topic is archived: 409 with reason `topic_archived`. At most 10
// MB.
//
// POST /campaigns
func (r *Campaigns) Create(ctx context.Context, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: "/campaigns", body: body}, out, options)
}

// Get: Read a campaign
//
// One campaign with its counters, the segment of its audience and its topic.
//
// GET /campaigns/{id}
func (r *Campaigns) Get(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/campaigns/%s", id)}, out, options)
}

// Update: Replace a campaign
//
// Only while it is `DRAFT` or `SCHEDULED`, else 409 with reason `campaign_state`. Takes the same body as
// create: an absent field gets its default. With `ifUpdatedAt`, only if nothing has changed it since, else
// 409 with reason `changed_meanwhile`. The schedule is kept. A change ends a requested or given approval. A
// scheduled campaign of a caller who needs an approval cannot be changed: 409 with reason
// `approval_required`. At most 10 MB.
//
// PUT /campaigns/{id}
func (r *Campaigns) Update(ctx context.Context, id string, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "PUT", route: pathOf("/campaigns/%s", id), body: body}, out, options)
}

// Delete: Delete a campaign
//
// Refused while mails of the campaign wait or are being sent. The records of sent mails are
// kept.
//
// DELETE /campaigns/{id}
func (r *Campaigns) Delete(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "DELETE", route: pathOf("/campaigns/%s", id)}, out, options)
}

// Duplicate: Duplicate a campaign
//
// Creates a draft with the same texts and audience, and ` (Copy)` after the name.
//
// POST /campaigns/{id}/duplicate
func (r *Campaigns) Duplicate(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: pathOf("/campaigns/%s/duplicate", id)}, out, options)
}

// FollowUp: Follow up a campaign
//
// Creates a draft with the same texts and the default `delivery`, to all contacts that were recipients of
// the campaign and reacted as `who` says, or did not. 409 with reason `campaign_state` for a draft or
// scheduled campaign.
//
// POST /campaigns/{id}/follow-up
func (r *Campaigns) FollowUp(ctx context.Context, id string, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: pathOf("/campaigns/%s/follow-up", id), body: body}, out, options)
}

// Send: Send or schedule a campaign
//
// The audience is fixed at once, and the mails are sent in the background. With `scheduledFor`, sending
// starts within 5 seconds of that time; sending again replaces the time. 409 with reason
// `approval_required` if `campaignApproval` of `/settings/sending` asks for an approval that the campaign
// does not have. Of two simultaneous requests one succeeds and the other gets 409.
//
// POST /campaigns/{id}/send
func (r *Campaigns) Send(ctx context.Context, id string, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: pathOf("/campaigns/%s/send", id), body: body}, out, options)
}

// SetRecurrence: Send a campaign again and again
//
// Only for a draft, else 409 with reason `campaign_state`. Each firing makes a campaign with the texts and
// the audience that the draft has then, the date after its name and `parentId`, and starts it as a schedule
// does; with `delivery.localTime` when the first time zone of the world has reached its wall clock. Of the
// firings that an outage missed, the latest of the last 24 hours runs, once. None fires from
// `delivery.expiresAt` on. An approval is asked for as on sending. At most 50 for each project. Safe to
// repeat.
//
// PUT /campaigns/{id}/recurrence
func (r *Campaigns) SetRecurrence(ctx context.Context, id string, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "PUT", route: pathOf("/campaigns/%s/recurrence", id), body: body}, out, options)
}

// RemoveRecurrence: End the recurrence of a campaign
//
// The campaigns that it has made go on. Safe to repeat.
//
// DELETE /campaigns/{id}/recurrence
func (r *Campaigns) RemoveRecurrence(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "DELETE", route: pathOf("/campaigns/%s/recurrence", id)}, out, options)
}

// Cancel: Cancel a campaign
//
// No more mail of the campaign is sent, except mail that is already being transmitted. Waiting mails become
// `CANCELLED`. Safe to repeat.
//
// POST /campaigns/{id}/cancel
func (r *Campaigns) Cancel(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: pathOf("/campaigns/%s/cancel", id)}, out, options)
}

// Pause: Pause a campaign
//
// Like cancel, but waiting mails stay until `resume`. Safe to repeat.
//
// POST /campaigns/{id}/pause
func (r *Campaigns) Pause(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: pathOf("/campaigns/%s/pause", id)}, out, options)
}

// Resume: Resume a campaign
//
// Waiting mails are sent. Safe to repeat.
//
// POST /campaigns/{id}/resume
func (r *Campaigns) Resume(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: pathOf("/campaigns/%s/resume", id)}, out, options)
}

// RetryFailed: Send failed mails of a campaign again
//
// Queues `FAILED` mails again, and with `includeAmbiguous` also `AMBIGUOUS` ones, with the same ids; a
// campaign that was `SENT` is `SENDING` until they are done. Mails that were sent are not sent
// again.
//
// POST /campaigns/{id}/retry-failed
func (r *Campaigns) RetryFailed(ctx context.Context, id string, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: pathOf("/campaigns/%s/retry-failed", id), body: body}, out, options)
}

// Test: Send a test
//
// Sends to one address, of a contact or a member of the project, with `[TEST] ` before the subject. Its
// links change nothing, and no count includes it. Without a contact, a missing variable is printed as its
// name in brackets. 409 with reason `suppressed` for a suppressed address.
//
// POST /campaigns/{id}/test
func (r *Campaigns) Test(ctx context.Context, id string, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: pathOf("/campaigns/%s/test", id), body: body}, out, options)
}

// Stats: Counters and rates of a campaign
//
// Exact current counts.
//
// GET /campaigns/{id}/stats
func (r *Campaigns) Stats(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/campaigns/%s/stats", id)}, out, options)
}

// CampaignsLinksQuery has the parameters of CampaignsLinks; zero values are left out.
type CampaignsLinksQuery struct {
	Variant string
}

func (q CampaignsLinksQuery) values() url.Values {
	values := url.Values{}
	setString(values, "variant", q.Variant)
	return values
}

// Links: Clicks on the links of a campaign
//
// By the links as written in the template, so that a link with placeholders counts as one for all
// recipients. Exact current counts.
//
// GET /campaigns/{id}/links
func (r *Campaigns) Links(ctx context.Context, id string, query CampaignsLinksQuery, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/campaigns/%s/links", id), query: query.values()}, out, options)
}

// Providers: Results of a campaign by mailbox provider
//
// By the mailbox providers of the recipients. Exact current counts; mail before its first attempt does not
// count.
//
// GET /campaigns/{id}/providers
func (r *Campaigns) Providers(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/campaigns/%s/providers", id)}, out, options)
}

// CampaignsReportQuery has the parameters of CampaignsReport; zero values are left out.
type CampaignsReportQuery struct {
	By      string
	Variant string
}

func (q CampaignsReportQuery) values() url.Values {
	values := url.Values{}
	setString(values, "by", q.By)
	setString(values, "variant", q.Variant)
	return values
}

// Report: Report of a campaign
//
// Its results by variant, by hour or by mailbox provider. Exact current counts; they stay when contacts and
// mails are deleted.
//
// GET /campaigns/{id}/report
func (r *Campaigns) Report(ctx context.Context, id string, query CampaignsReportQuery, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/campaigns/%s/report", id), query: query.values()}, out, options)
}

// CampaignsRecipientsQuery has the parameters of CampaignsRecipients; zero values are left out.
type CampaignsRecipientsQuery struct {
	Limit   int
	Cursor  string
	Status  string
	Variant string
	Search  string
}

func (q CampaignsRecipientsQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "limit", q.Limit)
	setString(values, "cursor", q.Cursor)
	setString(values, "status", q.Status)
	setString(values, "variant", q.Variant)
	setString(values, "search", q.Search)
	return values
}

// Recipients: List the recipients of a campaign
//
// The audience, as fixed when sending started, with the status and the variant of each mail, ordered by
// contact id; empty before that. The rest of an experiment has no mail before the decision. `search`
// matches the address.
//
// GET /campaigns/{id}/recipients
func (r *Campaigns) Recipients(id string, query CampaignsRecipientsQuery) *Items {
	return itemsOf(r.requests, call{method: "GET", route: pathOf("/campaigns/%s/recipients", id), query: query.values()})
}

// Experiment: Show the experiment of a campaign
//
// 404 for a campaign without `experiment`. Figures decide nothing before `final`.
//
// GET /campaigns/{id}/experiment
func (r *Campaigns) Experiment(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/campaigns/%s/experiment", id)}, out, options)
}

// DecideExperiment: Choose the winner of an experiment
//
// While it is `TESTING` or `WAITING`, else 409 with reason `experiment_state`. The rest of the audience
// gets the variant. The same variant again changes nothing.
//
// POST /campaigns/{id}/experiment/winner
func (r *Campaigns) DecideExperiment(ctx context.Context, id string, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: pathOf("/campaigns/%s/experiment/winner", id), body: body}, out, options)
}

// RequestApproval: Ask for the approval of a campaign
//
// Only for a draft that is not approved, else 409 with reason `approval_state`. The administrators get a
// mail. `campaignApproval` of `/settings/sending` says whose campaigns need an approval. Safe to
// repeat.
//
// POST /campaigns/{id}/request-approval
func (r *Campaigns) RequestApproval(ctx context.Context, id string, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: pathOf("/campaigns/%s/request-approval", id), body: body}, out, options)
}

// Workflows: Graphs of steps that contacts go through.
type Workflows struct{ requests *requests }

// WorkflowsListQuery has the parameters of WorkflowsList; zero values are left out.
type WorkflowsListQuery struct {
	Page        int
	PageSize    int
	Search      string
	Status      string
	TriggerType string
	Sort        string
	Dir         string
}

func (q WorkflowsListQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "page", q.Page)
	setInt(values, "pageSize", q.PageSize)
	setString(values, "search", q.Search)
	setString(values, "status", q.Status)
	setString(values, "triggerType", q.TriggerType)
	setString(values, "sort", q.Sort)
	setString(values, "dir", q.Dir)
	return values
}

// List: List workflows
//
// Newest first unless sorted otherwise, without their graphs. `search` matches name and
// description.
//
// GET /workflows
func (r *Workflows) List(query WorkflowsListQuery) *Items {
	return itemsOf(r.requests, call{method: "GET", route: "/workflows", query: query.values()})
}

// Create: Create a workflow
//
// The new workflow is disabled, is started by an event, and has a TRIGGER but no other step. A project has
// at most 500 workflows.
//
// POST /workflows
func (r *Workflows) Create(ctx context.Context, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: "/workflows", body: body}, out, options)
}

// WorkflowsFieldsQuery has the parameters of WorkflowsFields; zero values are left out.
type WorkflowsFieldsQuery struct {
	EventName string
}

func (q WorkflowsFieldsQuery) values() url.Values {
	values := url.Values{}
	setString(values, "eventName", q.EventName)
	return values
}

// Fields: List fields for a CONDITION
//
// Fields of contacts, and data keys of the newest 100 events; with `eventName`, only of events with that
// name.
//
// GET /workflows/fields
func (r *Workflows) Fields(ctx context.Context, query WorkflowsFieldsQuery, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: "/workflows/fields", query: query.values()}, out, options)
}

// SigningSecret: Read the signing secret
//
// For OWNER and ADMIN. The requests of WEBHOOK steps are signed with it.
//
// GET /workflows/signing-secret
func (r *Workflows) SigningSecret(ctx context.Context, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: "/workflows/signing-secret"}, out, options)
}

// RotateSigningSecret: Replace the signing secret
//
// For OWNER and ADMIN. For 24 hours every request carries two signatures, one with the new secret and one
// with the old.
//
// POST /workflows/signing-secret/rotate
func (r *Workflows) RotateSigningSecret(ctx context.Context, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: "/workflows/signing-secret/rotate"}, out, options)
}

// Get: Read a workflow
//
// With its steps and transitions.
//
// GET /workflows/{id}
func (r *Workflows) Get(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/workflows/%s", id)}, out, options)
}

// Update: Change, enable or disable a workflow
//
// Absent fields keep their values. With `ifUpdatedAt`, only if nothing has changed the workflow or its
// graph since, else 409 with reason `changed_meanwhile`. Refused with 422 and all faults if it would leave
// an invalid workflow enabled. Running executions are not affected. With `versioning: PUBLISHED`, trigger,
// re-entry, goal and exit rules of the draft change; enabling a workflow without a version publishes the
// draft. 409 with reason `draft_changed` for `versioning: LIVE` beside a changed draft, or
// `migration_running` while many live executions are still pinned or released after the last change of
// `versioning`.
//
// PATCH /workflows/{id}
func (r *Workflows) Update(ctx context.Context, id string, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "PATCH", route: pathOf("/workflows/%s", id), body: body}, out, options)
}

// Delete: Delete a workflow
//
// Deletes its graph and its finished executions too; mails and events stay. Refused while an execution is
// RUNNING or WAITING.
//
// DELETE /workflows/{id}
func (r *Workflows) Delete(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "DELETE", route: pathOf("/workflows/%s", id)}, out, options)
}

// Validate: Check a workflow
//
// Returns the faults that prevent enabling it, and warnings about probable mistakes. Changes
// nothing.
//
// GET /workflows/{id}/validate
func (r *Workflows) Validate(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/workflows/%s/validate", id)}, out, options)
}

// ValidateGraph: Check a graph without storing it
//
// The answer of `GET /workflows/{id}/validate` if this were the graph of the workflow. Faults name steps by
// key or id and transitions by position. `ifUpdatedAt` is not compared. Changes nothing; allowed while the
// project is disabled.
//
// POST /workflows/{id}/validate
func (r *Workflows) ValidateGraph(ctx context.Context, id string, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: pathOf("/workflows/%s/validate", id), body: body}, out, options)
}

// WorkflowsReportQuery has the parameters of WorkflowsReport; zero values are left out.
type WorkflowsReportQuery struct {
	Version   int
	StartDate string
	EndDate   string
}

func (q WorkflowsReportQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "version", q.Version)
	setString(values, "startDate", q.StartDate)
	setString(values, "endDate", q.EndDate)
	return values
}

// Report: Report of a workflow
//
// How many executions started and ended, and how many entered and left each step: what a drawing of the
// workflow with numbers needs. Exact as of the answer. Counts stay when contacts and mails are
// deleted.
//
// GET /workflows/{id}/report
func (r *Workflows) Report(ctx context.Context, id string, query WorkflowsReportQuery, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/workflows/%s/report", id), query: query.values()}, out, options)
}

// Duplicate: Copy a workflow
//
// The copy is disabled and has ` (Copy)` after its name, the same trigger and graph, and no
// executions.
//
// POST /workflows/{id}/duplicate
func (r *Workflows) Duplicate(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: pathOf("/workflows/%s/duplicate", id)}, out, options)
}

// ReplaceGraph: Replace the graph of a workflow
//
// Steps, transitions and trigger in one transaction; what the body leaves out is removed. Steps with an id
// keep their executions and results. Faults name steps by key or id (`steps.<key>.config.amount`) and
// transitions by position. Refused with all faults if a config is wrong or an enabled workflow would become
// invalid. 409 RESOURCE_IN_USE with `steps`, each `{stepId, activeExecutions}`, while executions are at
// removed steps. 409 CONFLICT `changed_meanwhile` if the workflow was changed after
// `ifUpdatedAt`.
//
// PUT /workflows/{id}/graph
func (r *Workflows) ReplaceGraph(ctx context.Context, id string, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "PUT", route: pathOf("/workflows/%s/graph", id), body: body}, out, options)
}

// AddStep: Add a step
//
// Connects the newest step without an outgoing transition to the new step, unless `autoConnect` is false. A
// workflow has at most 100 steps. Refused if it would make an enabled workflow invalid.
//
// POST /workflows/{id}/steps
func (r *Workflows) AddStep(ctx context.Context, id string, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: pathOf("/workflows/%s/steps", id), body: body}, out, options)
}

// UpdateStep: Change a step
//
// Absent fields keep their values; `config` is replaced as a whole. The change applies to executions that
// reach the step afterwards. Only the name and position of the TRIGGER can change.
//
// PATCH /workflows/{id}/steps/{stepId}
func (r *Workflows) UpdateStep(ctx context.Context, id string, stepId string, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "PATCH", route: pathOf("/workflows/%s/steps/%s", id, stepId), body: body}, out, options)
}

// WorkflowsDeleteStepQuery has the parameters of WorkflowsDeleteStep; zero values are left out.
type WorkflowsDeleteStepQuery struct {
	Splice *bool
}

func (q WorkflowsDeleteStepQuery) values() url.Values {
	values := url.Values{}
	setBool(values, "splice", q.Splice)
	return values
}

// DeleteStep: Delete a step
//
// Deletes its transitions too; with `splice=true` the step before it is connected to the step after it.
// Refused while an execution is at the step.
//
// DELETE /workflows/{id}/steps/{stepId}
func (r *Workflows) DeleteStep(ctx context.Context, id string, stepId string, query WorkflowsDeleteStepQuery, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "DELETE", route: pathOf("/workflows/%s/steps/%s", id, stepId), query: query.values()}, out, options)
}

// TestRun: Try out a workflow
//
// Takes one contact through the graph, enabled or not, with the logic of its steps and a clock of its own.
// Nothing is stored, sent, called, charged or tracked: `UPDATE_CONTACT` changes a copy, a RATE_LIMIT counts
// this run alone, and a WEBHOOK gets the answer from `webhooks`. Conditions see the stored events of the
// contact and those of the run. A mail counts as sent and delivered at once; the script opens and clicks
// it. 422 on `script` beyond 1,000 visits, 5 years, 2 seconds of computing or 2 MB.
//
// POST /workflows/{id}/test-runs
func (r *Workflows) TestRun(ctx context.Context, id string, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: pathOf("/workflows/%s/test-runs", id), body: body}, out, options)
}

// StepLinks: Clicks on the links of a step
//
// For a SEND_EMAIL step, by the links as written in its template. Exact; counts stay when mails are
// deleted.
//
// GET /workflows/{id}/steps/{stepId}/links
func (r *Workflows) StepLinks(ctx context.Context, id string, stepId string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/workflows/%s/steps/%s/links", id, stepId)}, out, options)
}

// StepStats: Results of a step
//
// Counts and rates of the mail of a SEND_EMAIL step.
//
// GET /workflows/{id}/steps/{stepId}/stats
func (r *Workflows) StepStats(ctx context.Context, id string, stepId string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/workflows/%s/steps/%s/stats", id, stepId)}, out, options)
}

// Experiment: Show the experiment of a step
//
// For a SPLIT step with `experiment`. Figures decide nothing before `final`.
//
// GET /workflows/{id}/steps/{stepId}/experiment
func (r *Workflows) Experiment(ctx context.Context, id string, stepId string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/workflows/%s/steps/%s/experiment", id, stepId)}, out, options)
}

// DecideExperiment: Choose the winner of an experiment
//
// At any time. Every contact takes the branch from then on. The same branch again changes
// nothing.
//
// POST /workflows/{id}/steps/{stepId}/experiment/winner
func (r *Workflows) DecideExperiment(ctx context.Context, id string, stepId string, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: pathOf("/workflows/%s/steps/%s/experiment/winner", id, stepId), body: body}, out, options)
}

// RestartExperiment: Restart an experiment
//
// Counts from 0 and splits the contacts by their shares again.
//
// POST /workflows/{id}/steps/{stepId}/experiment/restart
func (r *Workflows) RestartExperiment(ctx context.Context, id string, stepId string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: pathOf("/workflows/%s/steps/%s/experiment/restart", id, stepId)}, out, options)
}

// AddTransition: Connect two steps
//
// Replaces automatic transitions that contradict it. 200 if the transition already exists. 409 with reason
// `branch_taken` if the step has another transition for this branch. At most 300 transitions.
//
// POST /workflows/{id}/transitions
func (r *Workflows) AddTransition(ctx context.Context, id string, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: pathOf("/workflows/%s/transitions", id), body: body}, out, options)
}

// DeleteTransition: Delete a transition
//
// An execution that would have followed it completes instead.
//
// DELETE /workflows/{id}/transitions/{transitionId}
func (r *Workflows) DeleteTransition(ctx context.Context, id string, transitionId string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "DELETE", route: pathOf("/workflows/%s/transitions/%s", id, transitionId)}, out, options)
}

// InsertStep: Insert a step into a transition
//
// The transition from A to B becomes one from A to the new step and one from the new step to B. A new
// CONDITION leads to B on the branch `yes`.
//
// POST /workflows/{id}/transitions/{transitionId}/insert-step
func (r *Workflows) InsertStep(ctx context.Context, id string, transitionId string, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: pathOf("/workflows/%s/transitions/%s/insert-step", id, transitionId), body: body}, out, options)
}

// Publish: Publish the draft
//
// Makes the draft the next version, with which executions start from then on. Live executions stay on
// theirs. Refused with 422 and all faults. 409 with reason `no_draft` when nothing has changed,
// `version_changed`, `not_versioned` for a workflow that is edited live, or `migration_running` while its
// executions are still pinned after a change of `versioning`.
//
// POST /workflows/{id}/publish
func (r *Workflows) Publish(ctx context.Context, id string, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: pathOf("/workflows/%s/publish", id), body: body}, out, options)
}

// RemoveDraft: Discard the draft
//
// The draft is the published version again. 409 with reason `not_versioned`.
//
// DELETE /workflows/{id}/draft
func (r *Workflows) RemoveDraft(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "DELETE", route: pathOf("/workflows/%s/draft", id)}, out, options)
}

// WorkflowsVersionsQuery has the parameters of WorkflowsVersions; zero values are left out.
type WorkflowsVersionsQuery struct {
	Page     int
	PageSize int
}

func (q WorkflowsVersionsQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "page", q.Page)
	setInt(values, "pageSize", q.PageSize)
	return values
}

// Versions: List the versions of a workflow
//
// Newest first, without their graphs. A workflow that is edited live gets a version when it is enabled and
// by edits while it is; the edits of one caller within 10 minutes are one. At most 100 are kept, beside
// those with live executions.
//
// GET /workflows/{id}/versions
func (r *Workflows) Versions(id string, query WorkflowsVersionsQuery) *Items {
	return itemsOf(r.requests, call{method: "GET", route: pathOf("/workflows/%s/versions", id), query: query.values()})
}

// Version: Read a version of a workflow
//
// With trigger, settings, steps and transitions.
//
// GET /workflows/{id}/versions/{n}
func (r *Workflows) Version(ctx context.Context, id string, n string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/workflows/%s/versions/%s", id, n)}, out, options)
}

// WorkflowsDiffQuery has the parameters of WorkflowsDiff; zero values are left out.
type WorkflowsDiffQuery struct {
	With string
}

func (q WorkflowsDiffQuery) values() url.Values {
	values := url.Values{}
	setString(values, "with", q.With)
	return values
}

// Diff: Compare two versions of a workflow
//
// What changes from this version to the other one, or to the draft. Steps have the same id in all
// versions.
//
// GET /workflows/{id}/versions/{n}/diff
func (r *Workflows) Diff(ctx context.Context, id string, n string, query WorkflowsDiffQuery, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/workflows/%s/versions/%s/diff", id, n), query: query.values()}, out, options)
}

// Restore: Restore a version of a workflow
//
// The draft becomes this version; in a workflow that is edited live, the graph does, checked while it is
// enabled. Removed steps return with their ids. 409 RESOURCE_IN_USE with `steps` when a live execution is
// at a step of a live workflow that would go.
//
// POST /workflows/{id}/versions/{n}/restore
func (r *Workflows) Restore(ctx context.Context, id string, n string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: pathOf("/workflows/%s/versions/%s/restore", id, n)}, out, options)
}

// Migrate: Move live executions to a version
//
// An execution at a step that maps to itself goes on as it was; a wait that has begun keeps its config and
// its instant. At another step, its visit ends SKIPPED with the reason `migrated`, and the target step
// begins. Without a target it stays, or ends EXITED with exitReason `migrated`. `dryRun` counts. Queued;
// `GET /workflows/{id}/migrations/{jobId}` has the progress and the result. 409 with reason
// `migration_running` or `not_versioned`.
//
// POST /workflows/{id}/migrations
func (r *Workflows) Migrate(ctx context.Context, id string, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: pathOf("/workflows/%s/migrations", id), body: body}, out, options)
}

// Migration: Read a migration
//
// Its progress, and the counts so far.
//
// GET /workflows/{id}/migrations/{jobId}
func (r *Workflows) Migration(ctx context.Context, id string, jobId string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/workflows/%s/migrations/%s", id, jobId)}, out, options)
}

// Executions: Executions: each is one contact in one workflow.
type Executions struct{ requests *requests }

// ExecutionsListQuery has the parameters of ExecutionsList; zero values are left out.
type ExecutionsListQuery struct {
	Page          int
	PageSize      int
	Status        string
	ContactId     string
	Version       int
	CurrentStepId string
}

func (q ExecutionsListQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "page", q.Page)
	setInt(values, "pageSize", q.PageSize)
	setString(values, "status", q.Status)
	setString(values, "contactId", q.ContactId)
	setInt(values, "version", q.Version)
	setString(values, "currentStepId", q.CurrentStepId)
	return values
}

// List: List executions
//
// Newest first, without their step executions.
//
// GET /workflows/{id}/executions
func (r *Executions) List(id string, query ExecutionsListQuery) *Items {
	return itemsOf(r.requests, call{method: "GET", route: pathOf("/workflows/%s/executions", id), query: query.values()})
}

// Start: Start a workflow for a contact
//
// Works with any type of trigger; the steps run after the response. 409 with reason `workflow_disabled`,
// `reentry_not_allowed` or `already_running`.
//
// POST /workflows/{id}/executions
func (r *Executions) Start(ctx context.Context, id string, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: pathOf("/workflows/%s/executions", id), body: body}, out, options)
}

// CancelAll: Cancel all executions
//
// Cancels the executions that are RUNNING or WAITING; new ones can start meanwhile unless the workflow is
// disabled.
//
// POST /workflows/{id}/executions/cancel-all
func (r *Executions) CancelAll(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: pathOf("/workflows/%s/executions/cancel-all", id)}, out, options)
}

// Get: Read an execution
//
// With its step executions, oldest first.
//
// GET /workflows/{id}/executions/{executionId}
func (r *Executions) Get(ctx context.Context, id string, executionId string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/workflows/%s/executions/%s", id, executionId)}, out, options)
}

// Cancel: Cancel an execution
//
// A running step finishes, but no other step starts. Safe to repeat; 409 with reason `already_finished` for
// an execution that ended in another way.
//
// DELETE /workflows/{id}/executions/{executionId}
func (r *Executions) Cancel(ctx context.Context, id string, executionId string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "DELETE", route: pathOf("/workflows/%s/executions/%s", id, executionId)}, out, options)
}

// Retry: Retry a failed execution
//
// Runs the failed step again. 409 with reason `not_retryable` or `already_running`.
//
// POST /workflows/{id}/executions/{executionId}/retry
func (r *Executions) Retry(ctx context.Context, id string, executionId string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: pathOf("/workflows/%s/executions/%s/retry", id, executionId)}, out, options)
}

// ExecutionsOfContactQuery has the parameters of ExecutionsOfContact; zero values are left out.
type ExecutionsOfContactQuery struct {
	Limit  int
	Cursor string
	Status string
}

func (q ExecutionsOfContactQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "limit", q.Limit)
	setString(values, "cursor", q.Cursor)
	setString(values, "status", q.Status)
	return values
}

// OfContact: List a contact's executions
//
// In all workflows, newest first, without their step executions.
//
// GET /contacts/{id}/executions
func (r *Executions) OfContact(id string, query ExecutionsOfContactQuery) *Items {
	return itemsOf(r.requests, call{method: "GET", route: pathOf("/contacts/%s/executions", id), query: query.values()})
}

// Domains: Sender domains, with the DNS records for their ownership and signatures.
type Domains struct{ requests *requests }

// List: List domains
//
// All domains of the project, verified and pending, newest first. The project must be that of the
// key.
//
// GET /domains/project/{projectId}
func (r *Domains) List(ctx context.Context, projectId string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/domains/project/%s", projectId)}, out, options)
}

// Add: Add a domain
//
// Returns the DNS records to publish; the first check follows within 10 seconds. IP addresses, public
// suffixes and domains of mailbox providers are refused; at most 100 domains in a project.
//
// POST /domains
func (r *Domains) Add(ctx context.Context, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: "/domains", body: body}, out, options)
}

// Get: Read a domain
//
// One domain with its DNS records and the values found in DNS.
//
// GET /domains/{id}
func (r *Domains) Get(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/domains/%s", id)}, out, options)
}

// Update: Change a domain
//
// Sets the host of the links in its mail. Publish the CNAME record of the response, and give the host a
// certificate; links use it once both are valid. Former hosts keep working.
//
// PATCH /domains/{id}
func (r *Domains) Update(ctx context.Context, id string, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "PATCH", route: pathOf("/domains/%s", id), body: body}, out, options)
}

// Remove: Remove a domain
//
// Deletes its signing keys. Refused while a template, a workflow step, an unfinished campaign or unsent
// mail sends from it.
//
// DELETE /domains/{id}
func (r *Domains) Remove(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "DELETE", route: pathOf("/domains/%s", id)}, out, options)
}

// DomainsHealthQuery has the parameters of DomainsHealth; zero values are left out.
type DomainsHealthQuery struct {
	Refresh *bool
}

func (q DomainsHealthQuery) values() url.Values {
	values := url.Values{}
	setBool(values, "refresh", q.Refresh)
	return values
}

// Health: Read the health of a domain
//
// What mailbox providers require of bulk senders, and whether it is so. DNS is asked once a day, and now
// with `refresh=true`, at most once a minute. Figures are those of the mail of this
// domain.
//
// GET /domains/{id}/health
func (r *Domains) Health(ctx context.Context, id string, query DomainsHealthQuery, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/domains/%s/health", id), query: query.values()}, out, options)
}

// DomainsDmarcQuery has the parameters of DomainsDmarc; zero values are left out.
type DomainsDmarcQuery struct {
	StartDate string
	EndDate   string
	GroupBy   string
	Limit     int
}

func (q DomainsDmarcQuery) values() url.Values {
	values := url.Values{}
	setString(values, "startDate", q.StartDate)
	setString(values, "endDate", q.EndDate)
	setString(values, "groupBy", q.GroupBy)
	setInt(values, "limit", q.Limit)
	return values
}

// Dmarc: Read DMARC reports of a domain
//
// What mailbox providers report about mail with this domain in From; by default of the last 30 days. Anyone
// can send such reports, so they inform and change nothing. Sums are kept for 400 days.
//
// GET /domains/{id}/dmarc
func (r *Domains) Dmarc(ctx context.Context, id string, query DomainsDmarcQuery, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/domains/%s/dmarc", id), query: query.values()}, out, options)
}

// DomainsWarmupQuery has the parameters of DomainsWarmup; zero values are left out.
type DomainsWarmupQuery struct {
	Transport string
}

func (q DomainsWarmupQuery) values() url.Values {
	values := url.Values{}
	setString(values, "transport", q.Transport)
	return values
}

// Warmup: Read the warm-up of a domain
//
// The plan, its step and cap of today, the mail that waits, and every day that is over.
//
// GET /domains/{id}/warmup
func (r *Domains) Warmup(ctx context.Context, id string, query DomainsWarmupQuery, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/domains/%s/warmup", id), query: query.values()}, out, options)
}

// DomainsSetWarmupQuery has the parameters of DomainsSetWarmup; zero values are left out.
type DomainsSetWarmupQuery struct {
	Transport string
}

func (q DomainsSetWarmupQuery) values() url.Values {
	values := url.Values{}
	setString(values, "transport", q.Transport)
	return values
}

// SetWarmup: Warm up a domain
//
// Sets the plan, or replaces it; the step stays if `preset` and `caps` do. Campaigns, workflow mail and
// single mail with a MARKETING or HEADLESS template wait when the cap of the day is used up. Where a plan
// of the domain and one of a transport fit, the tighter one holds.
//
// PUT /domains/{id}/warmup
func (r *Domains) SetWarmup(ctx context.Context, id string, body interface{}, query DomainsSetWarmupQuery, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "PUT", route: pathOf("/domains/%s/warmup", id), query: query.values(), body: body}, out, options)
}

// DomainsRemoveWarmupQuery has the parameters of DomainsRemoveWarmup; zero values are left out.
type DomainsRemoveWarmupQuery struct {
	Transport string
}

func (q DomainsRemoveWarmupQuery) values() url.Values {
	values := url.Values{}
	setString(values, "transport", q.Transport)
	return values
}

// RemoveWarmup: End the warm-up of a domain
//
// Removes the plan with its days. The mail that waits is sent at once.
//
// DELETE /domains/{id}/warmup
func (r *Domains) RemoveWarmup(ctx context.Context, id string, query DomainsRemoveWarmupQuery, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "DELETE", route: pathOf("/domains/%s/warmup", id), query: query.values()}, out, options)
}

// Warmups: List the warm-ups of a domain
//
// The plan of all mail of the domain, and those of single transports. Empty without a plan: at most one for
// each transport.
//
// GET /domains/{id}/warmups
func (r *Domains) Warmups(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/domains/%s/warmups", id)}, out, options)
}

// DomainsPauseWarmupQuery has the parameters of DomainsPauseWarmup; zero values are left out.
type DomainsPauseWarmupQuery struct {
	Transport string
}

func (q DomainsPauseWarmupQuery) values() url.Values {
	values := url.Values{}
	setString(values, "transport", q.Transport)
	return values
}

// PauseWarmup: Pause the warm-up of a domain
//
// No bulk mail of the domain leaves until `resume`. A plan that is paused or completed stays as it
// is.
//
// POST /domains/{id}/warmup/pause
func (r *Domains) PauseWarmup(ctx context.Context, id string, query DomainsPauseWarmupQuery, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: pathOf("/domains/%s/warmup/pause", id), query: query.values()}, out, options)
}

// DomainsResumeWarmupQuery has the parameters of DomainsResumeWarmup; zero values are left out.
type DomainsResumeWarmupQuery struct {
	Transport string
}

func (q DomainsResumeWarmupQuery) values() url.Values {
	values := url.Values{}
	setString(values, "transport", q.Transport)
	return values
}

// ResumeWarmup: Resume the warm-up of a domain
//
// Begins the same step again on the next local day. A plan that is not paused stays as it
// is.
//
// POST /domains/{id}/warmup/resume
func (r *Domains) ResumeWarmup(ctx context.Context, id string, query DomainsResumeWarmupQuery, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: pathOf("/domains/%s/warmup/resume", id), query: query.values()}, out, options)
}

// Verify: Check a domain now
//
// Checks DNS at once instead of waiting for the check every 5 minutes. Returns the result of an earlier
// check if it is less than 10 seconds old.
//
// GET /domains/{id}/verify
func (r *Domains) Verify(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/domains/%s/verify", id)}, out, options)
}

// Emails: The delivery ledger: one record for each mail to each recipient.
type Emails struct{ requests *requests }

// EmailsListQuery has the parameters of EmailsList; zero values are left out.
type EmailsListQuery struct {
	Limit      int
	Cursor     string
	Status     string
	Mode       string
	Sort       string
	SourceType string
	ContactId  string
	CampaignId string
	WorkflowId string
	TemplateId string
	GroupId    string
	To         string
	Tag        string
	StartDate  string
	EndDate    string
}

func (q EmailsListQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "limit", q.Limit)
	setString(values, "cursor", q.Cursor)
	setString(values, "status", q.Status)
	setString(values, "mode", q.Mode)
	setString(values, "sort", q.Sort)
	setString(values, "sourceType", q.SourceType)
	setString(values, "contactId", q.ContactId)
	setString(values, "campaignId", q.CampaignId)
	setString(values, "workflowId", q.WorkflowId)
	setString(values, "templateId", q.TemplateId)
	setString(values, "groupId", q.GroupId)
	setString(values, "to", q.To)
	setString(values, "tag", q.Tag)
	setString(values, "startDate", q.StartDate)
	setString(values, "endDate", q.EndDate)
	return values
}

// List: List emails
//
// The records of the project's mail, one for each mail to each recipient, newest first.
//
// GET /emails
func (r *Emails) List(query EmailsListQuery) *Items {
	return itemsOf(r.requests, call{method: "GET", route: "/emails", query: query.values()})
}

// Send: Send email with a session
//
// The same as `POST /v1/send`, which takes keys only: also with a session, of any role.
//
// POST /emails
func (r *Emails) Send(ctx context.Context, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: "/emails", body: body, keyed: true}, out, options)
}

// Get: Read an email
//
// The record with every delivery attempt and its result.
//
// GET /emails/{id}
func (r *Emails) Get(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/emails/%s", id)}, out, options)
}

// Update: Reschedule an email
//
// Only mail that is still `SCHEDULED`, else 409 with reason `not_scheduled`. A later time moves it; null or
// a past time sends it at once.
//
// PATCH /emails/{id}
func (r *Emails) Update(ctx context.Context, id string, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "PATCH", route: pathOf("/emails/%s", id), body: body}, out, options)
}

// EmailsContentQuery has the parameters of EmailsContent; zero values are left out.
type EmailsContentQuery struct {
	Format string
}

func (q EmailsContentQuery) values() url.Values {
	values := url.Values{}
	setString(values, "format", q.Format)
	return values
}

// Content: Read the content of an email
//
// As rendered, before link rewriting and without the tracking pixel, so that reading it does not count as
// an open. After retention the texts are null and `raw` is 404.
//
// GET /emails/{id}/content
func (r *Emails) Content(ctx context.Context, id string, query EmailsContentQuery, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/emails/%s/content", id), query: query.values()}, out, options)
}

// Cancel: Cancel an email
//
// Only mail that is still `SCHEDULED` or `PENDING`, else 409 with reason `not_cancellable`. Safe to
// repeat.
//
// POST /emails/{id}/cancel
func (r *Emails) Cancel(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: pathOf("/emails/%s/cancel", id)}, out, options)
}

// Retry: Send a failed email again
//
// Only mail that is `FAILED` or `AMBIGUOUS`, with the same Message-ID. Sender domain, suppression and
// subscription are checked again: 409 with reason `not_retryable`, `content_purged`, `suppressed` or
// `contact_unsubscribed`.
//
// POST /emails/{id}/retry
func (r *Emails) Retry(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: pathOf("/emails/%s/retry", id)}, out, options)
}

// Suppressions: Addresses that get no mail of any type.
type Suppressions struct{ requests *requests }

// SuppressionsListQuery has the parameters of SuppressionsList; zero values are left out.
type SuppressionsListQuery struct {
	Limit     int
	Cursor    string
	Search    string
	Reason    string
	StartDate string
	EndDate   string
}

func (q SuppressionsListQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "limit", q.Limit)
	setString(values, "cursor", q.Cursor)
	setString(values, "search", q.Search)
	setString(values, "reason", q.Reason)
	setString(values, "startDate", q.StartDate)
	setString(values, "endDate", q.EndDate)
	return values
}

// List: List suppressions
//
// Addresses that get no mail of any type, newest first.
//
// GET /suppressions
func (r *Suppressions) List(query SuppressionsListQuery) *Items {
	return itemsOf(r.requests, call{method: "GET", route: "/suppressions", query: query.values()})
}

// Add: Suppress addresses
//
// With `email`: 201 and the record, or 200 and the unchanged record when the address is already on the
// list. With `emails`: 201 and the counts. The reason is `MANUAL`. Subscriptions do not change, and waiting
// mail becomes `SUPPRESSED` when it is due.
//
// POST /suppressions
func (r *Suppressions) Add(ctx context.Context, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: "/suppressions", body: body}, out, options)
}

// SuppressionsExportQuery has the parameters of SuppressionsExport; zero values are left out.
type SuppressionsExportQuery struct {
	Format    string
	Search    string
	Reason    string
	StartDate string
	EndDate   string
}

func (q SuppressionsExportQuery) values() url.Values {
	values := url.Values{}
	setString(values, "format", q.Format)
	setString(values, "search", q.Search)
	setString(values, "reason", q.Reason)
	setString(values, "startDate", q.StartDate)
	setString(values, "endDate", q.EndDate)
	return values
}

// Export: Export suppressions
//
// For OWNER and ADMIN. A file of all suppressed addresses, or of those that match the query, newest first,
// each at most once. Erased addresses are left out. CSV has the columns id, email, reason, emailId, note
// and createdAt; a text that a spreadsheet would run as a formula starts with an apostrophe.
//
// GET /suppressions/export
func (r *Suppressions) Export(ctx context.Context, query SuppressionsExportQuery, options ...CallOption) (io.ReadCloser, error) {
	return r.requests.stream(ctx, call{method: "GET", route: "/suppressions/export", query: query.values()}, options)
}

// Get: Look up an address
//
// The record of the address; 404 when it is not suppressed.
//
// GET /suppressions/{email}
func (r *Suppressions) Get(ctx context.Context, email string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/suppressions/%s", email)}, out, options)
}

// Remove: Lift a suppression
//
// For OWNER and ADMIN. The address may get mail again. A contact that was unsubscribed by a bounce or
// complaint stays unsubscribed, and suppressed mail is not sent.
//
// DELETE /suppressions/{email}
func (r *Suppressions) Remove(ctx context.Context, email string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "DELETE", route: pathOf("/suppressions/%s", email)}, out, options)
}

// Events: Actions of contacts, and events of their mail.
type Events struct{ requests *requests }

// EventsListQuery has the parameters of EventsList; zero values are left out.
type EventsListQuery struct {
	Limit     int
	Cursor    string
	EventName string
	ContactId string
	Source    string
	StartDate string
	EndDate   string
}

func (q EventsListQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "limit", q.Limit)
	setString(values, "cursor", q.Cursor)
	setString(values, "eventName", q.EventName)
	setString(values, "contactId", q.ContactId)
	setString(values, "source", q.Source)
	setString(values, "startDate", q.StartDate)
	setString(values, "endDate", q.EndDate)
	return values
}

// List: List events
//
// Events that callers tracked, newest first: those of one name by `occurredAt`, others by
// `createdAt`.
//
// GET /events
func (r *Events) List(query EventsListQuery) *Items {
	return itemsOf(r.requests, call{method: "GET", route: "/events", query: query.values()})
}

// EventsStatsQuery has the parameters of EventsStats; zero values are left out.
type EventsStatsQuery struct {
	Source    string
	StartDate string
	EndDate   string
}

func (q EventsStatsQuery) values() url.Values {
	values := url.Values{}
	setString(values, "source", q.Source)
	setString(values, "startDate", q.StartDate)
	setString(values, "endDate", q.EndDate)
	return values
}

// Stats: Count events by name
//
// The most frequent first, at most 1,000 names. By default the last 30 days.
//
// GET /events/stats
func (r *Events) Stats(ctx context.Context, query EventsStatsQuery, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: "/events/stats", query: query.values()}, out, options)
}

// EventsOfContactQuery has the parameters of EventsOfContact; zero values are left out.
type EventsOfContactQuery struct {
	Limit  int
	Cursor string
	Source string
}

func (q EventsOfContactQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "limit", q.Limit)
	setString(values, "cursor", q.Cursor)
	setString(values, "source", q.Source)
	return values
}

// OfContact: List a contact's events
//
// All events of the contact, newest first, 50 on a page by default.
//
// GET /events/contact/{contactId}
func (r *Events) OfContact(contactId string, query EventsOfContactQuery) *Items {
	return itemsOf(r.requests, call{method: "GET", route: pathOf("/events/contact/%s", contactId), query: query.values()})
}

// EventsNamesQuery has the parameters of EventsNames; zero values are left out.
type EventsNamesQuery struct {
	Search string
	Source string
}

func (q EventsNamesQuery) values() url.Values {
	values := url.Values{}
	setString(values, "search", q.Search)
	setString(values, "source", q.Source)
	return values
}

// Names: List names of events
//
// For a picker: every name in use.
//
// GET /events/names
func (r *Events) Names(ctx context.Context, query EventsNamesQuery, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: "/events/names", query: query.values()}, out, options)
}

// Usage: List the uses of an event name
//
// Segments, campaigns that have not ended, and workflows that use the name. An unknown name has no
// uses.
//
// GET /events/{eventName}/usage
func (r *Events) Usage(ctx context.Context, eventName string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/events/%s/usage", eventName)}, out, options)
}

// EventsTimeseriesQuery has the parameters of EventsTimeseries; zero values are left out.
type EventsTimeseriesQuery struct {
	StartDate string
	EndDate   string
	Timezone  string
}

func (q EventsTimeseriesQuery) values() url.Values {
	values := url.Values{}
	setString(values, "startDate", q.StartDate)
	setString(values, "endDate", q.EndDate)
	setString(values, "timezone", q.Timezone)
	return values
}

// Timeseries: Count an event by day
//
// How often callers tracked the event, with one entry for each day of the window, including days without
// it; by default the last 30 days. Days are counted whole, even if the window starts or ends within one.
// Counts stay when contacts are deleted. An unknown name has zeros.
//
// GET /events/{eventName}/timeseries
func (r *Events) Timeseries(ctx context.Context, eventName string, query EventsTimeseriesQuery, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/events/%s/timeseries", eventName), query: query.values()}, out, options)
}

// Delete: Delete events by name
//
// For OWNER and ADMIN. Deletes every stored event with the name; lists and filters stop seeing them at
// once. Refused with 409 while something uses the name, and with 422 for names of the service. The name can
// be tracked again.
//
// DELETE /events/{eventName}
func (r *Events) Delete(ctx context.Context, eventName string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "DELETE", route: pathOf("/events/%s", eventName)}, out, options)
}

// Track: Track an event with the secret key
//
// The same as `POST /v1/track`, for servers: with the secret key or a session.
//
// POST /events/track
func (r *Events) Track(ctx context.Context, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: "/events/track", body: body, keyed: true}, out, options)
}

// Activity: The activity feed of the project, across its resources.
type Activity struct{ requests *requests }

// ActivityListQuery has the parameters of ActivityList; zero values are left out.
type ActivityListQuery struct {
	Limit     int
	Cursor    string
	Types     string
	ContactId string
	StartDate string
	EndDate   string
	Timezone  string
}

func (q ActivityListQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "limit", q.Limit)
	setString(values, "cursor", q.Cursor)
	setString(values, "types", q.Types)
	setString(values, "contactId", q.ContactId)
	setString(values, "startDate", q.StartDate)
	setString(values, "endDate", q.EndDate)
	setString(values, "timezone", q.Timezone)
	return values
}

// List: List activity
//
// The activity feed of the project, newest first, by default 50 entries per page, of the last 30 days.
// `total` is counted up to 10,000. Entries of deleted contacts and campaigns are not
// included.
//
// GET /activity
func (r *Activity) List(query ActivityListQuery) *Items {
	return itemsOf(r.requests, call{method: "GET", route: "/activity", query: query.values()})
}

// ActivityStatsQuery has the parameters of ActivityStats; zero values are left out.
type ActivityStatsQuery struct {
	StartDate string
	EndDate   string
	Timezone  string
}

func (q ActivityStatsQuery) values() url.Values {
	values := url.Values{}
	setString(values, "startDate", q.StartDate)
	setString(values, "endDate", q.EndDate)
	setString(values, "timezone", q.Timezone)
	return values
}

// Stats: Count activity
//
// Totals and rates of a window, by default of the last 30 days.
//
// GET /activity/stats
func (r *Activity) Stats(ctx context.Context, query ActivityStatsQuery, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: "/activity/stats", query: query.values()}, out, options)
}

// ActivityRecentCountQuery has the parameters of ActivityRecentCount; zero values are left out.
type ActivityRecentCountQuery struct {
	Minutes int
}

func (q ActivityRecentCountQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "minutes", q.Minutes)
	return values
}

// RecentCount: Count recent activity
//
// Counts the entries of the last minutes, by default 5.
//
// GET /activity/recent-count
func (r *Activity) RecentCount(ctx context.Context, query ActivityRecentCountQuery, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: "/activity/recent-count", query: query.values()}, out, options)
}

// Types: List types of activity
//
// All types, and those that occurred in the project.
//
// GET /activity/types
func (r *Activity) Types(ctx context.Context, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: "/activity/types"}, out, options)
}

// ActivityUpcomingQuery has the parameters of ActivityUpcoming; zero values are left out.
type ActivityUpcomingQuery struct {
	Limit     int
	DaysAhead int
}

func (q ActivityUpcomingQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "limit", q.Limit)
	setInt(values, "daysAhead", q.DaysAhead)
	return values
}

// Upcoming: List scheduled activity
//
// Scheduled campaigns, workflows and steps, earliest first; by default 50 entries of the next 30
// days.
//
// GET /activity/upcoming
func (r *Activity) Upcoming(ctx context.Context, query ActivityUpcomingQuery, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: "/activity/upcoming", query: query.values()}, out, options)
}

// Analytics: Statistics of mail, campaigns and events.
type Analytics struct{ requests *requests }

// AnalyticsTimeseriesQuery has the parameters of AnalyticsTimeseries; zero values are left out.
type AnalyticsTimeseriesQuery struct {
	StartDate      string
	EndDate        string
	Timezone       string
	IncludeMachine *bool
}

func (q AnalyticsTimeseriesQuery) values() url.Values {
	values := url.Values{}
	setString(values, "startDate", q.StartDate)
	setString(values, "endDate", q.EndDate)
	setString(values, "timezone", q.Timezone)
	setBool(values, "includeMachine", q.IncludeMachine)
	return values
}

// Timeseries: Mail by day
//
// One entry for each day of the window, including days without mail; by default the last 30 days. Days are
// counted whole, even if the window starts or ends within one. Counts stay when contacts and campaigns are
// deleted.
//
// GET /analytics/timeseries
func (r *Analytics) Timeseries(ctx context.Context, query AnalyticsTimeseriesQuery, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: "/analytics/timeseries", query: query.values()}, out, options)
}

// AnalyticsProvidersQuery has the parameters of AnalyticsProviders; zero values are left out.
type AnalyticsProvidersQuery struct {
	StartDate string
	EndDate   string
	Timezone  string
}

func (q AnalyticsProvidersQuery) values() url.Values {
	values := url.Values{}
	setString(values, "startDate", q.StartDate)
	setString(values, "endDate", q.EndDate)
	setString(values, "timezone", q.Timezone)
	return values
}

// Providers: Results by mailbox provider
//
// Results of mail by the mailbox providers of the recipients; by default of the last 30 days. Days are
// counted whole, and each result counts on the day on which it happened. Counts stay when contacts and
// campaigns are deleted.
//
// GET /analytics/providers
func (r *Analytics) Providers(ctx context.Context, query AnalyticsProvidersQuery, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: "/analytics/providers", query: query.values()}, out, options)
}

// AnalyticsTopCampaignsQuery has the parameters of AnalyticsTopCampaigns; zero values are left out.
type AnalyticsTopCampaignsQuery struct {
	Metric    string
	Limit     int
	StartDate string
	EndDate   string
}

func (q AnalyticsTopCampaignsQuery) values() url.Values {
	values := url.Values{}
	setString(values, "metric", q.Metric)
	setInt(values, "limit", q.Limit)
	setString(values, "startDate", q.StartDate)
	setString(values, "endDate", q.EndDate)
	return values
}

// TopCampaigns: The best campaigns
//
// Campaigns that are sent or being sent, ordered by a metric, by default 10. The dates refer to the start
// of sending.
//
// GET /analytics/top-campaigns
func (r *Analytics) TopCampaigns(ctx context.Context, query AnalyticsTopCampaignsQuery, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: "/analytics/top-campaigns", query: query.values()}, out, options)
}

// AnalyticsCampaignStatsQuery has the parameters of AnalyticsCampaignStats; zero values are left out.
type AnalyticsCampaignStatsQuery struct {
	StartDate string
	EndDate   string
	Limit     int
}

func (q AnalyticsCampaignStatsQuery) values() url.Values {
	values := url.Values{}
	setString(values, "startDate", q.StartDate)
	setString(values, "endDate", q.EndDate)
	setInt(values, "limit", q.Limit)
	return values
}

// CampaignStats: Statistics of all campaigns
//
// Counts by state, average rates and the newest campaigns. The dates refer to the creation of the
// campaigns.
//
// GET /analytics/campaign-stats
func (r *Analytics) CampaignStats(ctx context.Context, query AnalyticsCampaignStatsQuery, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: "/analytics/campaign-stats", query: query.values()}, out, options)
}

// AnalyticsConversionsQuery has the parameters of AnalyticsConversions; zero values are left out.
type AnalyticsConversionsQuery struct {
	By        string
	StartDate string
	EndDate   string
}

func (q AnalyticsConversionsQuery) values() url.Values {
	values := url.Values{}
	setString(values, "by", q.By)
	setString(values, "startDate", q.StartDate)
	setString(values, "endDate", q.EndDate)
	return values
}

// Conversions: Conversions and revenue
//
// Goals reached, by day, campaign or workflow, at most 500 rows; by default of the last 30 days. A
// conversion counts on the day on which it was recorded, in UTC. Sums stay when contacts are deleted, and
// go with their campaign or workflow.
//
// GET /analytics/conversions
func (r *Analytics) Conversions(ctx context.Context, query AnalyticsConversionsQuery, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: "/analytics/conversions", query: query.values()}, out, options)
}

// AnalyticsTopEventsQuery has the parameters of AnalyticsTopEvents; zero values are left out.
type AnalyticsTopEventsQuery struct {
	Limit     int
	StartDate string
	EndDate   string
}

func (q AnalyticsTopEventsQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "limit", q.Limit)
	setString(values, "startDate", q.StartDate)
	setString(values, "endDate", q.EndDate)
	return values
}

// TopEvents: The most frequent events
//
// The names that callers tracked most; by default 5, of the last 30 days.
//
// GET /analytics/top-events
func (r *Analytics) TopEvents(ctx context.Context, query AnalyticsTopEventsQuery, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: "/analytics/top-events", query: query.values()}, out, options)
}

// Deliverability: How mail to mailbox providers goes.
type Deliverability struct{ requests *requests }

// Providers: How mail to each mailbox provider goes
//
// Mailbox providers that got mail of the project in 7 days, or that asked for less mail. The service then
// sends less there, lets the rest wait, and sends more again by itself.
//
// GET /deliverability/providers
func (r *Deliverability) Providers(ctx context.Context, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: "/deliverability/providers"}, out, options)
}

// Search: One search over the records of the project.
type Search struct{ requests *requests }

// SearchFindQuery has the parameters of SearchFind; zero values are left out.
type SearchFindQuery struct {
	Q     string
	Limit int
}

func (q SearchFindQuery) values() url.Values {
	values := url.Values{}
	setString(values, "q", q.Q)
	setInt(values, "limit", q.Limit)
	return values
}

// Find: Find records by name, address or id
//
// Contacts by address; campaigns, templates, partials, segments, workflows and domains by name, templates
// also by alias; any of them, and mails, by id. Contacts match within their address from three characters
// on, and with two at its beginning. Closed to API keys.
//
// GET /search
func (r *Search) Find(ctx context.Context, query SearchFindQuery, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: "/search", query: query.values()}, out, options)
}

// Views: Queries of lists that people come back to. Closed to API keys.
type Views struct{ requests *requests }

// ViewsListQuery has the parameters of ViewsList; zero values are left out.
type ViewsListQuery struct {
	Page string
}

func (q ViewsListQuery) values() url.Values {
	values := url.Values{}
	setString(values, "page", q.Page)
	return values
}

// List: List saved views
//
// Views that the member has made, and those that are shared. With the secret key only shared
// ones.
//
// GET /views
func (r *Views) List(ctx context.Context, query ViewsListQuery, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: "/views", query: query.values()}, out, options)
}

// Create: Save a view
//
// At most 50 of each member and 200 of the project; one more is 422. Views leave the project with the
// member who made them.
//
// POST /views
func (r *Views) Create(ctx context.Context, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: "/views", body: body}, out, options)
}

// Update: Change a view
//
// For its maker, and for a shared one also OWNER and ADMIN. Absent fields keep their values. A view that
// was made with the secret key stays shared.
//
// PATCH /views/{id}
func (r *Views) Update(ctx context.Context, id string, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "PATCH", route: pathOf("/views/%s", id), body: body}, out, options)
}

// Remove: Delete a view
//
// For its maker, and for a shared one also OWNER and ADMIN.
//
// DELETE /views/{id}
func (r *Views) Remove(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "DELETE", route: pathOf("/views/%s", id)}, out, options)
}

// Uploads: Images for mails.
type Uploads struct{ requests *requests }

// Image: Upload an image
//
// One JPEG, PNG, GIF or WebP in the field `image`, at most 10 MB and 10,000 pixels on each side; 415 for
// anything else, including SVG. The response has its public URL, which is always the same for the same
// image. All images of a project together may have 1 GB.
//
// POST /uploads/image
func (r *Uploads) Image(ctx context.Context, body map[string]interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: "/uploads/image", body: body, form: true}, out, options)
}

// UploadsImagesQuery has the parameters of UploadsImages; zero values are left out.
type UploadsImagesQuery struct {
	Limit  int
	Cursor string
}

func (q UploadsImagesQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "limit", q.Limit)
	setString(values, "cursor", q.Cursor)
	return values
}

// Images: List images
//
// The images of the project, newest first. An image that was uploaded again has its first
// date.
//
// GET /uploads/images
func (r *Uploads) Images(query UploadsImagesQuery) *Items {
	return itemsOf(r.requests, call{method: "GET", route: "/uploads/images", query: query.values()})
}

// RemoveImage: Delete an image
//
// For OWNER and ADMIN. Its URL answers 404 from then on: mail that was sent with it loses the picture, and
// so do templates and campaigns that name it. Caches may show it for longer.
//
// DELETE /uploads/images/{name}
func (r *Uploads) RemoveImage(ctx context.Context, name string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "DELETE", route: pathOf("/uploads/images/%s", name)}, out, options)
}

// Settings: Rules of the audience and of sending: consent, pages of recipients, ingestion, quiet hours,
// frequency caps, approval of campaigns.
type Settings struct{ requests *requests }

// Audience: Read the settings of the audience
//
// All settings, with their defaults.
//
// GET /settings/audience
func (r *Settings) Audience(ctx context.Context, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: "/settings/audience"}, out, options)
}

// UpdateAudience: Change the settings of the audience
//
// Absent fields keep their values, in the groups too. 403 if the domain of `doubleOptIn.from` is not
// verified. Not in force yet: `selfService`. It is checked and stored.
//
// PATCH /settings/audience
func (r *Settings) UpdateAudience(ctx context.Context, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "PATCH", route: "/settings/audience", body: body}, out, options)
}

// Sending: Read the settings of sending
//
// All settings, with their defaults.
//
// GET /settings/sending
func (r *Settings) Sending(ctx context.Context, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: "/settings/sending"}, out, options)
}

// UpdateSending: Change the settings of sending
//
// Absent fields keep their values. `campaignApproval` acts on campaigns that are sent or scheduled
// afterwards, the rest on mail that is made or taken for its first attempt afterwards.
//
// PATCH /settings/sending
func (r *Settings) UpdateSending(ctx context.Context, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "PATCH", route: "/settings/sending", body: body}, out, options)
}

// PreviewPreferences: Preview the preference page
//
// The page with the settings of the body in place of the stored ones. Changes nothing. The form is taken
// out, so the page can be shown to members as it is.
//
// POST /settings/audience/preview
func (r *Settings) PreviewPreferences(ctx context.Context, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: "/settings/audience/preview", body: body}, out, options)
}

// Projects: The project itself.
type Projects struct{ requests *requests }

// Current: Read the project of a key
//
// The project of the credential by id and name, and the kind of the key.
//
// GET /projects/current
func (r *Projects) Current(ctx context.Context, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: "/projects/current"}, out, options)
}

// SetupState: Read the setup state of the project
//
// The parts that are set up and those that are missing. The project must be that of the
// key.
//
// GET /projects/{id}/setup-state
func (r *Projects) SetupState(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/projects/%s/setup-state", id)}, out, options)
}

// ProjectsAuditQuery has the parameters of ProjectsAudit; zero values are left out.
type ProjectsAuditQuery struct {
	Limit     int
	Cursor    string
	Action    string
	UserId    string
	StartDate string
	EndDate   string
}

func (q ProjectsAuditQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "limit", q.Limit)
	setString(values, "cursor", q.Cursor)
	setString(values, "action", q.Action)
	setString(values, "userId", q.UserId)
	setString(values, "startDate", q.StartDate)
	setString(values, "endDate", q.EndDate)
	return values
}

// Audit: List changes of the project
//
// For OWNER and ADMIN, and the secret key; closed to API keys. Who changed what, newest first. The project
// must be that of the key.
//
// GET /projects/{id}/audit
func (r *Projects) Audit(id string, query ProjectsAuditQuery) *Items {
	return itemsOf(r.requests, call{method: "GET", route: pathOf("/projects/%s/audit", id), query: query.values()})
}

// Security: Read the sender reputation of the project
//
// Bounce and complaint rates of seven days and of all time, their limits, and the last suspensions of the
// project. The project must be that of the key.
//
// GET /projects/{id}/security
func (r *Projects) Security(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/projects/%s/security", id)}, out, options)
}

// ApiKeys: Credentials with their own scopes, in addition to the two keys of the project.
type ApiKeys struct{ requests *requests }

// List: List API keys
//
// Newest first, without the keys themselves.
//
// GET /api-keys
func (r *ApiKeys) List(ctx context.Context, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: "/api-keys"}, out, options)
}

// Create: Create an API key
//
// A key with its own scopes, sent as `Authorization: Bearer`. Within its scopes it is accepted wherever the
// secret key is. It is shown only in this response. At most 100 in a project.
//
// POST /api-keys
func (r *ApiKeys) Create(ctx context.Context, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: "/api-keys", body: body}, out, options)
}

// Get: Read an API key
//
// One API key, without the key itself.
//
// GET /api-keys/{id}
func (r *ApiKeys) Get(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/api-keys/%s", id)}, out, options)
}

// Update: Change an API key
//
// When the response arrives, the change applies in every process.
//
// PATCH /api-keys/{id}
func (r *ApiKeys) Update(ctx context.Context, id string, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "PATCH", route: pathOf("/api-keys/%s", id), body: body}, out, options)
}

// Remove: Revoke an API key
//
// When the response arrives, no process accepts the key. Mail that is already accepted is still
// delivered.
//
// DELETE /api-keys/{id}
func (r *ApiKeys) Remove(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "DELETE", route: pathOf("/api-keys/%s", id)}, out, options)
}

// Rotate: Replace an API key
//
// Creates a new key with the same settings. The old key is accepted until `previousValidUntil`; a key from
// an earlier rotation stops working at once.
//
// POST /api-keys/{id}/rotate
func (r *ApiKeys) Rotate(ctx context.Context, id string, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: pathOf("/api-keys/%s/rotate", id), body: body}, out, options)
}

// Transports: SMTP servers of the project, and their routes.
type Transports struct{ requests *requests }

// List: List transports
//
// Newest first, without their passwords.
//
// GET /transports
func (r *Transports) List(ctx context.Context, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: "/transports"}, out, options)
}

// Create: Add a transport
//
// Opens a session with the server first; nothing is stored if that fails. Connections use TLS with a valid
// certificate and go to public addresses only. At most 20 in a project, and 30 such tests an
// hour.
//
// POST /transports
func (r *Transports) Create(ctx context.Context, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: "/transports", body: body}, out, options)
}

// Routes: Read the routes
//
// The routes, which choose the transports for mail.
//
// GET /transports/routes
func (r *Transports) Routes(ctx context.Context, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: "/transports/routes"}, out, options)
}

// SetRoutes: Replace the routes
//
// Applies to attempts from one second later on. Mail that matches no route uses the transports of the
// installation.
//
// PUT /transports/routes
func (r *Transports) SetRoutes(ctx context.Context, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "PUT", route: "/transports/routes", body: body}, out, options)
}

// Get: Read a transport
//
// One transport, without its password.
//
// GET /transports/{id}
func (r *Transports) Get(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/transports/%s", id)}, out, options)
}

// Update: Change a transport
//
// A change of `host`, `port`, `tls`, `user` or `password` opens a session first; nothing is stored if that
// fails.
//
// PATCH /transports/{id}
func (r *Transports) Update(ctx context.Context, id string, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "PATCH", route: pathOf("/transports/%s", id), body: body}, out, options)
}

// Remove: Remove a transport
//
// Refused while a route uses it.
//
// DELETE /transports/{id}
func (r *Transports) Remove(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "DELETE", route: pathOf("/transports/%s", id)}, out, options)
}

// Verify: Check a transport
//
// Opens a session without sending mail. Returns the result of an earlier check if it is less than 10
// seconds old.
//
// POST /transports/{id}/verify
func (r *Transports) Verify(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: pathOf("/transports/%s/verify", id)}, out, options)
}

// Webhooks: Endpoints that receive events.
type Webhooks struct{ requests *requests }

// List: List webhooks
//
// Newest first, without their secrets.
//
// GET /webhooks
func (r *Webhooks) List(ctx context.Context, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: "/webhooks"}, out, options)
}

// Create: Add a webhook
//
// From now on the URL receives the events that match the patterns, signed by the Standard Webhooks
// convention. The secret is shown only in this response. At most 20 in a project.
//
// POST /webhooks
func (r *Webhooks) Create(ctx context.Context, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: "/webhooks", body: body}, out, options)
}

// Get: Read a webhook
//
// One endpoint, without its secret.
//
// GET /webhooks/{id}
func (r *Webhooks) Get(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/webhooks/%s", id)}, out, options)
}

// Update: Change a webhook
//
// A disabled endpoint receives nothing, and its waiting deliveries fail; `POST /webhooks/{id}/replay`
// delivers them later. With `ifUpdatedAt`, only if nothing has changed the webhook since, else 409 with
// reason `changed_meanwhile`.
//
// PATCH /webhooks/{id}
func (r *Webhooks) Update(ctx context.Context, id string, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "PATCH", route: pathOf("/webhooks/%s", id), body: body}, out, options)
}

// Remove: Remove a webhook
//
// Ends its waiting deliveries and deletes its log.
//
// DELETE /webhooks/{id}
func (r *Webhooks) Remove(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "DELETE", route: pathOf("/webhooks/%s", id)}, out, options)
}

// RotateSecret: Replace the secret of a webhook
//
// For 24 hours, requests have two signatures: one with the new secret and one with the previous
// secret.
//
// POST /webhooks/{id}/rotate-secret
func (r *Webhooks) RotateSecret(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: pathOf("/webhooks/%s/rotate-secret", id)}, out, options)
}

// Test: Test a webhook
//
// Delivers one `webhook.test`, even to a disabled endpoint.
//
// POST /webhooks/{id}/test
func (r *Webhooks) Test(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: pathOf("/webhooks/%s/test", id)}, out, options)
}

// WebhooksDeliveriesQuery has the parameters of WebhooksDeliveries; zero values are left out.
type WebhooksDeliveriesQuery struct {
	Limit     int
	Cursor    string
	Status    string
	Type      string
	StartDate string
	EndDate   string
}

func (q WebhooksDeliveriesQuery) values() url.Values {
	values := url.Values{}
	setInt(values, "limit", q.Limit)
	setString(values, "cursor", q.Cursor)
	setString(values, "status", q.Status)
	setString(values, "type", q.Type)
	setString(values, "startDate", q.StartDate)
	setString(values, "endDate", q.EndDate)
	return values
}

// Deliveries: List deliveries
//
// Deliveries to the endpoint, newest first. They are kept for 30 days.
//
// GET /webhooks/{id}/deliveries
func (r *Webhooks) Deliveries(id string, query WebhooksDeliveriesQuery) *Items {
	return itemsOf(r.requests, call{method: "GET", route: pathOf("/webhooks/%s/deliveries", id), query: query.values()})
}

// Delivery: Read a delivery
//
// With its payload and every attempt.
//
// GET /webhooks/{id}/deliveries/{deliveryId}
func (r *Webhooks) Delivery(ctx context.Context, id string, deliveryId string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/webhooks/%s/deliveries/%s", id, deliveryId)}, out, options)
}

// ReplayDelivery: Deliver again
//
// Starts a new series of attempts with the same `webhook-id` and payload. 200 if the delivery is still
// pending.
//
// POST /webhooks/{id}/deliveries/{deliveryId}/replay
func (r *Webhooks) ReplayDelivery(ctx context.Context, id string, deliveryId string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: pathOf("/webhooks/%s/deliveries/%s/replay", id, deliveryId)}, out, options)
}

// Replay: Deliver many again
//
// Repeats deliveries of a period that failed, or delivers events of the period that were missed. Delivers
// nothing to a disabled endpoint.
//
// POST /webhooks/{id}/replay
func (r *Webhooks) Replay(ctx context.Context, id string, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: pathOf("/webhooks/%s/replay", id), body: body}, out, options)
}

// Members: Users who may act for the project.
type Members struct{ requests *requests }

// List: List members
//
// Members, oldest first, then open invitations.
//
// GET /projects/{id}/members
func (r *Members) List(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/projects/%s/members", id)}, out, options)
}

// Invite: Invite a member
//
// For OWNER and ADMIN with a confirmed address; with the secret key the OWNER's address must be confirmed.
// The address gets an email with a link that is valid for 7 days; its owner becomes a member by accepting.
// At most 100 members and invitations, 3 emails an hour to one address, and 100 emails a day from one
// inviting account, including withdrawn invitations; invitations with the secret key count for the
// OWNER.
//
// POST /projects/{id}/members
func (r *Members) Invite(ctx context.Context, id string, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "POST", route: pathOf("/projects/%s/members", id), body: body}, out, options)
}

// Update: Change the role of a member
//
// For OWNER and ADMIN. A member cannot change their own role or the OWNER's. The OWNER can offer the
// project to a member: the response has `pendingRole`, and the member gets an email with a link that is
// valid for 7 days. Giving the member another role withdraws the offer.
//
// PATCH /projects/{id}/members/{userId}
func (r *Members) Update(ctx context.Context, id string, userId string, body interface{}, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "PATCH", route: pathOf("/projects/%s/members/%s", id, userId), body: body}, out, options)
}

// Remove: Remove a member
//
// For OWNER and ADMIN; members may leave. The OWNER can neither be removed nor leave.
//
// DELETE /projects/{id}/members/{userId}
func (r *Members) Remove(ctx context.Context, id string, userId string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "DELETE", route: pathOf("/projects/%s/members/%s", id, userId)}, out, options)
}

// Invitations: Invitations to the project.
type Invitations struct{ requests *requests }

// List: List invitations
//
// The open invitations, oldest first.
//
// GET /projects/{id}/invitations
func (r *Invitations) List(ctx context.Context, id string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "GET", route: pathOf("/projects/%s/invitations", id)}, out, options)
}

// Remove: Withdraw an invitation
//
// For OWNER and ADMIN; only the OWNER withdraws an offer of ownership. The link stops
// working.
//
// DELETE /projects/{id}/invitations/{invitationId}
func (r *Invitations) Remove(ctx context.Context, id string, invitationId string, out interface{}, options ...CallOption) error {
	return r.requests.do(ctx, call{method: "DELETE", route: pathOf("/projects/%s/invitations/%s", id, invitationId)}, out, options)
}

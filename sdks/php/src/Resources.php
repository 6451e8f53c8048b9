<?php

// Generated from openapi.json by generate.ts; not to be edited.

declare(strict_types=1);

namespace Posthorn;

/**
 * People, one for each address, with the custom data that their mail is rendered from.
 */
final class Contacts
{
    public function __construct(private readonly Requests $requests)
    {
    }

    /**
     * List contacts
     *
     * The contacts of the project, newest first unless sorted otherwise.
     *
     * `GET /contacts`
     */
    public function list(
        ?int $limit = null,
        ?string $cursor = null,
        ?string $search = null,
        ?string $email = null,
        ?string $externalId = null,
        ?bool $subscribed = null,
        ?string $sort = null,
        ?string $dir = null,
    ): Items {
        return new Items($this->requests, 'GET', '/contacts', ['limit' => $limit, 'cursor' => $cursor, 'search' => $search, 'email' => $email, 'externalId' => $externalId, 'subscribed' => $subscribed, 'sort' => $sort, 'dir' => $dir]);
    }

    /**
     * Create or update a contact by its address or external id
     *
     * 201 when the contact is new, 200 when it existed; `_meta` says which. Concurrent calls for one address
     * create one contact with all data merged. A contact with the `externalId` gets the address of the call;
     * 409 `EMAIL_ALREADY_EXISTS` if another contact has that address, and 409 with reason `external_id_taken`
     * if the contact with the address has another external id.
     *
     * `POST /contacts`
     */
    public function upsert(
        array|object|null $body = null,
    ): mixed {
        return $this->requests->call('POST', '/contacts', body: $body);
    }

    /**
     * Read a contact
     *
     * One contact with its custom data.
     *
     * `GET /contacts/{id}`
     */
    public function get(
        string $id,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/contacts/%s', $id));
    }

    /**
     * Change a contact
     *
     * Absent fields keep their values. 409 with reason `external_id_taken` if another contact has the
     * `externalId`. A changed `subscribed` emits `contact.subscribed` or `contact.unsubscribed`. When the
     * address changes, history and segments stay with the contact; suppressions stay with the old
     * address.
     *
     * `PATCH /contacts/{id}`
     */
    public function update(
        string $id,
        array|object|null $body = null,
    ): mixed {
        return $this->requests->call('PATCH', Requests::path('/contacts/%s', $id), body: $body);
    }

    /**
     * Delete a contact
     *
     * Deletes the contact with its events and memberships, and cannot be undone. Mail not yet sent is
     * cancelled, records of sent mail stay without the contact, and a suppression of the address
     * stays.
     *
     * `DELETE /contacts/{id}`
     */
    public function delete(
        string $id,
    ): mixed {
        return $this->requests->call('DELETE', Requests::path('/contacts/%s', $id));
    }

    /**
     * Links to the pages of a contact
     *
     * For an application that shows the pages to its signed-in user. A person who has a link acts for the
     * contact; links do not expire.
     *
     * `GET /contacts/{id}/links`
     */
    public function links(
        string $id,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/contacts/%s/links', $id));
    }

    /**
     * Read how the sending policy acts on a contact
     *
     * By the rules of `/settings/sending` at this moment, in the time zone of the contact.
     *
     * `GET /contacts/{id}/sending-state`
     */
    public function sendingState(
        string $id,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/contacts/%s/sending-state', $id));
    }

    /**
     * Merge another contact into a contact
     *
     * The contact of the path stays, with its id and address; the one of the body goes. Its events, mails,
     * ended executions and static segments move, keys that are missing in the data come from it, its external
     * id becomes a further one, and its links act on the contact that stays. Of two subscriptions the stricter
     * wins. Active executions of it are cancelled, and its unsent mail goes to the address that stays, unless
     * that has its own from the same campaign. 404 for its id then names the other in `details.mergedInto`. At
     * most 50,000 events and mails. Cannot be undone.
     *
     * `POST /contacts/{id}/merge`
     */
    public function merge(
        string $id,
        array|object|null $body = null,
    ): mixed {
        return $this->requests->call('POST', Requests::path('/contacts/%s/merge', $id), body: $body);
    }

    /**
     * List contacts by a condition
     *
     * The contacts that match a condition, or the members of a segment, newest first unless sorted otherwise.
     * Without either, all contacts. Changes nothing, so it also works while the project is
     * disabled.
     *
     * `POST /contacts/query`
     */
    public function query(
        array|object|null $body = null,
    ): Items {
        return new Items($this->requests, 'POST', '/contacts/query', (array) $body);
    }

    /**
     * Count contacts by a condition
     *
     * The number of contacts that match a condition or are members of a segment; without either, of all. With
     * `for`, also how many of them a campaign with mail of that type would reach, and why it would not reach
     * the others. Changes nothing, so it also works while the project is disabled.
     *
     * `POST /contacts/count`
     */
    public function count(
        array|object|null $body = null,
    ): mixed {
        return $this->requests->call('POST', '/contacts/count', body: $body);
    }

    /**
     * List the segments of a contact
     *
     * The segments that contain the contact now, newest segment first, at most 1,000. Dynamic segments are
     * evaluated by this request.
     *
     * `GET /contacts/{id}/segments`
     */
    public function segments(
        string $id,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/contacts/%s/segments', $id));
    }

    /**
     * Verify an address with a session
     *
     * The same as `POST /v1/verify`, which takes keys only: also with a session. Nothing is stored and no
     * contact is created.
     *
     * `POST /contacts/verify`
     */
    public function verify(
        array|object $body,
    ): mixed {
        return $this->requests->call('POST', '/contacts/verify', body: $body);
    }

    /**
     * Look up which addresses exist
     *
     * Up to 500 addresses in one call. A malformed address is not an error: it counts as not found and is
     * listed in `invalid`.
     *
     * `POST /contacts/lookup`
     */
    public function lookup(
        array|object|null $body = null,
    ): mixed {
        return $this->requests->call('POST', '/contacts/lookup', body: $body);
    }

    /**
     * List the fields of contacts
     *
     * Standard fields and custom fields in use, with the type of their values and the share of contacts that
     * have them; at most the 10,000 most frequent ones. The response may be up to 60 seconds
     * old.
     *
     * `GET /contacts/fields`
     */
    public function fields(): mixed {
        return $this->requests->call('GET', '/contacts/fields');
    }

    /**
     * List the values of a custom field
     *
     * Distinct values with their JSON type, ordered as text. `subscribed` has two. Other standard fields and
     * unknown fields have none.
     *
     * `GET /contacts/fields/{field}/values`
     */
    public function fieldValues(
        string $field,
        ?int $limit = null,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/contacts/fields/%s/values', $field), query: ['limit' => $limit]);
    }

    /**
     * List the references to a field
     *
     * Segments, campaigns that are not sent yet and workflows that name the field or a path below
     * it.
     *
     * `GET /contacts/fields/{field}/usage`
     */
    public function fieldUsage(
        string $field,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/contacts/fields/%s/usage', $field));
    }

    /**
     * Delete a custom field from all contacts
     *
     * Cannot be undone; no events are emitted. Refused while something uses the field, and for standard fields.
     * If the request is interrupted, repeat it.
     *
     * `DELETE /contacts/fields/{field}`
     */
    public function deleteField(
        string $field,
    ): mixed {
        return $this->requests->call('DELETE', Requests::path('/contacts/fields/%s', $field));
    }

    /**
     * List imports
     *
     * The imports of the last 30 days and those under way, newest first, without their faulty
     * rows.
     *
     * `GET /contacts/import`
     */
    public function imports(
        ?int $limit = null,
        ?string $cursor = null,
        ?string $groupId = null,
        ?string $state = null,
    ): Items {
        return new Items($this->requests, 'GET', '/contacts/import', ['limit' => $limit, 'cursor' => $cursor, 'groupId' => $groupId, 'state' => $state]);
    }

    /**
     * Import contacts from a CSV file
     *
     * At most 5 MB, 100,000 rows and 100 columns; UTF-8, with a header line that has a column `email` or
     * `externalId`. An `externalId` finds the contact before the address does, as in `POST /contacts`; a row
     * whose id and address belong to two contacts is faulty. A column `subscribed` says whether a contact may
     * get marketing mail. Every other column is stored in the data under its header. Rows are upserted in the
     * order of the file; the last row of an address wins; empty cells are ignored. `mapping` gives columns
     * other targets; a dry run counts new, changed and faulty rows first. 409 with reason `segment_not_static`.
     * Queued; `GET /contacts/import/{jobId}` has the progress and the result.
     *
     * `POST /contacts/import`
     */
    public function import(
        array|object $body,
    ): mixed {
        return $this->requests->call('POST', '/contacts/import', body: $body, asForm: true);
    }

    /**
     * Cancel an import
     *
     * Rows that were imported stay, and no further ones follow. 409 with reason `already_finished` for an
     * import that has ended.
     *
     * `POST /contacts/import/{jobId}/cancel`
     */
    public function cancelImport(
        string $jobId,
    ): mixed {
        return $this->requests->call('POST', Requests::path('/contacts/import/%s/cancel', $jobId));
    }

    /**
     * Read an import
     *
     * The progress, and the faulty rows of the file. Faulty rows do not affect the others.
     *
     * `GET /contacts/import/{jobId}`
     */
    public function importJob(
        string $jobId,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/contacts/import/%s', $jobId));
    }

    /**
     * Download the faulty rows of an import
     *
     * CSV with the columns `row`, `error` and those of the file, whose cells are as given, so that the rows can
     * be corrected and imported again. At most 10,000 rows. Kept as long as the import, for 30 days. A text
     * that a spreadsheet would run as a formula starts with an apostrophe.
     *
     * `GET /contacts/import/{jobId}/errors`
     */
    public function importErrors(
        string $jobId,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/contacts/import/%s/errors', $jobId), stream: true);
    }

    /**
     * Subscribe many contacts
     *
     * Up to 1,000 contacts by id. Each contact that was not subscribed emits `contact.subscribed`. Queued; `GET
     * /contacts/bulk/{jobId}` has the progress and the result.
     *
     * `POST /contacts/bulk-subscribe`
     */
    public function bulkSubscribe(
        array|object $body,
    ): mixed {
        return $this->requests->call('POST', '/contacts/bulk-subscribe', body: $body);
    }

    /**
     * Unsubscribe many contacts
     *
     * Up to 1,000 contacts by id. Each contact that was subscribed emits `contact.unsubscribed`. Queued; `GET
     * /contacts/bulk/{jobId}` has the progress and the result.
     *
     * `POST /contacts/bulk-unsubscribe`
     */
    public function bulkUnsubscribe(
        array|object $body,
    ): mixed {
        return $this->requests->call('POST', '/contacts/bulk-unsubscribe', body: $body);
    }

    /**
     * Delete many contacts
     *
     * Up to 1,000 contacts by id. For OWNER and ADMIN. Cannot be undone. Queued; `GET /contacts/bulk/{jobId}`
     * has the progress and the result.
     *
     * `POST /contacts/bulk-delete`
     */
    public function bulkDelete(
        array|object $body,
    ): mixed {
        return $this->requests->call('POST', '/contacts/bulk-delete', body: $body);
    }

    /**
     * List bulk jobs
     *
     * The bulk jobs of the last 30 days and those under way, newest first, without their
     * errors.
     *
     * `GET /contacts/bulk`
     */
    public function bulkJobs(
        ?int $limit = null,
        ?string $cursor = null,
        ?string $state = null,
    ): Items {
        return new Items($this->requests, 'GET', '/contacts/bulk', ['limit' => $limit, 'cursor' => $cursor, 'state' => $state]);
    }

    /**
     * Change selected contacts
     *
     * The contacts that a condition, a segment or a list of ids selects now, or all. `dryRun` counts them and
     * gives the token that confirms the same change for 15 minutes; without it, more than 1,000 contacts
     * (`delete`: 100) are 409 with reason `confirmation_required`. If many more match by then, 409 with reason
     * `audience_changed`. `delete` is for OWNER and ADMIN. Queued; one job of a project runs at a time, and at
     * most 20 wait.
     *
     * `POST /contacts/bulk`
     */
    public function bulk(
        array|object $body,
    ): mixed {
        return $this->requests->call('POST', '/contacts/bulk', body: $body);
    }

    /**
     * Cancel a bulk job
     *
     * Contacts that were changed stay so, and no further ones follow. 409 with reason `already_finished` for a
     * job that has ended.
     *
     * `POST /contacts/bulk/{jobId}/cancel`
     */
    public function cancelBulk(
        string $jobId,
    ): mixed {
        return $this->requests->call('POST', Requests::path('/contacts/bulk/%s/cancel', $jobId));
    }

    /**
     * Read a bulk job
     *
     * The progress, and the reason for each contact that could not be changed.
     *
     * `GET /contacts/bulk/{jobId}`
     */
    public function bulkJob(
        string $jobId,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/contacts/bulk/%s', $jobId));
    }

    /**
     * List the topics of a contact
     *
     * Every topic of the project that is not archived, by position, and what the contact said about
     * it.
     *
     * `GET /contacts/{id}/topics`
     */
    public function topics(
        string $id,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/contacts/%s/topics', $id));
    }

    /**
     * List the records of consent of a contact
     *
     * Newest first. The first record of a contact that was created subscribed follows from the
     * contact.
     *
     * `GET /contacts/{id}/consents`
     */
    public function consents(
        string $id,
        ?int $limit = null,
        ?string $cursor = null,
    ): Items {
        return new Items($this->requests, 'GET', Requests::path('/contacts/%s/consents', $id), ['limit' => $limit, 'cursor' => $cursor]);
    }

    /**
     * Export contacts
     *
     * A file of all contacts, or of those that match the query, ordered by id, each at most once. CSV has the
     * columns id, email, subscribed, createdAt, updatedAt and every custom field; objects and lists are JSON,
     * and a text that a spreadsheet would run as a formula starts with an apostrophe. With more than 10,000
     * custom fields, only NDJSON is possible.
     *
     * `GET /contacts/export`
     */
    public function export(
        ?string $format = null,
        ?string $search = null,
        ?bool $subscribed = null,
        ?string $segmentId = null,
    ): mixed {
        return $this->requests->call('GET', '/contacts/export', query: ['format' => $format, 'search' => $search, 'subscribed' => $subscribed, 'segmentId' => $segmentId], stream: true);
    }

    /**
     * Export selected contacts
     *
     * As `GET /contacts/export`, for the contacts that match a condition, are members of a segment or are named
     * by their ids; at most one of the three.
     *
     * `POST /contacts/export`
     */
    public function exportSelected(
        array|object|null $body = null,
    ): mixed {
        return $this->requests->call('POST', '/contacts/export', body: $body, stream: true);
    }

    /**
     * Export everything about a contact
     *
     * The contact with its events, mail, segments, workflow executions and suppression.
     *
     * `GET /contacts/{id}/export`
     */
    public function exportOne(
        string $id,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/contacts/%s/export', $id));
    }

    /**
     * Erase a contact
     *
     * Deletes the contact and removes personal data from the records of its mail; their state and times stay,
     * so counts do not change. A suppression of the address is kept only as a keyed hash. Cannot be
     * undone.
     *
     * `POST /contacts/{id}/erase`
     */
    public function erase(
        string $id,
    ): mixed {
        return $this->requests->call('POST', Requests::path('/contacts/%s/erase', $id));
    }
}

/**
 * Double opt-in: contacts confirm by mail that they want what was asked for.
 */
final class OptIns
{
    public function __construct(private readonly Requests $requests)
    {
    }

    /**
     * List opt-ins
     *
     * Requests to confirm subscriptions, newest first.
     *
     * `GET /opt-ins`
     */
    public function list(
        ?int $limit = null,
        ?string $cursor = null,
        ?string $status = null,
        ?string $source = null,
        ?string $startDate = null,
        ?string $endDate = null,
    ): Items {
        return new Items($this->requests, 'GET', '/opt-ins', ['limit' => $limit, 'cursor' => $cursor, 'status' => $status, 'source' => $source, 'startDate' => $startDate, 'endDate' => $endDate]);
    }

    /**
     * Ask a contact to confirm
     *
     * Stores the request and its confirmation mail. While one is open, what is asked for is added to it. 409
     * with reason `already_confirmed` if the contact has all of it, or `suppressed`; 429 after one mail in a
     * minute or ten in a day.
     *
     * `POST /contacts/{id}/opt-in`
     */
    public function request(
        string $id,
        array|object|null $body = null,
    ): mixed {
        return $this->requests->call('POST', Requests::path('/contacts/%s/opt-in', $id), body: $body);
    }

    /**
     * End a contact's open opt-in
     *
     * Its links do nothing from then on, and a confirmation mail that waits is cancelled.
     *
     * `DELETE /contacts/{id}/opt-in`
     */
    public function cancel(
        string $id,
    ): mixed {
        return $this->requests->call('DELETE', Requests::path('/contacts/%s/opt-in', $id));
    }

    /**
     * List a contact's opt-ins
     *
     * All of them, newest first.
     *
     * `GET /contacts/{id}/opt-ins`
     */
    public function ofContact(
        string $id,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/contacts/%s/opt-ins', $id));
    }
}

/**
 * Named groups of contacts, by a condition or by hand.
 */
final class Segments
{
    public function __construct(private readonly Requests $requests)
    {
    }

    /**
     * List segments
     *
     * Every segment of the project, newest first, without pages.
     *
     * `GET /segments`
     */
    public function list(): mixed {
        return $this->requests->call('GET', '/segments');
    }

    /**
     * Create a segment
     *
     * The members are counted at once. The slug in the names of its events is set now and never
     * changes.
     *
     * `POST /segments`
     */
    public function create(
        array|object $body,
    ): mixed {
        return $this->requests->call('POST', '/segments', body: $body);
    }

    /**
     * Read a segment
     *
     * One segment with its cached `memberCount`.
     *
     * `GET /segments/{id}`
     */
    public function get(
        string $id,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/segments/%s', $id));
    }

    /**
     * Change a segment
     *
     * Absent fields keep their values. With `ifUpdatedAt`, only if nothing has changed the segment since, else
     * 409 with reason `changed_meanwhile`. Members are counted again when the condition changes. Turning
     * tracking off ends the tracked memberships without events. Turning it on again starts with no
     * members.
     *
     * `PATCH /segments/{id}`
     */
    public function update(
        string $id,
        array|object|null $body = null,
    ): mixed {
        return $this->requests->call('PATCH', Requests::path('/segments/%s', $id), body: $body);
    }

    /**
     * Delete a segment
     *
     * Deletes the segment and its memberships without events. Refused while a campaign in DRAFT, SCHEDULED or
     * SENDING, another segment's condition or a workflow uses it.
     *
     * `DELETE /segments/{id}`
     */
    public function delete(
        string $id,
    ): mixed {
        return $this->requests->call('DELETE', Requests::path('/segments/%s', $id));
    }

    /**
     * List the members of a segment
     *
     * For a dynamic segment, the contacts that match now, newest contact first. For a static one, its members,
     * newest member first.
     *
     * `GET /segments/{id}/contacts`
     */
    public function contacts(
        string $id,
        ?int $page = null,
        ?int $pageSize = null,
    ): Items {
        return new Items($this->requests, 'GET', Requests::path('/segments/%s/contacts', $id), ['page' => $page, 'pageSize' => $pageSize]);
    }

    /**
     * Add to a static segment
     *
     * By address, all or none. Contacts that this creates emit no subscription event.
     *
     * `POST /segments/{id}/members`
     */
    public function addMembers(
        string $id,
        array|object $body,
    ): mixed {
        return $this->requests->call('POST', Requests::path('/segments/%s/members', $id), body: $body);
    }

    /**
     * Remove from a static segment
     *
     * By address, in a JSON body.
     *
     * `DELETE /segments/{id}/members`
     */
    public function removeMembers(
        string $id,
        array|object $body,
    ): mixed {
        return $this->requests->call('DELETE', Requests::path('/segments/%s/members', $id), body: $body);
    }

    /**
     * Recompute the members of a tracked segment
     *
     * Stores which contacts joined and left, and emits an event for each. 400 for a dynamic segment that does
     * not track its membership; a static one has nothing to recompute.
     *
     * `POST /segments/{id}/compute`
     */
    public function compute(
        string $id,
    ): mixed {
        return $this->requests->call('POST', Requests::path('/segments/%s/compute', $id));
    }

    /**
     * Count the members of a segment
     *
     * Only updates the count: emits no events and stores no membership.
     *
     * `POST /segments/{id}/refresh`
     */
    public function refresh(
        string $id,
    ): mixed {
        return $this->requests->call('POST', Requests::path('/segments/%s/refresh', $id));
    }
}

/**
 * Kinds of mail that contacts take or leave, apart from all other mail.
 */
final class Topics
{
    public function __construct(private readonly Requests $requests)
    {
    }

    /**
     * List topics
     *
     * By position, without pages. Archived topics are left out unless asked for.
     *
     * `GET /topics`
     */
    public function list(
        ?string $archived = null,
    ): mixed {
        return $this->requests->call('GET', '/topics', query: ['archived' => $archived]);
    }

    /**
     * Create a topic
     *
     * A project has at most 100 topics, archived ones included. 409 with reason `key_taken` if another topic
     * has the key.
     *
     * `POST /topics`
     */
    public function create(
        array|object $body,
    ): mixed {
        return $this->requests->call('POST', '/topics', body: $body);
    }

    /**
     * Read a topic
     *
     * By its id or its key, with its counts.
     *
     * `GET /topics/{topic}`
     */
    public function get(
        string $topic,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/topics/%s', $topic));
    }

    /**
     * Change a topic
     *
     * Absent fields keep their values. Key and `defaultSubscription` never change. An archived topic is gone
     * from pages, forms, and new campaigns, templates and sends; scheduled campaigns and mail that is already
     * made go on, and the states of contacts stay.
     *
     * `PATCH /topics/{topic}`
     */
    public function update(
        string $topic,
        array|object|null $body = null,
    ): mixed {
        return $this->requests->call('PATCH', Requests::path('/topics/%s', $topic), body: $body);
    }

    /**
     * Delete a topic
     *
     * Refused while a campaign in DRAFT, SCHEDULED or SENDING, a template, a step of a workflow, a form or a
     * segment uses it; the details list them. What contacts said about it is gone at once.
     *
     * `DELETE /topics/{topic}`
     */
    public function delete(
        string $topic,
    ): mixed {
        return $this->requests->call('DELETE', Requests::path('/topics/%s', $topic));
    }

    /**
     * List the uses of a topic
     *
     * What uses the topic, at most 100 of each kind, and whether it can be deleted.
     *
     * `GET /topics/{topic}/usage`
     */
    public function usage(
        string $topic,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/topics/%s/usage', $topic));
    }

    /**
     * List the contacts of a topic
     *
     * Those that take the topic, snoozes aside, or those that said yes or no, or were asked to confirm; newest
     * first.
     *
     * `GET /topics/{topic}/contacts`
     */
    public function contacts(
        string $topic,
        ?int $limit = null,
        ?string $cursor = null,
        ?string $state = null,
    ): Items {
        return new Items($this->requests, 'GET', Requests::path('/topics/%s/contacts', $topic), ['limit' => $limit, 'cursor' => $cursor, 'state' => $state]);
    }
}

/**
 * What proves that contacts agreed to mail, or withdrew.
 */
final class Consents
{
    public function __construct(private readonly Requests $requests)
    {
    }

    /**
     * List records of consent
     *
     * Newest first. A contact that was created subscribed and did nothing since has one record, which follows
     * from the contact.
     *
     * `GET /consents`
     */
    public function list(
        ?int $limit = null,
        ?string $cursor = null,
        ?string $contactId = null,
        ?string $email = null,
        ?string $topic = null,
        ?string $action = null,
        ?string $source = null,
        ?string $formId = null,
        ?string $startDate = null,
        ?string $endDate = null,
    ): Items {
        return new Items($this->requests, 'GET', '/consents', ['limit' => $limit, 'cursor' => $cursor, 'contactId' => $contactId, 'email' => $email, 'topic' => $topic, 'action' => $action, 'source' => $source, 'formId' => $formId, 'startDate' => $startDate, 'endDate' => $endDate]);
    }

    /**
     * Export records of consent
     *
     * For OWNER and ADMIN. A file of all records, or of those that match the query, newest first. CSV has a
     * column for each field; evidence is JSON, and a text that a spreadsheet would run as a formula starts with
     * an apostrophe.
     *
     * `GET /consents/export`
     */
    public function export(
        ?string $format = null,
        ?string $contactId = null,
        ?string $email = null,
        ?string $topic = null,
        ?string $action = null,
        ?string $source = null,
        ?string $formId = null,
        ?string $startDate = null,
        ?string $endDate = null,
    ): mixed {
        return $this->requests->call('GET', '/consents/export', query: ['format' => $format, 'contactId' => $contactId, 'email' => $email, 'topic' => $topic, 'action' => $action, 'source' => $source, 'formId' => $formId, 'startDate' => $startDate, 'endDate' => $endDate], stream: true);
    }
}

/**
 * What recipients ask about their data on the page of preferences.
 */
final class PrivacyRequests
{
    public function __construct(private readonly Requests $requests)
    {
    }

    /**
     * List privacy requests
     *
     * What recipients asked about their data, newest first. Kept for three years.
     *
     * `GET /privacy-requests`
     */
    public function list(
        ?int $limit = null,
        ?string $cursor = null,
        ?string $status = null,
        ?string $type = null,
    ): Items {
        return new Items($this->requests, 'GET', '/privacy-requests', ['limit' => $limit, 'cursor' => $cursor, 'status' => $status, 'type' => $type]);
    }

    /**
     * Get a privacy request
     *
     * Requests with their state. After an erasure a request names no person.
     *
     * `GET /privacy-requests/{id}`
     */
    public function get(
        string $id,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/privacy-requests/%s', $id));
    }

    /**
     * Do what a recipient asked for
     *
     * For OWNER and ADMIN. Erases the person, as `POST /contacts/{id}/erase` does. Cannot be undone. 409 with
     * reason `already_finished` unless the request is `OPEN`. Also works while the project is
     * disabled.
     *
     * `POST /privacy-requests/{id}/complete`
     */
    public function complete(
        string $id,
    ): mixed {
        return $this->requests->call('POST', Requests::path('/privacy-requests/%s/complete', $id));
    }

    /**
     * Refuse a privacy request
     *
     * For OWNER and ADMIN. Mails the note to the person, as plain text. 409 with reason `already_finished`
     * unless the request is `OPEN`. Also works while the project is disabled.
     *
     * `POST /privacy-requests/{id}/refuse`
     */
    public function refuse(
        string $id,
        array|object $body,
    ): mixed {
        return $this->requests->call('POST', Requests::path('/privacy-requests/%s/refuse', $id), body: $body);
    }
}

/**
 * Sign-up forms: their fields, texts and topics, and the HTML for a page.
 */
final class Forms
{
    public function __construct(private readonly Requests $requests)
    {
    }

    /**
     * List sign-up forms
     *
     * Every form of the project, newest first, without pages. The counts are exact.
     *
     * `GET /forms`
     */
    public function list(): mixed {
        return $this->requests->call('GET', '/forms');
    }

    /**
     * Create a sign-up form
     *
     * Its page is at once at `/f/<publicId>`. A project has at most 50 forms; one more is 422. 409 with reason
     * `key_taken` if another form has the key.
     *
     * `POST /forms`
     */
    public function create(
        array|object $body,
    ): mixed {
        return $this->requests->call('POST', '/forms', body: $body);
    }

    /**
     * Read a sign-up form
     *
     * One form with its counts.
     *
     * `GET /forms/{id}`
     */
    public function get(
        string $id,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/forms/%s', $id));
    }

    /**
     * Change a sign-up form
     *
     * Absent fields keep their values; null gives the default. Lists and texts are replaced as a whole. With
     * `ifUpdatedAt`, only if nothing has changed the form since, else 409 with reason `changed_meanwhile`.
     *
     * `PATCH /forms/{id}`
     */
    public function update(
        string $id,
        array|object|null $body = null,
    ): mixed {
        return $this->requests->call('PATCH', Requests::path('/forms/%s', $id), body: $body);
    }

    /**
     * Delete a sign-up form
     *
     * Its page is gone at once. Contacts, events and records of consent keep its id.
     *
     * `DELETE /forms/{id}`
     */
    public function remove(
        string $id,
    ): mixed {
        return $this->requests->call('DELETE', Requests::path('/forms/%s', $id));
    }

    /**
     * Get the HTML of a sign-up form
     *
     * For a page of your own: a form that works without script, and the script that helps
     * it.
     *
     * `GET /forms/{id}/snippet`
     */
    public function snippet(
        string $id,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/forms/%s/snippet', $id));
    }
}

/**
 * Content that is written once and rendered for each recipient.
 */
final class Templates
{
    public function __construct(private readonly Requests $requests)
    {
    }

    /**
     * List templates
     *
     * The templates of the project, newest first unless sorted otherwise.
     *
     * `GET /templates`
     */
    public function list(
        ?int $page = null,
        ?int $pageSize = null,
        ?string $type = null,
        ?string $search = null,
        ?string $sort = null,
        ?string $dir = null,
    ): Items {
        return new Items($this->requests, 'GET', '/templates', ['page' => $page, 'pageSize' => $pageSize, 'type' => $type, 'search' => $search, 'sort' => $sort, 'dir' => $dir]);
    }

    /**
     * Create a template
     *
     * All texts are parsed at once; the domain of `from` must be verified. If another template has the alias:
     * 409 with reason `alias_taken`. At most 10 MB.
     *
     * `POST /templates`
     */
    public function create(
        array|object $body,
    ): mixed {
        return $this->requests->call('POST', '/templates', body: $body);
    }

    /**
     * Render texts
     *
     * Like `POST /templates/{id}/render`, with texts of the request. Nothing is sent or stored; it counts as a
     * read. At most 10 MB.
     *
     * `POST /templates/render`
     */
    public function renderTexts(
        array|object|null $body = null,
    ): mixed {
        return $this->requests->call('POST', '/templates/render', body: $body);
    }

    /**
     * Read a template
     *
     * One template with its texts as written.
     *
     * `GET /templates/{id}`
     */
    public function get(
        string $id,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/templates/%s', $id));
    }

    /**
     * Change a template
     *
     * Absent fields keep their values; `null` clears a field that may be empty. The change applies to mail
     * rendered afterwards. Changed content is a new version, which is live at once. At most 10
     * MB.
     *
     * `PATCH /templates/{id}`
     */
    public function update(
        string $id,
        array|object|null $body = null,
    ): mixed {
        return $this->requests->call('PATCH', Requests::path('/templates/%s', $id), body: $body);
    }

    /**
     * Delete a template
     *
     * Refused while a workflow step uses it. Campaigns keep the texts they copied.
     *
     * `DELETE /templates/{id}`
     */
    public function delete(
        string $id,
    ): mixed {
        return $this->requests->call('DELETE', Requests::path('/templates/%s', $id));
    }

    /**
     * Duplicate a template
     *
     * The copy has ` (Copy)` after its name. The domain of `from` is not checked again.
     *
     * `POST /templates/{id}/duplicate`
     */
    public function duplicate(
        string $id,
    ): mixed {
        return $this->requests->call('POST', Requests::path('/templates/%s/duplicate', $id));
    }

    /**
     * Clicks on the links of a template
     *
     * For all mail from the template, by the links as written. Exact; counts stay when mails are
     * deleted.
     *
     * `GET /templates/{id}/links`
     */
    public function links(
        string $id,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/templates/%s/links', $id));
    }

    /**
     * Results of a template
     *
     * Counts and rates of all mail from the template: single mails, campaigns and workflows, without test
     * mail.
     *
     * `GET /templates/{id}/stats`
     */
    public function stats(
        string $id,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/templates/%s/stats', $id));
    }

    /**
     * Render a template
     *
     * The mail as a recipient would get it, with its size, its variables and warnings. Content fields of the
     * request replace those of the template. Nothing is sent or stored, and no contact is created; it counts as
     * a read. At most 10 MB.
     *
     * `POST /templates/{id}/render`
     */
    public function render(
        string $id,
        array|object|null $body = null,
    ): mixed {
        return $this->requests->call('POST', Requests::path('/templates/%s/render', $id), body: $body);
    }

    /**
     * Send a test of a template
     *
     * Sends to one address, of a contact or a member of the project, with `[TEST] ` before the subject. Its
     * links change nothing, it is not tracked, and no count includes it. Without a contact, a missing variable
     * is printed as its name in brackets, also by a strict template. A draft with faults is refused with them.
     * 409 with reason `suppressed` for a suppressed address.
     *
     * `POST /templates/{id}/test`
     */
    public function test(
        string $id,
        array|object $body,
    ): mixed {
        return $this->requests->call('POST', Requests::path('/templates/%s/test', $id), body: $body);
    }

    /**
     * List the uses of a template
     *
     * Campaigns and workflow steps that use it, the number of mails from it, and whether it can be
     * deleted.
     *
     * `GET /templates/{id}/usage`
     */
    public function usage(
        string $id,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/templates/%s/usage', $id));
    }

    /**
     * List versions of a template
     *
     * Newest first. The last 100 versions are kept.
     *
     * `GET /templates/{id}/versions`
     */
    public function versions(
        string $id,
        ?int $page = null,
        ?int $pageSize = null,
    ): Items {
        return new Items($this->requests, 'GET', Requests::path('/templates/%s/versions', $id), ['page' => $page, 'pageSize' => $pageSize]);
    }

    /**
     * Read a version of a template
     *
     * The template with the content and the number of that version.
     *
     * `GET /templates/{id}/versions/{version}`
     */
    public function version(
        string $id,
        string $version,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/templates/%s/versions/%s', $id, $version));
    }

    /**
     * Restore a version of a template
     *
     * Creates a new version with the content of this one, unless the live version already has that content. The
     * draft is kept.
     *
     * `POST /templates/{id}/versions/{version}/restore`
     */
    public function restore(
        string $id,
        string $version,
        array|object|null $body = null,
    ): mixed {
        return $this->requests->call('POST', Requests::path('/templates/%s/versions/%s/restore', $id, $version), body: $body);
    }

    /**
     * Read the draft of a template
     *
     * The draft, and the faults that prevent its publication.
     *
     * `GET /templates/{id}/draft`
     */
    public function draft(
        string $id,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/templates/%s/draft', $id));
    }

    /**
     * Store the draft of a template
     *
     * Replaces the draft. Absent fields have the values of the live version. Only types and sizes are checked;
     * all other faults are listed in `problems`. Nothing is sent from a draft. At most 10
     * MB.
     *
     * `PUT /templates/{id}/draft`
     */
    public function saveDraft(
        string $id,
        array|object|null $body = null,
    ): mixed {
        return $this->requests->call('PUT', Requests::path('/templates/%s/draft', $id), body: $body);
    }

    /**
     * Delete the draft of a template
     *
     * The live version is not changed.
     *
     * `DELETE /templates/{id}/draft`
     */
    public function deleteDraft(
        string $id,
    ): mixed {
        return $this->requests->call('DELETE', Requests::path('/templates/%s/draft', $id));
    }

    /**
     * Publish the draft of a template
     *
     * Makes the draft the next version, which is live at once, and deletes it. 409 with reason `no_draft`
     * without one, and with reason `version_changed` if another version became live since it was stored, unless
     * `force` is set.
     *
     * `POST /templates/{id}/publish`
     */
    public function publish(
        string $id,
        array|object|null $body = null,
    ): mixed {
        return $this->requests->call('POST', Requests::path('/templates/%s/publish', $id), body: $body);
    }
}

/**
 * Pieces of mail that several templates and campaigns include with `{{> name}}`. A layout is a partial
 * around a whole body.
 */
final class Partials
{
    public function __construct(private readonly Requests $requests)
    {
    }

    /**
     * List partials
     *
     * The partials of the project, newest first unless sorted otherwise.
     *
     * `GET /partials`
     */
    public function list(
        ?int $page = null,
        ?int $pageSize = null,
        ?string $search = null,
        ?string $sort = null,
        ?string $dir = null,
    ): Items {
        return new Items($this->requests, 'GET', '/partials', ['page' => $page, 'pageSize' => $pageSize, 'search' => $search, 'sort' => $sort, 'dir' => $dir]);
    }

    /**
     * Create a partial
     *
     * Body and text are parsed at once, with the partials that they use. A project has at most 200 partials. If
     * another partial has the name: 409 with reason `name_taken`.
     *
     * `POST /partials`
     */
    public function create(
        array|object $body,
    ): mixed {
        return $this->requests->call('POST', '/partials', body: $body);
    }

    /**
     * Read a partial
     *
     * One partial with its texts as written.
     *
     * `GET /partials/{id}`
     */
    public function get(
        string $id,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/partials/%s', $id));
    }

    /**
     * Change a partial
     *
     * Absent fields keep their values; `null` clears `description` and `text`. The change applies to all mail
     * rendered afterwards, except mail of campaigns whose sending has started. Changed texts are a new version.
     * A new name is refused while the partial is in use.
     *
     * `PATCH /partials/{id}`
     */
    public function update(
        string $id,
        array|object|null $body = null,
    ): mixed {
        return $this->requests->call('PATCH', Requests::path('/partials/%s', $id), body: $body);
    }

    /**
     * Delete a partial
     *
     * Refused while a template, another partial, a draft of one of them, or a campaign whose sending has not
     * started uses it; the details list them. Its versions and its draft are deleted too.
     *
     * `DELETE /partials/{id}`
     */
    public function delete(
        string $id,
    ): mixed {
        return $this->requests->call('DELETE', Requests::path('/partials/%s', $id));
    }

    /**
     * List the uses of a partial
     *
     * Templates, partials and campaigns that use it, at most 100 of each, and whether it can be
     * deleted.
     *
     * `GET /partials/{id}/usage`
     */
    public function usage(
        string $id,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/partials/%s/usage', $id));
    }

    /**
     * List versions of a partial
     *
     * Newest first. The last 100 versions are kept.
     *
     * `GET /partials/{id}/versions`
     */
    public function versions(
        string $id,
        ?int $page = null,
        ?int $pageSize = null,
    ): Items {
        return new Items($this->requests, 'GET', Requests::path('/partials/%s/versions', $id), ['page' => $page, 'pageSize' => $pageSize]);
    }

    /**
     * Read a version of a partial
     *
     * The partial with the texts and the number of that version.
     *
     * `GET /partials/{id}/versions/{version}`
     */
    public function version(
        string $id,
        string $version,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/partials/%s/versions/%s', $id, $version));
    }

    /**
     * Restore a version of a partial
     *
     * Makes a new version with the texts of that one, and none if the live version has them. Refused if a
     * partial that they name is gone. The draft stays.
     *
     * `POST /partials/{id}/versions/{version}/restore`
     */
    public function restore(
        string $id,
        string $version,
        array|object|null $body = null,
    ): mixed {
        return $this->requests->call('POST', Requests::path('/partials/%s/versions/%s/restore', $id, $version), body: $body);
    }

    /**
     * Read the draft of a partial
     *
     * The texts that are not published yet, and the faults that prevent their publication.
     *
     * `GET /partials/{id}/draft`
     */
    public function draft(
        string $id,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/partials/%s/draft', $id));
    }

    /**
     * Store the draft of a partial
     *
     * Replaces the draft. Absent fields are as in the live version. Only types and sizes are checked; all other
     * faults are listed in `problems`. No mail has the texts of a draft.
     *
     * `PUT /partials/{id}/draft`
     */
    public function saveDraft(
        string $id,
        array|object|null $body = null,
    ): mixed {
        return $this->requests->call('PUT', Requests::path('/partials/%s/draft', $id), body: $body);
    }

    /**
     * Delete the draft of a partial
     *
     * The live version stays.
     *
     * `DELETE /partials/{id}/draft`
     */
    public function deleteDraft(
        string $id,
    ): mixed {
        return $this->requests->call('DELETE', Requests::path('/partials/%s/draft', $id));
    }

    /**
     * Publish the draft of a partial
     *
     * Makes the draft the next version, which all mail rendered afterwards includes, and deletes the draft. 409
     * with reason `no_draft` without one, and with reason `version_changed` if another version went live since
     * it was stored, unless `force` is set.
     *
     * `POST /partials/{id}/publish`
     */
    public function publish(
        string $id,
        array|object|null $body = null,
    ): mixed {
        return $this->requests->call('POST', Requests::path('/partials/%s/publish', $id), body: $body);
    }
}

/**
 * One message to an audience, sent at once or at a scheduled time.
 */
final class Campaigns
{
    public function __construct(private readonly Requests $requests)
    {
    }

    /**
     * List campaigns
     *
     * The campaigns of the project, newest first unless sorted otherwise. `search` matches name, subject and
     * sender address.
     *
     * `GET /campaigns`
     */
    public function list(
        ?int $page = null,
        ?int $pageSize = null,
        ?string $status = null,
        ?string $parentId = null,
        ?string $search = null,
        ?string $sort = null,
        ?string $dir = null,
    ): Items {
        return new Items($this->requests, 'GET', '/campaigns', ['page' => $page, 'pageSize' => $pageSize, 'status' => $status, 'parentId' => $parentId, 'search' => $search, 'sort' => $sort, 'dir' => $dir]);
    }

    /**
     * Create a campaign
     *
     * The new campaign is a draft. A template supplies the texts and the sender that the request does not have.
     * MJML is compiled now. Subject, body and condition are checked at once; the domain of `from` must be
     * verified. If its topic is archived: 409 with reason `topic_archived`. At most 10
     * MB.
     *
     * `POST /campaigns`
     */
    public function create(
        array|object $body,
    ): mixed {
        return $this->requests->call('POST', '/campaigns', body: $body);
    }

    /**
     * Read a campaign
     *
     * One campaign with its counters, the segment of its audience and its topic.
     *
     * `GET /campaigns/{id}`
     */
    public function get(
        string $id,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/campaigns/%s', $id));
    }

    /**
     * Replace a campaign
     *
     * Only while it is `DRAFT` or `SCHEDULED`, else 409 with reason `campaign_state`. Takes the same body as
     * create: an absent field gets its default. With `ifUpdatedAt`, only if nothing has changed it since, else
     * 409 with reason `changed_meanwhile`. The schedule is kept. A change ends a requested or given approval. A
     * scheduled campaign of a caller who needs an approval cannot be changed: 409 with reason
     * `approval_required`. At most 10 MB.
     *
     * `PUT /campaigns/{id}`
     */
    public function update(
        string $id,
        array|object $body,
    ): mixed {
        return $this->requests->call('PUT', Requests::path('/campaigns/%s', $id), body: $body);
    }

    /**
     * Delete a campaign
     *
     * Refused while mails of the campaign wait or are being sent. The records of sent mails are
     * kept.
     *
     * `DELETE /campaigns/{id}`
     */
    public function delete(
        string $id,
    ): mixed {
        return $this->requests->call('DELETE', Requests::path('/campaigns/%s', $id));
    }

    /**
     * Duplicate a campaign
     *
     * Creates a draft with the same texts and audience, and ` (Copy)` after the name.
     *
     * `POST /campaigns/{id}/duplicate`
     */
    public function duplicate(
        string $id,
    ): mixed {
        return $this->requests->call('POST', Requests::path('/campaigns/%s/duplicate', $id));
    }

    /**
     * Follow up a campaign
     *
     * Creates a draft with the same texts and the default `delivery`, to all contacts that were recipients of
     * the campaign and reacted as `who` says, or did not. 409 with reason `campaign_state` for a draft or
     * scheduled campaign.
     *
     * `POST /campaigns/{id}/follow-up`
     */
    public function followUp(
        string $id,
        array|object $body,
    ): mixed {
        return $this->requests->call('POST', Requests::path('/campaigns/%s/follow-up', $id), body: $body);
    }

    /**
     * Send or schedule a campaign
     *
     * The audience is fixed at once, and the mails are sent in the background. With `scheduledFor`, sending
     * starts within 5 seconds of that time; sending again replaces the time. 409 with reason
     * `approval_required` if `campaignApproval` of `/settings/sending` asks for an approval that the campaign
     * does not have. Of two simultaneous requests one succeeds and the other gets 409.
     *
     * `POST /campaigns/{id}/send`
     */
    public function send(
        string $id,
        array|object|null $body = null,
    ): mixed {
        return $this->requests->call('POST', Requests::path('/campaigns/%s/send', $id), body: $body);
    }

    /**
     * Send a campaign again and again
     *
     * Only for a draft, else 409 with reason `campaign_state`. Each firing makes a campaign with the texts and
     * the audience that the draft has then, the date after its name and `parentId`, and starts it as a schedule
     * does; with `delivery.localTime` when the first time zone of the world has reached its wall clock. Of the
     * firings that an outage missed, the latest of the last 24 hours runs, once. None fires from
     * `delivery.expiresAt` on. An approval is asked for as on sending. At most 50 for each project. Safe to
     * repeat.
     *
     * `PUT /campaigns/{id}/recurrence`
     */
    public function setRecurrence(
        string $id,
        array|object $body,
    ): mixed {
        return $this->requests->call('PUT', Requests::path('/campaigns/%s/recurrence', $id), body: $body);
    }

    /**
     * End the recurrence of a campaign
     *
     * The campaigns that it has made go on. Safe to repeat.
     *
     * `DELETE /campaigns/{id}/recurrence`
     */
    public function removeRecurrence(
        string $id,
    ): mixed {
        return $this->requests->call('DELETE', Requests::path('/campaigns/%s/recurrence', $id));
    }

    /**
     * Cancel a campaign
     *
     * No more mail of the campaign is sent, except mail that is already being transmitted. Waiting mails become
     * `CANCELLED`. Safe to repeat.
     *
     * `POST /campaigns/{id}/cancel`
     */
    public function cancel(
        string $id,
    ): mixed {
        return $this->requests->call('POST', Requests::path('/campaigns/%s/cancel', $id));
    }

    /**
     * Pause a campaign
     *
     * Like cancel, but waiting mails stay until `resume`. Safe to repeat.
     *
     * `POST /campaigns/{id}/pause`
     */
    public function pause(
        string $id,
    ): mixed {
        return $this->requests->call('POST', Requests::path('/campaigns/%s/pause', $id));
    }

    /**
     * Resume a campaign
     *
     * Waiting mails are sent. Safe to repeat.
     *
     * `POST /campaigns/{id}/resume`
     */
    public function resume(
        string $id,
    ): mixed {
        return $this->requests->call('POST', Requests::path('/campaigns/%s/resume', $id));
    }

    /**
     * Send failed mails of a campaign again
     *
     * Queues `FAILED` mails again, and with `includeAmbiguous` also `AMBIGUOUS` ones, with the same ids; a
     * campaign that was `SENT` is `SENDING` until they are done. Mails that were sent are not sent
     * again.
     *
     * `POST /campaigns/{id}/retry-failed`
     */
    public function retryFailed(
        string $id,
        array|object|null $body = null,
    ): mixed {
        return $this->requests->call('POST', Requests::path('/campaigns/%s/retry-failed', $id), body: $body);
    }

    /**
     * Send a test
     *
     * Sends to one address, of a contact or a member of the project, with `[TEST] ` before the subject. Its
     * links change nothing, and no count includes it. Without a contact, a missing variable is printed as its
     * name in brackets. 409 with reason `suppressed` for a suppressed address.
     *
     * `POST /campaigns/{id}/test`
     */
    public function test(
        string $id,
        array|object $body,
    ): mixed {
        return $this->requests->call('POST', Requests::path('/campaigns/%s/test', $id), body: $body);
    }

    /**
     * Counters and rates of a campaign
     *
     * Exact current counts.
     *
     * `GET /campaigns/{id}/stats`
     */
    public function stats(
        string $id,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/campaigns/%s/stats', $id));
    }

    /**
     * Clicks on the links of a campaign
     *
     * By the links as written in the template, so that a link with placeholders counts as one for all
     * recipients. Exact current counts.
     *
     * `GET /campaigns/{id}/links`
     */
    public function links(
        string $id,
        ?string $variant = null,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/campaigns/%s/links', $id), query: ['variant' => $variant]);
    }

    /**
     * Results of a campaign by mailbox provider
     *
     * By the mailbox providers of the recipients. Exact current counts; mail before its first attempt does not
     * count.
     *
     * `GET /campaigns/{id}/providers`
     */
    public function providers(
        string $id,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/campaigns/%s/providers', $id));
    }

    /**
     * Report of a campaign
     *
     * Its results by variant, by hour or by mailbox provider. Exact current counts; they stay when contacts and
     * mails are deleted.
     *
     * `GET /campaigns/{id}/report`
     */
    public function report(
        string $id,
        ?string $by = null,
        ?string $variant = null,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/campaigns/%s/report', $id), query: ['by' => $by, 'variant' => $variant]);
    }

    /**
     * List the recipients of a campaign
     *
     * The audience, as fixed when sending started, with the status and the variant of each mail, ordered by
     * contact id; empty before that. The rest of an experiment has no mail before the decision. `search`
     * matches the address.
     *
     * `GET /campaigns/{id}/recipients`
     */
    public function recipients(
        string $id,
        ?int $limit = null,
        ?string $cursor = null,
        ?string $status = null,
        ?string $variant = null,
        ?string $search = null,
    ): Items {
        return new Items($this->requests, 'GET', Requests::path('/campaigns/%s/recipients', $id), ['limit' => $limit, 'cursor' => $cursor, 'status' => $status, 'variant' => $variant, 'search' => $search]);
    }

    /**
     * Show the experiment of a campaign
     *
     * 404 for a campaign without `experiment`. Figures decide nothing before `final`.
     *
     * `GET /campaigns/{id}/experiment`
     */
    public function experiment(
        string $id,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/campaigns/%s/experiment', $id));
    }

    /**
     * Choose the winner of an experiment
     *
     * While it is `TESTING` or `WAITING`, else 409 with reason `experiment_state`. The rest of the audience
     * gets the variant. The same variant again changes nothing.
     *
     * `POST /campaigns/{id}/experiment/winner`
     */
    public function decideExperiment(
        string $id,
        array|object $body,
    ): mixed {
        return $this->requests->call('POST', Requests::path('/campaigns/%s/experiment/winner', $id), body: $body);
    }

    /**
     * Ask for the approval of a campaign
     *
     * Only for a draft that is not approved, else 409 with reason `approval_state`. The administrators get a
     * mail. `campaignApproval` of `/settings/sending` says whose campaigns need an approval. Safe to
     * repeat.
     *
     * `POST /campaigns/{id}/request-approval`
     */
    public function requestApproval(
        string $id,
        array|object|null $body = null,
    ): mixed {
        return $this->requests->call('POST', Requests::path('/campaigns/%s/request-approval', $id), body: $body);
    }
}

/**
 * Graphs of steps that contacts go through.
 */
final class Workflows
{
    public function __construct(private readonly Requests $requests)
    {
    }

    /**
     * List workflows
     *
     * Newest first unless sorted otherwise, without their graphs. `search` matches name and
     * description.
     *
     * `GET /workflows`
     */
    public function list(
        ?int $page = null,
        ?int $pageSize = null,
        ?string $search = null,
        ?string $status = null,
        ?string $triggerType = null,
        ?string $sort = null,
        ?string $dir = null,
    ): Items {
        return new Items($this->requests, 'GET', '/workflows', ['page' => $page, 'pageSize' => $pageSize, 'search' => $search, 'status' => $status, 'triggerType' => $triggerType, 'sort' => $sort, 'dir' => $dir]);
    }

    /**
     * Create a workflow
     *
     * The new workflow is disabled, is started by an event, and has a TRIGGER but no other step. A project has
     * at most 500 workflows.
     *
     * `POST /workflows`
     */
    public function create(
        array|object $body,
    ): mixed {
        return $this->requests->call('POST', '/workflows', body: $body);
    }

    /**
     * List fields for a CONDITION
     *
     * Fields of contacts, and data keys of the newest 100 events; with `eventName`, only of events with that
     * name.
     *
     * `GET /workflows/fields`
     */
    public function fields(
        ?string $eventName = null,
    ): mixed {
        return $this->requests->call('GET', '/workflows/fields', query: ['eventName' => $eventName]);
    }

    /**
     * Read the signing secret
     *
     * For OWNER and ADMIN. The requests of WEBHOOK steps are signed with it.
     *
     * `GET /workflows/signing-secret`
     */
    public function signingSecret(): mixed {
        return $this->requests->call('GET', '/workflows/signing-secret');
    }

    /**
     * Replace the signing secret
     *
     * For OWNER and ADMIN. For 24 hours every request carries two signatures, one with the new secret and one
     * with the old.
     *
     * `POST /workflows/signing-secret/rotate`
     */
    public function rotateSigningSecret(): mixed {
        return $this->requests->call('POST', '/workflows/signing-secret/rotate');
    }

    /**
     * Read a workflow
     *
     * With its steps and transitions.
     *
     * `GET /workflows/{id}`
     */
    public function get(
        string $id,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/workflows/%s', $id));
    }

    /**
     * Change, enable or disable a workflow
     *
     * Absent fields keep their values. With `ifUpdatedAt`, only if nothing has changed the workflow or its
     * graph since, else 409 with reason `changed_meanwhile`. Refused with 422 and all faults if it would leave
     * an invalid workflow enabled. Running executions are not affected. With `versioning: PUBLISHED`, trigger,
     * re-entry, goal and exit rules of the draft change; enabling a workflow without a version publishes the
     * draft. 409 with reason `draft_changed` for `versioning: LIVE` beside a changed draft, or
     * `migration_running` while many live executions are still pinned or released after the last change of
     * `versioning`.
     *
     * `PATCH /workflows/{id}`
     */
    public function update(
        string $id,
        array|object|null $body = null,
    ): mixed {
        return $this->requests->call('PATCH', Requests::path('/workflows/%s', $id), body: $body);
    }

    /**
     * Delete a workflow
     *
     * Deletes its graph and its finished executions too; mails and events stay. Refused while an execution is
     * RUNNING or WAITING.
     *
     * `DELETE /workflows/{id}`
     */
    public function delete(
        string $id,
    ): mixed {
        return $this->requests->call('DELETE', Requests::path('/workflows/%s', $id));
    }

    /**
     * Check a workflow
     *
     * Returns the faults that prevent enabling it, and warnings about probable mistakes. Changes
     * nothing.
     *
     * `GET /workflows/{id}/validate`
     */
    public function validate(
        string $id,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/workflows/%s/validate', $id));
    }

    /**
     * Check a graph without storing it
     *
     * The answer of `GET /workflows/{id}/validate` if this were the graph of the workflow. Faults name steps by
     * key or id and transitions by position. `ifUpdatedAt` is not compared. Changes nothing; allowed while the
     * project is disabled.
     *
     * `POST /workflows/{id}/validate`
     */
    public function validateGraph(
        string $id,
        array|object $body,
    ): mixed {
        return $this->requests->call('POST', Requests::path('/workflows/%s/validate', $id), body: $body);
    }

    /**
     * Report of a workflow
     *
     * How many executions started and ended, and how many entered and left each step: what a drawing of the
     * workflow with numbers needs. Exact as of the answer. Counts stay when contacts and mails are
     * deleted.
     *
     * `GET /workflows/{id}/report`
     */
    public function report(
        string $id,
        ?int $version = null,
        ?string $startDate = null,
        ?string $endDate = null,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/workflows/%s/report', $id), query: ['version' => $version, 'startDate' => $startDate, 'endDate' => $endDate]);
    }

    /**
     * Copy a workflow
     *
     * The copy is disabled and has ` (Copy)` after its name, the same trigger and graph, and no
     * executions.
     *
     * `POST /workflows/{id}/duplicate`
     */
    public function duplicate(
        string $id,
    ): mixed {
        return $this->requests->call('POST', Requests::path('/workflows/%s/duplicate', $id));
    }

    /**
     * Replace the graph of a workflow
     *
     * Steps, transitions and trigger in one transaction; what the body leaves out is removed. Steps with an id
     * keep their executions and results. Faults name steps by key or id (`steps.<key>.config.amount`) and
     * transitions by position. Refused with all faults if a config is wrong or an enabled workflow would become
     * invalid. 409 RESOURCE_IN_USE with `steps`, each `{stepId, activeExecutions}`, while executions are at
     * removed steps. 409 CONFLICT `changed_meanwhile` if the workflow was changed after
     * `ifUpdatedAt`.
     *
     * `PUT /workflows/{id}/graph`
     */
    public function replaceGraph(
        string $id,
        array|object $body,
    ): mixed {
        return $this->requests->call('PUT', Requests::path('/workflows/%s/graph', $id), body: $body);
    }

    /**
     * Add a step
     *
     * Connects the newest step without an outgoing transition to the new step, unless `autoConnect` is false. A
     * workflow has at most 100 steps. Refused if it would make an enabled workflow invalid.
     *
     * `POST /workflows/{id}/steps`
     */
    public function addStep(
        string $id,
        array|object $body,
    ): mixed {
        return $this->requests->call('POST', Requests::path('/workflows/%s/steps', $id), body: $body);
    }

    /**
     * Change a step
     *
     * Absent fields keep their values; `config` is replaced as a whole. The change applies to executions that
     * reach the step afterwards. Only the name and position of the TRIGGER can change.
     *
     * `PATCH /workflows/{id}/steps/{stepId}`
     */
    public function updateStep(
        string $id,
        string $stepId,
        array|object|null $body = null,
    ): mixed {
        return $this->requests->call('PATCH', Requests::path('/workflows/%s/steps/%s', $id, $stepId), body: $body);
    }

    /**
     * Delete a step
     *
     * Deletes its transitions too; with `splice=true` the step before it is connected to the step after it.
     * Refused while an execution is at the step.
     *
     * `DELETE /workflows/{id}/steps/{stepId}`
     */
    public function deleteStep(
        string $id,
        string $stepId,
        ?bool $splice = null,
    ): mixed {
        return $this->requests->call('DELETE', Requests::path('/workflows/%s/steps/%s', $id, $stepId), query: ['splice' => $splice]);
    }

    /**
     * Try out a workflow
     *
     * Takes one contact through the graph, enabled or not, with the logic of its steps and a clock of its own.
     * Nothing is stored, sent, called, charged or tracked: `UPDATE_CONTACT` changes a copy, a RATE_LIMIT counts
     * this run alone, and a WEBHOOK gets the answer from `webhooks`. Conditions see the stored events of the
     * contact and those of the run. A mail counts as sent and delivered at once; the script opens and clicks
     * it. 422 on `script` beyond 1,000 visits, 5 years, 2 seconds of computing or 2 MB.
     *
     * `POST /workflows/{id}/test-runs`
     */
    public function testRun(
        string $id,
        array|object|null $body = null,
    ): mixed {
        return $this->requests->call('POST', Requests::path('/workflows/%s/test-runs', $id), body: $body);
    }

    /**
     * Clicks on the links of a step
     *
     * For a SEND_EMAIL step, by the links as written in its template. Exact; counts stay when mails are
     * deleted.
     *
     * `GET /workflows/{id}/steps/{stepId}/links`
     */
    public function stepLinks(
        string $id,
        string $stepId,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/workflows/%s/steps/%s/links', $id, $stepId));
    }

    /**
     * Results of a step
     *
     * Counts and rates of the mail of a SEND_EMAIL step.
     *
     * `GET /workflows/{id}/steps/{stepId}/stats`
     */
    public function stepStats(
        string $id,
        string $stepId,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/workflows/%s/steps/%s/stats', $id, $stepId));
    }

    /**
     * Show the experiment of a step
     *
     * For a SPLIT step with `experiment`. Figures decide nothing before `final`.
     *
     * `GET /workflows/{id}/steps/{stepId}/experiment`
     */
    public function experiment(
        string $id,
        string $stepId,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/workflows/%s/steps/%s/experiment', $id, $stepId));
    }

    /**
     * Choose the winner of an experiment
     *
     * At any time. Every contact takes the branch from then on. The same branch again changes
     * nothing.
     *
     * `POST /workflows/{id}/steps/{stepId}/experiment/winner`
     */
    public function decideExperiment(
        string $id,
        string $stepId,
        array|object $body,
    ): mixed {
        return $this->requests->call('POST', Requests::path('/workflows/%s/steps/%s/experiment/winner', $id, $stepId), body: $body);
    }

    /**
     * Restart an experiment
     *
     * Counts from 0 and splits the contacts by their shares again.
     *
     * `POST /workflows/{id}/steps/{stepId}/experiment/restart`
     */
    public function restartExperiment(
        string $id,
        string $stepId,
    ): mixed {
        return $this->requests->call('POST', Requests::path('/workflows/%s/steps/%s/experiment/restart', $id, $stepId));
    }

    /**
     * Connect two steps
     *
     * Replaces automatic transitions that contradict it. 200 if the transition already exists. 409 with reason
     * `branch_taken` if the step has another transition for this branch. At most 300 transitions.
     *
     * `POST /workflows/{id}/transitions`
     */
    public function addTransition(
        string $id,
        array|object $body,
    ): mixed {
        return $this->requests->call('POST', Requests::path('/workflows/%s/transitions', $id), body: $body);
    }

    /**
     * Delete a transition
     *
     * An execution that would have followed it completes instead.
     *
     * `DELETE /workflows/{id}/transitions/{transitionId}`
     */
    public function deleteTransition(
        string $id,
        string $transitionId,
    ): mixed {
        return $this->requests->call('DELETE', Requests::path('/workflows/%s/transitions/%s', $id, $transitionId));
    }

    /**
     * Insert a step into a transition
     *
     * The transition from A to B becomes one from A to the new step and one from the new step to B. A new
     * CONDITION leads to B on the branch `yes`.
     *
     * `POST /workflows/{id}/transitions/{transitionId}/insert-step`
     */
    public function insertStep(
        string $id,
        string $transitionId,
        array|object $body,
    ): mixed {
        return $this->requests->call('POST', Requests::path('/workflows/%s/transitions/%s/insert-step', $id, $transitionId), body: $body);
    }

    /**
     * Publish the draft
     *
     * Makes the draft the next version, with which executions start from then on. Live executions stay on
     * theirs. Refused with 422 and all faults. 409 with reason `no_draft` when nothing has changed,
     * `version_changed`, `not_versioned` for a workflow that is edited live, or `migration_running` while its
     * executions are still pinned after a change of `versioning`.
     *
     * `POST /workflows/{id}/publish`
     */
    public function publish(
        string $id,
        array|object|null $body = null,
    ): mixed {
        return $this->requests->call('POST', Requests::path('/workflows/%s/publish', $id), body: $body);
    }

    /**
     * Discard the draft
     *
     * The draft is the published version again. 409 with reason `not_versioned`.
     *
     * `DELETE /workflows/{id}/draft`
     */
    public function removeDraft(
        string $id,
    ): mixed {
        return $this->requests->call('DELETE', Requests::path('/workflows/%s/draft', $id));
    }

    /**
     * List the versions of a workflow
     *
     * Newest first, without their graphs. A workflow that is edited live gets a version when it is enabled and
     * by edits while it is; the edits of one caller within 10 minutes are one. At most 100 are kept, beside
     * those with live executions.
     *
     * `GET /workflows/{id}/versions`
     */
    public function versions(
        string $id,
        ?int $page = null,
        ?int $pageSize = null,
    ): Items {
        return new Items($this->requests, 'GET', Requests::path('/workflows/%s/versions', $id), ['page' => $page, 'pageSize' => $pageSize]);
    }

    /**
     * Read a version of a workflow
     *
     * With trigger, settings, steps and transitions.
     *
     * `GET /workflows/{id}/versions/{n}`
     */
    public function version(
        string $id,
        string $n,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/workflows/%s/versions/%s', $id, $n));
    }

    /**
     * Compare two versions of a workflow
     *
     * What changes from this version to the other one, or to the draft. Steps have the same id in all
     * versions.
     *
     * `GET /workflows/{id}/versions/{n}/diff`
     */
    public function diff(
        string $id,
        string $n,
        ?string $with = null,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/workflows/%s/versions/%s/diff', $id, $n), query: ['with' => $with]);
    }

    /**
     * Restore a version of a workflow
     *
     * The draft becomes this version; in a workflow that is edited live, the graph does, checked while it is
     * enabled. Removed steps return with their ids. 409 RESOURCE_IN_USE with `steps` when a live execution is
     * at a step of a live workflow that would go.
     *
     * `POST /workflows/{id}/versions/{n}/restore`
     */
    public function restore(
        string $id,
        string $n,
    ): mixed {
        return $this->requests->call('POST', Requests::path('/workflows/%s/versions/%s/restore', $id, $n));
    }

    /**
     * Move live executions to a version
     *
     * An execution at a step that maps to itself goes on as it was; a wait that has begun keeps its config and
     * its instant. At another step, its visit ends SKIPPED with the reason `migrated`, and the target step
     * begins. Without a target it stays, or ends EXITED with exitReason `migrated`. `dryRun` counts. Queued;
     * `GET /workflows/{id}/migrations/{jobId}` has the progress and the result. 409 with reason
     * `migration_running` or `not_versioned`.
     *
     * `POST /workflows/{id}/migrations`
     */
    public function migrate(
        string $id,
        array|object $body,
    ): mixed {
        return $this->requests->call('POST', Requests::path('/workflows/%s/migrations', $id), body: $body);
    }

    /**
     * Read a migration
     *
     * Its progress, and the counts so far.
     *
     * `GET /workflows/{id}/migrations/{jobId}`
     */
    public function migration(
        string $id,
        string $jobId,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/workflows/%s/migrations/%s', $id, $jobId));
    }
}

/**
 * Executions: each is one contact in one workflow.
 */
final class Executions
{
    public function __construct(private readonly Requests $requests)
    {
    }

    /**
     * List executions
     *
     * Newest first, without their step executions.
     *
     * `GET /workflows/{id}/executions`
     */
    public function list(
        string $id,
        ?int $page = null,
        ?int $pageSize = null,
        ?string $status = null,
        ?string $contactId = null,
        ?int $version = null,
        ?string $currentStepId = null,
    ): Items {
        return new Items($this->requests, 'GET', Requests::path('/workflows/%s/executions', $id), ['page' => $page, 'pageSize' => $pageSize, 'status' => $status, 'contactId' => $contactId, 'version' => $version, 'currentStepId' => $currentStepId]);
    }

    /**
     * Start a workflow for a contact
     *
     * Works with any type of trigger; the steps run after the response. 409 with reason `workflow_disabled`,
     * `reentry_not_allowed` or `already_running`.
     *
     * `POST /workflows/{id}/executions`
     */
    public function start(
        string $id,
        array|object $body,
    ): mixed {
        return $this->requests->call('POST', Requests::path('/workflows/%s/executions', $id), body: $body);
    }

    /**
     * Cancel all executions
     *
     * Cancels the executions that are RUNNING or WAITING; new ones can start meanwhile unless the workflow is
     * disabled.
     *
     * `POST /workflows/{id}/executions/cancel-all`
     */
    public function cancelAll(
        string $id,
    ): mixed {
        return $this->requests->call('POST', Requests::path('/workflows/%s/executions/cancel-all', $id));
    }

    /**
     * Read an execution
     *
     * With its step executions, oldest first.
     *
     * `GET /workflows/{id}/executions/{executionId}`
     */
    public function get(
        string $id,
        string $executionId,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/workflows/%s/executions/%s', $id, $executionId));
    }

    /**
     * Cancel an execution
     *
     * A running step finishes, but no other step starts. Safe to repeat; 409 with reason `already_finished` for
     * an execution that ended in another way.
     *
     * `DELETE /workflows/{id}/executions/{executionId}`
     */
    public function cancel(
        string $id,
        string $executionId,
    ): mixed {
        return $this->requests->call('DELETE', Requests::path('/workflows/%s/executions/%s', $id, $executionId));
    }

    /**
     * Retry a failed execution
     *
     * Runs the failed step again. 409 with reason `not_retryable` or `already_running`.
     *
     * `POST /workflows/{id}/executions/{executionId}/retry`
     */
    public function retry(
        string $id,
        string $executionId,
    ): mixed {
        return $this->requests->call('POST', Requests::path('/workflows/%s/executions/%s/retry', $id, $executionId));
    }

    /**
     * List a contact's executions
     *
     * In all workflows, newest first, without their step executions.
     *
     * `GET /contacts/{id}/executions`
     */
    public function ofContact(
        string $id,
        ?int $limit = null,
        ?string $cursor = null,
        ?string $status = null,
    ): Items {
        return new Items($this->requests, 'GET', Requests::path('/contacts/%s/executions', $id), ['limit' => $limit, 'cursor' => $cursor, 'status' => $status]);
    }
}

/**
 * Sender domains, with the DNS records for their ownership and signatures.
 */
final class Domains
{
    public function __construct(private readonly Requests $requests)
    {
    }

    /**
     * List domains
     *
     * All domains of the project, verified and pending, newest first. The project must be that of the
     * key.
     *
     * `GET /domains/project/{projectId}`
     */
    public function list(
        string $projectId,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/domains/project/%s', $projectId));
    }

    /**
     * Add a domain
     *
     * Returns the DNS records to publish; the first check follows within 10 seconds. IP addresses, public
     * suffixes and domains of mailbox providers are refused; at most 100 domains in a project.
     *
     * `POST /domains`
     */
    public function add(
        array|object $body,
    ): mixed {
        return $this->requests->call('POST', '/domains', body: $body);
    }

    /**
     * Read a domain
     *
     * One domain with its DNS records and the values found in DNS.
     *
     * `GET /domains/{id}`
     */
    public function get(
        string $id,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/domains/%s', $id));
    }

    /**
     * Change a domain
     *
     * Sets the host of the links in its mail. Publish the CNAME record of the response, and give the host a
     * certificate; links use it once both are valid. Former hosts keep working.
     *
     * `PATCH /domains/{id}`
     */
    public function update(
        string $id,
        array|object|null $body = null,
    ): mixed {
        return $this->requests->call('PATCH', Requests::path('/domains/%s', $id), body: $body);
    }

    /**
     * Remove a domain
     *
     * Deletes its signing keys. Refused while a template, a workflow step, an unfinished campaign or unsent
     * mail sends from it.
     *
     * `DELETE /domains/{id}`
     */
    public function remove(
        string $id,
    ): mixed {
        return $this->requests->call('DELETE', Requests::path('/domains/%s', $id));
    }

    /**
     * Read the health of a domain
     *
     * What mailbox providers require of bulk senders, and whether it is so. DNS is asked once a day, and now
     * with `refresh=true`, at most once a minute. Figures are those of the mail of this
     * domain.
     *
     * `GET /domains/{id}/health`
     */
    public function health(
        string $id,
        ?bool $refresh = null,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/domains/%s/health', $id), query: ['refresh' => $refresh]);
    }

    /**
     * Read DMARC reports of a domain
     *
     * What mailbox providers report about mail with this domain in From; by default of the last 30 days. Anyone
     * can send such reports, so they inform and change nothing. Sums are kept for 400 days.
     *
     * `GET /domains/{id}/dmarc`
     */
    public function dmarc(
        string $id,
        ?string $startDate = null,
        ?string $endDate = null,
        ?string $groupBy = null,
        ?int $limit = null,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/domains/%s/dmarc', $id), query: ['startDate' => $startDate, 'endDate' => $endDate, 'groupBy' => $groupBy, 'limit' => $limit]);
    }

    /**
     * Read the warm-up of a domain
     *
     * The plan, its step and cap of today, the mail that waits, and every day that is over.
     *
     * `GET /domains/{id}/warmup`
     */
    public function warmup(
        string $id,
        ?string $transport = null,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/domains/%s/warmup', $id), query: ['transport' => $transport]);
    }

    /**
     * Warm up a domain
     *
     * Sets the plan, or replaces it; the step stays if `preset` and `caps` do. Campaigns, workflow mail and
     * single mail with a MARKETING or HEADLESS template wait when the cap of the day is used up. Where a plan
     * of the domain and one of a transport fit, the tighter one holds.
     *
     * `PUT /domains/{id}/warmup`
     */
    public function setWarmup(
        string $id,
        array|object $body,
        ?string $transport = null,
    ): mixed {
        return $this->requests->call('PUT', Requests::path('/domains/%s/warmup', $id), query: ['transport' => $transport], body: $body);
    }

    /**
     * End the warm-up of a domain
     *
     * Removes the plan with its days. The mail that waits is sent at once.
     *
     * `DELETE /domains/{id}/warmup`
     */
    public function removeWarmup(
        string $id,
        ?string $transport = null,
    ): mixed {
        return $this->requests->call('DELETE', Requests::path('/domains/%s/warmup', $id), query: ['transport' => $transport]);
    }

    /**
     * List the warm-ups of a domain
     *
     * The plan of all mail of the domain, and those of single transports. Empty without a plan: at most one for
     * each transport.
     *
     * `GET /domains/{id}/warmups`
     */
    public function warmups(
        string $id,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/domains/%s/warmups', $id));
    }

    /**
     * Pause the warm-up of a domain
     *
     * No bulk mail of the domain leaves until `resume`. A plan that is paused or completed stays as it
     * is.
     *
     * `POST /domains/{id}/warmup/pause`
     */
    public function pauseWarmup(
        string $id,
        ?string $transport = null,
    ): mixed {
        return $this->requests->call('POST', Requests::path('/domains/%s/warmup/pause', $id), query: ['transport' => $transport]);
    }

    /**
     * Resume the warm-up of a domain
     *
     * Begins the same step again on the next local day. A plan that is not paused stays as it
     * is.
     *
     * `POST /domains/{id}/warmup/resume`
     */
    public function resumeWarmup(
        string $id,
        ?string $transport = null,
    ): mixed {
        return $this->requests->call('POST', Requests::path('/domains/%s/warmup/resume', $id), query: ['transport' => $transport]);
    }

    /**
     * Check a domain now
     *
     * Checks DNS at once instead of waiting for the check every 5 minutes. Returns the result of an earlier
     * check if it is less than 10 seconds old.
     *
     * `GET /domains/{id}/verify`
     */
    public function verify(
        string $id,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/domains/%s/verify', $id));
    }
}

/**
 * The delivery ledger: one record for each mail to each recipient.
 */
final class Emails
{
    public function __construct(private readonly Requests $requests)
    {
    }

    /**
     * List emails
     *
     * The records of the project's mail, one for each mail to each recipient, newest first.
     *
     * `GET /emails`
     */
    public function list(
        ?int $limit = null,
        ?string $cursor = null,
        ?string $status = null,
        ?string $mode = null,
        ?string $sort = null,
        ?string $sourceType = null,
        ?string $contactId = null,
        ?string $campaignId = null,
        ?string $workflowId = null,
        ?string $templateId = null,
        ?string $groupId = null,
        ?string $to = null,
        ?string $tag = null,
        ?string $startDate = null,
        ?string $endDate = null,
    ): Items {
        return new Items($this->requests, 'GET', '/emails', ['limit' => $limit, 'cursor' => $cursor, 'status' => $status, 'mode' => $mode, 'sort' => $sort, 'sourceType' => $sourceType, 'contactId' => $contactId, 'campaignId' => $campaignId, 'workflowId' => $workflowId, 'templateId' => $templateId, 'groupId' => $groupId, 'to' => $to, 'tag' => $tag, 'startDate' => $startDate, 'endDate' => $endDate]);
    }

    /**
     * Send email with a session
     *
     * The same as `POST /v1/send`, which takes keys only: also with a session, of any role.
     *
     * `POST /emails`
     */
    public function send(
        array|object $body,
        ?string $idempotencyKey = null,
    ): mixed {
        return $this->requests->call('POST', '/emails', body: $body, keyed: true, idempotencyKey: $idempotencyKey);
    }

    /**
     * Read an email
     *
     * The record with every delivery attempt and its result.
     *
     * `GET /emails/{id}`
     */
    public function get(
        string $id,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/emails/%s', $id));
    }

    /**
     * Reschedule an email
     *
     * Only mail that is still `SCHEDULED`, else 409 with reason `not_scheduled`. A later time moves it; null or
     * a past time sends it at once.
     *
     * `PATCH /emails/{id}`
     */
    public function update(
        string $id,
        array|object|null $body = null,
    ): mixed {
        return $this->requests->call('PATCH', Requests::path('/emails/%s', $id), body: $body);
    }

    /**
     * Read the content of an email
     *
     * As rendered, before link rewriting and without the tracking pixel, so that reading it does not count as
     * an open. After retention the texts are null and `raw` is 404.
     *
     * `GET /emails/{id}/content`
     */
    public function content(
        string $id,
        ?string $format = null,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/emails/%s/content', $id), query: ['format' => $format]);
    }

    /**
     * Cancel an email
     *
     * Only mail that is still `SCHEDULED` or `PENDING`, else 409 with reason `not_cancellable`. Safe to
     * repeat.
     *
     * `POST /emails/{id}/cancel`
     */
    public function cancel(
        string $id,
    ): mixed {
        return $this->requests->call('POST', Requests::path('/emails/%s/cancel', $id));
    }

    /**
     * Send a failed email again
     *
     * Only mail that is `FAILED` or `AMBIGUOUS`, with the same Message-ID. Sender domain, suppression and
     * subscription are checked again: 409 with reason `not_retryable`, `content_purged`, `suppressed` or
     * `contact_unsubscribed`.
     *
     * `POST /emails/{id}/retry`
     */
    public function retry(
        string $id,
    ): mixed {
        return $this->requests->call('POST', Requests::path('/emails/%s/retry', $id));
    }
}

/**
 * Addresses that get no mail of any type.
 */
final class Suppressions
{
    public function __construct(private readonly Requests $requests)
    {
    }

    /**
     * List suppressions
     *
     * Addresses that get no mail of any type, newest first.
     *
     * `GET /suppressions`
     */
    public function list(
        ?int $limit = null,
        ?string $cursor = null,
        ?string $search = null,
        ?string $reason = null,
        ?string $startDate = null,
        ?string $endDate = null,
    ): Items {
        return new Items($this->requests, 'GET', '/suppressions', ['limit' => $limit, 'cursor' => $cursor, 'search' => $search, 'reason' => $reason, 'startDate' => $startDate, 'endDate' => $endDate]);
    }

    /**
     * Suppress addresses
     *
     * With `email`: 201 and the record, or 200 and the unchanged record when the address is already on the
     * list. With `emails`: 201 and the counts. The reason is `MANUAL`. Subscriptions do not change, and waiting
     * mail becomes `SUPPRESSED` when it is due.
     *
     * `POST /suppressions`
     */
    public function add(
        array|object|null $body = null,
    ): mixed {
        return $this->requests->call('POST', '/suppressions', body: $body);
    }

    /**
     * Export suppressions
     *
     * For OWNER and ADMIN. A file of all suppressed addresses, or of those that match the query, newest first,
     * each at most once. Erased addresses are left out. CSV has the columns id, email, reason, emailId, note
     * and createdAt; a text that a spreadsheet would run as a formula starts with an apostrophe.
     *
     * `GET /suppressions/export`
     */
    public function export(
        ?string $format = null,
        ?string $search = null,
        ?string $reason = null,
        ?string $startDate = null,
        ?string $endDate = null,
    ): mixed {
        return $this->requests->call('GET', '/suppressions/export', query: ['format' => $format, 'search' => $search, 'reason' => $reason, 'startDate' => $startDate, 'endDate' => $endDate], stream: true);
    }

    /**
     * Look up an address
     *
     * The record of the address; 404 when it is not suppressed.
     *
     * `GET /suppressions/{email}`
     */
    public function get(
        string $email,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/suppressions/%s', $email));
    }

    /**
     * Lift a suppression
     *
     * For OWNER and ADMIN. The address may get mail again. A contact that was unsubscribed by a bounce or
     * complaint stays unsubscribed, and suppressed mail is not sent.
     *
     * `DELETE /suppressions/{email}`
     */
    public function remove(
        string $email,
    ): mixed {
        return $this->requests->call('DELETE', Requests::path('/suppressions/%s', $email));
    }
}

/**
 * Actions of contacts, and events of their mail.
 */
final class Events
{
    public function __construct(private readonly Requests $requests)
    {
    }

    /**
     * List events
     *
     * Events that callers tracked, newest first: those of one name by `occurredAt`, others by
     * `createdAt`.
     *
     * `GET /events`
     */
    public function list(
        ?int $limit = null,
        ?string $cursor = null,
        ?string $eventName = null,
        ?string $contactId = null,
        ?string $source = null,
        ?string $startDate = null,
        ?string $endDate = null,
    ): Items {
        return new Items($this->requests, 'GET', '/events', ['limit' => $limit, 'cursor' => $cursor, 'eventName' => $eventName, 'contactId' => $contactId, 'source' => $source, 'startDate' => $startDate, 'endDate' => $endDate]);
    }

    /**
     * Count events by name
     *
     * The most frequent first, at most 1,000 names. By default the last 30 days.
     *
     * `GET /events/stats`
     */
    public function stats(
        ?string $source = null,
        ?string $startDate = null,
        ?string $endDate = null,
    ): mixed {
        return $this->requests->call('GET', '/events/stats', query: ['source' => $source, 'startDate' => $startDate, 'endDate' => $endDate]);
    }

    /**
     * List a contact's events
     *
     * All events of the contact, newest first, 50 on a page by default.
     *
     * `GET /events/contact/{contactId}`
     */
    public function ofContact(
        string $contactId,
        ?int $limit = null,
        ?string $cursor = null,
        ?string $source = null,
    ): Items {
        return new Items($this->requests, 'GET', Requests::path('/events/contact/%s', $contactId), ['limit' => $limit, 'cursor' => $cursor, 'source' => $source]);
    }

    /**
     * List names of events
     *
     * For a picker: every name in use.
     *
     * `GET /events/names`
     */
    public function names(
        ?string $search = null,
        ?string $source = null,
    ): mixed {
        return $this->requests->call('GET', '/events/names', query: ['search' => $search, 'source' => $source]);
    }

    /**
     * List the uses of an event name
     *
     * Segments, campaigns that have not ended, and workflows that use the name. An unknown name has no
     * uses.
     *
     * `GET /events/{eventName}/usage`
     */
    public function usage(
        string $eventName,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/events/%s/usage', $eventName));
    }

    /**
     * Count an event by day
     *
     * How often callers tracked the event, with one entry for each day of the window, including days without
     * it; by default the last 30 days. Days are counted whole, even if the window starts or ends within one.
     * Counts stay when contacts are deleted. An unknown name has zeros.
     *
     * `GET /events/{eventName}/timeseries`
     */
    public function timeseries(
        string $eventName,
        ?string $startDate = null,
        ?string $endDate = null,
        ?string $timezone = null,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/events/%s/timeseries', $eventName), query: ['startDate' => $startDate, 'endDate' => $endDate, 'timezone' => $timezone]);
    }

    /**
     * Delete events by name
     *
     * For OWNER and ADMIN. Deletes every stored event with the name; lists and filters stop seeing them at
     * once. Refused with 409 while something uses the name, and with 422 for names of the service. The name can
     * be tracked again.
     *
     * `DELETE /events/{eventName}`
     */
    public function delete(
        string $eventName,
    ): mixed {
        return $this->requests->call('DELETE', Requests::path('/events/%s', $eventName));
    }

    /**
     * Track an event with the secret key
     *
     * The same as `POST /v1/track`, for servers: with the secret key or a session.
     *
     * `POST /events/track`
     */
    public function track(
        array|object $body,
        ?string $idempotencyKey = null,
    ): mixed {
        return $this->requests->call('POST', '/events/track', body: $body, keyed: true, idempotencyKey: $idempotencyKey);
    }
}

/**
 * The activity feed of the project, across its resources.
 */
final class Activity
{
    public function __construct(private readonly Requests $requests)
    {
    }

    /**
     * List activity
     *
     * The activity feed of the project, newest first, by default 50 entries per page, of the last 30 days.
     * `total` is counted up to 10,000. Entries of deleted contacts and campaigns are not
     * included.
     *
     * `GET /activity`
     */
    public function list(
        ?int $limit = null,
        ?string $cursor = null,
        ?string $types = null,
        ?string $contactId = null,
        ?string $startDate = null,
        ?string $endDate = null,
        ?string $timezone = null,
    ): Items {
        return new Items($this->requests, 'GET', '/activity', ['limit' => $limit, 'cursor' => $cursor, 'types' => $types, 'contactId' => $contactId, 'startDate' => $startDate, 'endDate' => $endDate, 'timezone' => $timezone]);
    }

    /**
     * Count activity
     *
     * Totals and rates of a window, by default of the last 30 days.
     *
     * `GET /activity/stats`
     */
    public function stats(
        ?string $startDate = null,
        ?string $endDate = null,
        ?string $timezone = null,
    ): mixed {
        return $this->requests->call('GET', '/activity/stats', query: ['startDate' => $startDate, 'endDate' => $endDate, 'timezone' => $timezone]);
    }

    /**
     * Count recent activity
     *
     * Counts the entries of the last minutes, by default 5.
     *
     * `GET /activity/recent-count`
     */
    public function recentCount(
        ?int $minutes = null,
    ): mixed {
        return $this->requests->call('GET', '/activity/recent-count', query: ['minutes' => $minutes]);
    }

    /**
     * List types of activity
     *
     * All types, and those that occurred in the project.
     *
     * `GET /activity/types`
     */
    public function types(): mixed {
        return $this->requests->call('GET', '/activity/types');
    }

    /**
     * List scheduled activity
     *
     * Scheduled campaigns, workflows and steps, earliest first; by default 50 entries of the next 30
     * days.
     *
     * `GET /activity/upcoming`
     */
    public function upcoming(
        ?int $limit = null,
        ?int $daysAhead = null,
    ): mixed {
        return $this->requests->call('GET', '/activity/upcoming', query: ['limit' => $limit, 'daysAhead' => $daysAhead]);
    }
}

/**
 * Statistics of mail, campaigns and events.
 */
final class Analytics
{
    public function __construct(private readonly Requests $requests)
    {
    }

    /**
     * Mail by day
     *
     * One entry for each day of the window, including days without mail; by default the last 30 days. Days are
     * counted whole, even if the window starts or ends within one. Counts stay when contacts and campaigns are
     * deleted.
     *
     * `GET /analytics/timeseries`
     */
    public function timeseries(
        ?string $startDate = null,
        ?string $endDate = null,
        ?string $timezone = null,
        ?bool $includeMachine = null,
    ): mixed {
        return $this->requests->call('GET', '/analytics/timeseries', query: ['startDate' => $startDate, 'endDate' => $endDate, 'timezone' => $timezone, 'includeMachine' => $includeMachine]);
    }

    /**
     * Results by mailbox provider
     *
     * Results of mail by the mailbox providers of the recipients; by default of the last 30 days. Days are
     * counted whole, and each result counts on the day on which it happened. Counts stay when contacts and
     * campaigns are deleted.
     *
     * `GET /analytics/providers`
     */
    public function providers(
        ?string $startDate = null,
        ?string $endDate = null,
        ?string $timezone = null,
    ): mixed {
        return $this->requests->call('GET', '/analytics/providers', query: ['startDate' => $startDate, 'endDate' => $endDate, 'timezone' => $timezone]);
    }

    /**
     * The best campaigns
     *
     * Campaigns that are sent or being sent, ordered by a metric, by default 10. The dates refer to the start
     * of sending.
     *
     * `GET /analytics/top-campaigns`
     */
    public function topCampaigns(
        ?string $metric = null,
        ?int $limit = null,
        ?string $startDate = null,
        ?string $endDate = null,
    ): mixed {
        return $this->requests->call('GET', '/analytics/top-campaigns', query: ['metric' => $metric, 'limit' => $limit, 'startDate' => $startDate, 'endDate' => $endDate]);
    }

    /**
     * Statistics of all campaigns
     *
     * Counts by state, average rates and the newest campaigns. The dates refer to the creation of the
     * campaigns.
     *
     * `GET /analytics/campaign-stats`
     */
    public function campaignStats(
        ?string $startDate = null,
        ?string $endDate = null,
        ?int $limit = null,
    ): mixed {
        return $this->requests->call('GET', '/analytics/campaign-stats', query: ['startDate' => $startDate, 'endDate' => $endDate, 'limit' => $limit]);
    }

    /**
     * Conversions and revenue
     *
     * Goals reached, by day, campaign or workflow, at most 500 rows; by default of the last 30 days. A
     * conversion counts on the day on which it was recorded, in UTC. Sums stay when contacts are deleted, and
     * go with their campaign or workflow.
     *
     * `GET /analytics/conversions`
     */
    public function conversions(
        ?string $by = null,
        ?string $startDate = null,
        ?string $endDate = null,
    ): mixed {
        return $this->requests->call('GET', '/analytics/conversions', query: ['by' => $by, 'startDate' => $startDate, 'endDate' => $endDate]);
    }

    /**
     * The most frequent events
     *
     * The names that callers tracked most; by default 5, of the last 30 days.
     *
     * `GET /analytics/top-events`
     */
    public function topEvents(
        ?int $limit = null,
        ?string $startDate = null,
        ?string $endDate = null,
    ): mixed {
        return $this->requests->call('GET', '/analytics/top-events', query: ['limit' => $limit, 'startDate' => $startDate, 'endDate' => $endDate]);
    }
}

/**
 * How mail to mailbox providers goes.
 */
final class Deliverability
{
    public function __construct(private readonly Requests $requests)
    {
    }

    /**
     * How mail to each mailbox provider goes
     *
     * Mailbox providers that got mail of the project in 7 days, or that asked for less mail. The service then
     * sends less there, lets the rest wait, and sends more again by itself.
     *
     * `GET /deliverability/providers`
     */
    public function providers(): mixed {
        return $this->requests->call('GET', '/deliverability/providers');
    }
}

/**
 * One search over the records of the project.
 */
final class Search
{
    public function __construct(private readonly Requests $requests)
    {
    }

    /**
     * Find records by name, address or id
     *
     * Contacts by address; campaigns, templates, partials, segments, workflows and domains by name, templates
     * also by alias; any of them, and mails, by id. Contacts match within their address from three characters
     * on, and with two at its beginning. Closed to API keys.
     *
     * `GET /search`
     */
    public function find(
        string $q,
        ?int $limit = null,
    ): mixed {
        return $this->requests->call('GET', '/search', query: ['q' => $q, 'limit' => $limit]);
    }
}

/**
 * Queries of lists that people come back to. Closed to API keys.
 */
final class Views
{
    public function __construct(private readonly Requests $requests)
    {
    }

    /**
     * List saved views
     *
     * Views that the member has made, and those that are shared. With the secret key only shared
     * ones.
     *
     * `GET /views`
     */
    public function list(
        ?string $page = null,
    ): mixed {
        return $this->requests->call('GET', '/views', query: ['page' => $page]);
    }

    /**
     * Save a view
     *
     * At most 50 of each member and 200 of the project; one more is 422. Views leave the project with the
     * member who made them.
     *
     * `POST /views`
     */
    public function create(
        array|object $body,
    ): mixed {
        return $this->requests->call('POST', '/views', body: $body);
    }

    /**
     * Change a view
     *
     * For its maker, and for a shared one also OWNER and ADMIN. Absent fields keep their values. A view that
     * was made with the secret key stays shared.
     *
     * `PATCH /views/{id}`
     */
    public function update(
        string $id,
        array|object|null $body = null,
    ): mixed {
        return $this->requests->call('PATCH', Requests::path('/views/%s', $id), body: $body);
    }

    /**
     * Delete a view
     *
     * For its maker, and for a shared one also OWNER and ADMIN.
     *
     * `DELETE /views/{id}`
     */
    public function remove(
        string $id,
    ): mixed {
        return $this->requests->call('DELETE', Requests::path('/views/%s', $id));
    }
}

/**
 * Images for mails.
 */
final class Uploads
{
    public function __construct(private readonly Requests $requests)
    {
    }

    /**
     * Upload an image
     *
     * One JPEG, PNG, GIF or WebP in the field `image`, at most 10 MB and 10,000 pixels on each side; 415 for
     * anything else, including SVG. The response has its public URL, which is always the same for the same
     * image. All images of a project together may have 1 GB.
     *
     * `POST /uploads/image`
     */
    public function image(
        array|object $body,
    ): mixed {
        return $this->requests->call('POST', '/uploads/image', body: $body, asForm: true);
    }

    /**
     * List images
     *
     * The images of the project, newest first. An image that was uploaded again has its first
     * date.
     *
     * `GET /uploads/images`
     */
    public function images(
        ?int $limit = null,
        ?string $cursor = null,
    ): Items {
        return new Items($this->requests, 'GET', '/uploads/images', ['limit' => $limit, 'cursor' => $cursor]);
    }

    /**
     * Delete an image
     *
     * For OWNER and ADMIN. Its URL answers 404 from then on: mail that was sent with it loses the picture, and
     * so do templates and campaigns that name it. Caches may show it for longer.
     *
     * `DELETE /uploads/images/{name}`
     */
    public function removeImage(
        string $name,
    ): mixed {
        return $this->requests->call('DELETE', Requests::path('/uploads/images/%s', $name));
    }
}

/**
 * Rules of the audience and of sending: consent, pages of recipients, ingestion, quiet hours, frequency
 * caps, approval of campaigns.
 */
final class Settings
{
    public function __construct(private readonly Requests $requests)
    {
    }

    /**
     * Read the settings of the audience
     *
     * All settings, with their defaults.
     *
     * `GET /settings/audience`
     */
    public function audience(): mixed {
        return $this->requests->call('GET', '/settings/audience');
    }

    /**
     * Change the settings of the audience
     *
     * Absent fields keep their values, in the groups too. 403 if the domain of `doubleOptIn.from` is not
     * verified. Not in force yet: `selfService`. It is checked and stored.
     *
     * `PATCH /settings/audience`
     */
    public function updateAudience(
        array|object|null $body = null,
    ): mixed {
        return $this->requests->call('PATCH', '/settings/audience', body: $body);
    }

    /**
     * Read the settings of sending
     *
     * All settings, with their defaults.
     *
     * `GET /settings/sending`
     */
    public function sending(): mixed {
        return $this->requests->call('GET', '/settings/sending');
    }

    /**
     * Change the settings of sending
     *
     * Absent fields keep their values. `campaignApproval` acts on campaigns that are sent or scheduled
     * afterwards, the rest on mail that is made or taken for its first attempt afterwards.
     *
     * `PATCH /settings/sending`
     */
    public function updateSending(
        array|object|null $body = null,
    ): mixed {
        return $this->requests->call('PATCH', '/settings/sending', body: $body);
    }

    /**
     * Preview the preference page
     *
     * The page with the settings of the body in place of the stored ones. Changes nothing. The form is taken
     * out, so the page can be shown to members as it is.
     *
     * `POST /settings/audience/preview`
     */
    public function previewPreferences(
        array|object|null $body = null,
    ): mixed {
        return $this->requests->call('POST', '/settings/audience/preview', body: $body);
    }
}

/**
 * The project itself.
 */
final class Projects
{
    public function __construct(private readonly Requests $requests)
    {
    }

    /**
     * Read the project of a key
     *
     * The project of the credential by id and name, and the kind of the key.
     *
     * `GET /projects/current`
     */
    public function current(): mixed {
        return $this->requests->call('GET', '/projects/current');
    }

    /**
     * Read the setup state of the project
     *
     * The parts that are set up and those that are missing. The project must be that of the
     * key.
     *
     * `GET /projects/{id}/setup-state`
     */
    public function setupState(
        string $id,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/projects/%s/setup-state', $id));
    }

    /**
     * List changes of the project
     *
     * For OWNER and ADMIN, and the secret key; closed to API keys. Who changed what, newest first. The project
     * must be that of the key.
     *
     * `GET /projects/{id}/audit`
     */
    public function audit(
        string $id,
        ?int $limit = null,
        ?string $cursor = null,
        ?string $action = null,
        ?string $userId = null,
        ?string $startDate = null,
        ?string $endDate = null,
    ): Items {
        return new Items($this->requests, 'GET', Requests::path('/projects/%s/audit', $id), ['limit' => $limit, 'cursor' => $cursor, 'action' => $action, 'userId' => $userId, 'startDate' => $startDate, 'endDate' => $endDate]);
    }

    /**
     * Read the sender reputation of the project
     *
     * Bounce and complaint rates of seven days and of all time, their limits, and the last suspensions of the
     * project. The project must be that of the key.
     *
     * `GET /projects/{id}/security`
     */
    public function security(
        string $id,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/projects/%s/security', $id));
    }
}

/**
 * Credentials with their own scopes, in addition to the two keys of the project.
 */
final class ApiKeys
{
    public function __construct(private readonly Requests $requests)
    {
    }

    /**
     * List API keys
     *
     * Newest first, without the keys themselves.
     *
     * `GET /api-keys`
     */
    public function list(): mixed {
        return $this->requests->call('GET', '/api-keys');
    }

    /**
     * Create an API key
     *
     * A key with its own scopes, sent as `Authorization: Bearer`. Within its scopes it is accepted wherever the
     * secret key is. It is shown only in this response. At most 100 in a project.
     *
     * `POST /api-keys`
     */
    public function create(
        array|object $body,
    ): mixed {
        return $this->requests->call('POST', '/api-keys', body: $body);
    }

    /**
     * Read an API key
     *
     * One API key, without the key itself.
     *
     * `GET /api-keys/{id}`
     */
    public function get(
        string $id,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/api-keys/%s', $id));
    }

    /**
     * Change an API key
     *
     * When the response arrives, the change applies in every process.
     *
     * `PATCH /api-keys/{id}`
     */
    public function update(
        string $id,
        array|object|null $body = null,
    ): mixed {
        return $this->requests->call('PATCH', Requests::path('/api-keys/%s', $id), body: $body);
    }

    /**
     * Revoke an API key
     *
     * When the response arrives, no process accepts the key. Mail that is already accepted is still
     * delivered.
     *
     * `DELETE /api-keys/{id}`
     */
    public function remove(
        string $id,
    ): mixed {
        return $this->requests->call('DELETE', Requests::path('/api-keys/%s', $id));
    }

    /**
     * Replace an API key
     *
     * Creates a new key with the same settings. The old key is accepted until `previousValidUntil`; a key from
     * an earlier rotation stops working at once.
     *
     * `POST /api-keys/{id}/rotate`
     */
    public function rotate(
        string $id,
        array|object|null $body = null,
    ): mixed {
        return $this->requests->call('POST', Requests::path('/api-keys/%s/rotate', $id), body: $body);
    }
}

/**
 * SMTP servers of the project, and their routes.
 */
final class Transports
{
    public function __construct(private readonly Requests $requests)
    {
    }

    /**
     * List transports
     *
     * Newest first, without their passwords.
     *
     * `GET /transports`
     */
    public function list(): mixed {
        return $this->requests->call('GET', '/transports');
    }

    /**
     * Add a transport
     *
     * Opens a session with the server first; nothing is stored if that fails. Connections use TLS with a valid
     * certificate and go to public addresses only. At most 20 in a project, and 30 such tests an
     * hour.
     *
     * `POST /transports`
     */
    public function create(
        array|object $body,
    ): mixed {
        return $this->requests->call('POST', '/transports', body: $body);
    }

    /**
     * Read the routes
     *
     * The routes, which choose the transports for mail.
     *
     * `GET /transports/routes`
     */
    public function routes(): mixed {
        return $this->requests->call('GET', '/transports/routes');
    }

    /**
     * Replace the routes
     *
     * Applies to attempts from one second later on. Mail that matches no route uses the transports of the
     * installation.
     *
     * `PUT /transports/routes`
     */
    public function setRoutes(
        array|object $body,
    ): mixed {
        return $this->requests->call('PUT', '/transports/routes', body: $body);
    }

    /**
     * Read a transport
     *
     * One transport, without its password.
     *
     * `GET /transports/{id}`
     */
    public function get(
        string $id,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/transports/%s', $id));
    }

    /**
     * Change a transport
     *
     * A change of `host`, `port`, `tls`, `user` or `password` opens a session first; nothing is stored if that
     * fails.
     *
     * `PATCH /transports/{id}`
     */
    public function update(
        string $id,
        array|object|null $body = null,
    ): mixed {
        return $this->requests->call('PATCH', Requests::path('/transports/%s', $id), body: $body);
    }

    /**
     * Remove a transport
     *
     * Refused while a route uses it.
     *
     * `DELETE /transports/{id}`
     */
    public function remove(
        string $id,
    ): mixed {
        return $this->requests->call('DELETE', Requests::path('/transports/%s', $id));
    }

    /**
     * Check a transport
     *
     * Opens a session without sending mail. Returns the result of an earlier check if it is less than 10
     * seconds old.
     *
     * `POST /transports/{id}/verify`
     */
    public function verify(
        string $id,
    ): mixed {
        return $this->requests->call('POST', Requests::path('/transports/%s/verify', $id));
    }
}

/**
 * Endpoints that receive events.
 */
final class Webhooks
{
    public function __construct(private readonly Requests $requests)
    {
    }

    /**
     * List webhooks
     *
     * Newest first, without their secrets.
     *
     * `GET /webhooks`
     */
    public function list(): mixed {
        return $this->requests->call('GET', '/webhooks');
    }

    /**
     * Add a webhook
     *
     * From now on the URL receives the events that match the patterns, signed by the Standard Webhooks
     * convention. The secret is shown only in this response. At most 20 in a project.
     *
     * `POST /webhooks`
     */
    public function create(
        array|object $body,
    ): mixed {
        return $this->requests->call('POST', '/webhooks', body: $body);
    }

    /**
     * Read a webhook
     *
     * One endpoint, without its secret.
     *
     * `GET /webhooks/{id}`
     */
    public function get(
        string $id,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/webhooks/%s', $id));
    }

    /**
     * Change a webhook
     *
     * A disabled endpoint receives nothing, and its waiting deliveries fail; `POST /webhooks/{id}/replay`
     * delivers them later. With `ifUpdatedAt`, only if nothing has changed the webhook since, else 409 with
     * reason `changed_meanwhile`.
     *
     * `PATCH /webhooks/{id}`
     */
    public function update(
        string $id,
        array|object|null $body = null,
    ): mixed {
        return $this->requests->call('PATCH', Requests::path('/webhooks/%s', $id), body: $body);
    }

    /**
     * Remove a webhook
     *
     * Ends its waiting deliveries and deletes its log.
     *
     * `DELETE /webhooks/{id}`
     */
    public function remove(
        string $id,
    ): mixed {
        return $this->requests->call('DELETE', Requests::path('/webhooks/%s', $id));
    }

    /**
     * Replace the secret of a webhook
     *
     * For 24 hours, requests have two signatures: one with the new secret and one with the previous
     * secret.
     *
     * `POST /webhooks/{id}/rotate-secret`
     */
    public function rotateSecret(
        string $id,
    ): mixed {
        return $this->requests->call('POST', Requests::path('/webhooks/%s/rotate-secret', $id));
    }

    /**
     * Test a webhook
     *
     * Delivers one `webhook.test`, even to a disabled endpoint.
     *
     * `POST /webhooks/{id}/test`
     */
    public function test(
        string $id,
    ): mixed {
        return $this->requests->call('POST', Requests::path('/webhooks/%s/test', $id));
    }

    /**
     * List deliveries
     *
     * Deliveries to the endpoint, newest first. They are kept for 30 days.
     *
     * `GET /webhooks/{id}/deliveries`
     */
    public function deliveries(
        string $id,
        ?int $limit = null,
        ?string $cursor = null,
        ?string $status = null,
        ?string $type = null,
        ?string $startDate = null,
        ?string $endDate = null,
    ): Items {
        return new Items($this->requests, 'GET', Requests::path('/webhooks/%s/deliveries', $id), ['limit' => $limit, 'cursor' => $cursor, 'status' => $status, 'type' => $type, 'startDate' => $startDate, 'endDate' => $endDate]);
    }

    /**
     * Read a delivery
     *
     * With its payload and every attempt.
     *
     * `GET /webhooks/{id}/deliveries/{deliveryId}`
     */
    public function delivery(
        string $id,
        string $deliveryId,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/webhooks/%s/deliveries/%s', $id, $deliveryId));
    }

    /**
     * Deliver again
     *
     * Starts a new series of attempts with the same `webhook-id` and payload. 200 if the delivery is still
     * pending.
     *
     * `POST /webhooks/{id}/deliveries/{deliveryId}/replay`
     */
    public function replayDelivery(
        string $id,
        string $deliveryId,
    ): mixed {
        return $this->requests->call('POST', Requests::path('/webhooks/%s/deliveries/%s/replay', $id, $deliveryId));
    }

    /**
     * Deliver many again
     *
     * Repeats deliveries of a period that failed, or delivers events of the period that were missed. Delivers
     * nothing to a disabled endpoint.
     *
     * `POST /webhooks/{id}/replay`
     */
    public function replay(
        string $id,
        array|object $body,
    ): mixed {
        return $this->requests->call('POST', Requests::path('/webhooks/%s/replay', $id), body: $body);
    }
}

/**
 * Users who may act for the project.
 */
final class Members
{
    public function __construct(private readonly Requests $requests)
    {
    }

    /**
     * List members
     *
     * Members, oldest first, then open invitations.
     *
     * `GET /projects/{id}/members`
     */
    public function list(
        string $id,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/projects/%s/members', $id));
    }

    /**
     * Invite a member
     *
     * For OWNER and ADMIN with a confirmed address; with the secret key the OWNER's address must be confirmed.
     * The address gets an email with a link that is valid for 7 days; its owner becomes a member by accepting.
     * At most 100 members and invitations, 3 emails an hour to one address, and 100 emails a day from one
     * inviting account, including withdrawn invitations; invitations with the secret key count for the
     * OWNER.
     *
     * `POST /projects/{id}/members`
     */
    public function invite(
        string $id,
        array|object $body,
    ): mixed {
        return $this->requests->call('POST', Requests::path('/projects/%s/members', $id), body: $body);
    }

    /**
     * Change the role of a member
     *
     * For OWNER and ADMIN. A member cannot change their own role or the OWNER's. The OWNER can offer the
     * project to a member: the response has `pendingRole`, and the member gets an email with a link that is
     * valid for 7 days. Giving the member another role withdraws the offer.
     *
     * `PATCH /projects/{id}/members/{userId}`
     */
    public function update(
        string $id,
        string $userId,
        array|object $body,
    ): mixed {
        return $this->requests->call('PATCH', Requests::path('/projects/%s/members/%s', $id, $userId), body: $body);
    }

    /**
     * Remove a member
     *
     * For OWNER and ADMIN; members may leave. The OWNER can neither be removed nor leave.
     *
     * `DELETE /projects/{id}/members/{userId}`
     */
    public function remove(
        string $id,
        string $userId,
    ): mixed {
        return $this->requests->call('DELETE', Requests::path('/projects/%s/members/%s', $id, $userId));
    }
}

/**
 * Invitations to the project.
 */
final class Invitations
{
    public function __construct(private readonly Requests $requests)
    {
    }

    /**
     * List invitations
     *
     * The open invitations, oldest first.
     *
     * `GET /projects/{id}/invitations`
     */
    public function list(
        string $id,
    ): mixed {
        return $this->requests->call('GET', Requests::path('/projects/%s/invitations', $id));
    }

    /**
     * Withdraw an invitation
     *
     * For OWNER and ADMIN; only the OWNER withdraws an offer of ownership. The link stops
     * working.
     *
     * `DELETE /projects/{id}/invitations/{invitationId}`
     */
    public function remove(
        string $id,
        string $invitationId,
    ): mixed {
        return $this->requests->call('DELETE', Requests::path('/projects/%s/invitations/%s', $id, $invitationId));
    }
}

/** Every operation that takes a key, as a method. */
class Resources
{
    public readonly Contacts $contacts;
    public readonly OptIns $optIns;
    public readonly Segments $segments;
    public readonly Topics $topics;
    public readonly Consents $consents;
    public readonly PrivacyRequests $privacyRequests;
    public readonly Forms $forms;
    public readonly Templates $templates;
    public readonly Partials $partials;
    public readonly Campaigns $campaigns;
    public readonly Workflows $workflows;
    public readonly Executions $executions;
    public readonly Domains $domains;
    public readonly Emails $emails;
    public readonly Suppressions $suppressions;
    public readonly Events $events;
    public readonly Activity $activity;
    public readonly Analytics $analytics;
    public readonly Deliverability $deliverability;
    public readonly Search $search;
    public readonly Views $views;
    public readonly Uploads $uploads;
    public readonly Settings $settings;
    public readonly Projects $projects;
    public readonly ApiKeys $apiKeys;
    public readonly Transports $transports;
    public readonly Webhooks $webhooks;
    public readonly Members $members;
    public readonly Invitations $invitations;

    public function __construct(private readonly Requests $requests)
    {
        $this->contacts = new Contacts($requests);
        $this->optIns = new OptIns($requests);
        $this->segments = new Segments($requests);
        $this->topics = new Topics($requests);
        $this->consents = new Consents($requests);
        $this->privacyRequests = new PrivacyRequests($requests);
        $this->forms = new Forms($requests);
        $this->templates = new Templates($requests);
        $this->partials = new Partials($requests);
        $this->campaigns = new Campaigns($requests);
        $this->workflows = new Workflows($requests);
        $this->executions = new Executions($requests);
        $this->domains = new Domains($requests);
        $this->emails = new Emails($requests);
        $this->suppressions = new Suppressions($requests);
        $this->events = new Events($requests);
        $this->activity = new Activity($requests);
        $this->analytics = new Analytics($requests);
        $this->deliverability = new Deliverability($requests);
        $this->search = new Search($requests);
        $this->views = new Views($requests);
        $this->uploads = new Uploads($requests);
        $this->settings = new Settings($requests);
        $this->projects = new Projects($requests);
        $this->apiKeys = new ApiKeys($requests);
        $this->transports = new Transports($requests);
        $this->webhooks = new Webhooks($requests);
        $this->members = new Members($requests);
        $this->invitations = new Invitations($requests);
    }

    /**
     * Track an event
     *
     * Records what a contact did, and creates or updates the contact. Needs the public key. A repeated call
     * records another event, unless it has an `Idempotency-Key`. The `publicKeyPolicy` of the project defines
     * what the key may do; at most 60 calls a minute for one contact, and 600 from one client
     * address.
     *
     * `POST /v1/track`
     */
    public function track(
        array|object $body,
        ?string $idempotencyKey = null,
    ): mixed {
        return $this->requests->call('POST', '/v1/track', body: $body, public: true, keyed: true, idempotencyKey: $idempotencyKey);
    }

    /**
     * Send email
     *
     * Sends a separate email to each of 1 to 1,000 recipients; the contacts are created or updated. Requires a
     * template, or subject and body. All recipients are accepted or none. 200 means stored and queued: `GET
     * /emails/{id}` has the delivery state. At most 40 MB.
     *
     * `POST /v1/send`
     */
    public function send(
        array|object $body,
        ?string $idempotencyKey = null,
    ): mixed {
        return $this->requests->call('POST', '/v1/send', body: $body, keyed: true, idempotencyKey: $idempotencyKey);
    }

    /**
     * Send a batch
     *
     * Sends 1 to 1,000 different emails in one request and one transaction. `atomic` decides whether a faulty
     * item refuses the whole batch or only itself. An item with an `idempotencyKey` counts as `POST /v1/send`
     * with that key: with `Idempotency-Mode: replay`, a repeated batch sends only the items that were not
     * accepted before. At most 40 MB.
     *
     * `POST /v1/batch`
     */
    public function batch(
        array|object $body,
        ?string $idempotencyKey = null,
    ): mixed {
        return $this->requests->call('POST', '/v1/batch', body: $body, keyed: true, idempotencyKey: $idempotencyKey);
    }

    /**
     * Verify an address
     *
     * Checks the syntax of the address and looks up its domain in the DNS. The mail server is not contacted, no
     * mail is sent, nothing is stored and no contact is created.
     *
     * `POST /v1/verify`
     */
    public function verify(
        array|object $body,
    ): mixed {
        return $this->requests->call('POST', '/v1/verify', body: $body);
    }
}

# Generated from openapi.json by generate.ts; not to be edited.
from __future__ import annotations

from typing import Any, Literal

from ._requests import Items, Requests, path


class Contacts:
    """People, one for each address, with the custom data that their mail is rendered from."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        search: str | None = None,
        email: str | None = None,
        external_id: str | None = None,
        subscribed: bool | None = None,
        sort: Literal["createdAt", "email"] | None = None,
        dir: Literal["desc", "asc"] | None = None,
    ) -> Items[Any]:
        """List contacts

        The contacts of the project, newest first unless sorted otherwise.

        `GET /contacts`
        """
        return Items(self._requests, "GET", "/contacts", {"limit": limit, "cursor": cursor, "search": search, "email": email, "externalId": external_id, "subscribed": subscribed, "sort": sort, "dir": dir})

    def upsert(
        self,
        body: Any = None,
    ) -> Any:
        """Create or update a contact by its address or external id

        201 when the contact is new, 200 when it existed; `_meta` says which. Concurrent calls for one address
        create one contact with all data merged. A contact with the `externalId` gets the address of the call;
        409 `EMAIL_ALREADY_EXISTS` if another contact has that address, and 409 with reason `external_id_taken`
        if the contact with the address has another external id.

        `POST /contacts`
        """
        return self._requests.call("POST", "/contacts", body=body)

    def get(
        self,
        id: str,
    ) -> Any:
        """Read a contact

        One contact with its custom data.

        `GET /contacts/{id}`
        """
        return self._requests.call("GET", path("/contacts/{}", id))

    def update(
        self,
        id: str,
        body: Any = None,
    ) -> Any:
        """Change a contact

        Absent fields keep their values. 409 with reason `external_id_taken` if another contact has the
        `externalId`. A changed `subscribed` emits `contact.subscribed` or `contact.unsubscribed`. When the
        address changes, history and segments stay with the contact; suppressions stay with the old
        address.

        `PATCH /contacts/{id}`
        """
        return self._requests.call("PATCH", path("/contacts/{}", id), body=body)

    def delete(
        self,
        id: str,
    ) -> Any:
        """Delete a contact

        Deletes the contact with its events and memberships, and cannot be undone. Mail not yet sent is
        cancelled, records of sent mail stay without the contact, and a suppression of the address
        stays.

        `DELETE /contacts/{id}`
        """
        return self._requests.call("DELETE", path("/contacts/{}", id))

    def links(
        self,
        id: str,
    ) -> Any:
        """Links to the pages of a contact

        For an application that shows the pages to its signed-in user. A person who has a link acts for the
        contact; links do not expire.

        `GET /contacts/{id}/links`
        """
        return self._requests.call("GET", path("/contacts/{}/links", id))

    def sending_state(
        self,
        id: str,
    ) -> Any:
        """Read how the sending policy acts on a contact

        By the rules of `/settings/sending` at this moment, in the time zone of the contact.

        `GET /contacts/{id}/sending-state`
        """
        return self._requests.call("GET", path("/contacts/{}/sending-state", id))

    def merge(
        self,
        id: str,
        body: Any = None,
    ) -> Any:
        """Merge another contact into a contact

        The contact of the path stays, with its id and address; the one of the body goes. Its events, mails,
        ended executions and static segments move, keys that are missing in the data come from it, its external
        id becomes a further one, and its links act on the contact that stays. Of two subscriptions the stricter
        wins. Active executions of it are cancelled, and its unsent mail goes to the address that stays, unless
        that has its own from the same campaign. 404 for its id then names the other in `details.mergedInto`. At
        most 50,000 events and mails. Cannot be undone.

        `POST /contacts/{id}/merge`
        """
        return self._requests.call("POST", path("/contacts/{}/merge", id), body=body)

    def query(
        self,
        body: Any = None,
    ) -> Items[Any]:
        """List contacts by a condition

        The contacts that match a condition, or the members of a segment, newest first unless sorted otherwise.
        Without either, all contacts. Changes nothing, so it also works while the project is
        disabled.

        `POST /contacts/query`
        """
        return Items(self._requests, "POST", "/contacts/query", body or {})

    def count(
        self,
        body: Any = None,
    ) -> Any:
        """Count contacts by a condition

        The number of contacts that match a condition or are members of a segment; without either, of all. With
        `for`, also how many of them a campaign with mail of that type would reach, and why it would not reach
        the others. Changes nothing, so it also works while the project is disabled.

        `POST /contacts/count`
        """
        return self._requests.call("POST", "/contacts/count", body=body)

    def segments(
        self,
        id: str,
    ) -> Any:
        """List the segments of a contact

        The segments that contain the contact now, newest segment first, at most 1,000. Dynamic segments are
        evaluated by this request.

        `GET /contacts/{id}/segments`
        """
        return self._requests.call("GET", path("/contacts/{}/segments", id))

    def verify(
        self,
        body: Any,
    ) -> Any:
        """Verify an address with a session

        The same as `POST /v1/verify`, which takes keys only: also with a session. Nothing is stored and no
        contact is created.

        `POST /contacts/verify`
        """
        return self._requests.call("POST", "/contacts/verify", body=body)

    def lookup(
        self,
        body: Any = None,
    ) -> Any:
        """Look up which addresses exist

        Up to 500 addresses in one call. A malformed address is not an error: it counts as not found and is
        listed in `invalid`.

        `POST /contacts/lookup`
        """
        return self._requests.call("POST", "/contacts/lookup", body=body)

    def fields(
        self,
    ) -> Any:
        """List the fields of contacts

        Standard fields and custom fields in use, with the type of their values and the share of contacts that
        have them; at most the 10,000 most frequent ones. The response may be up to 60 seconds
        old.

        `GET /contacts/fields`
        """
        return self._requests.call("GET", "/contacts/fields")

    def field_values(
        self,
        field: str,
        *,
        limit: int | None = None,
    ) -> Any:
        """List the values of a custom field

        Distinct values with their JSON type, ordered as text. `subscribed` has two. Other standard fields and
        unknown fields have none.

        `GET /contacts/fields/{field}/values`
        """
        return self._requests.call("GET", path("/contacts/fields/{}/values", field), query={"limit": limit})

    def field_usage(
        self,
        field: str,
    ) -> Any:
        """List the references to a field

        Segments, campaigns that are not sent yet and workflows that name the field or a path below
        it.

        `GET /contacts/fields/{field}/usage`
        """
        return self._requests.call("GET", path("/contacts/fields/{}/usage", field))

    def delete_field(
        self,
        field: str,
    ) -> Any:
        """Delete a custom field from all contacts

        Cannot be undone; no events are emitted. Refused while something uses the field, and for standard fields.
        If the request is interrupted, repeat it.

        `DELETE /contacts/fields/{field}`
        """
        return self._requests.call("DELETE", path("/contacts/fields/{}", field))

    def imports(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        group_id: str | None = None,
        state: Literal["waiting", "active", "completed", "failed", "cancelled"] | None = None,
    ) -> Items[Any]:
        """List imports

        The imports of the last 30 days and those under way, newest first, without their faulty
        rows.

        `GET /contacts/import`
        """
        return Items(self._requests, "GET", "/contacts/import", {"limit": limit, "cursor": cursor, "groupId": group_id, "state": state})

    def import_(
        self,
        body: Any,
    ) -> Any:
        """Import contacts from a CSV file

        At most 5 MB, 100,000 rows and 100 columns; UTF-8, with a header line that has a column `email` or
        `externalId`. An `externalId` finds the contact before the address does, as in `POST /contacts`; a row
        whose id and address belong to two contacts is faulty. A column `subscribed` says whether a contact may
        get marketing mail. Every other column is stored in the data under its header. Rows are upserted in the
        order of the file; the last row of an address wins; empty cells are ignored. `mapping` gives columns
        other targets; a dry run counts new, changed and faulty rows first. 409 with reason `segment_not_static`.
        Queued; `GET /contacts/import/{jobId}` has the progress and the result.

        `POST /contacts/import`
        """
        return self._requests.call("POST", "/contacts/import", body=body, as_form=True)

    def cancel_import(
        self,
        job_id: str,
    ) -> Any:
        """Cancel an import

        Rows that were imported stay, and no further ones follow. 409 with reason `already_finished` for an
        import that has ended.

        `POST /contacts/import/{jobId}/cancel`
        """
        return self._requests.call("POST", path("/contacts/import/{}/cancel", job_id))

    def import_job(
        self,
        job_id: str,
    ) -> Any:
        """Read an import

        The progress, and the faulty rows of the file. Faulty rows do not affect the others.

        `GET /contacts/import/{jobId}`
        """
        return self._requests.call("GET", path("/contacts/import/{}", job_id))

    def import_errors(
        self,
        job_id: str,
    ) -> Any:
        """Download the faulty rows of an import

        CSV with the columns `row`, `error` and those of the file, whose cells are as given, so that the rows can
        be corrected and imported again. At most 10,000 rows. Kept as long as the import, for 30 days. A text
        that a spreadsheet would run as a formula starts with an apostrophe.

        `GET /contacts/import/{jobId}/errors`
        """
        return self._requests.call("GET", path("/contacts/import/{}/errors", job_id), stream=True)

    def bulk_subscribe(
        self,
        body: Any,
    ) -> Any:
        """Subscribe many contacts

        Up to 1,000 contacts by id. Each contact that was not subscribed emits `contact.subscribed`. Queued; `GET
        /contacts/bulk/{jobId}` has the progress and the result.

        `POST /contacts/bulk-subscribe`
        """
        return self._requests.call("POST", "/contacts/bulk-subscribe", body=body)

    def bulk_unsubscribe(
        self,
        body: Any,
    ) -> Any:
        """Unsubscribe many contacts

        Up to 1,000 contacts by id. Each contact that was subscribed emits `contact.unsubscribed`. Queued; `GET
        /contacts/bulk/{jobId}` has the progress and the result.

        `POST /contacts/bulk-unsubscribe`
        """
        return self._requests.call("POST", "/contacts/bulk-unsubscribe", body=body)

    def bulk_delete(
        self,
        body: Any,
    ) -> Any:
        """Delete many contacts

        Up to 1,000 contacts by id. For OWNER and ADMIN. Cannot be undone. Queued; `GET /contacts/bulk/{jobId}`
        has the progress and the result.

        `POST /contacts/bulk-delete`
        """
        return self._requests.call("POST", "/contacts/bulk-delete", body=body)

    def bulk_jobs(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        state: Literal["waiting", "active", "completed", "failed", "cancelled"] | None = None,
    ) -> Items[Any]:
        """List bulk jobs

        The bulk jobs of the last 30 days and those under way, newest first, without their
        errors.

        `GET /contacts/bulk`
        """
        return Items(self._requests, "GET", "/contacts/bulk", {"limit": limit, "cursor": cursor, "state": state})

    def bulk(
        self,
        body: Any,
    ) -> Any:
        """Change selected contacts

        The contacts that a condition, a segment or a list of ids selects now, or all. `dryRun` counts them and
        gives the token that confirms the same change for 15 minutes; without it, more than 1,000 contacts
        (`delete`: 100) are 409 with reason `confirmation_required`. If many more match by then, 409 with reason
        `audience_changed`. `delete` is for OWNER and ADMIN. Queued; one job of a project runs at a time, and at
        most 20 wait.

        `POST /contacts/bulk`
        """
        return self._requests.call("POST", "/contacts/bulk", body=body)

    def cancel_bulk(
        self,
        job_id: str,
    ) -> Any:
        """Cancel a bulk job

        Contacts that were changed stay so, and no further ones follow. 409 with reason `already_finished` for a
        job that has ended.

        `POST /contacts/bulk/{jobId}/cancel`
        """
        return self._requests.call("POST", path("/contacts/bulk/{}/cancel", job_id))

    def bulk_job(
        self,
        job_id: str,
    ) -> Any:
        """Read a bulk job

        The progress, and the reason for each contact that could not be changed.

        `GET /contacts/bulk/{jobId}`
        """
        return self._requests.call("GET", path("/contacts/bulk/{}", job_id))

    def topics(
        self,
        id: str,
    ) -> Any:
        """List the topics of a contact

        Every topic of the project that is not archived, by position, and what the contact said about
        it.

        `GET /contacts/{id}/topics`
        """
        return self._requests.call("GET", path("/contacts/{}/topics", id))

    def consents(
        self,
        id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Items[Any]:
        """List the records of consent of a contact

        Newest first. The first record of a contact that was created subscribed follows from the
        contact.

        `GET /contacts/{id}/consents`
        """
        return Items(self._requests, "GET", path("/contacts/{}/consents", id), {"limit": limit, "cursor": cursor})

    def export(
        self,
        *,
        format: Literal["csv", "ndjson"] | None = None,
        search: str | None = None,
        subscribed: bool | None = None,
        segment_id: str | None = None,
    ) -> Any:
        """Export contacts

        A file of all contacts, or of those that match the query, ordered by id, each at most once. CSV has the
        columns id, email, subscribed, createdAt, updatedAt and every custom field; objects and lists are JSON,
        and a text that a spreadsheet would run as a formula starts with an apostrophe. With more than 10,000
        custom fields, only NDJSON is possible.

        `GET /contacts/export`
        """
        return self._requests.call("GET", "/contacts/export", query={"format": format, "search": search, "subscribed": subscribed, "segmentId": segment_id}, stream=True)

    def export_selected(
        self,
        body: Any = None,
    ) -> Any:
        """Export selected contacts

        As `GET /contacts/export`, for the contacts that match a condition, are members of a segment or are named
        by their ids; at most one of the three.

        `POST /contacts/export`
        """
        return self._requests.call("POST", "/contacts/export", body=body, stream=True)

    def export_one(
        self,
        id: str,
    ) -> Any:
        """Export everything about a contact

        The contact with its events, mail, segments, workflow executions and suppression.

        `GET /contacts/{id}/export`
        """
        return self._requests.call("GET", path("/contacts/{}/export", id))

    def erase(
        self,
        id: str,
    ) -> Any:
        """Erase a contact

        Deletes the contact and removes personal data from the records of its mail; their state and times stay,
        so counts do not change. A suppression of the address is kept only as a keyed hash. Cannot be
        undone.

        `POST /contacts/{id}/erase`
        """
        return self._requests.call("POST", path("/contacts/{}/erase", id))


class OptIns:
    """Double opt-in: contacts confirm by mail that they want what was asked for."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        status: Literal["PENDING", "CONFIRMED", "DECLINED", "EXPIRED", "CANCELLED"] | None = None,
        source: Literal["api", "send", "track", "import", "bulk", "workflow", "form", "page", "one_click", "double_opt_in", "bounce", "complaint", "merge"] | None = None,
        start_date: str | None = None,
        end_date: str | None = None,
    ) -> Items[Any]:
        """List opt-ins

        Requests to confirm subscriptions, newest first.

        `GET /opt-ins`
        """
        return Items(self._requests, "GET", "/opt-ins", {"limit": limit, "cursor": cursor, "status": status, "source": source, "startDate": start_date, "endDate": end_date})

    def request(
        self,
        id: str,
        body: Any = None,
    ) -> Any:
        """Ask a contact to confirm

        Stores the request and its confirmation mail. While one is open, what is asked for is added to it. 409
        with reason `already_confirmed` if the contact has all of it, or `suppressed`; 429 after one mail in a
        minute or ten in a day.

        `POST /contacts/{id}/opt-in`
        """
        return self._requests.call("POST", path("/contacts/{}/opt-in", id), body=body)

    def cancel(
        self,
        id: str,
    ) -> Any:
        """End a contact's open opt-in

        Its links do nothing from then on, and a confirmation mail that waits is cancelled.

        `DELETE /contacts/{id}/opt-in`
        """
        return self._requests.call("DELETE", path("/contacts/{}/opt-in", id))

    def of_contact(
        self,
        id: str,
    ) -> Any:
        """List a contact's opt-ins

        All of them, newest first.

        `GET /contacts/{id}/opt-ins`
        """
        return self._requests.call("GET", path("/contacts/{}/opt-ins", id))


class Segments:
    """Named groups of contacts, by a condition or by hand."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def list(
        self,
    ) -> Any:
        """List segments

        Every segment of the project, newest first, without pages.

        `GET /segments`
        """
        return self._requests.call("GET", "/segments")

    def create(
        self,
        body: Any,
    ) -> Any:
        """Create a segment

        The members are counted at once. The slug in the names of its events is set now and never
        changes.

        `POST /segments`
        """
        return self._requests.call("POST", "/segments", body=body)

    def get(
        self,
        id: str,
    ) -> Any:
        """Read a segment

        One segment with its cached `memberCount`.

        `GET /segments/{id}`
        """
        return self._requests.call("GET", path("/segments/{}", id))

    def update(
        self,
        id: str,
        body: Any = None,
    ) -> Any:
        """Change a segment

        Absent fields keep their values. With `ifUpdatedAt`, only if nothing has changed the segment since, else
        409 with reason `changed_meanwhile`. Members are counted again when the condition changes. Turning
        tracking off ends the tracked memberships without events. Turning it on again starts with no
        members.

        `PATCH /segments/{id}`
        """
        return self._requests.call("PATCH", path("/segments/{}", id), body=body)

    def delete(
        self,
        id: str,
    ) -> Any:
        """Delete a segment

        Deletes the segment and its memberships without events. Refused while a campaign in DRAFT, SCHEDULED or
        SENDING, another segment's condition or a workflow uses it.

        `DELETE /segments/{id}`
        """
        return self._requests.call("DELETE", path("/segments/{}", id))

    def contacts(
        self,
        id: str,
        *,
        page: int | None = None,
        page_size: int | None = None,
    ) -> Items[Any]:
        """List the members of a segment

        For a dynamic segment, the contacts that match now, newest contact first. For a static one, its members,
        newest member first.

        `GET /segments/{id}/contacts`
        """
        return Items(self._requests, "GET", path("/segments/{}/contacts", id), {"page": page, "pageSize": page_size})

    def add_members(
        self,
        id: str,
        body: Any,
    ) -> Any:
        """Add to a static segment

        By address, all or none. Contacts that this creates emit no subscription event.

        `POST /segments/{id}/members`
        """
        return self._requests.call("POST", path("/segments/{}/members", id), body=body)

    def remove_members(
        self,
        id: str,
        body: Any,
    ) -> Any:
        """Remove from a static segment

        By address, in a JSON body.

        `DELETE /segments/{id}/members`
        """
        return self._requests.call("DELETE", path("/segments/{}/members", id), body=body)

    def compute(
        self,
        id: str,
    ) -> Any:
        """Recompute the members of a tracked segment

        Stores which contacts joined and left, and emits an event for each. 400 for a dynamic segment that does
        not track its membership; a static one has nothing to recompute.

        `POST /segments/{id}/compute`
        """
        return self._requests.call("POST", path("/segments/{}/compute", id))

    def refresh(
        self,
        id: str,
    ) -> Any:
        """Count the members of a segment

        Only updates the count: emits no events and stores no membership.

        `POST /segments/{id}/refresh`
        """
        return self._requests.call("POST", path("/segments/{}/refresh", id))


class Topics:
    """Kinds of mail that contacts take or leave, apart from all other mail."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def list(
        self,
        *,
        archived: Literal["false", "true", "all"] | None = None,
    ) -> Any:
        """List topics

        By position, without pages. Archived topics are left out unless asked for.

        `GET /topics`
        """
        return self._requests.call("GET", "/topics", query={"archived": archived})

    def create(
        self,
        body: Any,
    ) -> Any:
        """Create a topic

        A project has at most 100 topics, archived ones included. 409 with reason `key_taken` if another topic
        has the key.

        `POST /topics`
        """
        return self._requests.call("POST", "/topics", body=body)

    def get(
        self,
        topic: str,
    ) -> Any:
        """Read a topic

        By its id or its key, with its counts.

        `GET /topics/{topic}`
        """
        return self._requests.call("GET", path("/topics/{}", topic))

    def update(
        self,
        topic: str,
        body: Any = None,
    ) -> Any:
        """Change a topic

        Absent fields keep their values. Key and `defaultSubscription` never change. An archived topic is gone
        from pages, forms, and new campaigns, templates and sends; scheduled campaigns and mail that is already
        made go on, and the states of contacts stay.

        `PATCH /topics/{topic}`
        """
        return self._requests.call("PATCH", path("/topics/{}", topic), body=body)

    def delete(
        self,
        topic: str,
    ) -> Any:
        """Delete a topic

        Refused while a campaign in DRAFT, SCHEDULED or SENDING, a template, a step of a workflow, a form or a
        segment uses it; the details list them. What contacts said about it is gone at once.

        `DELETE /topics/{topic}`
        """
        return self._requests.call("DELETE", path("/topics/{}", topic))

    def usage(
        self,
        topic: str,
    ) -> Any:
        """List the uses of a topic

        What uses the topic, at most 100 of each kind, and whether it can be deleted.

        `GET /topics/{topic}/usage`
        """
        return self._requests.call("GET", path("/topics/{}/usage", topic))

    def contacts(
        self,
        topic: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        state: Literal["takes", "subscribed", "unsubscribed", "pending"] | None = None,
    ) -> Items[Any]:
        """List the contacts of a topic

        Those that take the topic, snoozes aside, or those that said yes or no, or were asked to confirm; newest
        first.

        `GET /topics/{topic}/contacts`
        """
        return Items(self._requests, "GET", path("/topics/{}/contacts", topic), {"limit": limit, "cursor": cursor, "state": state})


class Consents:
    """What proves that contacts agreed to mail, or withdrew."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        contact_id: str | None = None,
        email: str | None = None,
        topic: str | None = None,
        action: Literal["requested", "granted", "withdrawn", "declined", "expired", "merged"] | None = None,
        source: Literal["api", "send", "track", "import", "bulk", "workflow", "form", "page", "one_click", "double_opt_in", "bounce", "complaint", "merge"] | None = None,
        form_id: str | None = None,
        start_date: str | None = None,
        end_date: str | None = None,
    ) -> Items[Any]:
        """List records of consent

        Newest first. A contact that was created subscribed and did nothing since has one record, which follows
        from the contact.

        `GET /consents`
        """
        return Items(self._requests, "GET", "/consents", {"limit": limit, "cursor": cursor, "contactId": contact_id, "email": email, "topic": topic, "action": action, "source": source, "formId": form_id, "startDate": start_date, "endDate": end_date})

    def export(
        self,
        *,
        format: Literal["csv", "ndjson"] | None = None,
        contact_id: str | None = None,
        email: str | None = None,
        topic: str | None = None,
        action: Literal["requested", "granted", "withdrawn", "declined", "expired", "merged"] | None = None,
        source: Literal["api", "send", "track", "import", "bulk", "workflow", "form", "page", "one_click", "double_opt_in", "bounce", "complaint", "merge"] | None = None,
        form_id: str | None = None,
        start_date: str | None = None,
        end_date: str | None = None,
    ) -> Any:
        """Export records of consent

        For OWNER and ADMIN. A file of all records, or of those that match the query, newest first. CSV has a
        column for each field; evidence is JSON, and a text that a spreadsheet would run as a formula starts with
        an apostrophe.

        `GET /consents/export`
        """
        return self._requests.call("GET", "/consents/export", query={"format": format, "contactId": contact_id, "email": email, "topic": topic, "action": action, "source": source, "formId": form_id, "startDate": start_date, "endDate": end_date}, stream=True)


class PrivacyRequests:
    """What recipients ask about their data on the page of preferences."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        status: Literal["UNCONFIRMED", "OPEN", "DONE", "REFUSED", "EXPIRED"] | None = None,
        type: Literal["EXPORT", "ERASURE"] | None = None,
    ) -> Items[Any]:
        """List privacy requests

        What recipients asked about their data, newest first. Kept for three years.

        `GET /privacy-requests`
        """
        return Items(self._requests, "GET", "/privacy-requests", {"limit": limit, "cursor": cursor, "status": status, "type": type})

    def get(
        self,
        id: str,
    ) -> Any:
        """Get a privacy request

        Requests with their state. After an erasure a request names no person.

        `GET /privacy-requests/{id}`
        """
        return self._requests.call("GET", path("/privacy-requests/{}", id))

    def complete(
        self,
        id: str,
    ) -> Any:
        """Do what a recipient asked for

        For OWNER and ADMIN. Erases the person, as `POST /contacts/{id}/erase` does. Cannot be undone. 409 with
        reason `already_finished` unless the request is `OPEN`. Also works while the project is
        disabled.

        `POST /privacy-requests/{id}/complete`
        """
        return self._requests.call("POST", path("/privacy-requests/{}/complete", id))

    def refuse(
        self,
        id: str,
        body: Any,
    ) -> Any:
        """Refuse a privacy request

        For OWNER and ADMIN. Mails the note to the person, as plain text. 409 with reason `already_finished`
        unless the request is `OPEN`. Also works while the project is disabled.

        `POST /privacy-requests/{id}/refuse`
        """
        return self._requests.call("POST", path("/privacy-requests/{}/refuse", id), body=body)


class Forms:
    """Sign-up forms: their fields, texts and topics, and the HTML for a page."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def list(
        self,
    ) -> Any:
        """List sign-up forms

        Every form of the project, newest first, without pages. The counts are exact.

        `GET /forms`
        """
        return self._requests.call("GET", "/forms")

    def create(
        self,
        body: Any,
    ) -> Any:
        """Create a sign-up form

        Its page is at once at `/f/<publicId>`. A project has at most 50 forms; one more is 422. 409 with reason
        `key_taken` if another form has the key.

        `POST /forms`
        """
        return self._requests.call("POST", "/forms", body=body)

    def get(
        self,
        id: str,
    ) -> Any:
        """Read a sign-up form

        One form with its counts.

        `GET /forms/{id}`
        """
        return self._requests.call("GET", path("/forms/{}", id))

    def update(
        self,
        id: str,
        body: Any = None,
    ) -> Any:
        """Change a sign-up form

        Absent fields keep their values; null gives the default. Lists and texts are replaced as a whole. With
        `ifUpdatedAt`, only if nothing has changed the form since, else 409 with reason `changed_meanwhile`.

        `PATCH /forms/{id}`
        """
        return self._requests.call("PATCH", path("/forms/{}", id), body=body)

    def remove(
        self,
        id: str,
    ) -> Any:
        """Delete a sign-up form

        Its page is gone at once. Contacts, events and records of consent keep its id.

        `DELETE /forms/{id}`
        """
        return self._requests.call("DELETE", path("/forms/{}", id))

    def snippet(
        self,
        id: str,
    ) -> Any:
        """Get the HTML of a sign-up form

        For a page of your own: a form that works without script, and the script that helps
        it.

        `GET /forms/{id}/snippet`
        """
        return self._requests.call("GET", path("/forms/{}/snippet", id))


class Templates:
    """Content that is written once and rendered for each recipient."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def list(
        self,
        *,
        page: int | None = None,
        page_size: int | None = None,
        type: Literal["TRANSACTIONAL", "MARKETING", "HEADLESS"] | None = None,
        search: str | None = None,
        sort: Literal["createdAt", "name", "updatedAt"] | None = None,
        dir: Literal["desc", "asc"] | None = None,
    ) -> Items[Any]:
        """List templates

        The templates of the project, newest first unless sorted otherwise.

        `GET /templates`
        """
        return Items(self._requests, "GET", "/templates", {"page": page, "pageSize": page_size, "type": type, "search": search, "sort": sort, "dir": dir})

    def create(
        self,
        body: Any,
    ) -> Any:
        """Create a template

        All texts are parsed at once; the domain of `from` must be verified. If another template has the alias:
        409 with reason `alias_taken`. At most 10 MB.

        `POST /templates`
        """
        return self._requests.call("POST", "/templates", body=body)

    def render_texts(
        self,
        body: Any = None,
    ) -> Any:
        """Render texts

        Like `POST /templates/{id}/render`, with texts of the request. Nothing is sent or stored; it counts as a
        read. At most 10 MB.

        `POST /templates/render`
        """
        return self._requests.call("POST", "/templates/render", body=body)

    def get(
        self,
        id: str,
    ) -> Any:
        """Read a template

        One template with its texts as written.

        `GET /templates/{id}`
        """
        return self._requests.call("GET", path("/templates/{}", id))

    def update(
        self,
        id: str,
        body: Any = None,
    ) -> Any:
        """Change a template

        Absent fields keep their values; `null` clears a field that may be empty. The change applies to mail
        rendered afterwards. Changed content is a new version, which is live at once. At most 10
        MB.

        `PATCH /templates/{id}`
        """
        return self._requests.call("PATCH", path("/templates/{}", id), body=body)

    def delete(
        self,
        id: str,
    ) -> Any:
        """Delete a template

        Refused while a workflow step uses it. Campaigns keep the texts they copied.

        `DELETE /templates/{id}`
        """
        return self._requests.call("DELETE", path("/templates/{}", id))

    def duplicate(
        self,
        id: str,
    ) -> Any:
        """Duplicate a template

        The copy has ` (Copy)` after its name. The domain of `from` is not checked again.

        `POST /templates/{id}/duplicate`
        """
        return self._requests.call("POST", path("/templates/{}/duplicate", id))

    def links(
        self,
        id: str,
    ) -> Any:
        """Clicks on the links of a template

        For all mail from the template, by the links as written. Exact; counts stay when mails are
        deleted.

        `GET /templates/{id}/links`
        """
        return self._requests.call("GET", path("/templates/{}/links", id))

    def stats(
        self,
        id: str,
    ) -> Any:
        """Results of a template

        Counts and rates of all mail from the template: single mails, campaigns and workflows, without test
        mail.

        `GET /templates/{id}/stats`
        """
        return self._requests.call("GET", path("/templates/{}/stats", id))

    def render(
        self,
        id: str,
        body: Any = None,
    ) -> Any:
        """Render a template

        The mail as a recipient would get it, with its size, its variables and warnings. Content fields of the
        request replace those of the template. Nothing is sent or stored, and no contact is created; it counts as
        a read. At most 10 MB.

        `POST /templates/{id}/render`
        """
        return self._requests.call("POST", path("/templates/{}/render", id), body=body)

    def test(
        self,
        id: str,
        body: Any,
    ) -> Any:
        """Send a test of a template

        Sends to one address, of a contact or a member of the project, with `[TEST] ` before the subject. Its
        links change nothing, it is not tracked, and no count includes it. Without a contact, a missing variable
        is printed as its name in brackets, also by a strict template. A draft with faults is refused with them.
        409 with reason `suppressed` for a suppressed address.

        `POST /templates/{id}/test`
        """
        return self._requests.call("POST", path("/templates/{}/test", id), body=body)

    def usage(
        self,
        id: str,
    ) -> Any:
        """List the uses of a template

        Campaigns and workflow steps that use it, the number of mails from it, and whether it can be
        deleted.

        `GET /templates/{id}/usage`
        """
        return self._requests.call("GET", path("/templates/{}/usage", id))

    def versions(
        self,
        id: str,
        *,
        page: int | None = None,
        page_size: int | None = None,
    ) -> Items[Any]:
        """List versions of a template

        Newest first. The last 100 versions are kept.

        `GET /templates/{id}/versions`
        """
        return Items(self._requests, "GET", path("/templates/{}/versions", id), {"page": page, "pageSize": page_size})

    def version(
        self,
        id: str,
        version: str,
    ) -> Any:
        """Read a version of a template

        The template with the content and the number of that version.

        `GET /templates/{id}/versions/{version}`
        """
        return self._requests.call("GET", path("/templates/{}/versions/{}", id, version))

    def restore(
        self,
        id: str,
        version: str,
        body: Any = None,
    ) -> Any:
        """Restore a version of a template

        Creates a new version with the content of this one, unless the live version already has that content. The
        draft is kept.

        `POST /templates/{id}/versions/{version}/restore`
        """
        return self._requests.call("POST", path("/templates/{}/versions/{}/restore", id, version), body=body)

    def draft(
        self,
        id: str,
    ) -> Any:
        """Read the draft of a template

        The draft, and the faults that prevent its publication.

        `GET /templates/{id}/draft`
        """
        return self._requests.call("GET", path("/templates/{}/draft", id))

    def save_draft(
        self,
        id: str,
        body: Any = None,
    ) -> Any:
        """Store the draft of a template

        Replaces the draft. Absent fields have the values of the live version. Only types and sizes are checked;
        all other faults are listed in `problems`. Nothing is sent from a draft. At most 10
        MB.

        `PUT /templates/{id}/draft`
        """
        return self._requests.call("PUT", path("/templates/{}/draft", id), body=body)

    def delete_draft(
        self,
        id: str,
    ) -> Any:
        """Delete the draft of a template

        The live version is not changed.

        `DELETE /templates/{id}/draft`
        """
        return self._requests.call("DELETE", path("/templates/{}/draft", id))

    def publish(
        self,
        id: str,
        body: Any = None,
    ) -> Any:
        """Publish the draft of a template

        Makes the draft the next version, which is live at once, and deletes it. 409 with reason `no_draft`
        without one, and with reason `version_changed` if another version became live since it was stored, unless
        `force` is set.

        `POST /templates/{id}/publish`
        """
        return self._requests.call("POST", path("/templates/{}/publish", id), body=body)


class Partials:
    """Pieces of mail that several templates and campaigns include with `{{> name}}`. A layout is a partial
    around a whole body."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def list(
        self,
        *,
        page: int | None = None,
        page_size: int | None = None,
        search: str | None = None,
        sort: Literal["createdAt", "name", "updatedAt"] | None = None,
        dir: Literal["desc", "asc"] | None = None,
    ) -> Items[Any]:
        """List partials

        The partials of the project, newest first unless sorted otherwise.

        `GET /partials`
        """
        return Items(self._requests, "GET", "/partials", {"page": page, "pageSize": page_size, "search": search, "sort": sort, "dir": dir})

    def create(
        self,
        body: Any,
    ) -> Any:
        """Create a partial

        Body and text are parsed at once, with the partials that they use. A project has at most 200 partials. If
        another partial has the name: 409 with reason `name_taken`.

        `POST /partials`
        """
        return self._requests.call("POST", "/partials", body=body)

    def get(
        self,
        id: str,
    ) -> Any:
        """Read a partial

        One partial with its texts as written.

        `GET /partials/{id}`
        """
        return self._requests.call("GET", path("/partials/{}", id))

    def update(
        self,
        id: str,
        body: Any = None,
    ) -> Any:
        """Change a partial

        Absent fields keep their values; `null` clears `description` and `text`. The change applies to all mail
        rendered afterwards, except mail of campaigns whose sending has started. Changed texts are a new version.
        A new name is refused while the partial is in use.

        `PATCH /partials/{id}`
        """
        return self._requests.call("PATCH", path("/partials/{}", id), body=body)

    def delete(
        self,
        id: str,
    ) -> Any:
        """Delete a partial

        Refused while a template, another partial, a draft of one of them, or a campaign whose sending has not
        started uses it; the details list them. Its versions and its draft are deleted too.

        `DELETE /partials/{id}`
        """
        return self._requests.call("DELETE", path("/partials/{}", id))

    def usage(
        self,
        id: str,
    ) -> Any:
        """List the uses of a partial

        Templates, partials and campaigns that use it, at most 100 of each, and whether it can be
        deleted.

        `GET /partials/{id}/usage`
        """
        return self._requests.call("GET", path("/partials/{}/usage", id))

    def versions(
        self,
        id: str,
        *,
        page: int | None = None,
        page_size: int | None = None,
    ) -> Items[Any]:
        """List versions of a partial

        Newest first. The last 100 versions are kept.

        `GET /partials/{id}/versions`
        """
        return Items(self._requests, "GET", path("/partials/{}/versions", id), {"page": page, "pageSize": page_size})

    def version(
        self,
        id: str,
        version: str,
    ) -> Any:
        """Read a version of a partial

        The partial with the texts and the number of that version.

        `GET /partials/{id}/versions/{version}`
        """
        return self._requests.call("GET", path("/partials/{}/versions/{}", id, version))

    def restore(
        self,
        id: str,
        version: str,
        body: Any = None,
    ) -> Any:
        """Restore a version of a partial

        Makes a new version with the texts of that one, and none if the live version has them. Refused if a
        partial that they name is gone. The draft stays.

        `POST /partials/{id}/versions/{version}/restore`
        """
        return self._requests.call("POST", path("/partials/{}/versions/{}/restore", id, version), body=body)

    def draft(
        self,
        id: str,
    ) -> Any:
        """Read the draft of a partial

        The texts that are not published yet, and the faults that prevent their publication.

        `GET /partials/{id}/draft`
        """
        return self._requests.call("GET", path("/partials/{}/draft", id))

    def save_draft(
        self,
        id: str,
        body: Any = None,
    ) -> Any:
        """Store the draft of a partial

        Replaces the draft. Absent fields are as in the live version. Only types and sizes are checked; all other
        faults are listed in `problems`. No mail has the texts of a draft.

        `PUT /partials/{id}/draft`
        """
        return self._requests.call("PUT", path("/partials/{}/draft", id), body=body)

    def delete_draft(
        self,
        id: str,
    ) -> Any:
        """Delete the draft of a partial

        The live version stays.

        `DELETE /partials/{id}/draft`
        """
        return self._requests.call("DELETE", path("/partials/{}/draft", id))

    def publish(
        self,
        id: str,
        body: Any = None,
    ) -> Any:
        """Publish the draft of a partial

        Makes the draft the next version, which all mail rendered afterwards includes, and deletes the draft. 409
        with reason `no_draft` without one, and with reason `version_changed` if another version went live since
        it was stored, unless `force` is set.

        `POST /partials/{id}/publish`
        """
        return self._requests.call("POST", path("/partials/{}/publish", id), body=body)


class Campaigns:
    """One message to an audience, sent at once or at a scheduled time."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def list(
        self,
        *,
        page: int | None = None,
        page_size: int | None = None,
        status: Literal["DRAFT", "SCHEDULED", "SENDING", "SENT", "CANCELLED"] | None = None,
        parent_id: str | None = None,
        search: str | None = None,
        sort: Literal["createdAt", "name", "updatedAt"] | None = None,
        dir: Literal["desc", "asc"] | None = None,
    ) -> Items[Any]:
        """List campaigns

        The campaigns of the project, newest first unless sorted otherwise. `search` matches name, subject and
        sender address.

        `GET /campaigns`
        """
        return Items(self._requests, "GET", "/campaigns", {"page": page, "pageSize": page_size, "status": status, "parentId": parent_id, "search": search, "sort": sort, "dir": dir})

    def create(
        self,
        body: Any,
    ) -> Any:
        """Create a campaign

        The new campaign is a draft. A template supplies the texts and the sender that the request does not have.
        MJML is compiled now. Subject, body and condition are checked at once; the domain of `from` must be
        verified. If its topic is archived: 409 with reason `topic_archived`. At most 10
        MB.

        `POST /campaigns`
        """
        return self._requests.call("POST", "/campaigns", body=body)

    def get(
        self,
        id: str,
    ) -> Any:
        """Read a campaign

        One campaign with its counters, the segment of its audience and its topic.

        `GET /campaigns/{id}`
        """
        return self._requests.call("GET", path("/campaigns/{}", id))

    def update(
        self,
        id: str,
        body: Any,
    ) -> Any:
        """Replace a campaign

        Only while it is `DRAFT` or `SCHEDULED`, else 409 with reason `campaign_state`. Takes the same body as
        create: an absent field gets its default. With `ifUpdatedAt`, only if nothing has changed it since, else
        409 with reason `changed_meanwhile`. The schedule is kept. A change ends a requested or given approval. A
        scheduled campaign of a caller who needs an approval cannot be changed: 409 with reason
        `approval_required`. At most 10 MB.

        `PUT /campaigns/{id}`
        """
        return self._requests.call("PUT", path("/campaigns/{}", id), body=body)

    def delete(
        self,
        id: str,
    ) -> Any:
        """Delete a campaign

        Refused while mails of the campaign wait or are being sent. The records of sent mails are
        kept.

        `DELETE /campaigns/{id}`
        """
        return self._requests.call("DELETE", path("/campaigns/{}", id))

    def duplicate(
        self,
        id: str,
    ) -> Any:
        """Duplicate a campaign

        Creates a draft with the same texts and audience, and ` (Copy)` after the name.

        `POST /campaigns/{id}/duplicate`
        """
        return self._requests.call("POST", path("/campaigns/{}/duplicate", id))

    def follow_up(
        self,
        id: str,
        body: Any,
    ) -> Any:
        """Follow up a campaign

        Creates a draft with the same texts and the default `delivery`, to all contacts that were recipients of
        the campaign and reacted as `who` says, or did not. 409 with reason `campaign_state` for a draft or
        scheduled campaign.

        `POST /campaigns/{id}/follow-up`
        """
        return self._requests.call("POST", path("/campaigns/{}/follow-up", id), body=body)

    def send(
        self,
        id: str,
        body: Any = None,
    ) -> Any:
        """Send or schedule a campaign

        The audience is fixed at once, and the mails are sent in the background. With `scheduledFor`, sending
        starts within 5 seconds of that time; sending again replaces the time. 409 with reason
        `approval_required` if `campaignApproval` of `/settings/sending` asks for an approval that the campaign
        does not have. Of two simultaneous requests one succeeds and the other gets 409.

        `POST /campaigns/{id}/send`
        """
        return self._requests.call("POST", path("/campaigns/{}/send", id), body=body)

    def set_recurrence(
        self,
        id: str,
        body: Any,
    ) -> Any:
        """Send a campaign again and again

        Only for a draft, else 409 with reason `campaign_state`. Each firing makes a campaign with the texts and
        the audience that the draft has then, the date after its name and `parentId`, and starts it as a schedule
        does; with `delivery.localTime` when the first time zone of the world has reached its wall clock. Of the
        firings that an outage missed, the latest of the last 24 hours runs, once. None fires from
        `delivery.expiresAt` on. An approval is asked for as on sending. At most 50 for each project. Safe to
        repeat.

        `PUT /campaigns/{id}/recurrence`
        """
        return self._requests.call("PUT", path("/campaigns/{}/recurrence", id), body=body)

    def remove_recurrence(
        self,
        id: str,
    ) -> Any:
        """End the recurrence of a campaign

        The campaigns that it has made go on. Safe to repeat.

        `DELETE /campaigns/{id}/recurrence`
        """
        return self._requests.call("DELETE", path("/campaigns/{}/recurrence", id))

    def cancel(
        self,
        id: str,
    ) -> Any:
        """Cancel a campaign

        No more mail of the campaign is sent, except mail that is already being transmitted. Waiting mails become
        `CANCELLED`. Safe to repeat.

        `POST /campaigns/{id}/cancel`
        """
        return self._requests.call("POST", path("/campaigns/{}/cancel", id))

    def pause(
        self,
        id: str,
    ) -> Any:
        """Pause a campaign

        Like cancel, but waiting mails stay until `resume`. Safe to repeat.

        `POST /campaigns/{id}/pause`
        """
        return self._requests.call("POST", path("/campaigns/{}/pause", id))

    def resume(
        self,
        id: str,
    ) -> Any:
        """Resume a campaign

        Waiting mails are sent. Safe to repeat.

        `POST /campaigns/{id}/resume`
        """
        return self._requests.call("POST", path("/campaigns/{}/resume", id))

    def retry_failed(
        self,
        id: str,
        body: Any = None,
    ) -> Any:
        """Send failed mails of a campaign again

        Queues `FAILED` mails again, and with `includeAmbiguous` also `AMBIGUOUS` ones, with the same ids; a
        campaign that was `SENT` is `SENDING` until they are done. Mails that were sent are not sent
        again.

        `POST /campaigns/{id}/retry-failed`
        """
        return self._requests.call("POST", path("/campaigns/{}/retry-failed", id), body=body)

    def test(
        self,
        id: str,
        body: Any,
    ) -> Any:
        """Send a test

        Sends to one address, of a contact or a member of the project, with `[TEST] ` before the subject. Its
        links change nothing, and no count includes it. Without a contact, a missing variable is printed as its
        name in brackets. 409 with reason `suppressed` for a suppressed address.

        `POST /campaigns/{id}/test`
        """
        return self._requests.call("POST", path("/campaigns/{}/test", id), body=body)

    def stats(
        self,
        id: str,
    ) -> Any:
        """Counters and rates of a campaign

        Exact current counts.

        `GET /campaigns/{id}/stats`
        """
        return self._requests.call("GET", path("/campaigns/{}/stats", id))

    def links(
        self,
        id: str,
        *,
        variant: Literal["A", "B", "C", "D", "E", "F", "G", "H"] | None = None,
    ) -> Any:
        """Clicks on the links of a campaign

        By the links as written in the template, so that a link with placeholders counts as one for all
        recipients. Exact current counts.

        `GET /campaigns/{id}/links`
        """
        return self._requests.call("GET", path("/campaigns/{}/links", id), query={"variant": variant})

    def providers(
        self,
        id: str,
    ) -> Any:
        """Results of a campaign by mailbox provider

        By the mailbox providers of the recipients. Exact current counts; mail before its first attempt does not
        count.

        `GET /campaigns/{id}/providers`
        """
        return self._requests.call("GET", path("/campaigns/{}/providers", id))

    def report(
        self,
        id: str,
        *,
        by: Literal["variant", "hour", "provider"] | None = None,
        variant: Literal["A", "B", "C", "D", "E", "F", "G", "H"] | None = None,
    ) -> Any:
        """Report of a campaign

        Its results by variant, by hour or by mailbox provider. Exact current counts; they stay when contacts and
        mails are deleted.

        `GET /campaigns/{id}/report`
        """
        return self._requests.call("GET", path("/campaigns/{}/report", id), query={"by": by, "variant": variant})

    def recipients(
        self,
        id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        status: Literal["SCHEDULED", "PENDING", "SENDING", "SENT", "DELIVERED", "OPENED", "CLICKED", "BOUNCED", "COMPLAINED", "FAILED", "AMBIGUOUS", "SUPPRESSED", "CANCELLED"] | None = None,
        variant: Literal["A", "B", "C", "D", "E", "F", "G", "H"] | None = None,
        search: str | None = None,
    ) -> Items[Any]:
        """List the recipients of a campaign

        The audience, as fixed when sending started, with the status and the variant of each mail, ordered by
        contact id; empty before that. The rest of an experiment has no mail before the decision. `search`
        matches the address.

        `GET /campaigns/{id}/recipients`
        """
        return Items(self._requests, "GET", path("/campaigns/{}/recipients", id), {"limit": limit, "cursor": cursor, "status": status, "variant": variant, "search": search})

    def experiment(
        self,
        id: str,
    ) -> Any:
        """Show the experiment of a campaign

        404 for a campaign without `experiment`. Figures decide nothing before `final`.

        `GET /campaigns/{id}/experiment`
        """
        return self._requests.call("GET", path("/campaigns/{}/experiment", id))

    def decide_experiment(
        self,
        id: str,
        body: Any,
    ) -> Any:
        """Choose the winner of an experiment

        While it is `TESTING` or `WAITING`, else 409 with reason `experiment_state`. The rest of the audience
        gets the variant. The same variant again changes nothing.

        `POST /campaigns/{id}/experiment/winner`
        """
        return self._requests.call("POST", path("/campaigns/{}/experiment/winner", id), body=body)

    def request_approval(
        self,
        id: str,
        body: Any = None,
    ) -> Any:
        """Ask for the approval of a campaign

        Only for a draft that is not approved, else 409 with reason `approval_state`. The administrators get a
        mail. `campaignApproval` of `/settings/sending` says whose campaigns need an approval. Safe to
        repeat.

        `POST /campaigns/{id}/request-approval`
        """
        return self._requests.call("POST", path("/campaigns/{}/request-approval", id), body=body)


class Workflows:
    """Graphs of steps that contacts go through."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def list(
        self,
        *,
        page: int | None = None,
        page_size: int | None = None,
        search: str | None = None,
        status: Literal["active", "disabled"] | None = None,
        trigger_type: Literal["EVENT", "MANUAL", "SCHEDULE"] | None = None,
        sort: Literal["createdAt", "name", "updatedAt", "steps"] | None = None,
        dir: Literal["desc", "asc"] | None = None,
    ) -> Items[Any]:
        """List workflows

        Newest first unless sorted otherwise, without their graphs. `search` matches name and
        description.

        `GET /workflows`
        """
        return Items(self._requests, "GET", "/workflows", {"page": page, "pageSize": page_size, "search": search, "status": status, "triggerType": trigger_type, "sort": sort, "dir": dir})

    def create(
        self,
        body: Any,
    ) -> Any:
        """Create a workflow

        The new workflow is disabled, is started by an event, and has a TRIGGER but no other step. A project has
        at most 500 workflows.

        `POST /workflows`
        """
        return self._requests.call("POST", "/workflows", body=body)

    def fields(
        self,
        *,
        event_name: str | None = None,
    ) -> Any:
        """List fields for a CONDITION

        Fields of contacts, and data keys of the newest 100 events; with `eventName`, only of events with that
        name.

        `GET /workflows/fields`
        """
        return self._requests.call("GET", "/workflows/fields", query={"eventName": event_name})

    def signing_secret(
        self,
    ) -> Any:
        """Read the signing secret

        For OWNER and ADMIN. The requests of WEBHOOK steps are signed with it.

        `GET /workflows/signing-secret`
        """
        return self._requests.call("GET", "/workflows/signing-secret")

    def rotate_signing_secret(
        self,
    ) -> Any:
        """Replace the signing secret

        For OWNER and ADMIN. For 24 hours every request carries two signatures, one with the new secret and one
        with the old.

        `POST /workflows/signing-secret/rotate`
        """
        return self._requests.call("POST", "/workflows/signing-secret/rotate")

    def get(
        self,
        id: str,
    ) -> Any:
        """Read a workflow

        With its steps and transitions.

        `GET /workflows/{id}`
        """
        return self._requests.call("GET", path("/workflows/{}", id))

    def update(
        self,
        id: str,
        body: Any = None,
    ) -> Any:
        """Change, enable or disable a workflow

        Absent fields keep their values. With `ifUpdatedAt`, only if nothing has changed the workflow or its
        graph since, else 409 with reason `changed_meanwhile`. Refused with 422 and all faults if it would leave
        an invalid workflow enabled. Running executions are not affected. With `versioning: PUBLISHED`, trigger,
        re-entry, goal and exit rules of the draft change; enabling a workflow without a version publishes the
        draft. 409 with reason `draft_changed` for `versioning: LIVE` beside a changed draft, or
        `migration_running` while many live executions are still pinned or released after the last change of
        `versioning`.

        `PATCH /workflows/{id}`
        """
        return self._requests.call("PATCH", path("/workflows/{}", id), body=body)

    def delete(
        self,
        id: str,
    ) -> Any:
        """Delete a workflow

        Deletes its graph and its finished executions too; mails and events stay. Refused while an execution is
        RUNNING or WAITING.

        `DELETE /workflows/{id}`
        """
        return self._requests.call("DELETE", path("/workflows/{}", id))

    def validate(
        self,
        id: str,
    ) -> Any:
        """Check a workflow

        Returns the faults that prevent enabling it, and warnings about probable mistakes. Changes
        nothing.

        `GET /workflows/{id}/validate`
        """
        return self._requests.call("GET", path("/workflows/{}/validate", id))

    def validate_graph(
        self,
        id: str,
        body: Any,
    ) -> Any:
        """Check a graph without storing it

        The answer of `GET /workflows/{id}/validate` if this were the graph of the workflow. Faults name steps by
        key or id and transitions by position. `ifUpdatedAt` is not compared. Changes nothing; allowed while the
        project is disabled.

        `POST /workflows/{id}/validate`
        """
        return self._requests.call("POST", path("/workflows/{}/validate", id), body=body)

    def report(
        self,
        id: str,
        *,
        version: int | None = None,
        start_date: str | None = None,
        end_date: str | None = None,
    ) -> Any:
        """Report of a workflow

        How many executions started and ended, and how many entered and left each step: what a drawing of the
        workflow with numbers needs. Exact as of the answer. Counts stay when contacts and mails are
        deleted.

        `GET /workflows/{id}/report`
        """
        return self._requests.call("GET", path("/workflows/{}/report", id), query={"version": version, "startDate": start_date, "endDate": end_date})

    def duplicate(
        self,
        id: str,
    ) -> Any:
        """Copy a workflow

        The copy is disabled and has ` (Copy)` after its name, the same trigger and graph, and no
        executions.

        `POST /workflows/{id}/duplicate`
        """
        return self._requests.call("POST", path("/workflows/{}/duplicate", id))

    def replace_graph(
        self,
        id: str,
        body: Any,
    ) -> Any:
        """Replace the graph of a workflow

        Steps, transitions and trigger in one transaction; what the body leaves out is removed. Steps with an id
        keep their executions and results. Faults name steps by key or id (`steps.<key>.config.amount`) and
        transitions by position. Refused with all faults if a config is wrong or an enabled workflow would become
        invalid. 409 RESOURCE_IN_USE with `steps`, each `{stepId, activeExecutions}`, while executions are at
        removed steps. 409 CONFLICT `changed_meanwhile` if the workflow was changed after
        `ifUpdatedAt`.

        `PUT /workflows/{id}/graph`
        """
        return self._requests.call("PUT", path("/workflows/{}/graph", id), body=body)

    def add_step(
        self,
        id: str,
        body: Any,
    ) -> Any:
        """Add a step

        Connects the newest step without an outgoing transition to the new step, unless `autoConnect` is false. A
        workflow has at most 100 steps. Refused if it would make an enabled workflow invalid.

        `POST /workflows/{id}/steps`
        """
        return self._requests.call("POST", path("/workflows/{}/steps", id), body=body)

    def update_step(
        self,
        id: str,
        step_id: str,
        body: Any = None,
    ) -> Any:
        """Change a step

        Absent fields keep their values; `config` is replaced as a whole. The change applies to executions that
        reach the step afterwards. Only the name and position of the TRIGGER can change.

        `PATCH /workflows/{id}/steps/{stepId}`
        """
        return self._requests.call("PATCH", path("/workflows/{}/steps/{}", id, step_id), body=body)

    def delete_step(
        self,
        id: str,
        step_id: str,
        *,
        splice: bool | None = None,
    ) -> Any:
        """Delete a step

        Deletes its transitions too; with `splice=true` the step before it is connected to the step after it.
        Refused while an execution is at the step.

        `DELETE /workflows/{id}/steps/{stepId}`
        """
        return self._requests.call("DELETE", path("/workflows/{}/steps/{}", id, step_id), query={"splice": splice})

    def test_run(
        self,
        id: str,
        body: Any = None,
    ) -> Any:
        """Try out a workflow

        Takes one contact through the graph, enabled or not, with the logic of its steps and a clock of its own.
        Nothing is stored, sent, called, charged or tracked: `UPDATE_CONTACT` changes a copy, a RATE_LIMIT counts
        this run alone, and a WEBHOOK gets the answer from `webhooks`. Conditions see the stored events of the
        contact and those of the run. A mail counts as sent and delivered at once; the script opens and clicks
        it. 422 on `script` beyond 1,000 visits, 5 years, 2 seconds of computing or 2 MB.

        `POST /workflows/{id}/test-runs`
        """
        return self._requests.call("POST", path("/workflows/{}/test-runs", id), body=body)

    def step_links(
        self,
        id: str,
        step_id: str,
    ) -> Any:
        """Clicks on the links of a step

        For a SEND_EMAIL step, by the links as written in its template. Exact; counts stay when mails are
        deleted.

        `GET /workflows/{id}/steps/{stepId}/links`
        """
        return self._requests.call("GET", path("/workflows/{}/steps/{}/links", id, step_id))

    def step_stats(
        self,
        id: str,
        step_id: str,
    ) -> Any:
        """Results of a step

        Counts and rates of the mail of a SEND_EMAIL step.

        `GET /workflows/{id}/steps/{stepId}/stats`
        """
        return self._requests.call("GET", path("/workflows/{}/steps/{}/stats", id, step_id))

    def experiment(
        self,
        id: str,
        step_id: str,
    ) -> Any:
        """Show the experiment of a step

        For a SPLIT step with `experiment`. Figures decide nothing before `final`.

        `GET /workflows/{id}/steps/{stepId}/experiment`
        """
        return self._requests.call("GET", path("/workflows/{}/steps/{}/experiment", id, step_id))

    def decide_experiment(
        self,
        id: str,
        step_id: str,
        body: Any,
    ) -> Any:
        """Choose the winner of an experiment

        At any time. Every contact takes the branch from then on. The same branch again changes
        nothing.

        `POST /workflows/{id}/steps/{stepId}/experiment/winner`
        """
        return self._requests.call("POST", path("/workflows/{}/steps/{}/experiment/winner", id, step_id), body=body)

    def restart_experiment(
        self,
        id: str,
        step_id: str,
    ) -> Any:
        """Restart an experiment

        Counts from 0 and splits the contacts by their shares again.

        `POST /workflows/{id}/steps/{stepId}/experiment/restart`
        """
        return self._requests.call("POST", path("/workflows/{}/steps/{}/experiment/restart", id, step_id))

    def add_transition(
        self,
        id: str,
        body: Any,
    ) -> Any:
        """Connect two steps

        Replaces automatic transitions that contradict it. 200 if the transition already exists. 409 with reason
        `branch_taken` if the step has another transition for this branch. At most 300 transitions.

        `POST /workflows/{id}/transitions`
        """
        return self._requests.call("POST", path("/workflows/{}/transitions", id), body=body)

    def delete_transition(
        self,
        id: str,
        transition_id: str,
    ) -> Any:
        """Delete a transition

        An execution that would have followed it completes instead.

        `DELETE /workflows/{id}/transitions/{transitionId}`
        """
        return self._requests.call("DELETE", path("/workflows/{}/transitions/{}", id, transition_id))

    def insert_step(
        self,
        id: str,
        transition_id: str,
        body: Any,
    ) -> Any:
        """Insert a step into a transition

        The transition from A to B becomes one from A to the new step and one from the new step to B. A new
        CONDITION leads to B on the branch `yes`.

        `POST /workflows/{id}/transitions/{transitionId}/insert-step`
        """
        return self._requests.call("POST", path("/workflows/{}/transitions/{}/insert-step", id, transition_id), body=body)

    def publish(
        self,
        id: str,
        body: Any = None,
    ) -> Any:
        """Publish the draft

        Makes the draft the next version, with which executions start from then on. Live executions stay on
        theirs. Refused with 422 and all faults. 409 with reason `no_draft` when nothing has changed,
        `version_changed`, `not_versioned` for a workflow that is edited live, or `migration_running` while its
        executions are still pinned after a change of `versioning`.

        `POST /workflows/{id}/publish`
        """
        return self._requests.call("POST", path("/workflows/{}/publish", id), body=body)

    def remove_draft(
        self,
        id: str,
    ) -> Any:
        """Discard the draft

        The draft is the published version again. 409 with reason `not_versioned`.

        `DELETE /workflows/{id}/draft`
        """
        return self._requests.call("DELETE", path("/workflows/{}/draft", id))

    def versions(
        self,
        id: str,
        *,
        page: int | None = None,
        page_size: int | None = None,
    ) -> Items[Any]:
        """List the versions of a workflow

        Newest first, without their graphs. A workflow that is edited live gets a version when it is enabled and
        by edits while it is; the edits of one caller within 10 minutes are one. At most 100 are kept, beside
        those with live executions.

        `GET /workflows/{id}/versions`
        """
        return Items(self._requests, "GET", path("/workflows/{}/versions", id), {"page": page, "pageSize": page_size})

    def version(
        self,
        id: str,
        n: str,
    ) -> Any:
        """Read a version of a workflow

        With trigger, settings, steps and transitions.

        `GET /workflows/{id}/versions/{n}`
        """
        return self._requests.call("GET", path("/workflows/{}/versions/{}", id, n))

    def diff(
        self,
        id: str,
        n: str,
        *,
        with_: str | None = None,
    ) -> Any:
        """Compare two versions of a workflow

        What changes from this version to the other one, or to the draft. Steps have the same id in all
        versions.

        `GET /workflows/{id}/versions/{n}/diff`
        """
        return self._requests.call("GET", path("/workflows/{}/versions/{}/diff", id, n), query={"with": with_})

    def restore(
        self,
        id: str,
        n: str,
    ) -> Any:
        """Restore a version of a workflow

        The draft becomes this version; in a workflow that is edited live, the graph does, checked while it is
        enabled. Removed steps return with their ids. 409 RESOURCE_IN_USE with `steps` when a live execution is
        at a step of a live workflow that would go.

        `POST /workflows/{id}/versions/{n}/restore`
        """
        return self._requests.call("POST", path("/workflows/{}/versions/{}/restore", id, n))

    def migrate(
        self,
        id: str,
        body: Any,
    ) -> Any:
        """Move live executions to a version

        An execution at a step that maps to itself goes on as it was; a wait that has begun keeps its config and
        its instant. At another step, its visit ends SKIPPED with the reason `migrated`, and the target step
        begins. Without a target it stays, or ends EXITED with exitReason `migrated`. `dryRun` counts. Queued;
        `GET /workflows/{id}/migrations/{jobId}` has the progress and the result. 409 with reason
        `migration_running` or `not_versioned`.

        `POST /workflows/{id}/migrations`
        """
        return self._requests.call("POST", path("/workflows/{}/migrations", id), body=body)

    def migration(
        self,
        id: str,
        job_id: str,
    ) -> Any:
        """Read a migration

        Its progress, and the counts so far.

        `GET /workflows/{id}/migrations/{jobId}`
        """
        return self._requests.call("GET", path("/workflows/{}/migrations/{}", id, job_id))


class Executions:
    """Executions: each is one contact in one workflow."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def list(
        self,
        id: str,
        *,
        page: int | None = None,
        page_size: int | None = None,
        status: str | None = None,
        contact_id: str | None = None,
        version: int | None = None,
        current_step_id: str | None = None,
    ) -> Items[Any]:
        """List executions

        Newest first, without their step executions.

        `GET /workflows/{id}/executions`
        """
        return Items(self._requests, "GET", path("/workflows/{}/executions", id), {"page": page, "pageSize": page_size, "status": status, "contactId": contact_id, "version": version, "currentStepId": current_step_id})

    def start(
        self,
        id: str,
        body: Any,
    ) -> Any:
        """Start a workflow for a contact

        Works with any type of trigger; the steps run after the response. 409 with reason `workflow_disabled`,
        `reentry_not_allowed` or `already_running`.

        `POST /workflows/{id}/executions`
        """
        return self._requests.call("POST", path("/workflows/{}/executions", id), body=body)

    def cancel_all(
        self,
        id: str,
    ) -> Any:
        """Cancel all executions

        Cancels the executions that are RUNNING or WAITING; new ones can start meanwhile unless the workflow is
        disabled.

        `POST /workflows/{id}/executions/cancel-all`
        """
        return self._requests.call("POST", path("/workflows/{}/executions/cancel-all", id))

    def get(
        self,
        id: str,
        execution_id: str,
    ) -> Any:
        """Read an execution

        With its step executions, oldest first.

        `GET /workflows/{id}/executions/{executionId}`
        """
        return self._requests.call("GET", path("/workflows/{}/executions/{}", id, execution_id))

    def cancel(
        self,
        id: str,
        execution_id: str,
    ) -> Any:
        """Cancel an execution

        A running step finishes, but no other step starts. Safe to repeat; 409 with reason `already_finished` for
        an execution that ended in another way.

        `DELETE /workflows/{id}/executions/{executionId}`
        """
        return self._requests.call("DELETE", path("/workflows/{}/executions/{}", id, execution_id))

    def retry(
        self,
        id: str,
        execution_id: str,
    ) -> Any:
        """Retry a failed execution

        Runs the failed step again. 409 with reason `not_retryable` or `already_running`.

        `POST /workflows/{id}/executions/{executionId}/retry`
        """
        return self._requests.call("POST", path("/workflows/{}/executions/{}/retry", id, execution_id))

    def of_contact(
        self,
        id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        status: str | None = None,
    ) -> Items[Any]:
        """List a contact's executions

        In all workflows, newest first, without their step executions.

        `GET /contacts/{id}/executions`
        """
        return Items(self._requests, "GET", path("/contacts/{}/executions", id), {"limit": limit, "cursor": cursor, "status": status})


class Domains:
    """Sender domains, with the DNS records for their ownership and signatures."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def list(
        self,
        project_id: str,
    ) -> Any:
        """List domains

        All domains of the project, verified and pending, newest first. The project must be that of the
        key.

        `GET /domains/project/{projectId}`
        """
        return self._requests.call("GET", path("/domains/project/{}", project_id))

    def add(
        self,
        body: Any,
    ) -> Any:
        """Add a domain

        Returns the DNS records to publish; the first check follows within 10 seconds. IP addresses, public
        suffixes and domains of mailbox providers are refused; at most 100 domains in a project.

        `POST /domains`
        """
        return self._requests.call("POST", "/domains", body=body)

    def get(
        self,
        id: str,
    ) -> Any:
        """Read a domain

        One domain with its DNS records and the values found in DNS.

        `GET /domains/{id}`
        """
        return self._requests.call("GET", path("/domains/{}", id))

    def update(
        self,
        id: str,
        body: Any = None,
    ) -> Any:
        """Change a domain

        Sets the host of the links in its mail. Publish the CNAME record of the response, and give the host a
        certificate; links use it once both are valid. Former hosts keep working.

        `PATCH /domains/{id}`
        """
        return self._requests.call("PATCH", path("/domains/{}", id), body=body)

    def remove(
        self,
        id: str,
    ) -> Any:
        """Remove a domain

        Deletes its signing keys. Refused while a template, a workflow step, an unfinished campaign or unsent
        mail sends from it.

        `DELETE /domains/{id}`
        """
        return self._requests.call("DELETE", path("/domains/{}", id))

    def health(
        self,
        id: str,
        *,
        refresh: bool | None = None,
    ) -> Any:
        """Read the health of a domain

        What mailbox providers require of bulk senders, and whether it is so. DNS is asked once a day, and now
        with `refresh=true`, at most once a minute. Figures are those of the mail of this
        domain.

        `GET /domains/{id}/health`
        """
        return self._requests.call("GET", path("/domains/{}/health", id), query={"refresh": refresh})

    def dmarc(
        self,
        id: str,
        *,
        start_date: str | None = None,
        end_date: str | None = None,
        group_by: Literal["source", "reporter", "day"] | None = None,
        limit: int | None = None,
    ) -> Any:
        """Read DMARC reports of a domain

        What mailbox providers report about mail with this domain in From; by default of the last 30 days. Anyone
        can send such reports, so they inform and change nothing. Sums are kept for 400 days.

        `GET /domains/{id}/dmarc`
        """
        return self._requests.call("GET", path("/domains/{}/dmarc", id), query={"startDate": start_date, "endDate": end_date, "groupBy": group_by, "limit": limit})

    def warmup(
        self,
        id: str,
        *,
        transport: str | None = None,
    ) -> Any:
        """Read the warm-up of a domain

        The plan, its step and cap of today, the mail that waits, and every day that is over.

        `GET /domains/{id}/warmup`
        """
        return self._requests.call("GET", path("/domains/{}/warmup", id), query={"transport": transport})

    def set_warmup(
        self,
        id: str,
        body: Any,
        *,
        transport: str | None = None,
    ) -> Any:
        """Warm up a domain

        Sets the plan, or replaces it; the step stays if `preset` and `caps` do. Campaigns, workflow mail and
        single mail with a MARKETING or HEADLESS template wait when the cap of the day is used up. Where a plan
        of the domain and one of a transport fit, the tighter one holds.

        `PUT /domains/{id}/warmup`
        """
        return self._requests.call("PUT", path("/domains/{}/warmup", id), query={"transport": transport}, body=body)

    def remove_warmup(
        self,
        id: str,
        *,
        transport: str | None = None,
    ) -> Any:
        """End the warm-up of a domain

        Removes the plan with its days. The mail that waits is sent at once.

        `DELETE /domains/{id}/warmup`
        """
        return self._requests.call("DELETE", path("/domains/{}/warmup", id), query={"transport": transport})

    def warmups(
        self,
        id: str,
    ) -> Any:
        """List the warm-ups of a domain

        The plan of all mail of the domain, and those of single transports. Empty without a plan: at most one for
        each transport.

        `GET /domains/{id}/warmups`
        """
        return self._requests.call("GET", path("/domains/{}/warmups", id))

    def pause_warmup(
        self,
        id: str,
        *,
        transport: str | None = None,
    ) -> Any:
        """Pause the warm-up of a domain

        No bulk mail of the domain leaves until `resume`. A plan that is paused or completed stays as it
        is.

        `POST /domains/{id}/warmup/pause`
        """
        return self._requests.call("POST", path("/domains/{}/warmup/pause", id), query={"transport": transport})

    def resume_warmup(
        self,
        id: str,
        *,
        transport: str | None = None,
    ) -> Any:
        """Resume the warm-up of a domain

        Begins the same step again on the next local day. A plan that is not paused stays as it
        is.

        `POST /domains/{id}/warmup/resume`
        """
        return self._requests.call("POST", path("/domains/{}/warmup/resume", id), query={"transport": transport})

    def verify(
        self,
        id: str,
    ) -> Any:
        """Check a domain now

        Checks DNS at once instead of waiting for the check every 5 minutes. Returns the result of an earlier
        check if it is less than 10 seconds old.

        `GET /domains/{id}/verify`
        """
        return self._requests.call("GET", path("/domains/{}/verify", id))


class Emails:
    """The delivery ledger: one record for each mail to each recipient."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        status: str | None = None,
        mode: Literal["LIVE", "TEST", "ALL"] | None = None,
        sort: Literal["createdAt", "scheduledFor"] | None = None,
        source_type: Literal["TRANSACTIONAL", "CAMPAIGN", "WORKFLOW"] | None = None,
        contact_id: str | None = None,
        campaign_id: str | None = None,
        workflow_id: str | None = None,
        template_id: str | None = None,
        group_id: str | None = None,
        to: str | None = None,
        tag: str | None = None,
        start_date: str | None = None,
        end_date: str | None = None,
    ) -> Items[Any]:
        """List emails

        The records of the project's mail, one for each mail to each recipient, newest first.

        `GET /emails`
        """
        return Items(self._requests, "GET", "/emails", {"limit": limit, "cursor": cursor, "status": status, "mode": mode, "sort": sort, "sourceType": source_type, "contactId": contact_id, "campaignId": campaign_id, "workflowId": workflow_id, "templateId": template_id, "groupId": group_id, "to": to, "tag": tag, "startDate": start_date, "endDate": end_date})

    def send(
        self,
        body: Any,
        *,
        idempotency_key: str | None = None,
    ) -> Any:
        """Send email with a session

        The same as `POST /v1/send`, which takes keys only: also with a session, of any role.

        `POST /emails`
        """
        return self._requests.call("POST", "/emails", body=body, keyed=True, idempotency_key=idempotency_key)

    def get(
        self,
        id: str,
    ) -> Any:
        """Read an email

        The record with every delivery attempt and its result.

        `GET /emails/{id}`
        """
        return self._requests.call("GET", path("/emails/{}", id))

    def update(
        self,
        id: str,
        body: Any = None,
    ) -> Any:
        """Reschedule an email

        Only mail that is still `SCHEDULED`, else 409 with reason `not_scheduled`. A later time moves it; null or
        a past time sends it at once.

        `PATCH /emails/{id}`
        """
        return self._requests.call("PATCH", path("/emails/{}", id), body=body)

    def content(
        self,
        id: str,
        *,
        format: Literal["json", "raw"] | None = None,
    ) -> Any:
        """Read the content of an email

        As rendered, before link rewriting and without the tracking pixel, so that reading it does not count as
        an open. After retention the texts are null and `raw` is 404.

        `GET /emails/{id}/content`
        """
        return self._requests.call("GET", path("/emails/{}/content", id), query={"format": format})

    def cancel(
        self,
        id: str,
    ) -> Any:
        """Cancel an email

        Only mail that is still `SCHEDULED` or `PENDING`, else 409 with reason `not_cancellable`. Safe to
        repeat.

        `POST /emails/{id}/cancel`
        """
        return self._requests.call("POST", path("/emails/{}/cancel", id))

    def retry(
        self,
        id: str,
    ) -> Any:
        """Send a failed email again

        Only mail that is `FAILED` or `AMBIGUOUS`, with the same Message-ID. Sender domain, suppression and
        subscription are checked again: 409 with reason `not_retryable`, `content_purged`, `suppressed` or
        `contact_unsubscribed`.

        `POST /emails/{id}/retry`
        """
        return self._requests.call("POST", path("/emails/{}/retry", id))


class Suppressions:
    """Addresses that get no mail of any type."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        search: str | None = None,
        reason: Literal["HARD_BOUNCE", "COMPLAINT", "MANUAL"] | None = None,
        start_date: str | None = None,
        end_date: str | None = None,
    ) -> Items[Any]:
        """List suppressions

        Addresses that get no mail of any type, newest first.

        `GET /suppressions`
        """
        return Items(self._requests, "GET", "/suppressions", {"limit": limit, "cursor": cursor, "search": search, "reason": reason, "startDate": start_date, "endDate": end_date})

    def add(
        self,
        body: Any = None,
    ) -> Any:
        """Suppress addresses

        With `email`: 201 and the record, or 200 and the unchanged record when the address is already on the
        list. With `emails`: 201 and the counts. The reason is `MANUAL`. Subscriptions do not change, and waiting
        mail becomes `SUPPRESSED` when it is due.

        `POST /suppressions`
        """
        return self._requests.call("POST", "/suppressions", body=body)

    def export(
        self,
        *,
        format: Literal["csv", "ndjson"] | None = None,
        search: str | None = None,
        reason: Literal["HARD_BOUNCE", "COMPLAINT", "MANUAL"] | None = None,
        start_date: str | None = None,
        end_date: str | None = None,
    ) -> Any:
        """Export suppressions

        For OWNER and ADMIN. A file of all suppressed addresses, or of those that match the query, newest first,
        each at most once. Erased addresses are left out. CSV has the columns id, email, reason, emailId, note
        and createdAt; a text that a spreadsheet would run as a formula starts with an apostrophe.

        `GET /suppressions/export`
        """
        return self._requests.call("GET", "/suppressions/export", query={"format": format, "search": search, "reason": reason, "startDate": start_date, "endDate": end_date}, stream=True)

    def get(
        self,
        email: str,
    ) -> Any:
        """Look up an address

        The record of the address; 404 when it is not suppressed.

        `GET /suppressions/{email}`
        """
        return self._requests.call("GET", path("/suppressions/{}", email))

    def remove(
        self,
        email: str,
    ) -> Any:
        """Lift a suppression

        For OWNER and ADMIN. The address may get mail again. A contact that was unsubscribed by a bounce or
        complaint stays unsubscribed, and suppressed mail is not sent.

        `DELETE /suppressions/{email}`
        """
        return self._requests.call("DELETE", path("/suppressions/{}", email))


class Events:
    """Actions of contacts, and events of their mail."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        event_name: str | None = None,
        contact_id: str | None = None,
        source: Literal["tracked", "system", "all"] | None = None,
        start_date: str | None = None,
        end_date: str | None = None,
    ) -> Items[Any]:
        """List events

        Events that callers tracked, newest first: those of one name by `occurredAt`, others by
        `createdAt`.

        `GET /events`
        """
        return Items(self._requests, "GET", "/events", {"limit": limit, "cursor": cursor, "eventName": event_name, "contactId": contact_id, "source": source, "startDate": start_date, "endDate": end_date})

    def stats(
        self,
        *,
        source: Literal["tracked", "system", "all"] | None = None,
        start_date: str | None = None,
        end_date: str | None = None,
    ) -> Any:
        """Count events by name

        The most frequent first, at most 1,000 names. By default the last 30 days.

        `GET /events/stats`
        """
        return self._requests.call("GET", "/events/stats", query={"source": source, "startDate": start_date, "endDate": end_date})

    def of_contact(
        self,
        contact_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        source: Literal["tracked", "system", "all"] | None = None,
    ) -> Items[Any]:
        """List a contact's events

        All events of the contact, newest first, 50 on a page by default.

        `GET /events/contact/{contactId}`
        """
        return Items(self._requests, "GET", path("/events/contact/{}", contact_id), {"limit": limit, "cursor": cursor, "source": source})

    def names(
        self,
        *,
        search: str | None = None,
        source: Literal["tracked", "system", "all"] | None = None,
    ) -> Any:
        """List names of events

        For a picker: every name in use.

        `GET /events/names`
        """
        return self._requests.call("GET", "/events/names", query={"search": search, "source": source})

    def usage(
        self,
        event_name: str,
    ) -> Any:
        """List the uses of an event name

        Segments, campaigns that have not ended, and workflows that use the name. An unknown name has no
        uses.

        `GET /events/{eventName}/usage`
        """
        return self._requests.call("GET", path("/events/{}/usage", event_name))

    def timeseries(
        self,
        event_name: str,
        *,
        start_date: str | None = None,
        end_date: str | None = None,
        timezone: str | None = None,
    ) -> Any:
        """Count an event by day

        How often callers tracked the event, with one entry for each day of the window, including days without
        it; by default the last 30 days. Days are counted whole, even if the window starts or ends within one.
        Counts stay when contacts are deleted. An unknown name has zeros.

        `GET /events/{eventName}/timeseries`
        """
        return self._requests.call("GET", path("/events/{}/timeseries", event_name), query={"startDate": start_date, "endDate": end_date, "timezone": timezone})

    def delete(
        self,
        event_name: str,
    ) -> Any:
        """Delete events by name

        For OWNER and ADMIN. Deletes every stored event with the name; lists and filters stop seeing them at
        once. Refused with 409 while something uses the name, and with 422 for names of the service. The name can
        be tracked again.

        `DELETE /events/{eventName}`
        """
        return self._requests.call("DELETE", path("/events/{}", event_name))

    def track(
        self,
        body: Any,
        *,
        idempotency_key: str | None = None,
    ) -> Any:
        """Track an event with the secret key

        The same as `POST /v1/track`, for servers: with the secret key or a session.

        `POST /events/track`
        """
        return self._requests.call("POST", "/events/track", body=body, keyed=True, idempotency_key=idempotency_key)


class Activity:
    """The activity feed of the project, across its resources."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        types: str | None = None,
        contact_id: str | None = None,
        start_date: str | None = None,
        end_date: str | None = None,
        timezone: str | None = None,
    ) -> Items[Any]:
        """List activity

        The activity feed of the project, newest first, by default 50 entries per page, of the last 30 days.
        `total` is counted up to 10,000. Entries of deleted contacts and campaigns are not
        included.

        `GET /activity`
        """
        return Items(self._requests, "GET", "/activity", {"limit": limit, "cursor": cursor, "types": types, "contactId": contact_id, "startDate": start_date, "endDate": end_date, "timezone": timezone})

    def stats(
        self,
        *,
        start_date: str | None = None,
        end_date: str | None = None,
        timezone: str | None = None,
    ) -> Any:
        """Count activity

        Totals and rates of a window, by default of the last 30 days.

        `GET /activity/stats`
        """
        return self._requests.call("GET", "/activity/stats", query={"startDate": start_date, "endDate": end_date, "timezone": timezone})

    def recent_count(
        self,
        *,
        minutes: int | None = None,
    ) -> Any:
        """Count recent activity

        Counts the entries of the last minutes, by default 5.

        `GET /activity/recent-count`
        """
        return self._requests.call("GET", "/activity/recent-count", query={"minutes": minutes})

    def types(
        self,
    ) -> Any:
        """List types of activity

        All types, and those that occurred in the project.

        `GET /activity/types`
        """
        return self._requests.call("GET", "/activity/types")

    def upcoming(
        self,
        *,
        limit: int | None = None,
        days_ahead: int | None = None,
    ) -> Any:
        """List scheduled activity

        Scheduled campaigns, workflows and steps, earliest first; by default 50 entries of the next 30
        days.

        `GET /activity/upcoming`
        """
        return self._requests.call("GET", "/activity/upcoming", query={"limit": limit, "daysAhead": days_ahead})


class Analytics:
    """Statistics of mail, campaigns and events."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def timeseries(
        self,
        *,
        start_date: str | None = None,
        end_date: str | None = None,
        timezone: str | None = None,
        include_machine: bool | None = None,
    ) -> Any:
        """Mail by day

        One entry for each day of the window, including days without mail; by default the last 30 days. Days are
        counted whole, even if the window starts or ends within one. Counts stay when contacts and campaigns are
        deleted.

        `GET /analytics/timeseries`
        """
        return self._requests.call("GET", "/analytics/timeseries", query={"startDate": start_date, "endDate": end_date, "timezone": timezone, "includeMachine": include_machine})

    def providers(
        self,
        *,
        start_date: str | None = None,
        end_date: str | None = None,
        timezone: str | None = None,
    ) -> Any:
        """Results by mailbox provider

        Results of mail by the mailbox providers of the recipients; by default of the last 30 days. Days are
        counted whole, and each result counts on the day on which it happened. Counts stay when contacts and
        campaigns are deleted.

        `GET /analytics/providers`
        """
        return self._requests.call("GET", "/analytics/providers", query={"startDate": start_date, "endDate": end_date, "timezone": timezone})

    def top_campaigns(
        self,
        *,
        metric: Literal["opened", "clicked", "delivered", "sent", "bounced", "openRate", "clickRate"] | None = None,
        limit: int | None = None,
        start_date: str | None = None,
        end_date: str | None = None,
    ) -> Any:
        """The best campaigns

        Campaigns that are sent or being sent, ordered by a metric, by default 10. The dates refer to the start
        of sending.

        `GET /analytics/top-campaigns`
        """
        return self._requests.call("GET", "/analytics/top-campaigns", query={"metric": metric, "limit": limit, "startDate": start_date, "endDate": end_date})

    def campaign_stats(
        self,
        *,
        start_date: str | None = None,
        end_date: str | None = None,
        limit: int | None = None,
    ) -> Any:
        """Statistics of all campaigns

        Counts by state, average rates and the newest campaigns. The dates refer to the creation of the
        campaigns.

        `GET /analytics/campaign-stats`
        """
        return self._requests.call("GET", "/analytics/campaign-stats", query={"startDate": start_date, "endDate": end_date, "limit": limit})

    def conversions(
        self,
        *,
        by: Literal["day", "campaign", "workflow"] | None = None,
        start_date: str | None = None,
        end_date: str | None = None,
    ) -> Any:
        """Conversions and revenue

        Goals reached, by day, campaign or workflow, at most 500 rows; by default of the last 30 days. A
        conversion counts on the day on which it was recorded, in UTC. Sums stay when contacts are deleted, and
        go with their campaign or workflow.

        `GET /analytics/conversions`
        """
        return self._requests.call("GET", "/analytics/conversions", query={"by": by, "startDate": start_date, "endDate": end_date})

    def top_events(
        self,
        *,
        limit: int | None = None,
        start_date: str | None = None,
        end_date: str | None = None,
    ) -> Any:
        """The most frequent events

        The names that callers tracked most; by default 5, of the last 30 days.

        `GET /analytics/top-events`
        """
        return self._requests.call("GET", "/analytics/top-events", query={"limit": limit, "startDate": start_date, "endDate": end_date})


class Deliverability:
    """How mail to mailbox providers goes."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def providers(
        self,
    ) -> Any:
        """How mail to each mailbox provider goes

        Mailbox providers that got mail of the project in 7 days, or that asked for less mail. The service then
        sends less there, lets the rest wait, and sends more again by itself.

        `GET /deliverability/providers`
        """
        return self._requests.call("GET", "/deliverability/providers")


class Search:
    """One search over the records of the project."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def find(
        self,
        *,
        q: str,
        limit: int | None = None,
    ) -> Any:
        """Find records by name, address or id

        Contacts by address; campaigns, templates, partials, segments, workflows and domains by name, templates
        also by alias; any of them, and mails, by id. Contacts match within their address from three characters
        on, and with two at its beginning. Closed to API keys.

        `GET /search`
        """
        return self._requests.call("GET", "/search", query={"q": q, "limit": limit})


class Views:
    """Queries of lists that people come back to. Closed to API keys."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def list(
        self,
        *,
        page: Literal["activity", "audit", "campaigns", "contacts", "events", "mails", "pieces", "segments", "suppressions", "templates", "workflows"] | None = None,
    ) -> Any:
        """List saved views

        Views that the member has made, and those that are shared. With the secret key only shared
        ones.

        `GET /views`
        """
        return self._requests.call("GET", "/views", query={"page": page})

    def create(
        self,
        body: Any,
    ) -> Any:
        """Save a view

        At most 50 of each member and 200 of the project; one more is 422. Views leave the project with the
        member who made them.

        `POST /views`
        """
        return self._requests.call("POST", "/views", body=body)

    def update(
        self,
        id: str,
        body: Any = None,
    ) -> Any:
        """Change a view

        For its maker, and for a shared one also OWNER and ADMIN. Absent fields keep their values. A view that
        was made with the secret key stays shared.

        `PATCH /views/{id}`
        """
        return self._requests.call("PATCH", path("/views/{}", id), body=body)

    def remove(
        self,
        id: str,
    ) -> Any:
        """Delete a view

        For its maker, and for a shared one also OWNER and ADMIN.

        `DELETE /views/{id}`
        """
        return self._requests.call("DELETE", path("/views/{}", id))


class Uploads:
    """Images for mails."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def image(
        self,
        body: Any,
    ) -> Any:
        """Upload an image

        One JPEG, PNG, GIF or WebP in the field `image`, at most 10 MB and 10,000 pixels on each side; 415 for
        anything else, including SVG. The response has its public URL, which is always the same for the same
        image. All images of a project together may have 1 GB.

        `POST /uploads/image`
        """
        return self._requests.call("POST", "/uploads/image", body=body, as_form=True)

    def images(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Items[Any]:
        """List images

        The images of the project, newest first. An image that was uploaded again has its first
        date.

        `GET /uploads/images`
        """
        return Items(self._requests, "GET", "/uploads/images", {"limit": limit, "cursor": cursor})

    def remove_image(
        self,
        name: str,
    ) -> Any:
        """Delete an image

        For OWNER and ADMIN. Its URL answers 404 from then on: mail that was sent with it loses the picture, and
        so do templates and campaigns that name it. Caches may show it for longer.

        `DELETE /uploads/images/{name}`
        """
        return self._requests.call("DELETE", path("/uploads/images/{}", name))


class Settings:
    """Rules of the audience and of sending: consent, pages of recipients, ingestion, quiet hours, frequency
    caps, approval of campaigns."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def audience(
        self,
    ) -> Any:
        """Read the settings of the audience

        All settings, with their defaults.

        `GET /settings/audience`
        """
        return self._requests.call("GET", "/settings/audience")

    def update_audience(
        self,
        body: Any = None,
    ) -> Any:
        """Change the settings of the audience

        Absent fields keep their values, in the groups too. 403 if the domain of `doubleOptIn.from` is not
        verified. Not in force yet: `selfService`. It is checked and stored.

        `PATCH /settings/audience`
        """
        return self._requests.call("PATCH", "/settings/audience", body=body)

    def sending(
        self,
    ) -> Any:
        """Read the settings of sending

        All settings, with their defaults.

        `GET /settings/sending`
        """
        return self._requests.call("GET", "/settings/sending")

    def update_sending(
        self,
        body: Any = None,
    ) -> Any:
        """Change the settings of sending

        Absent fields keep their values. `campaignApproval` acts on campaigns that are sent or scheduled
        afterwards, the rest on mail that is made or taken for its first attempt afterwards.

        `PATCH /settings/sending`
        """
        return self._requests.call("PATCH", "/settings/sending", body=body)

    def preview_preferences(
        self,
        body: Any = None,
    ) -> Any:
        """Preview the preference page

        The page with the settings of the body in place of the stored ones. Changes nothing. The form is taken
        out, so the page can be shown to members as it is.

        `POST /settings/audience/preview`
        """
        return self._requests.call("POST", "/settings/audience/preview", body=body)


class Projects:
    """The project itself."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def current(
        self,
    ) -> Any:
        """Read the project of a key

        The project of the credential by id and name, and the kind of the key.

        `GET /projects/current`
        """
        return self._requests.call("GET", "/projects/current")

    def setup_state(
        self,
        id: str,
    ) -> Any:
        """Read the setup state of the project

        The parts that are set up and those that are missing. The project must be that of the
        key.

        `GET /projects/{id}/setup-state`
        """
        return self._requests.call("GET", path("/projects/{}/setup-state", id))

    def audit(
        self,
        id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        action: str | None = None,
        user_id: str | None = None,
        start_date: str | None = None,
        end_date: str | None = None,
    ) -> Items[Any]:
        """List changes of the project

        For OWNER and ADMIN, and the secret key; closed to API keys. Who changed what, newest first. The project
        must be that of the key.

        `GET /projects/{id}/audit`
        """
        return Items(self._requests, "GET", path("/projects/{}/audit", id), {"limit": limit, "cursor": cursor, "action": action, "userId": user_id, "startDate": start_date, "endDate": end_date})

    def security(
        self,
        id: str,
    ) -> Any:
        """Read the sender reputation of the project

        Bounce and complaint rates of seven days and of all time, their limits, and the last suspensions of the
        project. The project must be that of the key.

        `GET /projects/{id}/security`
        """
        return self._requests.call("GET", path("/projects/{}/security", id))


class ApiKeys:
    """Credentials with their own scopes, in addition to the two keys of the project."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def list(
        self,
    ) -> Any:
        """List API keys

        Newest first, without the keys themselves.

        `GET /api-keys`
        """
        return self._requests.call("GET", "/api-keys")

    def create(
        self,
        body: Any,
    ) -> Any:
        """Create an API key

        A key with its own scopes, sent as `Authorization: Bearer`. Within its scopes it is accepted wherever the
        secret key is. It is shown only in this response. At most 100 in a project.

        `POST /api-keys`
        """
        return self._requests.call("POST", "/api-keys", body=body)

    def get(
        self,
        id: str,
    ) -> Any:
        """Read an API key

        One API key, without the key itself.

        `GET /api-keys/{id}`
        """
        return self._requests.call("GET", path("/api-keys/{}", id))

    def update(
        self,
        id: str,
        body: Any = None,
    ) -> Any:
        """Change an API key

        When the response arrives, the change applies in every process.

        `PATCH /api-keys/{id}`
        """
        return self._requests.call("PATCH", path("/api-keys/{}", id), body=body)

    def remove(
        self,
        id: str,
    ) -> Any:
        """Revoke an API key

        When the response arrives, no process accepts the key. Mail that is already accepted is still
        delivered.

        `DELETE /api-keys/{id}`
        """
        return self._requests.call("DELETE", path("/api-keys/{}", id))

    def rotate(
        self,
        id: str,
        body: Any = None,
    ) -> Any:
        """Replace an API key

        Creates a new key with the same settings. The old key is accepted until `previousValidUntil`; a key from
        an earlier rotation stops working at once.

        `POST /api-keys/{id}/rotate`
        """
        return self._requests.call("POST", path("/api-keys/{}/rotate", id), body=body)


class Transports:
    """SMTP servers of the project, and their routes."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def list(
        self,
    ) -> Any:
        """List transports

        Newest first, without their passwords.

        `GET /transports`
        """
        return self._requests.call("GET", "/transports")

    def create(
        self,
        body: Any,
    ) -> Any:
        """Add a transport

        Opens a session with the server first; nothing is stored if that fails. Connections use TLS with a valid
        certificate and go to public addresses only. At most 20 in a project, and 30 such tests an
        hour.

        `POST /transports`
        """
        return self._requests.call("POST", "/transports", body=body)

    def routes(
        self,
    ) -> Any:
        """Read the routes

        The routes, which choose the transports for mail.

        `GET /transports/routes`
        """
        return self._requests.call("GET", "/transports/routes")

    def set_routes(
        self,
        body: Any,
    ) -> Any:
        """Replace the routes

        Applies to attempts from one second later on. Mail that matches no route uses the transports of the
        installation.

        `PUT /transports/routes`
        """
        return self._requests.call("PUT", "/transports/routes", body=body)

    def get(
        self,
        id: str,
    ) -> Any:
        """Read a transport

        One transport, without its password.

        `GET /transports/{id}`
        """
        return self._requests.call("GET", path("/transports/{}", id))

    def update(
        self,
        id: str,
        body: Any = None,
    ) -> Any:
        """Change a transport

        A change of `host`, `port`, `tls`, `user` or `password` opens a session first; nothing is stored if that
        fails.

        `PATCH /transports/{id}`
        """
        return self._requests.call("PATCH", path("/transports/{}", id), body=body)

    def remove(
        self,
        id: str,
    ) -> Any:
        """Remove a transport

        Refused while a route uses it.

        `DELETE /transports/{id}`
        """
        return self._requests.call("DELETE", path("/transports/{}", id))

    def verify(
        self,
        id: str,
    ) -> Any:
        """Check a transport

        Opens a session without sending mail. Returns the result of an earlier check if it is less than 10
        seconds old.

        `POST /transports/{id}/verify`
        """
        return self._requests.call("POST", path("/transports/{}/verify", id))


class Webhooks:
    """Endpoints that receive events."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def list(
        self,
    ) -> Any:
        """List webhooks

        Newest first, without their secrets.

        `GET /webhooks`
        """
        return self._requests.call("GET", "/webhooks")

    def create(
        self,
        body: Any,
    ) -> Any:
        """Add a webhook

        From now on the URL receives the events that match the patterns, signed by the Standard Webhooks
        convention. The secret is shown only in this response. At most 20 in a project.

        `POST /webhooks`
        """
        return self._requests.call("POST", "/webhooks", body=body)

    def get(
        self,
        id: str,
    ) -> Any:
        """Read a webhook

        One endpoint, without its secret.

        `GET /webhooks/{id}`
        """
        return self._requests.call("GET", path("/webhooks/{}", id))

    def update(
        self,
        id: str,
        body: Any = None,
    ) -> Any:
        """Change a webhook

        A disabled endpoint receives nothing, and its waiting deliveries fail; `POST /webhooks/{id}/replay`
        delivers them later. With `ifUpdatedAt`, only if nothing has changed the webhook since, else 409 with
        reason `changed_meanwhile`.

        `PATCH /webhooks/{id}`
        """
        return self._requests.call("PATCH", path("/webhooks/{}", id), body=body)

    def remove(
        self,
        id: str,
    ) -> Any:
        """Remove a webhook

        Ends its waiting deliveries and deletes its log.

        `DELETE /webhooks/{id}`
        """
        return self._requests.call("DELETE", path("/webhooks/{}", id))

    def rotate_secret(
        self,
        id: str,
    ) -> Any:
        """Replace the secret of a webhook

        For 24 hours, requests have two signatures: one with the new secret and one with the previous
        secret.

        `POST /webhooks/{id}/rotate-secret`
        """
        return self._requests.call("POST", path("/webhooks/{}/rotate-secret", id))

    def test(
        self,
        id: str,
    ) -> Any:
        """Test a webhook

        Delivers one `webhook.test`, even to a disabled endpoint.

        `POST /webhooks/{id}/test`
        """
        return self._requests.call("POST", path("/webhooks/{}/test", id))

    def deliveries(
        self,
        id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        status: Literal["PENDING", "SUCCEEDED", "FAILED"] | None = None,
        type: str | None = None,
        start_date: str | None = None,
        end_date: str | None = None,
    ) -> Items[Any]:
        """List deliveries

        Deliveries to the endpoint, newest first. They are kept for 30 days.

        `GET /webhooks/{id}/deliveries`
        """
        return Items(self._requests, "GET", path("/webhooks/{}/deliveries", id), {"limit": limit, "cursor": cursor, "status": status, "type": type, "startDate": start_date, "endDate": end_date})

    def delivery(
        self,
        id: str,
        delivery_id: str,
    ) -> Any:
        """Read a delivery

        With its payload and every attempt.

        `GET /webhooks/{id}/deliveries/{deliveryId}`
        """
        return self._requests.call("GET", path("/webhooks/{}/deliveries/{}", id, delivery_id))

    def replay_delivery(
        self,
        id: str,
        delivery_id: str,
    ) -> Any:
        """Deliver again

        Starts a new series of attempts with the same `webhook-id` and payload. 200 if the delivery is still
        pending.

        `POST /webhooks/{id}/deliveries/{deliveryId}/replay`
        """
        return self._requests.call("POST", path("/webhooks/{}/deliveries/{}/replay", id, delivery_id))

    def replay(
        self,
        id: str,
        body: Any,
    ) -> Any:
        """Deliver many again

        Repeats deliveries of a period that failed, or delivers events of the period that were missed. Delivers
        nothing to a disabled endpoint.

        `POST /webhooks/{id}/replay`
        """
        return self._requests.call("POST", path("/webhooks/{}/replay", id), body=body)


class Members:
    """Users who may act for the project."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def list(
        self,
        id: str,
    ) -> Any:
        """List members

        Members, oldest first, then open invitations.

        `GET /projects/{id}/members`
        """
        return self._requests.call("GET", path("/projects/{}/members", id))

    def invite(
        self,
        id: str,
        body: Any,
    ) -> Any:
        """Invite a member

        For OWNER and ADMIN with a confirmed address; with the secret key the OWNER's address must be confirmed.
        The address gets an email with a link that is valid for 7 days; its owner becomes a member by accepting.
        At most 100 members and invitations, 3 emails an hour to one address, and 100 emails a day from one
        inviting account, including withdrawn invitations; invitations with the secret key count for the
        OWNER.

        `POST /projects/{id}/members`
        """
        return self._requests.call("POST", path("/projects/{}/members", id), body=body)

    def update(
        self,
        id: str,
        user_id: str,
        body: Any,
    ) -> Any:
        """Change the role of a member

        For OWNER and ADMIN. A member cannot change their own role or the OWNER's. The OWNER can offer the
        project to a member: the response has `pendingRole`, and the member gets an email with a link that is
        valid for 7 days. Giving the member another role withdraws the offer.

        `PATCH /projects/{id}/members/{userId}`
        """
        return self._requests.call("PATCH", path("/projects/{}/members/{}", id, user_id), body=body)

    def remove(
        self,
        id: str,
        user_id: str,
    ) -> Any:
        """Remove a member

        For OWNER and ADMIN; members may leave. The OWNER can neither be removed nor leave.

        `DELETE /projects/{id}/members/{userId}`
        """
        return self._requests.call("DELETE", path("/projects/{}/members/{}", id, user_id))


class Invitations:
    """Invitations to the project."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def list(
        self,
        id: str,
    ) -> Any:
        """List invitations

        The open invitations, oldest first.

        `GET /projects/{id}/invitations`
        """
        return self._requests.call("GET", path("/projects/{}/invitations", id))

    def remove(
        self,
        id: str,
        invitation_id: str,
    ) -> Any:
        """Withdraw an invitation

        For OWNER and ADMIN; only the OWNER withdraws an offer of ownership. The link stops
        working.

        `DELETE /projects/{id}/invitations/{invitationId}`
        """
        return self._requests.call("DELETE", path("/projects/{}/invitations/{}", id, invitation_id))


class Resources:
    """Every operation that takes a key, as a method."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests
        self.contacts = Contacts(requests)
        self.opt_ins = OptIns(requests)
        self.segments = Segments(requests)
        self.topics = Topics(requests)
        self.consents = Consents(requests)
        self.privacy_requests = PrivacyRequests(requests)
        self.forms = Forms(requests)
        self.templates = Templates(requests)
        self.partials = Partials(requests)
        self.campaigns = Campaigns(requests)
        self.workflows = Workflows(requests)
        self.executions = Executions(requests)
        self.domains = Domains(requests)
        self.emails = Emails(requests)
        self.suppressions = Suppressions(requests)
        self.events = Events(requests)
        self.activity = Activity(requests)
        self.analytics = Analytics(requests)
        self.deliverability = Deliverability(requests)
        self.search = Search(requests)
        self.views = Views(requests)
        self.uploads = Uploads(requests)
        self.settings = Settings(requests)
        self.projects = Projects(requests)
        self.api_keys = ApiKeys(requests)
        self.transports = Transports(requests)
        self.webhooks = Webhooks(requests)
        self.members = Members(requests)
        self.invitations = Invitations(requests)

    def track(
        self,
        body: Any,
        *,
        idempotency_key: str | None = None,
    ) -> Any:
        """Track an event

        Records what a contact did, and creates or updates the contact. Needs the public key. A repeated call
        records another event, unless it has an `Idempotency-Key`. The `publicKeyPolicy` of the project defines
        what the key may do; at most 60 calls a minute for one contact, and 600 from one client
        address.

        `POST /v1/track`
        """
        return self._requests.call("POST", "/v1/track", body=body, public=True, keyed=True, idempotency_key=idempotency_key)

    def send(
        self,
        body: Any,
        *,
        idempotency_key: str | None = None,
    ) -> Any:
        """Send email

        Sends a separate email to each of 1 to 1,000 recipients; the contacts are created or updated. Requires a
        template, or subject and body. All recipients are accepted or none. 200 means stored and queued: `GET
        /emails/{id}` has the delivery state. At most 40 MB.

        `POST /v1/send`
        """
        return self._requests.call("POST", "/v1/send", body=body, keyed=True, idempotency_key=idempotency_key)

    def batch(
        self,
        body: Any,
        *,
        idempotency_key: str | None = None,
    ) -> Any:
        """Send a batch

        Sends 1 to 1,000 different emails in one request and one transaction. `atomic` decides whether a faulty
        item refuses the whole batch or only itself. An item with an `idempotencyKey` counts as `POST /v1/send`
        with that key: with `Idempotency-Mode: replay`, a repeated batch sends only the items that were not
        accepted before. At most 40 MB.

        `POST /v1/batch`
        """
        return self._requests.call("POST", "/v1/batch", body=body, keyed=True, idempotency_key=idempotency_key)

    def verify(
        self,
        body: Any,
    ) -> Any:
        """Verify an address

        Checks the syntax of the address and looks up its domain in the DNS. The mail server is not contacted, no
        mail is sent, nothing is stored and no contact is created.

        `POST /v1/verify`
        """
        return self._requests.call("POST", "/v1/verify", body=body)

/** Events of test mail. They are not recorded: only webhooks that ask for them receive them. */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Context, type DateTime, type Effect } from "effect"
import type { NewEvent } from "./EventLog.ts"

/** A service, because the area `webhooks` implements it. */
export class TestEvents extends Context.Service<
  TestEvents,
  {
    /** Queues the events for the webhooks in test mode that subscribe to them. Joins the caller's transaction. */
    readonly deliver: (
      project: ProjectId,
      events: ReadonlyArray<Pick<NewEvent, "name" | "data">>,
      now: DateTime.Utc
    ) => Effect.Effect<void>
  }
>()("@posthorn/core/events/TestEvents") {}

/** Answers which contacts are in a segment. The segments capability implements it. */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Context, type Effect, type Option } from "effect"
import type { Statement } from "effect/sql"

export class SegmentMembers extends Context.Service<
  SegmentMembers,
  {
    /** A condition on rows of `contacts` that holds for the members. None if the project has no such segment. */
    readonly condition: (project: ProjectId, segment: string) => Effect.Effect<Option.Option<Statement.Fragment>>
  }
>()("@posthorn/core/audience/contacts/SegmentMembers") {}

/** Who is in a segment: asked by whatever takes contacts of one, answered by the capability that keeps them. */
import type { ProjectId } from "@posthorn/contract/Auth"
import { Context, type Effect, type Option } from "effect"
import type { Statement } from "effect/sql"

export class SegmentMembers extends Context.Service<
  SegmentMembers,
  {
    /** A condition on rows of `contacts` that holds for the members; none when the project has no such segment. */
    readonly condition: (project: ProjectId, segment: string) => Effect.Effect<Option.Option<Statement.Fragment>>
  }
>()("@posthorn/core/contacts/SegmentMembers") {}

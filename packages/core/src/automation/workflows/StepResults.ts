/** What became of the mail of a SEND_EMAIL step, and which of its links were clicked. */
import { type Step, StepNotFound } from "@posthorn/contract/automation/workflows/Step"
import type { WorkflowNotFound } from "@posthorn/contract/automation/workflows/Workflow"
import type { WorkflowId } from "@posthorn/contract/automation/workflows/WorkflowId"
import type { OwnerResults, TemplateLinks } from "@posthorn/contract/content/links/Links"
import { TemplateId } from "@posthorn/contract/content/templates/Template"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Effect } from "effect"
import { LinkTotals } from "../../content/links/LinkTotals.ts"
import { textsOf } from "../../content/links/SourceLinks.ts"
import { Templates } from "../../content/templates/Templates.ts"
import * as Workflows from "./Workflows.ts"

type Refused = StepNotFound | WorkflowNotFound

export interface StepResults {
  readonly links: (project: ProjectId, workflow: WorkflowId, step: string) => Effect.Effect<TemplateLinks, Refused>
  readonly stats: (project: ProjectId, workflow: WorkflowId, step: string) => Effect.Effect<OwnerResults, Refused>
}

export const make: Effect.Effect<StepResults, never, LinkTotals | Templates | Workflows.Needs> = Effect.gen(
  function* () {
    const templates = yield* Templates
    const totals = yield* LinkTotals
    const workflows = yield* Workflows.make

    const find = Effect.fnUntraced(function* (
      project: ProjectId,
      workflow: WorkflowId,
      id: string
    ): Effect.fn.Return<Step, Refused> {
      const { steps } = yield* workflows.get(project, workflow)
      const step = steps.find((each) => each.id === id.toLowerCase() && each.type === "SEND_EMAIL")
      if (step === undefined) return yield* new StepNotFound({ id })
      return step
    })

    const links = Effect.fn("StepResults.links")(function* (project: ProjectId, workflow: WorkflowId, id: string) {
      const step = yield* find(project, workflow, id)
      const template =
        step.templateId === null
          ? undefined
          : yield* Effect.orElseSucceed(templates.get(project, TemplateId.make(step.templateId)), () => undefined)
      return yield* totals.links(
        project,
        step.id,
        template === undefined
          ? undefined
          : { id: template.id, content: { texts: textsOf(template), layout: template.layout } }
      )
    })

    const stats = Effect.fn("StepResults.stats")(function* (project: ProjectId, workflow: WorkflowId, id: string) {
      const { createdAt, id: step } = yield* find(project, workflow, id)
      return yield* totals.results(project, step, createdAt)
    })

    return { links, stats }
  }
)

/** Handlers of WorkflowsApi. */
import { Api } from "@posthorn/contract/Api"
import { CurrentProject, type ProjectAccess } from "@posthorn/contract/platform/Auth"
import type { JsonBody, Validation } from "@posthorn/contract/platform/Request"
import { Effect, type Layer } from "effect"
import type { HttpApiGroup } from "effect/http-api"
import type { LinkTotals } from "../../content/links/LinkTotals.ts"
import type { Templates } from "../../content/templates/Templates.ts"
import { group } from "../../platform/http/RequestContext.ts"
import * as WorkflowGraphs from "./graph/WorkflowGraphs.ts"
import * as WorkflowReports from "./report/WorkflowReports.ts"
import { SigningSecrets } from "./SigningSecrets.ts"
import * as StepResults from "./StepResults.ts"
import * as TestRuns from "./testruns/TestRuns.ts"
import * as WorkflowVersions from "./versions/WorkflowVersions.ts"
import * as Workflows from "./Workflows.ts"

export const layer: Layer.Layer<
  HttpApiGroup.Service<"posthorn", "workflows">,
  never,
  | JsonBody
  | LinkTotals
  | ProjectAccess
  | SigningSecrets
  | Templates
  | TestRuns.Needs
  | Validation
  | WorkflowGraphs.Needs
  | WorkflowReports.Needs
  | WorkflowVersions.Needs
  | Workflows.Needs
> = group(
  Api,
  "workflows",
  Effect.fnUntraced(function* (handlers) {
    const workflows = yield* Workflows.make
    const graphs = yield* WorkflowGraphs.make
    const results = yield* StepResults.make
    const reports = yield* WorkflowReports.make
    const secrets = yield* SigningSecrets
    const testRuns = yield* TestRuns.make
    const versions = yield* WorkflowVersions.make
    return handlers.handleAll({
      list: ({ query }) => CurrentProject.use(({ id }) => workflows.list(id, query)),
      fields: ({ query }) => CurrentProject.use(({ id }) => workflows.fields(id, query.eventName)),
      signingSecret: () => CurrentProject.use(({ id }) => secrets.show(id)),
      rotateSigningSecret: () => CurrentProject.use(({ id }) => secrets.rotate(id)),
      create: ({ payload }) => CurrentProject.use(({ id }) => workflows.create(id, payload)),
      get: ({ params }) => CurrentProject.use(({ id }) => workflows.get(id, params.id)),
      report: ({ params, query }) => CurrentProject.use(({ id }) => reports.report(id, params.id, query)),
      validate: ({ params }) => CurrentProject.use(({ id }) => workflows.validate(id, params.id)),
      validateGraph: ({ params, payload }) =>
        CurrentProject.use(({ id }) => workflows.validateGraph(id, params.id, payload)),
      replaceGraph: ({ params, payload }) =>
        CurrentProject.use(({ id }) => workflows.replaceGraph(id, params.id, payload)),
      update: ({ params, payload }) => CurrentProject.use(({ id }) => workflows.update(id, params.id, payload)),
      delete: ({ params }) => CurrentProject.use(({ id }) => workflows.delete(id, params.id)),
      duplicate: ({ params }) => CurrentProject.use(({ id }) => workflows.duplicate(id, params.id)),
      addStep: ({ params, payload }) => CurrentProject.use(({ id }) => graphs.addStep(id, params.id, payload)),
      updateStep: ({ params, payload }) =>
        CurrentProject.use(({ id }) => graphs.updateStep(id, params.id, params.stepId, payload)),
      testRun: ({ params, payload }) => CurrentProject.use(({ id }) => testRuns.run(id, params.id, payload)),
      stepLinks: ({ params }) => CurrentProject.use(({ id }) => results.links(id, params.id, params.stepId)),
      stepStats: ({ params }) => CurrentProject.use(({ id }) => results.stats(id, params.id, params.stepId)),
      experiment: ({ params }) => CurrentProject.use(({ id }) => graphs.experiment(id, params.id, params.stepId)),
      decideExperiment: ({ params, payload }) =>
        CurrentProject.use(({ id }) => graphs.decideExperiment(id, params.id, params.stepId, payload.branch)),
      restartExperiment: ({ params }) =>
        CurrentProject.use(({ id }) => graphs.restartExperiment(id, params.id, params.stepId)),
      deleteStep: ({ params, query }) =>
        CurrentProject.use(({ id }) => graphs.deleteStep(id, params.id, params.stepId, query.splice ?? false)),
      addTransition: ({ params, payload }) =>
        CurrentProject.use(({ id }) => graphs.addTransition(id, params.id, payload)),
      deleteTransition: ({ params }) =>
        CurrentProject.use(({ id }) => graphs.deleteTransition(id, params.id, params.transitionId)),
      publish: ({ params, payload }) => CurrentProject.use(({ id }) => versions.publish(id, params.id, payload)),
      removeDraft: ({ params }) => CurrentProject.use(({ id }) => versions.removeDraft(id, params.id)),
      versions: ({ params, query }) => CurrentProject.use(({ id }) => versions.list(id, params.id, query)),
      version: ({ params }) => CurrentProject.use(({ id }) => versions.get(id, params.id, params.n)),
      diff: ({ params, query }) => CurrentProject.use(({ id }) => versions.diff(id, params.id, params.n, query)),
      restore: ({ params }) => CurrentProject.use(({ id }) => versions.restore(id, params.id, params.n)),
      migrate: ({ params, payload }) => CurrentProject.use(({ id }) => versions.migrate(id, params.id, payload)),
      migration: ({ params }) => CurrentProject.use(({ id }) => versions.migration(id, params.id, params.jobId)),
      insertStep: ({ params, payload }) =>
        CurrentProject.use(({ id }) => graphs.insertStep(id, params.id, params.transitionId, payload))
    })
  })
)

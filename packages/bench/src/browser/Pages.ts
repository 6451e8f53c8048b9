/** The pages of the console, each with what it shows once its data is there. */
import type { ConsoleProject } from "../seed/ConsoleSeeded.ts"

export interface ConsolePage {
  readonly name: string
  /** Below the project. */
  readonly path: string
  /** An element with this text. */
  readonly selector: string
  readonly text: string
}

const page = (name: string, path: string, selector = "h1", text = ""): ConsolePage => ({ name, path, selector, text })

/** Rows of a list, which has at least one. */
const rows = '[role="grid"] tbody th'

export const overview = page("overview", "/", "figcaption")
export const contacts = page("contacts", "/contacts", rows, "@")
export const campaignReport = ({ campaign }: ConsoleProject): ConsolePage =>
  page("campaign report", `/campaigns/${campaign}`, rows, "@")
export const workflow = ({ workflow }: ConsoleProject): ConsolePage =>
  page("workflow of 50 steps", `/workflows/${workflow}`, ".react-flow__node")

/** Every page of a project. Those without a list show their title. */
export const everyPage = (project: ConsoleProject): ReadonlyArray<ConsolePage> => [
  overview,
  page("activity", "/activity", rows),
  page("mails", "/mails", rows),
  page("scheduled", "/mails/scheduled"),
  page("campaigns", "/campaigns", rows),
  campaignReport(project),
  page("workflows", "/workflows", rows),
  workflow(project),
  page("templates", "/templates", rows),
  page("template", `/templates/${project.template}`),
  page("pieces", "/templates/pieces"),
  contacts,
  page("fields", "/contacts/fields", rows),
  page("import", "/contacts/import"),
  page("segments", "/segments"),
  page("new segment", "/segments/new"),
  page("events", "/events", rows),
  page("domains", "/domains", rows),
  page("providers", "/deliverability"),
  page("suppressions", "/suppressions"),
  page("keys", "/keys"),
  page("webhooks", "/webhooks"),
  page("transports", "/transports"),
  page("settings", "/settings"),
  page("members", "/settings/members", rows),
  page("billing", "/settings/billing"),
  page("audit", "/settings/audit")
]

/** Places of the sidebar, in the order in which the rows walk them. */
export const places: ReadonlyArray<ConsolePage> = [
  contacts,
  page("mails", "/mails", rows),
  page("campaigns", "/campaigns", rows),
  page("workflows", "/workflows", rows),
  page("templates", "/templates", rows),
  overview
]

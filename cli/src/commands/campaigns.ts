import type {
  Call,
  Campaign,
  FilterTree,
  Posthorn,
  WriteCampaignDelivery,
  WriteCampaignExperiment,
  WriteCampaignGoal,
  WriteCampaignHoldout,
  WriteMailPolicy
} from "@posthorn/client"
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { Api, withApi } from "../api/Api.ts"
import { connectionOptions } from "../api/Connection.ts"
import { campaignId } from "../api/Lookups.ts"
import { wrongUsage } from "../Failure.ts"
import {
  confirm,
  confirmPast,
  filterTree,
  ifUpdatedAt,
  jsonObject,
  jsonOf,
  limitOptions,
  optional,
  pageLimit,
  text,
  upTo,
  yes
} from "../options/Options.ts"
import { campaignBlocks, campaignHead, campaignRow } from "../output/CampaignText.ts"
import * as Output from "../output/Output.ts"
import { experiment, links, providers, recipients, report, stats, watch } from "./campaignResults.ts"

const id = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withMetavar("<id>"), Flag.withDescription(description), optional)

const address = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withMetavar("<address>"), Flag.withDescription(description), optional)

const whoChoices = ["ALL", "NOT_OPENED", "NOT_CLICKED", "OPENED", "CLICKED", "NOT_CONVERTED"] as const

const campaignOptions = {
  name: Flag.String("name").pipe(Flag.withDescription("Internal name")),
  description: Flag.String("description").pipe(Flag.withDescription("Internal note"), optional),
  subject: text("subject").pipe(
    Flag.withDescription("Subject, with {{variables}}; needed without a template"),
    optional
  ),
  body: text("body").pipe(Flag.withDescription("HTML with {{variables}}; needed without a template"), optional),
  preheader: text("preheader").pipe(
    Flag.withDescription("Text that inboxes show beside the subject, with {{variables}}"),
    optional
  ),
  format: Flag.Literals("format", ["HTML", "MJML"]).pipe(
    Flag.withDescription("What the body is written in; MJML if there is a source, else that of the template or HTML"),
    optional
  ),
  source: text("source").pipe(Flag.withDescription("MJML with {{variables}}, in place of the body"), optional),
  from: address("from", "Sender, at a verified domain; needed without a template"),
  fromName: Flag.String("from-name").pipe(Flag.withDescription("Name of the sender"), optional),
  replyTo: address("reply-to", "Address for replies"),
  type: Flag.Literals("type", ["TRANSACTIONAL", "MARKETING", "HEADLESS"]).pipe(
    Flag.withDescription("Determines the allowed recipients and the footer; default MARKETING"),
    optional
  ),
  templateId: id("template-id", "Template for all values that are not given here"),
  topicId: Flag.String("topic-id").pipe(
    Flag.withMetavar("<id or key>"),
    Flag.withDescription("Topic that contacts must take; default: the template's"),
    optional
  ),
  archive: Flag.Boolean("archive").pipe(
    Flag.withDescription("Show it in the public archive of the project once it is sent"),
    optional
  ),
  policy: jsonOf<WriteMailPolicy>("policy").pipe(
    Flag.withDescription(`Which rules of the sending policy it follows, such as {"quietHours":"BYPASS"}`),
    optional
  ),
  delivery: jsonOf<WriteCampaignDelivery>("delivery").pipe(
    Flag.withDescription(
      `When its mails are sent: {"localTime":{}}, {"spreadHours":4}, {"ratePerMinute":600} or {"expiresAt":"2026-12-25T00:00:00Z"}`
    ),
    optional
  ),
  priority: Flag.Int("priority").pipe(
    Flag.withDescription("1 to 5: its part beside other campaigns that are sent at the same time; default 3"),
    optional
  ),
  experiment: jsonOf<WriteCampaignExperiment>("experiment").pipe(
    Flag.withDescription(
      `Variants to try first, such as {"variants":[{"key":"A"},{"key":"B","subject":"Hi"}],"testShare":0.2}`
    ),
    optional
  ),
  goal: jsonOf<WriteCampaignGoal>("goal").pipe(
    Flag.withDescription(
      `Event that counts as a conversion, such as {"eventName":"order.paid","revenue":{"path":"total","currency":"EUR"}}`
    ),
    optional
  ),
  holdout: jsonOf<WriteCampaignHoldout>("holdout").pipe(
    Flag.withDescription(`Share of the audience that gets no mail, such as {"share":0.05}; needs --goal`),
    optional
  ),
  recipientsOf: id("recipients-of", "Only recipients of this campaign"),
  who: Flag.Literals("who", whoChoices).pipe(
    Flag.withDescription("With --recipients-of: which of them, by what they did with its mail; default ALL"),
    optional
  ),
  segmentId: id("segment-id", "Only the contacts in this segment"),
  audienceCondition: filterTree("audience-condition").pipe(
    Flag.withDescription("Only contacts that match this filter tree"),
    optional
  )
}

const formatOf = ({
  format,
  source
}: {
  readonly format?: "HTML" | "MJML" | undefined
  readonly source?: string | undefined
}) => format ?? (source === undefined ? undefined : "MJML")

const earlierOf = (campaignId: string | undefined, who: (typeof whoChoices)[number] = "ALL") =>
  campaignId === undefined ? undefined : { campaignId, who }

interface Targets {
  readonly segmentId: string | undefined
  readonly audienceCondition: FilterTree | undefined
}

/** All contacts, unless a segment or a condition is given. */
const audienceTypeOf = ({ segmentId, audienceCondition }: Targets): "ALL" | "SEGMENT" | "FILTERED" => {
  if (segmentId !== undefined) return "SEGMENT"
  return audienceCondition === undefined ? "ALL" : "FILTERED"
}

/** A verb that takes the id of a campaign and nothing else, and shows the campaign. */
const onCampaign = <const Name extends string>(
  name: Name,
  description: string,
  ask: (client: Posthorn, id: string) => Call<Campaign>
) =>
  Command.make(
    name,
    { id: campaignId, ...connectionOptions },
    Effect.fnUntraced(function* ({ id }) {
      const { call } = yield* Api
      const campaign = yield* call((client) => ask(client, id))
      yield* Output.one(campaign, ...campaignBlocks(campaign))
    })
  ).pipe(
    Command.withDescription(description),
    Command.withExamples([{ command: `posthorn campaigns ${name} 019a9f3c-0000-7000-8000-0000000000d1` }]),
    withApi
  )

const cancel = onCampaign("cancel", "Stop a campaign permanently: no more of its mail is sent", ({ campaigns }, id) =>
  campaigns.cancel(id)
)
const duplicate = onCampaign("duplicate", "Create a new draft with the same texts and audience", ({ campaigns }, id) =>
  campaigns.duplicate(id)
)
const pause = onCampaign(
  "pause",
  "Pause a campaign: no more of its mail is sent until it is resumed",
  ({ campaigns }, id) => campaigns.pause(id)
)
const resume = onCampaign("resume", "Resume a paused campaign", ({ campaigns }, id) => campaigns.resume(id))
const send = onCampaign(
  "send",
  "Send a campaign now; `posthorn campaigns watch` shows its progress",
  ({ campaigns }, id) => campaigns.send(id)
)
const show = onCampaign("show", "Show a campaign with its counters", ({ campaigns }, id) => campaigns.get(id))

const create = Command.make(
  "create",
  { ...campaignOptions, ...connectionOptions },
  Effect.fnUntraced(function* ({ url, key, project, dataDir, recipientsOf, who, ...content }) {
    const { call } = yield* Api
    const campaign = yield* call(({ campaigns }) =>
      campaigns.create({
        ...content,
        format: formatOf(content),
        audienceType: audienceTypeOf(content),
        recipientsOf: earlierOf(recipientsOf, who)
      })
    )
    yield* Output.one(campaign, ...campaignBlocks(campaign))
  })
).pipe(
  Command.withDescription("Create a campaign as a draft, to all contacts unless a segment or a condition is given"),
  Command.withExamples([
    {
      command:
        "posthorn campaigns create --name Launch --from news@posthorn.test --subject 'Hello {{firstName ?? you}}' --body -",
      description: "With the HTML from standard input"
    },
    {
      command:
        "posthorn campaigns create --name Launch --from news@posthorn.test --subject Hello --source - < launch.mjml",
      description: "With MJML from a file"
    },
    {
      command: "posthorn campaigns create --name Launch --template-id 019a9f3c-0000-7000-8000-0000000000c1",
      description: "With the texts and the sender of a template"
    }
  ]),
  withApi
)

const remove = Command.make(
  "delete",
  { id: campaignId, yes, ...connectionOptions },
  Effect.fnUntraced(function* ({ id, yes }) {
    const { call } = yield* Api
    const { name } = yield* call(({ campaigns }) => campaigns.get(id))
    yield* confirm(`Delete the campaign ${name} with its counters?`, yes)
    yield* call(({ campaigns }) => campaigns.delete(id))
    yield* Output.one({ id, name, deleted: true }, { rows: [["deleted", name]] })
  })
).pipe(
  Command.withDescription("Delete a campaign that is not being sent; asks first"),
  Command.withExamples([{ command: "posthorn campaigns delete 019a9f3c-0000-7000-8000-0000000000d1 --yes" }]),
  withApi
)

const followUp = Command.make(
  "follow-up",
  {
    id: campaignId,
    who: Flag.Literals("who", whoChoices).pipe(
      Flag.withDescription("Which recipients, by what they did with the mail of the campaign")
    ),
    subject: text("subject").pipe(Flag.withDescription("Subject in place of the copied one"), optional),
    name: Flag.String("name").pipe(Flag.withDescription("Internal name"), optional),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ id, who, subject, name }) {
    const { call } = yield* Api
    const campaign = yield* call(({ campaigns }) => campaigns.followUp(id, { who, subject, name }))
    yield* Output.one(campaign, ...campaignBlocks(campaign))
  })
).pipe(
  Command.withDescription("Create a draft to recipients of a campaign, by what they did with its mail"),
  Command.withExamples([
    { command: "posthorn campaigns follow-up 019a9f3c-0000-7000-8000-0000000000d1 --who NOT_OPENED" }
  ]),
  withApi
)

const list = Command.make(
  "list",
  {
    status: Flag.Literals("status", ["DRAFT", "SCHEDULED", "SENDING", "SENT", "CANCELLED"]).pipe(
      Flag.withDescription("Only campaigns in this state"),
      optional
    ),
    parentId: id("parent-id", "Only campaigns that the recurrence of this one made"),
    search: Flag.String("search").pipe(
      Flag.withDescription("Only campaigns with this text in name, subject or sender address"),
      optional
    ),
    sort: Flag.Literals("sort", ["createdAt", "name", "updatedAt"]).pipe(
      Flag.withDescription("Sort order; default createdAt"),
      optional
    ),
    dir: Flag.Literals("dir", ["asc", "desc"]).pipe(Flag.withDescription("Sort direction"), optional),
    ...limitOptions,
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ url, key, project, dataDir, limit, all, ...query }) {
    const { items } = yield* Api
    const campaigns = items(({ campaigns }) => campaigns.list({ ...query, pageSize: pageLimit({ limit, all }) }))
    yield* Output.list(upTo({ limit, all })(campaigns), {
      head: campaignHead,
      row: campaignRow,
      none: "No campaigns. Create one with `posthorn campaigns create`."
    })
  })
).pipe(
  Command.withDescription("List campaigns, newest first"),
  Command.withExamples([{ command: "posthorn campaigns list --status SENDING" }]),
  withApi
)

const recur = Command.make(
  "recur",
  {
    id: campaignId,
    schedule: Flag.String("schedule").pipe(
      Flag.withMetavar("<cron>"),
      Flag.withDescription("Five fields: minute hour day month weekday; at least an hour apart"),
      optional
    ),
    timezone: Flag.String("timezone").pipe(
      Flag.withDescription("In which the schedule is read; default the time zone of the project"),
      optional
    ),
    endsAt: Flag.String("ends-at").pipe(
      Flag.withMetavar("<time>"),
      Flag.withDescription("No firing after it"),
      optional
    ),
    maxRuns: Flag.Int("max-runs").pipe(Flag.withDescription("The number of firings, at most"), optional),
    disabled: Flag.Boolean("disabled").pipe(
      Flag.withoutNegation,
      Flag.withDefault(false),
      Flag.withDescription("Keep the schedule, but do not fire")
    ),
    remove: Flag.Boolean("remove").pipe(
      Flag.withoutNegation,
      Flag.withDefault(false),
      Flag.withDescription("End the recurrence; the campaigns that it made go on")
    ),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ id, schedule, timezone, endsAt, maxRuns, disabled, remove }) {
    const { call } = yield* Api
    if (remove === (schedule !== undefined)) return yield* wrongUsage("Pass either --schedule or --remove.")
    if (schedule === undefined) {
      yield* call(({ campaigns }) => campaigns.removeRecurrence(id))
      return yield* Output.one({ id, removed: true }, { rows: [["ended", id]] })
    }
    const campaign = yield* call(({ campaigns }) =>
      campaigns.setRecurrence(id, { schedule, timezone, endsAt, maxRuns, enabled: !disabled })
    )
    yield* Output.one(campaign, ...campaignBlocks(campaign))
  })
).pipe(
  Command.withDescription("Send copies of a draft by a schedule, each with the texts and the audience of then"),
  Command.withExamples([
    {
      command:
        "posthorn campaigns recur 019a9f3c-0000-7000-8000-0000000000d1 --schedule '0 9 * * MON' --timezone Europe/Berlin"
    },
    { command: "posthorn campaigns recur 019a9f3c-0000-7000-8000-0000000000d1 --remove" }
  ]),
  withApi
)

const retryFailed = Command.make(
  "retry-failed",
  {
    id: campaignId,
    includeAmbiguous: Flag.Boolean("include-ambiguous").pipe(
      Flag.withoutNegation,
      Flag.withDefault(false),
      Flag.withDescription("Also ambiguous emails, which may have arrived; some recipients may get a copy")
    ),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ id, includeAmbiguous }) {
    const { call } = yield* Api
    const retried = yield* call(({ campaigns }) => campaigns.retryFailed(id, { includeAmbiguous }))
    yield* Output.one(retried, {
      rows: [
        ["tried again", retried.retried],
        ["status", retried.status]
      ]
    })
  })
).pipe(
  Command.withDescription("Send the failed mails of a campaign again; recipients who got the mail get no second one"),
  Command.withExamples([{ command: "posthorn campaigns retry-failed 019a9f3c-0000-7000-8000-0000000000d1" }]),
  withApi
)

const schedule = Command.make(
  "schedule",
  {
    id: campaignId,
    scheduledFor: Flag.String("scheduled-for").pipe(
      Flag.withMetavar("<time>"),
      Flag.withDescription("When to start: a date or a date-time, in UTC unless it has a zone")
    ),
    yes,
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ id, scheduledFor, yes }) {
    const { call } = yield* Api
    yield* confirmPast(scheduledFor, "the campaign would start at once", yes)
    const campaign = yield* call(({ campaigns }) => campaigns.send(id, { scheduledFor }))
    yield* Output.one(campaign, ...campaignBlocks(campaign))
  })
).pipe(
  Command.withDescription("Schedule a campaign, or change its time; asks if the time is in the past"),
  Command.withExamples([
    {
      command:
        "posthorn campaigns schedule 019a9f3c-0000-7000-8000-0000000000d1 --scheduled-for 2026-12-24T09:00:00+01:00"
    }
  ]),
  withApi
)

const test = Command.make(
  "test",
  {
    id: campaignId,
    email: Flag.String("email").pipe(
      Flag.withMetavar("<address>"),
      Flag.withDescription("A contact, or a member of the project")
    ),
    data: jsonObject("data").pipe(Flag.withDescription("Variables for this mail only"), optional),
    variant: Flag.String("variant").pipe(Flag.withDescription("A variant of its experiment, such as B"), optional),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ id, email, data, variant }) {
    const { call } = yield* Api
    const sent = yield* call(({ campaigns }) => campaigns.test(id, { email, data, variant }))
    yield* Output.one(sent, { rows: [["mail", sent.email]] })
  })
).pipe(
  Command.withDescription("Send a campaign to one address as a test"),
  Command.withExamples([
    { command: "posthorn campaigns test 019a9f3c-0000-7000-8000-0000000000d1 --email ada@example.com" }
  ]),
  withApi
)

const noteOption = Flag.String("note").pipe(Flag.withDescription("A note for the other side"), optional)

/** The same with a note. */
const withNote = <const Name extends string>(
  name: Name,
  description: string,
  ask: (client: Posthorn, id: string, note: string | undefined) => Call<Campaign>
) =>
  Command.make(
    name,
    { id: campaignId, note: noteOption, ...connectionOptions },
    Effect.fnUntraced(function* ({ id, note }) {
      const { call } = yield* Api
      const campaign = yield* call((client) => ask(client, id, note))
      yield* Output.one(campaign, ...campaignBlocks(campaign))
    })
  ).pipe(
    Command.withDescription(description),
    Command.withExamples([{ command: `posthorn campaigns ${name} 019a9f3c-0000-7000-8000-0000000000d1` }]),
    withApi
  )

const requestApproval = withNote(
  "request-approval",
  "Ask the administrators of the project to approve a draft",
  ({ campaigns }, id, note) => campaigns.requestApproval(id, { note })
)
const approve = withNote(
  "approve",
  "Approve a campaign as it is; needs the login of an OWNER or ADMIN",
  ({ campaigns }, id, note) => campaigns.approve(id, { note })
)

const reject = Command.make(
  "reject",
  {
    id: campaignId,
    note: Flag.String("note").pipe(Flag.withDescription("Why")),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ id, note }) {
    const { call } = yield* Api
    const campaign = yield* call(({ campaigns }) => campaigns.reject(id, { note }))
    yield* Output.one(campaign, ...campaignBlocks(campaign))
  })
).pipe(
  Command.withDescription("Reject a campaign; needs the login of an OWNER or ADMIN"),
  Command.withExamples([
    { command: "posthorn campaigns reject 019a9f3c-0000-7000-8000-0000000000d1 --note 'The second price is wrong.'" }
  ]),
  withApi
)

const update = Command.make(
  "update",
  { id: campaignId, ...campaignOptions, ifUpdatedAt, ...connectionOptions },
  Effect.fnUntraced(function* ({ id, url, key, project, dataDir, recipientsOf, who, ...content }) {
    const { call } = yield* Api
    const campaign = yield* call(({ campaigns }) =>
      campaigns.update(id, {
        ...content,
        format: formatOf(content),
        audienceType: audienceTypeOf(content),
        recipientsOf: earlierOf(recipientsOf, who)
      })
    )
    yield* Output.one(campaign, ...campaignBlocks(campaign))
  })
).pipe(
  Command.withDescription("Replace a draft or scheduled campaign; values that are not given return to their defaults"),
  Command.withExamples([
    {
      command:
        "posthorn campaigns update 019a9f3c-0000-7000-8000-0000000000d1 --name Launch --from news@posthorn.test --subject Hello --body -"
    }
  ]),
  withApi
)

export const campaigns = Command.make("campaigns").pipe(
  Command.withDescription("Emails to an audience, sent at once or at a scheduled time"),
  Command.withExamples([{ command: "posthorn campaigns list --status SENDING" }]),
  Command.withSubcommands([
    list,
    show,
    create,
    update,
    send,
    schedule,
    recur,
    watch,
    stats,
    links,
    providers,
    report,
    recipients,
    pause,
    resume,
    cancel,
    retryFailed,
    test,
    experiment,
    requestApproval,
    approve,
    reject,
    duplicate,
    followUp,
    remove
  ])
)

/**
 * The client for mail written with React Email: `send`, items and `defaults` of `batch`, `templates.create`,
 * `templates.update` and `templates.renderTexts` take an element as `react` in place of `body`.
 *
 * Needs the packages `react`, `react-dom` (18 or 19) and `@react-email/render` 2.
 */
import { render } from "@react-email/render"
import type { ReactElement } from "react"
import { type Call, callOf, failed } from "./Answer.ts"
import { keyOf } from "./Keys.ts"
import { listerOf } from "./List.ts"
import type { CallOptions, KeyedCallOptions, PosthornOptions } from "./Options.ts"
import { type Caller, callerOf } from "./Requests.ts"
import { Resources, type Templates } from "./resources.generated.ts"
import type {
  BatchDefaults,
  BatchItem,
  CreateTemplate,
  RenderedMail,
  RenderTexts,
  SendBatch,
  SendEmail,
  SentBatch,
  SentEmails,
  Template,
  UpdateTemplate
} from "./types.generated.ts"

export * from "./index.ts"

/** A body of a request, or one with an element in place of `body`. */
export type WithReact<Body extends { readonly body?: unknown }> =
  | (Body & { readonly react?: undefined })
  | (Omit<Body, "body"> & {
      /** Rendered by `@react-email/render` before the request. */
      readonly react: ReactElement
      readonly body?: undefined
    })

export interface ReactBatch extends Omit<SendBatch, "defaults" | "emails"> {
  readonly emails: ReadonlyArray<WithReact<BatchItem>>
  readonly defaults?: WithReact<BatchDefaults> | null | undefined
}

export interface ReactTemplates extends Templates {
  readonly create: (body: WithReact<CreateTemplate>, options?: CallOptions) => Call<Template>
  readonly update: (id: string, body?: WithReact<UpdateTemplate>, options?: CallOptions) => Call<Template>
  readonly renderTexts: (body?: WithReact<RenderTexts>, options?: CallOptions) => Call<RenderedMail>
}

/**
 * The client of `@posthorn/client`, whose mails and templates may be elements of React.
 *
 * An element in a mail is final: it is sent with `interpolate: false`, unless `interpolate` is given, so `{{` in it is
 * plain text. Templates are rendered for each recipient, so their elements contain `{{variable}}`. The service derives
 * the text part unless `text` is given. At most 20 elements are rendered at once. An element that throws, or that is
 * given together with `body`, is an `INVALID_ARGUMENT` whose `details.index` is the index of the item, 0 outside of a
 * batch; nothing was sent.
 */
export class Posthorn extends Resources {
  declare readonly send: (body: WithReact<SendEmail>, options?: KeyedCallOptions) => Call<SentEmails["data"]>
  declare readonly batch: (body: ReactBatch, options?: KeyedCallOptions) => Call<SentBatch["data"]>
  declare readonly templates: ReactTemplates

  constructor(options: PosthornOptions = {}) {
    const call = rendering(callerOf(options, keyOf(options)))
    super(call, listerOf(call))
  }
}

/** The fields of a request that this module uses. */
interface Mail {
  readonly react?: ReactElement | null
  readonly body?: unknown
  readonly interpolate?: unknown
}

interface Batch {
  readonly emails: ReadonlyArray<Mail>
  readonly defaults?: Mail | null
}

const maxRenderings = 20

/** Limits the number of tasks that run at the same time. */
const limited = (max: number) => {
  let free = max
  const waiting: Array<() => void> = []
  return async <A>(task: () => Promise<A>): Promise<A> => {
    if (free > 0) free--
    else await new Promise<void>((begin) => waiting.push(begin))
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      if (next === undefined) free++
      else next()
    }
  }
}

/** Renders the elements of a request before it is sent. */
const rendering = (call: Caller): Caller => {
  const oneOf = limited(maxRenderings)

  const rendered = async <M extends Mail>({ react, ...mail }: M, index?: number) => {
    if (react == null) return mail
    try {
      if (mail.body != null) throw new TypeError("`react` and `body` exclude each other.")
      return { ...mail, body: await oneOf(() => render(react)) }
    } catch (error) {
      throw new Refused(error, index)
    }
  }

  /** The output of React is final, so `{{` in it is plain text. */
  const final = async (mail: Mail, index: number, defaults?: Mail | null) => {
    const isElement = mail.react != null || (mail.body == null && defaults?.react != null)
    const interpolate = mail.interpolate ?? defaults?.interpolate ?? false
    return { ...(await rendered(mail, index)), ...(isElement && { interpolate }) }
  }

  const batch = async ({ emails, defaults, ...others }: Batch) => {
    const settled = await Promise.allSettled(emails.map((mail, index) => final(mail, index, defaults)))
    const refused = settled.find((each) => each.status === "rejected")
    if (refused !== undefined) throw refused.reason
    return {
      ...others,
      ...(defaults && { defaults: await rendered(defaults) }),
      emails: settled.map((each) => each.status === "fulfilled" && each.value)
    }
  }

  const prepared = (route: string, body: object) =>
    route === "/v1/batch" ? batch(body as Batch) : route === "/v1/send" ? final(body, 0) : rendered(body, 0)

  return (method, route, input) =>
    hasElement(input.body)
      ? callOf(
          prepared(route, input.body).then(
            (body) => call(method, route, { ...input, body }),
            ({ message, index }: Refused) =>
              failed({ code: "INVALID_ARGUMENT", message, details: index === undefined ? {} : { index } })
          )
        )
      : call(method, route, input)
}

const isElement = (mail: unknown) => (mail as Mail | null | undefined)?.react != null

const hasElement = (body: unknown): body is object => {
  const { emails, defaults } = (body ?? {}) as Partial<Batch>
  return isElement(body) || isElement(defaults) || (Array.isArray(emails) && emails.some(isElement))
}

class Refused extends Error {
  readonly index: number | undefined
  constructor(cause: unknown, index: number | undefined) {
    super(String(cause))
    this.index = index
  }
}

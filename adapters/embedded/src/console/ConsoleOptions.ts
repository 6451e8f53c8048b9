/** What an application says about the console that it mounts, and about the people who use it. */
import type { IncomingMessage } from "node:http"
import { MemberRole, ProjectId } from "@posthorn/contract/platform/Auth"
import { Schema } from "effect"
import { InvalidOption } from "../Options.ts"

/** A person whom the application has signed in. */
export interface ConsoleUser {
  /** The id in the application, at most 200 characters. The audit log has it. */
  readonly userId: string
  readonly email: string
  /** The projects that the person may use, at most 100, each with the role in it. */
  readonly projects: ReadonlyArray<{ readonly id: string; readonly role: "OWNER" | "ADMIN" | "MEMBER" }>
}

export interface ConsoleOptions {
  /** The path at which the application mounts the console, such as `/admin/mail`. */
  readonly basePath: string
  /**
   * The sender of the request; null or undefined without a sign-in. It is called for every request of the API, and must
   * not read the body. With `node`, it also gets the request of Node's server. If it throws, the answer is 503.
   */
  readonly authorize: (
    request: Request,
    incoming?: IncomingMessage
  ) => ConsoleUser | null | undefined | Promise<ConsoleUser | null | undefined>
  /** Where the application signs people in: a path, or an http or https URL. */
  readonly signInUrl?: string | undefined
  /** The name in the title of pages. Default `Posthorn`. */
  readonly title?: string | undefined
  /** Who may show the console in a frame, as sources of CSP: `'self'`, `https://app.example`. Default: no place. */
  readonly frameAncestors?: ReadonlyArray<string> | undefined
}

/** What `authorize` must return. */
export const SignedInUser = Schema.Struct({
  userId: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(200)),
  email: Schema.String,
  projects: Schema.Array(Schema.Struct({ id: ProjectId, role: MemberRole })).check(Schema.isMaxLength(100))
})
export type SignedInUser = typeof SignedInUser.Type

const invalid = (option: string, rule: string, given: string) =>
  new InvalidOption({ message: `${option} must be ${rule}; it is ${JSON.stringify(given)}.` })

const isPath = (path: string) =>
  path.startsWith("/") &&
  path
    .slice(1)
    .split("/")
    .every((part) => /^[\w.~-]+$/.test(part))

const isPlace = (url: string) =>
  URL.canParse(url, "https://app.example") && /^https?:$/.test(new URL(url, "https://app.example").protocol)

/** Throws `InvalidOption` for a value that cannot be used. */
export const checked = (options: ConsoleOptions): ConsoleOptions => {
  const basePath = options.basePath.replace(/\/$/, "")
  if (!isPath(basePath)) throw invalid("basePath", "a path such as /admin/mail", options.basePath)
  if (options.signInUrl !== undefined && !isPlace(options.signInUrl)) {
    throw invalid("signInUrl", "a path, or an http or https URL", options.signInUrl)
  }
  for (const source of options.frameAncestors ?? []) {
    if (!/^[^\s;,]+$/.test(source)) throw invalid("frameAncestors", "a list of sources of CSP", source)
  }
  return { ...options, basePath }
}

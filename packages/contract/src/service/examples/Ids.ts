/** The values of the parameters in paths that the samples show. The same resource has the same id in all of them. */

const id = (last: string) => `019a9f3c-5e1d-7a40-8f21-0c6b1d2e3f${last}`

/** By the name that a field or a schema has for the resource. */
export const ids: { readonly [resource: string]: string } = {
  contact: id("01"),
  project: id("02"),
  segment: id("03"),
  template: id("04"),
  campaign: id("05"),
  workflow: id("06"),
  step: id("07"),
  toStep: id("08"),
  transition: id("09"),
  execution: id("0a"),
  stepExecution: id("0b"),
  email: id("0c"),
  event: id("0d"),
  domain: id("0e"),
  webhook: id("0f"),
  delivery: id("10"),
  job: id("11"),
  user: id("12"),
  member: id("13"),
  invitation: id("14"),
  session: id("15"),
  passkey: id("16"),
  suppression: id("17"),
  activity: id("18"),
  apiKey: id("19"),
  partial: id("1a"),
  transport: id("1b"),
  lastStep: id("1c"),
  toTransition: id("1d"),
  request: id("1e"),
  view: id("1f"),
  topic: id("20"),
  consent: id("2f"),
  form: id("21"),
  optIn: id("22"),
  privacyRequest: id("23")
}

/** A token from a link. */
export const token = "Zk3vT0aXw9uQ1rB8mLh5cYe2Nf7sJd4gPoKi6VxWbRA"

/** By the path in front of the parameter. */
const atPrefix: { readonly [prefix: string]: string | undefined } = {
  "/contacts": ids["contact"],
  "/contacts/fields": "plan",
  "/contacts/import": ids["job"],
  "/contacts/bulk": ids["job"],
  "/segments": ids["segment"],
  "/topics": "news",
  "/forms": ids["form"],
  "/privacy-requests": ids["privacyRequest"],
  "/templates": ids["template"],
  "/partials": ids["partial"],
  "/templates/{id}/versions": "3",
  "/partials/{id}/versions": "3",
  "/campaigns": ids["campaign"],
  "/workflows": ids["workflow"],
  "/workflows/{id}/steps": ids["step"],
  "/workflows/{id}/transitions": ids["transition"],
  "/workflows/{id}/executions": ids["execution"],
  "/workflows/{id}/versions": "3",
  "/workflows/{id}/migrations": ids["job"],
  "/domains": ids["domain"],
  "/domains/project": ids["project"],
  "/emails": ids["email"],
  "/suppressions": "ada@example.com",
  "/views": ids["view"],
  "/uploads/images": "9f2c1d0e5b7a48c6a3f1e2d4b6c8091a2b3c4d5e6f708192a3b4c5d6e7f80912.png",
  "/events": "signed_up",
  "/events/contact": ids["contact"],
  "/api-keys": ids["apiKey"],
  "/projects": ids["project"],
  "/projects/{id}/members": ids["member"],
  "/projects/{id}/invitations": ids["invitation"],
  "/transports": ids["transport"],
  "/webhooks": ids["webhook"],
  "/webhooks/{id}/deliveries": ids["delivery"],
  "/invitations": token,
  "/users/@me/projects": ids["project"],
  "/users/@me/sessions": ids["session"],
  "/users/@me/passkeys": ids["passkey"],
  "/users/@me/invitations": ids["invitation"]
}

export interface PathValue {
  /** The path in front of the parameter, as `/contacts`. */
  readonly prefix: string
  /** The value in samples; undefined if the samples have none for it. */
  readonly value: string | undefined
}

/** For each parameter of the path, in their order. */
export const valuesOf = (path: string): ReadonlyArray<PathValue> =>
  Array.from(path.matchAll(/\/\{\w+\}/g), ({ index }) => {
    const prefix = path.slice(0, index)
    return { prefix, value: atPrefix[prefix] }
  })

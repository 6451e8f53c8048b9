import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { project } from "../../testing/Services.ts"
import { send, wire } from "../../testing/TestClient.ts"

const foreign = "019a0000-0000-7000-8000-00000000ffff"
const then = "2001-01-01T00:00:00.000Z"

/** The fields of a record that its creator may not set. */
const more = {
  id: foreign,
  projectId: foreign,
  project: foreign,
  status: "SENT",
  state: "completed",
  slug: "foreign-slug",
  totalRecipients: 9,
  sentCount: 9,
  deliveredCount: 9,
  openedCount: 9,
  clickedCount: 9,
  bouncedCount: 9,
  memberCount: 9,
  attempts: 9,
  enabled: true,
  disabled: true,
  verified: true,
  trusted: true,
  triggerType: "MANUAL",
  role: "OWNER",
  userId: foreign,
  createdBy: foreign,
  sentAt: then,
  verifiedAt: then,
  createdAt: then,
  updatedAt: then,
  _meta: { isNew: false, isUpdate: true }
}

const from = "hi@verified.test"
const content = { subject: "News", body: "<p>News</p>", from }

/** The fields that each resource accepts, and the endpoint that changes it. */
const resources: ReadonlyArray<{
  readonly path: string
  readonly made: object
  readonly change?: readonly [method: "PATCH" | "PUT", body: object]
}> = [
  // The only project that it may name is the key's own.
  { path: "/domains", made: { domain: "verified.test", projectId: project } },
  { path: "/contacts", made: { email: "mass@example.com" }, change: ["PATCH", { data: { plan: "pro" } }] },
  { path: "/templates", made: { name: "News", ...content }, change: ["PATCH", { name: "Other news" }] },
  { path: "/segments", made: { name: "Static", type: "STATIC" }, change: ["PATCH", { name: "Other" }] },
  {
    path: "/campaigns",
    made: { name: "News", ...content, audienceType: "ALL" },
    change: ["PUT", { name: "Other news", ...content, audienceType: "ALL" }]
  },
  { path: "/suppressions", made: { email: "blocked@example.com" } }
]

/**
 * Fields of a response that contain a value of the request. A value that belongs in the response, such as the name of
 * an event, does not count.
 */
const takenOver = (answer: object) =>
  Object.entries(answer).filter(
    ([name, value]) => name in more && value === Object.entries(more).find(([key]) => key === name)?.[1]
  )

const recordIn = (body: { readonly success?: boolean; readonly data?: object }) =>
  Object.assign({ id: "", createdAt: "" }, body.success ? body.data : body)

/** A domain under `.test` is verified at once, so its `verified` proves nothing. */
const isItsOwn = (path: string, name: string) => path === "/domains" && name === "verified"

layer(wire, { timeout: "60 seconds" })("Fields that callers cannot set", (it) => {
  it.effect.each(resources)("keep the values of the service: $path", ({ path, made, change }) =>
    Effect.gen(function* () {
      const created = yield* send("POST", path, { ...more, ...made })
      assert.include([200, 201], created.status, JSON.stringify(created.body))
      const record = recordIn(created.body)
      const wrong = (answer: object) => takenOver(answer).filter(([name]) => !isItsOwn(path, name))
      assert.deepStrictEqual(wrong(record), [], "on creation")
      if (change === undefined) return
      const [method, body] = change
      const changed = yield* send(method, `${path}/${record.id}`, { ...more, ...body })
      assert.strictEqual(changed.status, 200, JSON.stringify(changed.body))
      const after = recordIn(changed.body)
      assert.deepStrictEqual(wrong(after), [], "on change")
      assert.deepInclude(after, { id: record.id, createdAt: record.createdAt })
    })
  )
})

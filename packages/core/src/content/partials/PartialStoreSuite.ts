/** Tests of the promises of PartialStore, over any layer. Templates come from their own store. */
import { assert, layer } from "@effect/vitest"
import { PartialId } from "@posthorn/contract/content/partials/Partial"
import { TemplateId } from "@posthorn/contract/content/templates/Template"
import { AccountId, type ProjectId } from "@posthorn/contract/platform/Auth"
import { Conflict } from "@posthorn/contract/platform/Errors"
import { DateTime, Deferred, Effect, Fiber, type Layer, Option } from "effect"
import { Transaction } from "../../platform/Transaction.ts"
import { at, freshProject, numberOf, uuid } from "../../testing/StoreValues.ts"
import { TemplateStore } from "../templates/TemplateStore.ts"
import { maxVersions, type VersionOrigin } from "../versions/VersionStore.ts"
import { type PartialFields, type PartialOrder, PartialStore } from "./PartialStore.ts"

const id = (n: number) => PartialId.make(uuid(n))
const service: VersionOrigin = { actor: { type: "service" } }

const fields = (name: string, more: Partial<PartialFields> = {}): PartialFields => ({
  name,
  description: 'Grüße \\ "eins"',
  body: '<p>"Grüße" \\ {{name}}</p>\n',
  text: "Grüße \\ {{name}}\n",
  ...more
})

/** One changed value for each field. */
const changes: ReadonlyArray<Partial<PartialFields>> = [
  { name: "other" },
  { description: null },
  { description: "" },
  { body: "<p>Bye</p>" },
  { text: null },
  { text: "" },
  { name: "all", description: "All", body: "x", text: "y" }
]

const everything = { limit: 100, offset: 0 }

export const partialStoreSuite = (name: string, storage: Layer.Layer<PartialStore | TemplateStore | Transaction>) => {
  const fresh = Effect.all({ project: freshProject, other: freshProject, store: PartialStore })

  const add = (project: ProjectId, n: number, given: PartialFields, now = at(0)) =>
    PartialStore.use((store) => store.insert(project, id(n), given, now, service))

  const addTemplate = (project: ProjectId, n: number, body: string, layout: string | null = null) =>
    TemplateStore.use((templates) =>
      templates.insert(
        project,
        TemplateId.make(uuid(n)),
        {
          name: `Template ${n}`,
          description: null,
          alias: null,
          topicId: null,
          subject: "Hi",
          format: "HTML",
          source: null,
          body,
          text: null,
          from: "hi@example.com",
          fromName: null,
          replyTo: null,
          type: "TRANSACTIONAL",
          language: null,
          translations: {},
          layout,
          strict: false
        },
        at(n)
      )
    )

  layer(storage, { timeout: "60 seconds" })(name, (it) => {
    it.effect("returns every field as it was written", () =>
      Effect.gen(function* () {
        const { project, store } = yield* fresh
        const inserted = yield* add(project, 1, fields("footer"))
        assert.deepStrictEqual(inserted, {
          id: id(1),
          projectId: project,
          ...fields("footer"),
          version: 1,
          draft: null,
          createdAt: at(0),
          updatedAt: at(0)
        })
        assert.deepStrictEqual(yield* store.find(project, id(1)), Option.some(inserted))
        const bare = yield* add(project, 2, fields("bare", { description: null, text: null }))
        assert.deepStrictEqual([bare.description, bare.text], [null, null])
      })
    )

    it.effect.each(changes)("changes only the given fields: %j", (change) =>
      Effect.gen(function* () {
        const { project, store } = yield* fresh
        const before = yield* add(project, 1, fields("footer"))
        const sibling = yield* add(project, 2, fields("sibling"))
        const version = "body" in change || "text" in change ? 2 : 1
        const after = Option.some({ ...before, ...change, version, updatedAt: at(1) })
        assert.deepStrictEqual(yield* store.update(project, id(1), change, at(1), service), after)
        assert.deepStrictEqual(yield* store.update(project, id(1), change, at(2), service), after)
        assert.deepStrictEqual(yield* store.find(project, id(1)), after)
        assert.deepStrictEqual(yield* store.find(project, id(2)), Option.some(sibling))
      })
    )

    it.effect("a name belongs to one partial of a project", () =>
      Effect.gen(function* () {
        const { project, other, store } = yield* fresh
        yield* add(project, 1, fields("footer"))
        yield* add(project, 2, fields("header"))
        yield* add(other, 1, fields("footer"))
        const taken = new Conflict({ reason: "name_taken" })
        assert.deepStrictEqual(yield* Effect.flip(add(project, 3, fields("footer"))), taken)
        const renamed = store.update(project, id(2), { name: "footer" }, at(1), service)
        assert.deepStrictEqual(yield* Effect.flip(renamed), taken)
        yield* store.delete(project, id(1))
        assert.isTrue(Option.isSome(yield* renamed))
      })
    )

    it.effect("stores each text as a version with its origin, and keeps the latest ones", () =>
      Effect.gen(function* () {
        const { project, other, store } = yield* fresh
        const actor = { type: "member", userId: AccountId.make(uuid(7)) } as const
        yield* add(project, 1, fields("footer"))
        yield* add(other, 1, fields("footer"))
        yield* store.update(project, id(1), { description: "Other" }, at(1), { actor })
        yield* store.update(project, id(1), { body: "Two" }, at(2), { actor })
        yield* store.update(project, id(1), fields("footer"), at(3), { actor: { type: "key" }, restoredFrom: 1 })
        assert.deepStrictEqual(yield* store.versions(project, id(1), { limit: 2, offset: 0 }), [
          { version: 3, createdAt: at(3), actor: { type: "key" }, restoredFrom: 1 },
          { version: 2, createdAt: at(2), actor, restoredFrom: null }
        ])
        assert.deepStrictEqual(yield* store.versions(project, id(1), { limit: 2, offset: 2 }), [
          { version: 1, createdAt: at(0), actor: { type: "service" }, restoredFrom: null }
        ])
        const { text } = fields("")
        assert.deepStrictEqual(yield* store.version(project, id(1), 2), Option.some({ body: "Two", text }))
        assert.deepStrictEqual(yield* store.version(project, id(1), 4), Option.none())
        assert.deepStrictEqual(yield* store.version(other, id(1), 2), Option.none())
        for (let n = 4; n <= maxVersions + 2; n++) {
          yield* store.update(project, id(1), { body: `Version ${n}` }, at(n), service)
        }
        assert.strictEqual(yield* store.countVersions(project, id(1)), maxVersions)
        assert.deepStrictEqual(yield* store.version(project, id(1), 2), Option.none())
        assert.isTrue(Option.isSome(yield* store.version(project, id(1), 3)))
        assert.strictEqual(yield* store.countVersions(other, id(1)), 1)
      })
    )

    it.effect("has at most one draft, beside its live version", () =>
      Effect.gen(function* () {
        const { project, other, store } = yield* fresh
        const stored = yield* add(project, 1, fields("footer"))
        const draft = { content: { body: 'Draft "ä"', text: null }, basedOn: 1, updatedAt: at(1) }
        yield* store.saveDraft(project, id(1), { ...draft, basedOn: 7, updatedAt: at(9) })
        yield* store.saveDraft(project, id(1), draft)
        assert.deepStrictEqual(yield* store.draft(project, id(1)), Option.some(draft))
        assert.deepStrictEqual(
          yield* store.find(project, id(1)),
          Option.some({ ...stored, draft: { basedOn: 1, updatedAt: at(1) } })
        )
        assert.deepStrictEqual(yield* store.draft(other, id(1)), Option.none())
        assert.isFalse(yield* store.deleteDraft(other, id(1)))
        assert.isTrue(yield* store.deleteDraft(project, id(1)))
        assert.isFalse(yield* store.deleteDraft(project, id(1)))
        assert.deepStrictEqual(yield* store.find(project, id(1)), Option.some(stored))
      })
    )

    it.effect("lists in each order, a slice of those that match, and counts the same", () =>
      Effect.gen(function* () {
        const { project, other, store } = yield* fresh
        yield* add(project, 1, fields("b", { description: "50% of a_b" }), at(0))
        yield* add(project, 3, fields("a", { description: "GRÜSSE" }), at(1))
        yield* add(project, 2, fields("c", { description: null, body: "needle" }), at(1))
        yield* add(other, 4, fields("d"), at(1))
        yield* store.update(project, id(1), { text: "newest change" }, at(2), service)
        const ordered = (order: PartialOrder, slice = everything) =>
          Effect.map(store.list(project, undefined, order, slice), (found) => found.map(numberOf))
        assert.deepStrictEqual(yield* ordered({ sort: "name", dir: "asc" }), [3, 1, 2])
        assert.deepStrictEqual(yield* ordered({ sort: "name", dir: "desc" }), [2, 1, 3])
        assert.deepStrictEqual(yield* ordered({ sort: "createdAt", dir: "asc" }), [1, 2, 3])
        assert.deepStrictEqual(yield* ordered({ sort: "createdAt", dir: "desc" }), [3, 2, 1])
        assert.deepStrictEqual(yield* ordered({ sort: "updatedAt", dir: "desc" }), [1, 3, 2])
        assert.deepStrictEqual(yield* ordered({ sort: "name", dir: "asc" }, { limit: 1, offset: 1 }), [1])
        assert.deepStrictEqual(yield* ordered({ sort: "name", dir: "asc" }, { limit: 2, offset: 3 }), [])
        const matches = Effect.fnUntraced(function* (search: string | undefined) {
          const found = yield* store.list(project, search, { sort: "createdAt", dir: "asc" }, everything)
          assert.strictEqual(yield* store.count(project, search), found.length)
          return found.map(numberOf)
        })
        assert.deepStrictEqual(yield* matches(undefined), [1, 2, 3])
        assert.deepStrictEqual(yield* matches("grüsse"), [3])
        assert.deepStrictEqual(yield* matches("C"), [2])
        assert.deepStrictEqual(yield* matches("%"), [1])
        assert.deepStrictEqual(yield* matches("a_b"), [1])
        assert.deepStrictEqual(yield* matches("needle"), [])
      })
    )

    it.effect("knows what names what, directly and indirectly", () =>
      Effect.gen(function* () {
        const { project, other, store } = yield* fresh
        yield* add(project, 1, fields("outer", { body: "{{> inner}}", text: "{{> missing}}" }))
        yield* add(project, 2, fields("inner", { body: "{{> core}}", text: null }))
        yield* add(project, 3, fields("core", { body: "Core", text: "core" }))
        yield* add(project, 4, fields("unused"))
        yield* add(other, 5, fields("missing"))
        const graph = yield* store.graph(project)
        assert.deepStrictEqual([...graph].map(([name, named]) => [name, [...named].sort()]).sort(), [
          ["core", []],
          ["inner", ["core"]],
          ["outer", ["inner", "missing"]],
          ["unused", []]
        ])
        const closure = yield* store.closure(project, ["outer", "nothing"])
        assert.deepStrictEqual(
          new Map([...closure].sort()),
          new Map([
            ["core", { body: "Core", text: "core" }],
            ["inner", { body: "{{> core}}", text: null }],
            ["outer", { body: "{{> inner}}", text: "{{> missing}}" }]
          ])
        )
        assert.deepStrictEqual(yield* store.closure(other, ["outer"]), new Map())
        assert.deepStrictEqual(yield* store.closure(project, []), new Map())
      })
    )

    it.effect("knows its users: templates and partials, each with its draft, and whether it is a layout", () =>
      Effect.gen(function* () {
        const { project, other, store } = yield* fresh
        yield* add(project, 1, fields("footer"))
        yield* add(project, 2, fields("outer", { body: "{{> footer}}" }))
        yield* add(project, 3, fields("drafted"))
        yield* store.saveDraft(project, id(3), {
          content: { body: "{{> footer}}", text: null },
          basedOn: 1,
          updatedAt: at(1)
        })
        yield* addTemplate(project, 11, "{{> footer}}")
        yield* addTemplate(project, 12, "footer")
        yield* addTemplate(other, 13, "{{> footer}}")
        assert.deepStrictEqual(yield* store.users(project, "footer"), {
          templates: [{ id: TemplateId.make(uuid(11)), name: "Template 11" }],
          partials: [
            { id: id(2), name: "outer" },
            { id: id(3), name: "drafted" }
          ],
          campaigns: []
        })
        assert.deepStrictEqual(yield* store.users(project, "outer"), { templates: [], partials: [], campaigns: [] })
        assert.isFalse(yield* store.isLayout(project, "footer"))
        yield* addTemplate(other, 14, "Hi", "footer")
        assert.isFalse(yield* store.isLayout(project, "footer"))
        yield* addTemplate(project, 15, "Hi", "footer")
        assert.isTrue(yield* store.isLayout(project, "footer"))
      })
    )

    it.effect("saves of a locked project run one after another", () =>
      Effect.gen(function* () {
        const { project, store } = yield* fresh
        const { run } = yield* Transaction
        const counts = yield* Effect.forEach(
          [1, 2, 3, 4],
          (n) =>
            run(
              Effect.gen(function* () {
                yield* store.lock(project)
                const { size } = yield* store.graph(project)
                yield* add(project, n, fields(`turn-${n}`))
                return size
              })
            ),
          { concurrency: "unbounded" }
        )
        assert.sameMembers(counts, [0, 1, 2, 3])
      })
    )

    it.effect("a held partial is deleted after the transaction that holds it", () =>
      Effect.gen(function* () {
        const { project, other, store } = yield* fresh
        const { run } = yield* Transaction
        for (const owner of [project, other]) yield* add(owner, 1, fields("footer"))
        const isHeld = yield* Deferred.make<void>()
        const holder = run(
          Effect.gen(function* () {
            yield* store.hold(project, ["footer", "nothing"])
            yield* Deferred.succeed(isHeld, undefined)
            // Long enough for the deletion to come through, if it did not wait.
            for (let n = 0; n < 50; n++) assert.isTrue(Option.isSome(yield* store.find(project, id(1))))
          })
        )
        const held = yield* Effect.forkChild(holder)
        yield* Deferred.await(isHeld)
        assert.isTrue(Option.isSome(yield* store.delete(project, id(1))))
        yield* Fiber.join(held)
        assert.deepStrictEqual(yield* store.find(project, id(1)), Option.none())
        assert.isTrue(Option.isSome(yield* store.find(other, id(1))))
      })
    )

    it.effect("deletes once, with its versions and its draft, and never touches another project", () =>
      Effect.gen(function* () {
        const { project, other, store } = yield* fresh
        const stored = Option.some(yield* add(project, 1, fields("footer")))
        assert.deepStrictEqual(yield* store.find(other, id(1)), Option.none())
        assert.deepStrictEqual(yield* store.update(other, id(1), { name: "taken" }, at(1), service), Option.none())
        assert.deepStrictEqual(yield* store.delete(other, id(1)), Option.none())
        assert.deepStrictEqual(yield* store.find(project, id(1)), stored)
        yield* store.saveDraft(project, id(1), {
          content: { body: "x", text: null },
          basedOn: 1,
          updatedAt: DateTime.add(at(1), { seconds: 1 })
        })
        assert.isTrue(Option.isSome(yield* store.delete(project, id(1))))
        assert.deepStrictEqual(yield* store.delete(project, id(1)), Option.none())
        assert.strictEqual(yield* store.countVersions(project, id(1)), 0)
        assert.deepStrictEqual(yield* store.draft(project, id(1)), Option.none())
      })
    )
  })
}

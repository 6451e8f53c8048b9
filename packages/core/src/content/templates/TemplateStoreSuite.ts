/** Tests of the promises of TemplateStore, over any layer. */
import { assert, layer } from "@effect/vitest"
import { TemplateId } from "@posthorn/contract/content/templates/Template"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, type Layer, Option } from "effect"
import { type TemplateContent, type TemplateFilter, type TemplateOrder, TemplateStore } from "./TemplateStore.ts"

const at = (minute: number) => DateTime.makeUnsafe(Date.UTC(2026, 10, 20, 15, minute))
const id = (n: number) => TemplateId.make(`019a0000-0000-7000-8000-${String(n).padStart(12, "0")}`)

/** Every optional field has a value. */
const content: TemplateContent = {
  name: "Welcome",
  description: "First mail",
  subject: "Hello {{firstName ?? there}}",
  body: '<p>"Grüße" \\ {{name}}</p>\n',
  from: "hi@example.com",
  fromName: "Example",
  replyTo: "help@example.com",
  type: "TRANSACTIONAL"
}

/** One changed value for each field. */
const changes: ReadonlyArray<Partial<TemplateContent>> = [
  { name: "Goodbye" },
  { description: null },
  { subject: "Bye" },
  { body: "<p>Bye</p>" },
  { from: "bye@example.com" },
  { fromName: null },
  { replyTo: null },
  { type: "MARKETING" },
  { ...content, description: "", name: "All", fromName: null, body: "x" }
]

const everything = { limit: 100, offset: 0 }
const byTime: TemplateOrder = { sort: "createdAt", dir: "desc" }

export const templateStoreSuite = (name: string, storage: Layer.Layer<TemplateStore>) => {
  let projects = 0
  const freshProject = Effect.map(TemplateStore, (store) => ({ project: ProjectId.make(id(1000 + projects++)), store }))

  layer(storage, { timeout: "60 seconds" })(name, (it) => {
    it.effect("gives back what was written, every field as it was", () =>
      Effect.gen(function* () {
        const { project, store } = yield* freshProject
        const inserted = yield* store.insert(project, id(1), content, at(0))
        assert.deepStrictEqual(inserted, {
          id: id(1),
          projectId: project,
          ...content,
          createdAt: at(0),
          updatedAt: at(0)
        })
        assert.deepStrictEqual(yield* store.find(project, id(1)), Option.some(inserted))
        const empty = { ...content, description: null, fromName: null, replyTo: null }
        const bare = yield* store.insert(project, id(2), empty, at(0))
        assert.deepStrictEqual([bare.description, bare.fromName, bare.replyTo], [null, null, null])
      })
    )

    it.effect.each(changes)("changes only what is given: %j", (change) =>
      Effect.gen(function* () {
        const { project, store } = yield* freshProject
        const before = yield* store.insert(project, id(1), content, at(0))
        const other = yield* store.insert(project, id(2), content, at(0))
        const after = Option.some({ ...before, ...change, updatedAt: at(1) })
        assert.deepStrictEqual(yield* store.update(project, id(1), change, at(1)), after)
        assert.deepStrictEqual(yield* store.find(project, id(1)), after)
        assert.deepStrictEqual(yield* store.find(project, id(2)), Option.some(other))
      })
    )

    it.effect("a change that changes nothing leaves updatedAt as it is", () =>
      Effect.gen(function* () {
        const { project, store } = yield* freshProject
        const before = Option.some(yield* store.insert(project, id(1), content, at(0)))
        assert.deepStrictEqual(yield* store.update(project, id(1), {}, at(1)), before)
        assert.deepStrictEqual(yield* store.update(project, id(1), content, at(1)), before)
      })
    )

    it.effect("orders by each key in both directions, equal keys by id", () =>
      Effect.gen(function* () {
        const { project, store } = yield* freshProject
        yield* store.insert(project, id(1), { ...content, name: "b" }, at(0))
        yield* store.insert(project, id(3), { ...content, name: "a" }, at(1))
        yield* store.insert(project, id(2), { ...content, name: "c" }, at(1))
        yield* store.update(project, id(1), { subject: "Newest change" }, at(2))
        const ordered = (order: TemplateOrder) =>
          Effect.map(store.list(project, {}, order, everything), (found) => found.map((_) => Number(_.id.slice(-1))))
        assert.deepStrictEqual(yield* ordered({ sort: "name", dir: "asc" }), [3, 1, 2])
        assert.deepStrictEqual(yield* ordered({ sort: "name", dir: "desc" }), [2, 1, 3])
        assert.deepStrictEqual(yield* ordered({ sort: "createdAt", dir: "asc" }), [1, 2, 3])
        assert.deepStrictEqual(yield* ordered({ sort: "createdAt", dir: "desc" }), [3, 2, 1])
        assert.deepStrictEqual(yield* ordered({ sort: "updatedAt", dir: "desc" }), [1, 3, 2])
      })
    )

    it.effect("cuts out a slice, empty past the end however far", () =>
      Effect.gen(function* () {
        const { project, store } = yield* freshProject
        for (let n = 1; n <= 5; n++) yield* store.insert(project, id(n), content, at(n))
        const slice = (offset: number) =>
          Effect.map(store.list(project, {}, byTime, { limit: 2, offset }), (found) => found.map((_) => _.id))
        assert.deepStrictEqual(yield* slice(0), [id(5), id(4)])
        assert.deepStrictEqual(yield* slice(4), [id(1)])
        assert.deepStrictEqual(yield* slice(Number.MAX_SAFE_INTEGER * 100), [])
      })
    )

    it.effect("searches name, description and subject, literally and in any case; filters by type", () =>
      Effect.gen(function* () {
        const { project, store } = yield* freshProject
        const plain = { ...content, name: "n", description: null, subject: "s", body: "needle" }
        yield* store.insert(project, id(1), { ...plain, name: "GRÜSSE 50%" }, at(1))
        yield* store.insert(project, id(2), { ...plain, description: "grüsse a_b" }, at(2))
        yield* store.insert(project, id(3), { ...plain, subject: "Grüsse a\\b", type: "HEADLESS" }, at(3))
        const matches = Effect.fnUntraced(function* (filter: TemplateFilter) {
          const found = yield* store.list(project, filter, { sort: "createdAt", dir: "asc" }, everything)
          assert.strictEqual(yield* store.count(project, filter), found.length)
          return found.map((_) => Number(_.id.slice(-1)))
        })
        assert.deepStrictEqual(yield* matches({}), [1, 2, 3])
        assert.deepStrictEqual(yield* matches({ search: "gRüSSe" }), [1, 2, 3])
        assert.deepStrictEqual(yield* matches({ search: "%" }), [1])
        assert.deepStrictEqual(yield* matches({ search: "_" }), [2])
        assert.deepStrictEqual(yield* matches({ search: "\\" }), [3])
        assert.deepStrictEqual(yield* matches({ search: "needle" }), [])
        assert.deepStrictEqual(yield* matches({ type: "HEADLESS" }), [3])
        assert.deepStrictEqual(yield* matches({ type: "HEADLESS", search: "a_b" }), [])
      })
    )

    it.effect("deletes once, and never touches another project", () =>
      Effect.gen(function* () {
        const { project, store } = yield* freshProject
        const other = (yield* freshProject).project
        const stored = yield* store.insert(project, id(1), content, at(0))
        assert.isTrue(Option.isNone(yield* store.find(other, id(1))))
        assert.isTrue(Option.isNone(yield* store.update(other, id(1), { name: "taken" }, at(1))))
        assert.isFalse(yield* store.delete(other, id(1)))
        assert.strictEqual(yield* store.count(other, {}), 0)
        assert.deepStrictEqual(yield* store.find(project, id(1)), Option.some(stored))
        assert.isTrue(yield* store.delete(project, id(1)))
        assert.isFalse(yield* store.delete(project, id(1)))
      })
    )
  })
}

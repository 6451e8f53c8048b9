/** Tests of the promises of TemplateStore, over any layer. */
import { assert, layer } from "@effect/vitest"
import { TemplateId } from "@posthorn/contract/content/templates/Template"
import { Conflict } from "@posthorn/contract/platform/Errors"
import { Effect, type Layer, Option } from "effect"
import { at, freshProject as newProject, uuid } from "../../testing/StoreValues.ts"
import { maxVersions } from "../versions/VersionStore.ts"
import { type TemplateFields, type TemplateFilter, type TemplateOrder, TemplateStore } from "./TemplateStore.ts"

const id = (n: number) => TemplateId.make(uuid(n))

/** Every optional field has a value. */
const content: TemplateFields = {
  name: "Welcome",
  description: "First mail",
  alias: null,
  topicId: null,
  subject: "Hello {{firstName ?? there}}",
  format: "MJML",
  source: '<mjml>"Grüße" \\ {{name}}</mjml>\n',
  body: '<p>"Grüße" \\ {{name}}</p>\n',
  text: "Grüße \\ {{name}}\n",
  from: "hi@example.com",
  fromName: "Example",
  replyTo: "help@example.com",
  type: "TRANSACTIONAL",
  language: "en",
  translations: { de: { subject: "Hallo", body: "<p>Grüße</p>", source: "<mjml>Grüße</mjml>", text: null } },
  layout: "main",
  strict: true
}

/** One changed value for each field. */
const changes: ReadonlyArray<Partial<TemplateFields>> = [
  { name: "Goodbye" },
  { description: null },
  { alias: "bye.now" },
  { subject: "Bye" },
  { body: "<p>Bye</p>" },
  { format: "HTML", source: null },
  { source: "<mjml />" },
  { from: "bye@example.com" },
  { fromName: null },
  { replyTo: null },
  { type: "MARKETING" },
  { text: null },
  { language: null },
  { translations: {} },
  { translations: { ...content.translations, "pt-BR": { subject: "Oi", body: "<p>Oi</p>", text: "Oi" } } },
  { layout: null },
  { strict: false },
  { ...content, description: "", name: "All", fromName: null, body: "x" }
]

const everything = { limit: 100, offset: 0 }
const byTime: TemplateOrder = { sort: "createdAt", dir: "desc" }

export const templateStoreSuite = (name: string, storage: Layer.Layer<TemplateStore>) => {
  const freshProject = Effect.all({ project: newProject, store: TemplateStore })

  layer(storage, { timeout: "60 seconds" })(name, (it) => {
    it.effect("returns every field as it was written", () =>
      Effect.gen(function* () {
        const { project, store } = yield* freshProject
        const inserted = yield* store.insert(project, id(1), content, at(0))
        assert.deepStrictEqual(inserted, {
          id: id(1),
          projectId: project,
          ...content,
          version: 1,
          draft: null,
          createdAt: at(0),
          updatedAt: at(0)
        })
        assert.deepStrictEqual(yield* store.find(project, id(1)), Option.some(inserted))
        const empty = { ...content, description: null, fromName: null, replyTo: null }
        const bare = yield* store.insert(project, id(2), empty, at(0))
        assert.deepStrictEqual([bare.description, bare.fromName, bare.replyTo], [null, null, null])
      })
    )

    it.effect.each(changes)("changes only the given fields: %j", (change) =>
      Effect.gen(function* () {
        const { project, store } = yield* freshProject
        const before = yield* store.insert(project, id(1), content, at(0))
        const other = yield* store.insert(project, id(2), content, at(0))
        const { name: _, description: __, alias: ___, ...changedContent } = change
        const version = Object.keys(changedContent).length > 0 ? 2 : 1
        const after = Option.some({ ...before, ...change, version, updatedAt: at(1) })
        assert.deepStrictEqual(yield* store.update(project, id(1), change, at(1)), after)
        assert.deepStrictEqual(yield* store.find(project, id(1)), after)
        assert.deepStrictEqual(yield* store.find(project, id(2)), Option.some(other))
      })
    )

    it.effect("a change without an effect keeps updatedAt", () =>
      Effect.gen(function* () {
        const { project, store } = yield* freshProject
        const before = Option.some(yield* store.insert(project, id(1), content, at(0)))
        assert.deepStrictEqual(yield* store.update(project, id(1), {}, at(1)), before)
        assert.deepStrictEqual(yield* store.update(project, id(1), content, at(1)), before)
      })
    )

    it.effect("an alias belongs to one template of a project", () =>
      Effect.gen(function* () {
        const { project, store } = yield* freshProject
        const { project: other } = yield* freshProject
        const named = { ...content, alias: "welcome" }
        yield* store.insert(project, id(1), named, at(0))
        yield* store.insert(project, id(2), content, at(0))
        yield* store.insert(other, id(1), named, at(0))
        const taken = new Conflict({ reason: "alias_taken" })
        assert.deepStrictEqual(yield* Effect.flip(store.insert(project, id(3), named, at(0))), taken)
        assert.deepStrictEqual(yield* Effect.flip(store.update(project, id(2), { alias: "welcome" }, at(0))), taken)
        yield* store.update(project, id(1), { alias: null }, at(0))
        yield* store.update(project, id(2), { alias: "welcome" }, at(0))
      })
    )

    it.effect("stores each content as a version, and keeps the latest ones", () =>
      Effect.gen(function* () {
        const { project, store } = yield* freshProject
        const user = id(7)
        const actor = { type: "member", userId: user } as const
        yield* store.insert(project, id(1), content, at(0), { actor: { type: "key" } })
        yield* store.insert(project, id(2), content, at(0))
        yield* store.update(project, id(1), { name: "Other name" }, at(1))
        yield* store.update(project, id(1), { subject: "Two" }, at(2), { actor })
        yield* store.update(project, id(1), content, at(3), { actor, restoredFrom: 1 })
        assert.deepStrictEqual(yield* store.versions(project, id(1), { limit: 2, offset: 0 }), [
          { version: 3, createdAt: at(3), actor, restoredFrom: 1 },
          { version: 2, createdAt: at(2), actor, restoredFrom: null }
        ])
        assert.deepStrictEqual(yield* store.versions(project, id(1), { limit: 2, offset: 2 }), [
          { version: 1, createdAt: at(0), actor: { type: "key" }, restoredFrom: null }
        ])
        const { name: _, description: __, alias: ___, topicId: ____, ...versioned } = content
        assert.deepStrictEqual(yield* store.version(project, id(1), 1), Option.some(versioned))
        assert.deepStrictEqual(yield* store.version(project, id(1), 2), Option.some({ ...versioned, subject: "Two" }))
        assert.deepStrictEqual(yield* store.version(project, id(1), 4), Option.none())
        for (let n = 4; n <= maxVersions + 2; n++) {
          yield* store.update(project, id(1), { subject: `Version ${n}` }, at(n))
        }
        assert.strictEqual(yield* store.countVersions(project, id(1)), maxVersions)
        assert.deepStrictEqual(yield* store.version(project, id(1), 2), Option.none())
        assert.isTrue(Option.isSome(yield* store.version(project, id(1), 3)))
        assert.isTrue(yield* store.delete(project, id(1)))
        assert.strictEqual(yield* store.countVersions(project, id(1)), 0)
        assert.strictEqual(yield* store.countVersions(project, id(2)), 1)
      })
    )

    it.effect("content that was stored before a field existed has its empty value", () =>
      Effect.gen(function* () {
        const { project, store } = yield* freshProject
        const stored = yield* store.insert(project, id(1), content, at(0))
        const { text: _, language: __, translations: ___, strict: ____, ...before } = content
        const draft = { content: before as TemplateFields, basedOn: 1, updatedAt: at(1) }
        yield* store.saveDraft(project, id(1), draft)
        const found = Option.getOrThrow(yield* store.draft(project, id(1)))
        const added = { text: null, language: null, translations: {}, strict: false }
        assert.deepInclude(found.content, { subject: content.subject, ...added })
        const withDraft = { ...stored, draft: { basedOn: 1, updatedAt: at(1) } }
        assert.deepStrictEqual(yield* store.find(project, id(1)), Option.some(withDraft))
        assert.isTrue(yield* store.deleteDraft(project, id(1)))
        assert.isFalse(yield* store.deleteDraft(project, id(1)))
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

    it.effect("returns a slice, which is empty anywhere past the end", () =>
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

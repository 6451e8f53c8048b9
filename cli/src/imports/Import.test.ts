/** Imports from other services, by answers of the shapes of their APIs, into a running server. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Posthorn } from "@posthorn/client"
import { eventually } from "@posthorn/core/testing/Eventually"
import { Effect } from "effect"
import { ended, newFolder, posthorn, started } from "../testing/CommandLine.ts"
import * as DevServer from "../testing/DevServer.ts"
import { type Answers, type SourceAnswer, sourceServer } from "../testing/SourceServer.ts"

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

const here = Effect.map(DevServer.DevServer, ({ secretKey, url }) => new Posthorn({ secretKey, baseUrl: url }))

const contactsAt = (domain: string) =>
  Effect.flatMap(here, (client) =>
    Effect.promise(async () => {
      const found = []
      for await (const contact of client.contacts.list({ search: `@${domain}`, limit: 100 })) found.push(contact)
      return found
    })
  )

const segmentNamed = (name: string) =>
  Effect.flatMap(here, (client) =>
    Effect.promise(async () => {
      const segment = (await client.segments.list().orThrow()).find((each) => each.name === name)
      const members = []
      for await (const { email } of client.segments.contacts(segment?.id ?? "", { pageSize: 100 })) members.push(email)
      return { ...segment, members: members.sort() }
    })
  )

const templateNamed = (name: string) =>
  Effect.flatMap(here, (client) =>
    Effect.promise(async () => {
      for await (const { id, name: found } of client.templates.list({ search: name })) {
        if (found === name) return await client.templates.get(id).orThrow()
      }
      return undefined
    })
  )

/** Runs `posthorn import` in a folder, and reads its report. */
const importer = (service: string, source: string, key: string, cwd = newFolder()) =>
  Effect.map(DevServer.DevServer, ({ secretKey, url }) => {
    const env = { POSTHORN_URL: url, POSTHORN_KEY: secretKey, POSTHORN_IMPORT_KEY: key }
    const args = ["import", service, "--source-url", source]
    const run = (...more: ReadonlyArray<string>) =>
      Effect.map(posthorn([...args, ...more, "--json"], { env, cwd }), (answer) => ({
        ...answer,
        report: () => {
          assert.strictEqual(answer.code, 0, answer.stderr)
          return JSON.parse(answer.stdout)
        }
      }))
    return { cwd, run, start: started([...args, "--json"], { env, cwd }) }
  })

const plunkContacts = numbers(250).map((index) => ({
  id: `c${index}`,
  email: `p${index}@plunk.example`,
  subscribed: index % 10 !== 0,
  data: { plan: index % 2 === 0 ? "pro" : "free", visits: index, address: { city: "Bern" } },
  createdAt: "2024-03-01T10:00:00.000Z",
  updatedAt: "2024-03-01T10:00:00.000Z"
}))

const template = (id: string, name: string, from: string) => ({
  id,
  name,
  description: null,
  subject: "Hello {{firstName ?? there}}",
  body: "<p>Hello {{firstName ?? there}}</p>",
  from,
  fromName: "Shop",
  replyTo: null,
  type: "MARKETING",
  projectId: "prj",
  createdAt: "2024-03-01T10:00:00.000Z",
  updatedAt: "2024-03-01T10:00:00.000Z"
})

/** `at` sees each request for contacts first. */
const plunkAnswers =
  (domain: string, at: (cursor: string | null) => SourceAnswer | "hang" | undefined = () => undefined): Answers =>
  (path, query) => {
    const page = Number(query.get("page") ?? 1)
    switch (path) {
      case "/contacts": {
        const first = Number(query.get("cursor") ?? 0)
        const more = first + 100 < plunkContacts.length
        return (
          at(query.get("cursor")) ?? {
            body: {
              data: plunkContacts.slice(first, first + 100),
              cursor: more ? String(first + 100) : undefined,
              hasMore: more,
              total: first === 0 ? 250 : 0
            }
          }
        )
      }
      case "/segments":
        return {
          body: [
            {
              id: "s1",
              name: "Plunk pros",
              description: null,
              type: "DYNAMIC",
              condition: {
                logic: "AND",
                groups: [{ filters: [{ field: "data.plan", operator: "equals", value: "pro" }] }]
              },
              memberCount: 125,
              projectId: "prj"
            },
            { id: "s2", name: "Plunk press", description: "By hand", type: "STATIC", condition: null, projectId: "prj" }
          ]
        }
      case "/segments/s2/contacts":
        return {
          body: {
            data: plunkContacts.slice((page - 1) * 100, Math.min(page * 100, 120)),
            page,
            pageSize: 100,
            total: 120
          }
        }
      case "/templates":
        return {
          body: {
            data: [
              template("t1", "Plunk welcome", `hi@${domain}`),
              template("t2", "Plunk other", "hi@plunk-old.example")
            ],
            page: 1,
            pageSize: 100,
            total: 2,
            totalPages: 1
          }
        }
      case "/domains/project/prj":
        return { body: [{ id: "d1", domain: "mail.plunk-shop.example", verified: true }] }
      case "/campaigns":
        return { body: { data: [], page: 1, pageSize: 1, total: 7, totalPages: 7 } }
      case "/workflows":
        return { body: { data: [], page: 1, pageSize: 1, total: 3, totalPages: 3 } }
      default:
        return undefined
    }
  }

/** Five contacts in pages of two. The second page hangs while `isHanging`. */
const small = (service: string) => {
  const emails = numbers(5).map((index) => `k${index}@${service}-killed.example`)
  const pageFrom = (begin: number) => ({ found: emails.slice(begin, begin + 2), isSecond: begin === 2 })
  const results = (found: ReadonlyArray<object>, total: number, page = 1) => ({
    body: { data: { results: found, total, per_page: 2, page } }
  })
  const answersOf: { readonly [service: string]: (isHanging: () => boolean) => Answers } = {
    listmonk: (isHanging) => (path, query) => {
      if (path !== "/api/subscribers") return path === "/api/templates" ? { body: { data: [] } } : results([], 0)
      const page = Number(query.get("page"))
      const { found, isSecond } = pageFrom((page - 1) * 2)
      if (isSecond && isHanging()) return "hang"
      return results(
        found.map((email) => ({ email, name: "", status: "enabled", attribs: {}, lists: [] })),
        5,
        page
      )
    },
    resend: (isHanging) => (path, query) => {
      if (path !== "/contacts") return { body: { data: [], has_more: false } }
      const { found, isSecond } = pageFrom(emails.indexOf(query.get("after") ?? "") + 1)
      if (isSecond && isHanging()) return "hang"
      const data = found.map((email) => ({ id: email, email, unsubscribed: false, first_name: "Ada", last_name: null }))
      return { body: { data, has_more: !found.includes(emails[4] ?? "") } }
    },
    mailchimp: (isHanging) => (path, query) => {
      if (path === "/lists") return { body: { lists: [{ id: "a", name: "Killed" }], total_items: 1 } }
      if (path !== "/lists/a/members") return { body: { total_items: 0, segments: [], domains: [] } }
      const { found, isSecond } = pageFrom(Number(query.get("offset")))
      if (isSecond && isHanging()) return "hang"
      return {
        body: { members: found.map((email_address) => ({ email_address, status: "subscribed" })), total_items: 5 }
      }
    }
  }
  return { emails, answers: answersOf[service] ?? (() => () => undefined) }
}

layer(DevServer.layer, { timeout: "120 seconds" })("an import", (it) => {
  it.effect.each([
    ["listmonk", "a:b", `Basic ${btoa("a:b")}`, "/api/subscribers"],
    ["resend", "re_a", "Bearer re_a", "/contacts"],
    ["mailchimp", "a-us6", `Basic ${btoa("posthorn:a-us6")}`, "/lists/a/members"]
  ] as const)("from %s, killed between two pages, goes on with the second", ([service, key, authorization, path]) =>
    Effect.gen(function* () {
      const { answers, emails } = small(service)
      let isHanging = true
      const source = yield* sourceServer(
        authorization,
        answers(() => isHanging)
      )
      const asked = () => source.asked.filter((each) => each.split("?")[0] === path).length
      const { run, start } = yield* importer(service, source.url, key)
      const child = yield* start
      yield* eventually(Effect.sync(asked), (times) => times === 2)
      child.kill("SIGKILL")
      yield* ended(child)
      assert.strictEqual((yield* contactsAt(`${service}-killed.example`)).length, 2)
      isHanging = false
      const report = (yield* run()).report()
      assert.isTrue(report.finished)
      assert.deepStrictEqual(report.counts.contacts, { read: 5, created: 5, existing: 0, refused: 0 })
      assert.strictEqual(asked(), 4)
      assert.sameMembers(
        (yield* contactsAt(`${service}-killed.example`)).map(({ email }) => email),
        emails
      )
    }).pipe(Effect.scoped)
  )

  it.effect("from Plunk, killed twice and started again, has everything once", () =>
    Effect.gen(function* () {
      const { domain } = yield* DevServer.DevServer
      const client = yield* here
      // Someone who left here must not come back because the other service does not know it.
      yield* Effect.promise(() => client.contacts.upsert({ email: "p1@plunk.example", subscribed: false }).orThrow())
      let isHanging = false
      let refusals = 1
      const source = yield* sourceServer(
        "Bearer sk_plunk",
        plunkAnswers(domain, (cursor) => {
          if (cursor === null && refusals-- > 0) {
            return { status: 429, headers: { "retry-after": "1" }, body: { message: "Too many requests" } }
          }
          return cursor === "200" && isHanging ? "hang" : undefined
        })
      )
      const { cwd, run, start } = yield* importer("plunk", source.url, "sk_plunk")

      const dry = (yield* run("--dry-run")).report()
      assert.isTrue(dry.dryRun)
      assert.deepStrictEqual(dry.counts.contacts, { read: 250, created: 249, existing: 1, refused: 0 })
      assert.deepStrictEqual(dry.counts.templates, { read: 2, created: 2, existing: 0, refused: 0 })
      assert.strictEqual((yield* contactsAt("plunk.example")).length, 1)

      // Once within a page, and once between two pages.
      isHanging = true
      const first = yield* start
      yield* eventually(contactsAt("plunk.example"), ({ length }) => length > 20)
      first.kill("SIGKILL")
      yield* ended(first)
      const second = yield* start
      yield* eventually(
        Effect.sync(() => source.asked.filter((path) => path.includes("cursor=200")).length),
        (times) => times > 1
      )
      second.kill("SIGKILL")
      yield* ended(second)
      isHanging = false
      const before = source.asked.length
      const last = (yield* run()).report()
      assert.deepStrictEqual(
        source.asked.slice(before).filter((path) => path.startsWith("/contacts")),
        ["/contacts?limit=100&cursor=200&sort=createdAt&dir=asc"]
      )

      const contacts = yield* contactsAt("plunk.example")
      assert.sameMembers(
        contacts.map(({ email }) => email),
        plunkContacts.map(({ email }) => email)
      )
      for (const { email, data, subscribed } of contacts) {
        const given = plunkContacts.find((each) => each.email === email) ?? assert.fail(email)
        assert.deepStrictEqual(data, given.data)
        assert.strictEqual(subscribed, given.subscribed && email !== "p1@plunk.example", email)
      }
      assert.strictEqual(last.counts.contacts.read, 250)
      assert.isTrue((yield* segmentNamed("Plunk pros")).type === "DYNAMIC")
      assert.strictEqual((yield* segmentNamed("Plunk pros")).members.length, 125)
      assert.deepStrictEqual(
        (yield* segmentNamed("Plunk press")).members,
        plunkContacts
          .slice(0, 120)
          .map(({ email }) => email)
          .sort()
      )
      const domains = yield* Effect.promise(async () => {
        const { id } = await client.projects.current().orThrow()
        return await client.domains.list(id).orThrow()
      })
      assert.isDefined(domains.find(({ domain }) => domain === "mail.plunk-shop.example"))
      assert.include(
        last.gaps.map(({ what, count }: { what: string; count: number }) => `${count} ${what}`),
        "7 campaigns"
      )

      // A template waits for the domain of its sender, and a later run brings it.
      assert.strictEqual((yield* templateNamed("Plunk welcome"))?.from, `hi@${domain}`)
      assert.isUndefined(yield* templateNamed("Plunk other"))
      assert.isFalse(last.finished)
      assert.include(JSON.stringify(last.problems), "hi@plunk-old.example is not verified")
      const complete = (yield* run("--from", `news@${domain}`)).report()
      assert.isTrue(complete.finished)
      assert.deepStrictEqual([complete.problems, complete.problemCount], [[], 0])
      assert.strictEqual((yield* templateNamed("Plunk other"))?.from, `news@${domain}`)

      // Without its state it reads all again, and nothing changes.
      const again = (yield* run("--state", "other.json")).report()
      assert.deepStrictEqual(again.counts.contacts, { read: 250, created: 0, existing: 250, refused: 0 })
      assert.deepStrictEqual(again.counts.templates, { read: 2, created: 0, existing: 2, refused: 0 })
      assert.strictEqual((yield* contactsAt("plunk.example")).length, 250)
      assert.notInclude(readFileSync(join(cwd, "posthorn-import-plunk.json"), "utf8"), "sk_plunk")
    }).pipe(Effect.scoped)
  )

  it.effect("from listmonk has lists as segments, and nobody who left them", () =>
    Effect.gen(function* () {
      const { domain } = yield* DevServer.DevServer
      const client = yield* here
      const list = (id: number, name: string, optin: string) => ({ id, name, optin, type: "public", description: "" })
      const on = (id: number, subscription_status: string) => ({ id, subscription_status, name: "", type: "public" })
      const subscriber = (id: number, status: string, lists: ReadonlyArray<object>, more: object = {}) => ({
        id,
        uuid: `u${id}`,
        email: `l${id}@listmonk.example`,
        name: "Ada King Lovelace",
        attribs: { city: "Bern", score: 3 },
        status,
        created_at: "2020-02-10T23:07:16.199433+01:00",
        lists,
        ...more
      })
      const subscribers = [
        subscriber(1, "enabled", [on(1, "confirmed"), on(2, "unsubscribed")]),
        subscriber(2, "enabled", [on(1, "unconfirmed"), on(2, "unconfirmed")]),
        subscriber(3, "enabled", [on(1, "unconfirmed")]),
        subscriber(4, "enabled", [on(2, "unsubscribed")]),
        subscriber(5, "blocklisted", [on(2, "confirmed")]),
        subscriber(6, "disabled", [on(2, "confirmed")], { attribs: null, name: "" }),
        subscriber(7, "enabled", [], { email: "no address", lists: null })
      ]
      const results = <A>(found: ReadonlyArray<A>) => ({
        body: { data: { results: found, total: found.length, per_page: 500, page: 1, query: "" } }
      })
      const tx = (id: number, name: string, body: string) => ({
        id,
        name,
        type: "tx",
        subject: "Hi {{ .Subscriber.FirstName }}",
        body
      })
      const source = yield* sourceServer(`Basic ${Buffer.from("api:tokän").toString("base64")}`, (path) => {
        switch (path) {
          case "/api/lists":
            return results([list(1, "Listmonk news", "double"), list(2, "Listmonk offers", "single")])
          case "/api/subscribers":
            return results(subscribers)
          case "/api/bounces":
            return results([
              { id: 1, email: "gone@listmonk.example", type: "hard" },
              { id: 2, email: "full@listmonk.example", type: "soft" }
            ])
          case "/api/templates":
            return {
              body: {
                data: [
                  {
                    id: 1,
                    name: "Listmonk frame",
                    type: "campaign",
                    subject: "",
                    body: '<main>{{ template "content" . }}</main>{{ TrackView }}'
                  },
                  tx(2, "Listmonk receipt", "<p>{{ .Tx.Data.order }} for {{ .Subscriber.Attribs.city }}</p>"),
                  tx(3, "Listmonk code", "<p>{{ if .Tx.Data.vip }}yes{{ end }}</p>")
                ]
              }
            }
          case "/api/campaigns":
            return results([{ id: 1, name: "Sent" }])
          default:
            return undefined
        }
      })
      const { run } = yield* importer("listmonk", source.url, "api:tokän")
      const report = (yield* run("--from", `news@${domain}`)).report()

      const contacts = yield* contactsAt("listmonk.example")
      assert.deepStrictEqual(
        Object.fromEntries(contacts.map(({ email, subscribed }) => [email.slice(0, 2), subscribed])),
        { l1: true, l2: true, l3: false, l4: false, l5: false, l6: false }
      )
      assert.deepStrictEqual(contacts.find(({ email }) => email.startsWith("l1"))?.data, {
        city: "Bern",
        score: 3,
        name: "Ada King Lovelace",
        firstName: "Ada",
        lastName: "King Lovelace"
      })
      assert.deepStrictEqual((yield* segmentNamed("Listmonk news")).members, ["l1@listmonk.example"])
      assert.deepStrictEqual((yield* segmentNamed("Listmonk offers")).members, [
        "l2@listmonk.example",
        "l5@listmonk.example",
        "l6@listmonk.example"
      ])
      const suppressed = yield* Effect.promise(async () => {
        const found = []
        for await (const { email } of client.suppressions.list({ search: "listmonk.example" })) found.push(email)
        return found.sort()
      })
      assert.deepStrictEqual(suppressed, ["gone@listmonk.example", "l5@listmonk.example"])
      assert.deepStrictEqual(
        [report.counts.contacts, report.counts.suppressions],
        [
          { read: 7, created: 6, existing: 0, refused: 1 },
          { read: 2, created: 2, existing: 0, refused: 0 }
        ]
      )
      const receipt = yield* templateNamed("Listmonk receipt")
      assert.deepStrictEqual([receipt?.subject, receipt?.body], ["Hi {{firstName}}", "<p>{{order}} for {{city}}</p>"])
      const partial = yield* Effect.promise(async () => {
        for await (const { id, name } of client.partials.list()) {
          if (name === "listmonk-frame") return (await client.partials.get(id).orThrow()).body
        }
        return undefined
      })
      assert.strictEqual(partial, "<main>{{> content}}</main>")
      const problems = JSON.stringify(report.problems)
      assert.include(problems, "contact no address")
      assert.include(problems, "{{ if .Tx.Data.vip }} {{ end }}")
      assert.isTrue(report.finished)
    }).pipe(Effect.scoped)
  )

  it.effect("from Resend has topics and what contacts said about them; a yes does not replace a no of here", () =>
    Effect.gen(function* () {
      const client = yield* here
      const listed = (data: ReadonlyArray<object>) => ({ body: { object: "list", has_more: false, data } })
      const topics = [
        { id: "n", name: "Resend news", description: "Monthly", default_subscription: "opt_in", visibility: "public" },
        { id: "b", name: "Resend beta", description: null, default_subscription: "opt_out", visibility: "private" }
      ]
      /** What each contact said about the two topics, or their defaults. */
      const choices: { readonly [id: string]: readonly [news: string, beta: string] } = {
        neither: ["opt_in", "opt_out"],
        both: ["opt_in", "opt_in"],
        none: ["opt_out", "opt_out"],
        gone: ["opt_in", "opt_in"]
      }
      const source = yield* sourceServer("Bearer re_key", (path) => {
        const [, one] = /^\/contacts\/(\w+)\/topics$/.exec(path) ?? []
        if (one !== undefined) {
          return listed(topics.map(({ id, name }, at) => ({ id, name, subscription: choices[one]?.[at] })))
        }
        if (path === "/topics") return listed(topics)
        if (path !== "/contacts") return listed([])
        return listed(
          Object.keys(choices).map((id) => ({ id, email: `${id}@topics.example`, unsubscribed: id === "gone" }))
        )
      })
      const dry = (yield* (yield* importer("resend", source.url, "re_key")).run("--dry-run")).report()
      assert.deepStrictEqual(dry.counts.topics, { read: 2, created: 2, existing: 0, refused: 0 })
      const { run } = yield* importer("resend", source.url, "re_key")
      assert.deepStrictEqual((yield* run()).report().counts.topics, { read: 2, created: 2, existing: 0, refused: 0 })
      const found = Effect.map(contactsAt("topics.example"), (all) =>
        Object.fromEntries(all.map(({ email, topics }) => [email.split("@")[0], topics]))
      )
      const first = yield* found
      assert.deepStrictEqual(first, {
        neither: {},
        both: { "resend-beta": "subscribed" },
        none: { "resend-news": "unsubscribed" },
        gone: { "resend-beta": "subscribed" }
      })
      const made = (yield* Effect.promise(() => client.topics.list().orThrow())).filter(({ name }) =>
        name.startsWith("Resend")
      )
      assert.sameDeepMembers(
        made.map(({ name, description, defaultSubscription, visibility }) => [
          name,
          description,
          defaultSubscription,
          visibility
        ]),
        [
          ["Resend news", "Monthly", "subscribed", "public"],
          ["Resend beta", null, "unsubscribed", "private"]
        ]
      )
      yield* Effect.promise(() =>
        client.contacts.upsert({ email: "both@topics.example", topics: { "resend-beta": "unsubscribed" } }).orThrow()
      )
      const again = yield* importer("resend", source.url, "re_key")
      assert.deepStrictEqual((yield* again.run()).report().counts.topics, {
        read: 2,
        created: 0,
        existing: 2,
        refused: 0
      })
      assert.deepStrictEqual(yield* found, { ...first, both: { "resend-beta": "unsubscribed" } })
    }).pipe(Effect.scoped)
  )

  it.effect("from Resend has properties, segments, defaults and suppressions", () =>
    Effect.gen(function* () {
      const { domain } = yield* DevServer.DevServer
      const client = yield* here
      const people = numbers(150).map((index) => ({
        id: `r${index}`,
        email: `r${index}@resend.example`,
        first_name: `Ada${index}`,
        last_name: index === 1 ? null : "King",
        created_at: "2023-10-06 22:59:55.977+00",
        unsubscribed: index === 2
      }))
      const after = <A extends { readonly id: string }>(all: ReadonlyArray<A>, query: URLSearchParams) => {
        const begin = all.findIndex(({ id }) => id === query.get("after")) + 1
        const data = all.slice(begin, begin + Number(query.get("limit") ?? 20))
        return { body: { object: "list", has_more: begin + data.length < all.length, data } }
      }
      const source = yield* sourceServer("Bearer re_key", (path, query) => {
        const [, one] = /^\/contacts\/(\w+)$/.exec(path) ?? []
        if (one !== undefined) {
          const properties = { plan: { type: "string", value: "pro" }, seats: { type: "number", value: 3 } }
          return { body: { object: "contact", ...people.find(({ id }) => id === one), properties } }
        }
        switch (path) {
          case "/contacts":
            return after(people, query)
          case "/contact-properties":
            return after([{ id: "p1", key: "plan", type: "string" }], query)
          case "/segments":
            return after([{ id: "g1", name: "Resend testers" }], query)
          case "/segments/g1/contacts":
            return after(people.slice(0, 110), query)
          case "/templates":
            return after([{ id: "t1", name: "Resend order" }], query)
          case "/templates/t1":
            return {
              body: {
                object: "template",
                id: "t1",
                name: "Resend order",
                subject: "Order {{{ORDER}}}",
                html: "<p>{{{contact.first_name|there}}}: {{{PRODUCT}}}</p>",
                text: null,
                from: `shop@${domain}`,
                reply_to: ["help@resend.example"],
                variables: [{ key: "PRODUCT", type: "string", fallback_value: "a thing" }]
              }
            }
          case "/domains":
            return after([{ id: "d1", name: "mail.resend-shop.example", status: "verified" }], query)
          case "/suppressions":
            return after([{ id: "x1", email: "bounced@resend.example", origin: "bounce" }], query)
          default:
            return undefined
        }
      })
      const { run } = yield* importer("resend", source.url, "re_key")
      const report = (yield* run()).report()
      assert.isTrue(report.finished)
      assert.deepStrictEqual(report.counts.contacts, { read: 150, created: 150, existing: 0, refused: 0 })
      const contacts = yield* contactsAt("resend.example")
      assert.strictEqual(contacts.length, 150)
      const first = contacts.find(({ email }) => email === "r1@resend.example")
      assert.deepStrictEqual(first?.data, { firstName: "Ada1", plan: "pro", seats: 3 })
      assert.isFalse(contacts.find(({ email }) => email === "r2@resend.example")?.subscribed)
      assert.strictEqual((yield* segmentNamed("Resend testers")).members.length, 110)
      const order = yield* templateNamed("Resend order")
      assert.deepStrictEqual(
        [order?.subject, order?.body, order?.replyTo, order?.type],
        [
          "Order {{ORDER}}",
          "<p>{{firstName ?? there}}: {{PRODUCT ?? a thing}}</p>",
          "help@resend.example",
          "TRANSACTIONAL"
        ]
      )
      const consents = yield* Effect.promise(() => client.contacts.consents(first?.id ?? "").page())
      assert.strictEqual(consents.data?.data[0]?.at, "2023-10-06T22:59:55.977Z")
    }).pipe(Effect.scoped)
  )

  it.effect("from Mailchimp has audiences and tags as segments; who left one audience is unsubscribed", () =>
    Effect.gen(function* () {
      const client = yield* here
      const member = (index: number, status: string, tags: ReadonlyArray<{ id: number; name: string }> = []) => ({
        id: `m${index}`,
        email_address: `m${index}@mailchimp.example`,
        status,
        merge_fields: { FNAME: "Ada", LNAME: "", CITY: "Bern", ADDRESS: { addr1: "1 Road", city: "Bern" } },
        tags,
        language: "pt_BR",
        location: { timezone: "Europe/Berlin" },
        timestamp_opt: "2021-05-04T10:00:00+00:00",
        timestamp_signup: ""
      })
      const vip = { id: 7, name: "Mailchimp VIP" }
      const members: { readonly [list: string]: ReadonlyArray<object> } = {
        a: [member(1, "subscribed", [vip]), member(2, "subscribed"), member(3, "cleaned"), member(4, "pending")],
        b: [member(2, "unsubscribed"), member(5, "subscribed")]
      }
      const counted = (total_items: number) => ({ body: { total_items } })
      const source = yield* sourceServer(`Basic ${btoa("posthorn:key-us6")}`, (path, query) => {
        const [, list = "", part] = /^\/lists\/(\w+)\/([\w-]+)$/.exec(path) ?? []
        const all = members[list] ?? []
        const offset = Number(query.get("offset") ?? 0)
        // Smaller pages than asked for.
        if (part === "members") return { body: { members: all.slice(offset, offset + 2), total_items: all.length } }
        if (part === "segments") {
          const segments = query.get("type") === "static" && list === "a" ? [{ ...vip, type: "static" }] : []
          return { body: { segments, total_items: segments.length } }
        }
        if (part === "interest-categories") return counted(2)
        switch (path) {
          case "/lists":
            return {
              body: {
                lists: [
                  { id: "a", name: "Mailchimp A" },
                  { id: "b", name: "Mailchimp B" }
                ],
                total_items: 2
              }
            }
          case "/verified-domains":
            return { body: { domains: [{ domain: "mail.mailchimp-shop.example", verified: true }], total_items: 1 } }
          case "/templates":
            return counted(3)
          case "/campaigns":
            return counted(12)
          default:
            return undefined
        }
      })
      const { run } = yield* importer("mailchimp", source.url, "key-us6")
      const report = (yield* run()).report()
      assert.isTrue(report.finished, JSON.stringify(report))
      const contacts = yield* contactsAt("mailchimp.example")
      assert.deepStrictEqual(
        Object.fromEntries(contacts.map(({ email, subscribed }) => [email.slice(0, 2), subscribed])),
        { m1: true, m2: false, m3: false, m4: false, m5: true }
      )
      const { data, locale, timezone } = contacts.find(({ email }) => email.startsWith("m1")) ?? assert.fail()
      assert.deepStrictEqual([locale, timezone], ["pt-BR", "Europe/Berlin"])
      assert.include(data, { firstName: "Ada", CITY: "Bern" })
      assert.notProperty(data, "lastName")
      assert.deepStrictEqual((yield* segmentNamed("Mailchimp VIP")).members, ["m1@mailchimp.example"])
      assert.deepStrictEqual((yield* segmentNamed("Mailchimp B")).members, [
        "m2@mailchimp.example",
        "m5@mailchimp.example"
      ])
      const suppressed = yield* Effect.promise(() => client.suppressions.get("m3@mailchimp.example"))
      assert.isNull(suppressed.error)
      assert.include(
        report.gaps.map(({ what, count }: { what: string; count: number }) => `${count} ${what}`),
        "3 templates"
      )
    }).pipe(Effect.scoped)
  )

  it.effect("says in one sentence what is wrong", () =>
    Effect.gen(function* () {
      const { secretKey, url } = yield* DevServer.DevServer
      const source = yield* sourceServer("Bearer right", () => ({ body: { odd: true } }))
      const tried = (key: string, address: string) =>
        Effect.flatMap(importer("plunk", address, key), ({ run }) =>
          Effect.map(run(), ({ code, stderr }) => `${code} ${JSON.parse(stderr).error.message}`)
        )
      assert.include(yield* tried("wrong", source.url), "3 Plunk refused the key (status 401")
      assert.include(yield* tried("right", source.url), "1 Plunk answered /segments with something else")
      assert.include(yield* tried("right", "file:///etc/passwd"), "2 file:///etc/passwd is not the URL of a service.")
      const env = { POSTHORN_URL: url, POSTHORN_KEY: secretKey }
      const none = yield* posthorn(["import", "resend"], { env })
      assert.include(none.stderr, "There is no key of Resend.")
      const mailchimp = yield* posthorn(["import", "mailchimp"], { env: { ...env, POSTHORN_IMPORT_KEY: "short" } })
      assert.include(mailchimp.stderr, "does not end with a data centre")
      const cwd = newFolder()
      writeFileSync(join(cwd, "posthorn-import-plunk.json"), "{}")
      const state = yield* Effect.flatMap(importer("plunk", source.url, "right", cwd), ({ run }) => run())
      assert.include(state.stderr, "is not the state of an import")
    }).pipe(Effect.scoped)
  )

  it.effect("from a CSV file is the import of contacts", () =>
    Effect.gen(function* () {
      const { secretKey, url } = yield* DevServer.DevServer
      const cwd = newFolder()
      writeFileSync(join(cwd, "people.csv"), "email,plan\ncsv1@csv.example,pro\ncsv2@csv.example,free\n")
      const env = { POSTHORN_URL: url, POSTHORN_KEY: secretKey }
      const run = () => posthorn(["import", "csv", "people.csv", "--json"], { env, cwd })
      const [first, second] = [yield* run(), yield* run()]
      assert.deepStrictEqual(
        [first, second].map(({ stdout }) => JSON.parse(stdout).result.createdCount),
        [2, 0]
      )
      assert.strictEqual((yield* contactsAt("csv.example")).length, 2)
    })
  )
})

/**
 * An application that observes how Posthorn affects its process: it starts, uses and closes Posthorn, and prints one
 * line with its findings. Then nothing is left to do, and the process must end by itself.
 */
const [database = "", smtp = ""] = process.argv.slice(2)

/** Records who reads environment variables. Node and libraries read some of their own. */
const read = new Set<string>()
const asked = <A>(name: string | symbol, answer: A): A => {
  const caller = new Error().stack?.split("\n")[3] ?? ""
  read.add(`${String(name)} ${/node:|node_modules/.test(caller) ? "library" : caller.trim()}`)
  return answer
}
process.env = new Proxy<NodeJS.ProcessEnv>(
  {},
  {
    get: (_, name) => asked(name, undefined),
    has: (_, name) => asked(name, false),
    ownKeys: () => asked("*", [])
  }
)

/** Every value that could have been replaced: globals, their prototypes, and the console. */
const watched = (): Map<string, unknown> => {
  const found = new Map<string, unknown>()
  const note = (owner: string, object: object) => {
    for (const name of Reflect.ownKeys(object)) {
      const { value, get, set } = Object.getOwnPropertyDescriptor(object, name) ?? {}
      found.set(`${owner}.${String(name)}`, value ?? get ?? set)
    }
  }
  note("globalThis", globalThis)
  note("console", console)
  note("process", process)
  for (const made of [Array, Date, Error, Function, Map, Number, Object, Promise, RegExp, Set, String]) {
    note(made.name, made)
    note(`${made.name}.prototype`, made.prototype)
  }
  return found
}

const listeners = () => process.eventNames().map((name) => `${String(name)}:${process.listenerCount(name)}`)

const before = { values: watched(), listeners: listeners() }
const { createPosthorn } = await import("../index.ts")
const { Projects } = await import("@posthorn/core/accounts/projects/Projects")

const posthorn = await createPosthorn({
  database: database.startsWith("postgres") ? database : { dataDir: database },
  mailer: { smtp },
  publicUrl: "https://app.example",
  secret: "0123456789abcdef0123456789abcdef",
  settings: { devMode: true }
})
const { project } = await posthorn.run(Projects.use(({ create }) => create("Guest")))
const client = posthorn.client(project.id)
await client.domains.add({ domain: "guest.test" }).orThrow()
const sent = await client
  .send({ to: "a@example.com", from: "hi@guest.test", subject: "Hi", body: "<p>Hi</p>" })
  .orThrow()
const email = sent.emails[0]?.email ?? ""
while ((await client.emails.get(email).orThrow()).status !== "SENT") await new Promise((go) => setTimeout(go, 20))
await posthorn.close()
const { error } = await client.emails.get(email, { retries: 0 })
if (error?.code !== "SERVICE_UNAVAILABLE" || !error.message.startsWith("The service has been closed"))
  throw new Error(`closed, it answers ${error?.code}: ${error?.message}`)

const after = watched()
process.stdout.write(
  JSON.stringify({
    read: [...read],
    replaced: [...before.values].filter(([name, value]) => !Object.is(after.get(name), value)).map(([name]) => name),
    listeners: listeners().filter((one) => !before.listeners.includes(one))
  })
)

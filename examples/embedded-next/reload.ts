/** Loads the modules as the development server does when a file changes, and counts the instances of Posthorn. */
import type { Posthorn } from "@posthorn/embedded"

const loads = 3
const instances = new Set<Posthorn>()
for (let load = 1; load <= loads; load++) {
  const { mail }: typeof import("./mail.ts") = await import(`./mail.ts?load=${load}`)
  instances.add((await mail()).posthorn)
}

const { GET }: typeof import("./route.ts") = await import("./route.ts")
const { status } = await GET(new Request("http://localhost:3000/mail/dev/mailbox"))
console.log(JSON.stringify({ loads, instances: instances.size, mailbox: status }))
for (const instance of instances) await instance.close()

/** Whether Postfix can run here. As a global setup, it prints a note at the end of the run if it cannot. */
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"

/** On Debian it is not in the path of most users. */
const places = [...(process.env["PATH"] ?? "").split(":"), "/usr/sbin"]

const program = places.map((folder) => join(folder, "postfix")).find((file) => existsSync(file))

/** The path of the program, or why it cannot run. */
export const presence: { readonly program: string } | { readonly absence: string } =
  program === undefined
    ? { absence: "postfix is not installed" }
    : process.getuid?.() === 0
      ? { program }
      : { absence: "postfix can be started by root alone" }

/** Postfix logs in with modules of Cyrus SASL, which Debian only recommends. */
const hasLogins = ["/usr/lib", "/usr/lib64"]
  .filter((folder) => existsSync(folder))
  .flatMap((folder) => [folder, ...readdirSync(folder).map((name) => join(folder, name))])
  .some((folder) => existsSync(join(folder, "sasl2/libplain.so")))

/** As `presence`, for a Postfix that logs in at its peer. */
export const loginPresence: typeof presence =
  "program" in presence && !hasLogins ? { absence: "postfix has no module to log in (libsasl2-modules)" } : presence

/** Runs at the end of the whole run. */
export default () => () => {
  if ("absence" in presence) {
    console.warn(`\nSKIPPED: mail through Postfix, as ${presence.absence}. Install it, and run the tests as root.\n`)
  } else if ("absence" in loginPresence) {
    console.warn(`\nSKIPPED: Postfix as a client of the submission service, as ${loginPresence.absence}.\n`)
  }
}

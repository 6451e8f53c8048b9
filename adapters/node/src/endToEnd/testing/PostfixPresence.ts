/** Whether Postfix can run here. As a global setup of the tests it has the last word, where it cannot. */
import { existsSync } from "node:fs"
import { join } from "node:path"

/** Debian keeps it out of the path of most users. */
const places = [...(process.env["PATH"] ?? "").split(":"), "/usr/sbin"]

const program = places.map((folder) => join(folder, "postfix")).find((file) => existsSync(file))

/** The program, or why it cannot be run. */
export const presence: { readonly program: string } | { readonly absence: string } =
  program === undefined
    ? { absence: "postfix is not installed" }
    : process.getuid?.() === 0
      ? { program }
      : { absence: "postfix can be started by root alone" }

/** At the end of the whole run. */
export default () => () => {
  if ("absence" in presence) {
    console.warn(`\nSKIPPED: mail through Postfix, as ${presence.absence}. Install it, and run the tests as root.\n`)
  }
}

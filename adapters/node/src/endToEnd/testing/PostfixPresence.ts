/** Whether Postfix can run here. As a global setup, it prints a note at the end of the run if it cannot. */
import { existsSync } from "node:fs"
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

/** Runs at the end of the whole run. */
export default () => () => {
  if ("absence" in presence) {
    console.warn(`\nSKIPPED: mail through Postfix, as ${presence.absence}. Install it, and run the tests as root.\n`)
  }
}

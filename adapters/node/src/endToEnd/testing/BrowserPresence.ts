/** Whether a browser can run here. As a global setup, it prints a note at the end of the run if it cannot. */
import { existsSync } from "node:fs"
import { join } from "node:path"

const places = [...(process.env["PATH"] ?? "").split(":"), "/usr/bin"]
// Chromium without windows comes first: it takes half the time of the whole browser.
const names = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]

/** The path of the program, if it exists. */
export const browserProgram: string | undefined = names
  .flatMap((name) => places.map((folder) => join(folder, name)))
  .find((file) => existsSync(file))

/** Runs at the end of the whole run. */
export default () => () => {
  if (browserProgram === undefined) {
    console.warn(
      "\nSKIPPED: tests of pages and passkeys in a browser, as no Chromium is installed. Debian's package: chromium.\n"
    )
  }
}

/** A stand-in for the compiler of MJML. For tests. */
import { Effect, Layer } from "effect"
import { compileMjml } from "../rendering/Mjml.ts"
import { MjmlCompiler, MjmlRefused } from "./MjmlCompiler.ts"

/** The sources that it was given. */
export const compiled: Array<string> = []

/** Checks and masks like a real one, and prints what stands in `mj-text`. */
export const standIn = Layer.succeed(MjmlCompiler, {
  compile: (source) =>
    Effect.suspend(() => {
      compiled.push(source)
      const result = compileMjml(source, (masked) => ({
        html: [...masked.matchAll(/<mj-text>(.*?)<\/mj-text>/g)].map(([, text]) => `<p>${text}</p>`).join("")
      }))
      return result.ok ? Effect.succeed(result.html) : Effect.fail(new MjmlRefused({ fault: result.fault }))
    })
})

export const mjml = (text: string) => `<mjml><mj-body><mj-text>${text}</mj-text></mj-body></mjml>`

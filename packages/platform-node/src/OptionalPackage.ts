/** Loads packages that are installed only if they are used. */
import { Data, Effect, Predicate } from "effect"

/** The configuration needs a package that is not installed. */
export class PackageMissing extends Data.TaggedError("PackageMissing")<{
  readonly name: string
  readonly purpose: string
}> {
  override readonly message = `${this.purpose} needs the package ${this.name}. Run: npm install ${this.name}`
}

const isMissing = (error: unknown, name: string): boolean =>
  Predicate.hasProperty(error, "code") && error.code === "ERR_MODULE_NOT_FOUND" && String(error).includes(name)

/** Imports a module that needs the package. Any other failure of the import is a defect. */
export const load = <A>(name: string, purpose: string, module: () => Promise<A>): Effect.Effect<A, PackageMissing> =>
  Effect.tryPromise({ try: module, catch: (error) => error }).pipe(
    Effect.catch((error) =>
      isMissing(error, name) ? Effect.fail(new PackageMissing({ name, purpose })) : Effect.die(error)
    )
  )

/**
 * `node testing/guides.ts` writes every TypeScript block of the guides as a module of its own, with a tsconfig beside them, so
 * that `tsc -p .guides` reads what people copy; the tests run the same modules.
 */
import { writeModules } from "./GuideModules.ts"

writeModules()

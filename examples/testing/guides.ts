/**
 * `node testing/guides.ts` writes every TypeScript block of the guides as a module, with a tsconfig, so that `tsc -p
 * .guides` checks what people copy. The tests run the same modules.
 */
import { writeModules } from "./GuideModules.ts"

writeModules()

// Prints `N passed, N failed[, N skipped]` from the result files of vitest.
import { readFileSync } from "node:fs"

const results = JSON.parse(readFileSync(new URL("../node_modules/.cache/vitest-results.json", import.meta.url), "utf8"))
const { numPassedTests, numFailedTests, numFailedTestSuites, numPendingTests } = results
const failed = numFailedTests + (numFailedTests === 0 && !results.success ? Math.max(1, numFailedTestSuites) : 0)
console.log(`${numPassedTests} passed, ${failed} failed${numPendingTests > 0 ? `, ${numPendingTests} skipped` : ""}`)

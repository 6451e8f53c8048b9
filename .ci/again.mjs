// Runs the test files that failed once more, alone, and names what passes then. Thousands of tests share a machine with
// browsers and servers: a file that only fails beside others says little about the project, but is never hidden.
import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"

/** With more files than this, the project is broken, not the moment. */
const most = 5

const file = new URL("../node_modules/.cache/vitest-results.json", import.meta.url)
const read = () => JSON.parse(readFileSync(file, "utf8"))

const first = read()
const failed = first.testResults.filter(({ status }) => status === "failed").map(({ name }) => name)
if (failed.length === 0 || failed.length > most) process.exit(1)

// It writes to the same file.
spawnSync(process.execPath, ["node_modules/vitest/vitest.mjs", "run", "--maxWorkers=1", ...failed], {
  stdio: "inherit"
})
const second = read()

/** The tests of the files that ran twice, or of the others. */
const testsOf = (results, ranTwice, status) =>
  results.testResults
    .filter(({ name }) => failed.includes(name) === ranTwice)
    .flatMap(({ assertionResults }) => assertionResults)
    .filter((test) => test.status === status)

const passed = new Set(testsOf(second, true, "passed").map(({ fullName }) => fullName))
for (const { fullName } of testsOf(first, true, "failed")) {
  if (passed.has(fullName)) console.log(`Passed when its file ran again, alone: ${fullName}`)
}

// The line at the end counts each of these files as it ran the second time.
const count = (status) => testsOf(first, false, status).length + testsOf(second, true, status).length
writeFileSync(
  file,
  JSON.stringify({
    ...first,
    success: second.success,
    numPassedTests: count("passed"),
    numFailedTests: count("failed"),
    numFailedTestSuites: second.numFailedTestSuites
  })
)
process.exit(second.success ? 0 : 1)

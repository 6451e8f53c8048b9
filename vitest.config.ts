import { defineConfig } from "vitest/config"
import { BaseSequencer, type Reporter, type TestSpecification } from "vitest/node"

/** Files that take longer than their size says: with processes, browsers and real time. */
const long =
  /\/packages\/bench\/src\/(?:chaos|month)\/|\/endToEnd\/|\/packages\/console\/src\/(?:pages\/|app\/|[^/]+$)|\/examples\/|\/sdks\//

/**
 * Spreads long files over the first three quarters of the others: at the end no worker runs one of them alone, and
 * seldom do all workers run one at the same time.
 */
class LongBetween extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => long.test(moduleId)
    const others = sorted.filter((file) => !isLong(file))
    const each = Math.floor((others.length * 0.75) / Math.max(1, files.length - others.length))
    return [...sorted.filter(isLong).flatMap((file) => [file, ...others.splice(0, each)]), ...others]
  }
}

/** Names each test that failed once and then passed, so that a second try hides nothing. */
const secondTries: Reporter = {
  onTestRunEnd(files) {
    for (const file of files) {
      for (const test of file.children.allTests("passed")) {
        if (test.diagnostic()?.flaky)
          console.log(`Passed at the second try: ${file.relativeModuleId} > ${test.fullName}`)
      }
    }
  }
}

/** Names each file of which the run had no time for every test. */
const outOfTime: Reporter = {
  onTestRunEnd(files) {
    for (const file of files) {
      const skipped = [...file.children.allTests("skipped")].filter((test) => test.result().note === "out of time")
      if (skipped.length > 0)
        console.log(`SKIPPED for lack of time: ${skipped.length} tests of ${file.relativeModuleId}`)
    }
  }
}

export default defineConfig({
  test: {
    include: ["{packages,adapters}/*/src/**/*.test.ts", "{cli,openapi,examples,sdks}/**/*.test.ts"],
    exclude: ["**/node_modules/**"],
    setupFiles: ["packages/core/src/testing/deadline.ts"],
    globalSetup: [
      "packages/core/src/testing/template.ts",
      "adapters/node/src/endToEnd/testing/BrowserPresence.ts",
      "adapters/node/src/endToEnd/testing/PostfixPresence.ts",
      "adapters/node/src/endToEnd/testing/ClientPresence.ts",
      "adapters/node/src/endToEnd/testing/HttpsPresence.ts"
    ],
    reporters: ["default", secondTries, outOfTime, ["json", { outputFile: "node_modules/.cache/vitest-results.json" }]],
    // For a machine that has much else to do; nothing waits this long.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Browsers, servers and databases share the machine: one of thousands of tests may meet a moment without any CPU.
    retry: 1,
    // A worker keeps what it has loaded and compiled from one file to the next.
    isolate: false,
    maxWorkers: 3,
    sequence: { sequencer: LongBetween }
  }
})

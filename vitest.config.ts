import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["{packages,adapters}/*/src/**/*.test.ts", "{cli,openapi,examples}/**/*.test.ts"],
    exclude: ["**/node_modules/**"],
    globalSetup: [
      "packages/core/src/testing/template.ts",
      "adapters/node/src/endToEnd/testing/BrowserPresence.ts",
      "adapters/node/src/endToEnd/testing/PostfixPresence.ts",
      "adapters/node/src/endToEnd/testing/ClientPresence.ts",
      "adapters/node/src/endToEnd/testing/HttpsPresence.ts"
    ],
    reporters: ["default", ["json", { outputFile: "node_modules/.cache/vitest-results.json" }]],
    // For a machine that has much else to do; nothing waits this long.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A worker keeps what it has loaded and compiled from one file to the next.
    isolate: false,
    maxWorkers: 3
  }
})

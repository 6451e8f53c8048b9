import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Command } from "effect/cli"
import { posthorn as tree } from "./Commands.ts"
import { lines, posthorn } from "./testing/CommandLine.ts"

/** Every command with its path. */
const all = (command: Command.Command.Any, path: string): ReadonlyArray<readonly [string, Command.Command.Any]> => [
  [path, command],
  ...command.subcommands.flatMap(({ commands }) => commands.flatMap((sub) => all(sub, `${path} ${sub.name}`)))
]

/** Commands and options that scripts rely on. */
const promised = `
  dev, serve, worker, migrate, doctor, login, logout, whoami, send, track, verify, events tail, completions,
  projects list|create|use|rotate-keys|members|reset|delete|enable|disable, domains list|add|verify|remove|trust|link-host,
  contacts list|get|upsert|delete|import|export|lookup, segments list|create|members|compute,
  templates list|get|push|pull|preview|render|test|versions|restore|publish,
  partials list|get|create|update|delete|usage|versions|restore|publish,
  images list|delete, views list|save|delete,
  campaigns list|create|send|schedule|pause|resume|cancel|stats|watch,
  workflows list|pull|push|enable|disable|run|executions, emails list|show|retry, suppressions list|export|add|remove,
  webhooks list|add|replay, transports list|add|verify|remove|routes, accounts create,
  providers list|set|reset|suspend|resume,
  settings audience, mcp, import plunk|resend|listmonk|mailchimp|csv`
  .split(",")
  .map((line) => line.trim())

it.each(promised)("there is %s", (line) => {
  const known = new Set(all(tree, "posthorn").map(([path]) => path))
  const [noun = "", verbs] = line.split(" ")
  for (const verb of verbs?.split("|") ?? [""]) assert.include([...known], `posthorn ${noun} ${verb}`.trim())
})

describe("help", () => {
  it.each(all(tree, "posthorn"))("%s says what it does and shows an example", (path, { description, examples }) => {
    assert.isDefined(description)
    assert.isNotEmpty(examples)
    for (const { command } of examples) assert.include(command, path)
  })

  it.effect("is printed by `posthorn` alone, and names every command", () =>
    Effect.gen(function* () {
      const { code, stdout, stderr } = yield* posthorn([])
      assert.strictEqual(code, 0)
      assert.strictEqual(stderr, "")
      for (const { commands } of tree.subcommands)
        for (const { name } of commands) assert.match(stdout, new RegExp(`^  ${name} `, "m"))
      assert.strictEqual((yield* posthorn(["--help"])).stdout, stdout)
    })
  )

  it.effect("of a command can be requested in two ways", () =>
    Effect.gen(function* () {
      const { code, stdout } = yield* posthorn(["domains", "add", "--help"])
      assert.strictEqual(code, 0)
      assert.include(stdout, "posthorn domains add mail.example.com")
      assert.strictEqual((yield* posthorn(["help", "domains", "add"])).stdout, stdout)
    })
  )

  it.effect("of a noun goes to standard error when its verb is missing", () =>
    Effect.gen(function* () {
      const { code, stdout, stderr } = yield* posthorn(["domains"])
      assert.deepStrictEqual([code, stdout], [2, ""])
      assert.include(stderr, "verify")
    })
  )

  it.effect("has no colours in a pipe", () =>
    Effect.gen(function* () {
      assert.notInclude((yield* posthorn(["--help"])).stdout, "\u001b")
    })
  )
})

/** The command lines in the shell blocks of the guides, without quotations, redirections and comments. */
const written = globSync(["*.md", "{packages,adapters,examples}/*/*.md", "{cli,examples}/*.md"], {
  cwd: join(import.meta.dirname, "../..")
}).flatMap((page) =>
  [...readFileSync(join(import.meta.dirname, "../..", page), "utf8").matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(
    ([, block = ""]) => [...block.replaceAll("\\\n", " ").matchAll(/^(?:npx )?posthorn (.*)$/gm)]
  )
)

describe("the guides", () => {
  it.effect("name only existing commands and options", () =>
    Effect.gen(function* () {
      assert.isAbove(written.length, 60)
      const known = new Map(all(tree, "posthorn"))
      for (const [line, rest = ""] of written) {
        const words = rest.replaceAll(/'[^']*'|"[^"]*"|\s#.*$/g, " x ").split(/\s+/)
        const path = [words.slice(0, 3), words.slice(0, 2), words.slice(0, 1)].find((verb) =>
          known.has(["posthorn", ...verb].join(" "))
        )
        if (path === undefined) return assert.fail(`There is no such command: ${line}`)
        const { stdout } = yield* posthorn([...path, "--help"])
        for (const word of words.filter((each) => each.startsWith("--"))) {
          assert.match(stdout, new RegExp(`${word.replace("--no-", "--(?:no-)?")}\\b`), line)
        }
      }
    })
  )
})

it.effect("the version is one line", () =>
  Effect.gen(function* () {
    const { code, stdout } = yield* posthorn(["--version"])
    assert.strictEqual(code, 0)
    assert.match(stdout, /^posthorn \d+\.\d+\.\d+\n$/)
  })
)

describe("wrong usage ends with 2, one sentence and where to look", () => {
  const cases: ReadonlyArray<readonly [line: string, sentence: string, place: string]> = [
    ["sned --to x", "There is no command sned. Did you mean send?", "posthorn --help"],
    ["domains lsit", "There is no command domains lsit. Did you mean list?", "posthorn domains --help"],
    ["domains list --kye x", "There is no option --kye here. Did you mean --key?", "posthorn domains list --help"],
    ["help sned", "There is no command sned. Did you mean send?", "posthorn --help"],
    ["contacts gte --help", "There is no command contacts gte. Did you mean get?", "posthorn contacts --help"],
    ["send --from a@example.com", "--to is missing.", "posthorn send --help"],
    ["emails show", "<id> is missing.", "posthorn emails show --help"],
    [
      "dev --port 70000",
      'Invalid value for flag --port: "70000". Expected: a whole number from 0 to 65535',
      "posthorn dev --help"
    ],
    ["serve --role boss", 'Invalid value for flag --role: "boss". Expected', "posthorn serve --help"],
    [
      "send --to a@example.com --data {",
      'Invalid value for flag --data: "{". Expected: a JSON object',
      "posthorn send --help"
    ]
  ]

  it.effect.each(cases)("%s", ([line, sentence, place]) =>
    Effect.gen(function* () {
      const { code, stdout, stderr } = yield* posthorn(line.split(" "))
      const [first = "", second, ...more] = lines(stderr)
      assert.deepStrictEqual([code, stdout, more], [2, "", []])
      assert.isTrue(first.startsWith(`posthorn: ${sentence}`), first)
      assert.strictEqual(second, `  See \`${place}\`.`)
    })
  )

  it.effect("with --json as an object", () =>
    Effect.gen(function* () {
      const { code, stderr } = yield* posthorn(["emails", "show", "--json"])
      assert.strictEqual(code, 2)
      assert.deepStrictEqual(JSON.parse(stderr), {
        error: {
          code: "WRONG_USAGE",
          message: "<id> is missing.",
          suggestion: "See `posthorn emails show --help`.",
          exitCode: 2
        }
      })
    })
  )
})

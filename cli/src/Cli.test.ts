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

describe("help", () => {
  it.each(all(tree, "posthorn"))("%s says what it does and shows an example", (path, { description, examples }) => {
    assert.isDefined(description)
    assert.isNotEmpty(examples)
    for (const { command } of examples) assert.include(command, path)
  })

  it.effect("is what `posthorn` alone answers, and names every command", () =>
    Effect.gen(function* () {
      const { code, stdout, stderr } = yield* posthorn([])
      assert.strictEqual(code, 0)
      assert.strictEqual(stderr, "")
      for (const { commands } of tree.subcommands)
        for (const { name } of commands) assert.match(stdout, new RegExp(`^  ${name} `, "m"))
      assert.strictEqual((yield* posthorn(["--help"])).stdout, stdout)
    })
  )

  it.effect("of a command is had in two ways", () =>
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

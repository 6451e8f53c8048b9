import { spawnSync } from "node:child_process"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { posthorn } from "../testing/CommandLine.ts"

/** The completions of bash for the last of these words. */
const proposed = (script: string, words: ReadonlyArray<string>) => {
  const line = words.join(" ")
  const ask = `COMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; COMP_LINE='${line}'; COMP_POINT=${line.length}
    _posthorn posthorn '${words.at(-1)}' '${words.at(-2)}'
    printf '%s\n' "\${COMPREPLY[@]}"`
  const { status, stdout, stderr } = spawnSync("bash", ["-s"], { encoding: "utf8", input: `${script}\n${ask}` })
  assert.deepStrictEqual([status, stderr], [0, ""])
  return stdout.trim().split("\n")
}

it.effect("bash completes commands, verbs and options", () =>
  Effect.gen(function* () {
    const { code, stdout, stderr } = yield* posthorn(["completions", "bash"])
    assert.deepStrictEqual([code, stderr], [0, ""])
    assert.include(stdout, "complete -F _posthorn posthorn")
    assert.deepStrictEqual(proposed(stdout, ["posthorn", "who"]), ["whoami"])
    assert.deepStrictEqual(proposed(stdout, ["posthorn", "projects", "rot"]), ["rotate-keys"])
    assert.include(proposed(stdout, ["posthorn", "login", "--pass"]), "--password-stdin")
  })
)

it.effect("there are completions for zsh and fish, and for no other shell", () =>
  Effect.gen(function* () {
    assert.match((yield* posthorn(["completions", "zsh"])).stdout, /^#compdef posthorn/)
    assert.match((yield* posthorn(["completions", "fish"])).stdout, /complete -c posthorn/)
    assert.strictEqual((yield* posthorn(["completions", "tcsh"])).code, 2)
  })
)

import { Console, Effect } from "effect"
import { Argument, Command, Completions } from "effect/cli"

const shells = ["bash", "zsh", "fish"] as const

export type Tree = Parameters<typeof Completions.fromCommand>[0]

/** The completions of the whole command tree, which includes this command. */
export const completionsOf = (tree: () => Tree) =>
  Command.make(
    "completions",
    {
      shell: Argument.Literals("shell", shells).pipe(Argument.withDescription(`One of ${shells.join(", ")}`))
    },
    Effect.fnUntraced(function* ({ shell }) {
      const root = tree()
      const script = Completions.generate(root.name, shell, Completions.fromCommand(root))
      yield* Console.log(script.replaceAll(`${root.name} --completions`, `${root.name} completions`))
    })
  ).pipe(
    Command.withDescription("Print the completion script of a shell"),
    Command.withExamples([
      { command: "source <(posthorn completions bash)", description: "In ~/.bashrc" },
      { command: "source <(posthorn completions zsh)", description: "In ~/.zshrc, after compinit" },
      { command: "posthorn completions fish > ~/.config/fish/completions/posthorn.fish" }
    ])
  )

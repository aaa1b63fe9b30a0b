import type { Command } from 'commander'
import { withDefaultCommand } from '../../../cli/src/with_default_command.ts'

/** Code blocks, and code spans in sentences. */
const CODE = /^ *(`{3,})[\s\S]*?^ *\1$|`[^`\n]*`/gm
/** The program name with the rest of its line, up to a comment, a pipe or the next command. */
const CALL = /\bworkspace-service(?: --(?= ))?((?: +[^\s`#|&;]+)+)/g

/** The commands in the code of a Markdown text, without the program name: `user create you@example.com --password`. */
export function callsIn(markdown: string): string[] {
  return [...markdown.matchAll(CODE)]
    .flatMap(([code]) => [...code.matchAll(CALL)])
    .map(([, words = '']) => words.trim().replaceAll(/ +/g, ' '))
}

/** @returns the first word of a call that is not a command, or not an option of its command */
export function unknownWord(program: Command, call: string): string | undefined {
  let command = program
  const options = new Set(['--help', ...longNames(program)])
  for (const word of withDefaultCommand(call.split(' '))) {
    if (word.startsWith('--')) {
      const [name = ''] = word.split('=')
      if (!options.has(name)) return name
    } else if (command.commands.length > 0 && !word.startsWith('<')) {
      const child = command.commands.find((one) => one.name() === word || one.aliases().includes(word))
      if (!child) return word
      command = child
      for (const name of longNames(command)) options.add(name)
    }
  }
  return undefined
}

function longNames(command: Command): string[] {
  return command.options.flatMap(({ long }) => long ?? [])
}

/** Options of the scripts. `--help` prints the comment at the head of a script, which explains them. */

import { readFileSync } from 'node:fs'
import { parseArgs, type ParseArgsConfig } from 'node:util'

/**
 * The options and words of the command line. Ends the process for `--help` and for unknown options.
 * @param help text of `--help`: by default, the comment at the head of the script
 */
export function parseCommandLine<const T extends ParseArgsConfig>(
  script: string,
  config: T,
  help = headOf(script),
): ReturnType<typeof parseArgs<T>> {
  if (process.argv.slice(2).some((word) => word === '--help' || word === '-h')) {
    process.stdout.write(`${help}\n`)
    process.exit()
  }
  try {
    return parseArgs(config)
  } catch (error) {
    if (!(error instanceof TypeError) || !('code' in error) || !String(error.code).startsWith('ERR_PARSE_ARGS')) throw error
    process.stderr.write(`${error.message}\n\n${help}\n`)
    process.exit(2)
  }
}

/** The first comment of a file, which explains it, without comment markers. */
function headOf(script: string): string {
  const [, text = ''] = /^\/\*\*(.*?)\*\/$/ms.exec(readFileSync(script, 'utf8')) ?? []
  return text.replaceAll(/^ \* ?/gm, '').trim()
}

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { step } from '../progress.ts'

const run = promisify(execFile)
const OUTPUT_BYTES_MAX = 16e6

/**
 * Runs the command of a package manager.
 * @returns the reason of a failure, undefined on success
 */
export async function install(
  name: string,
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string | undefined> {
  step(`installing ${name}: once, later runs find it`)
  try {
    await run(program, [...args], { env: { ...process.env, ...environment }, maxBuffer: OUTPUT_BYTES_MAX })
    return undefined
  } catch (error) {
    const message = error instanceof Error ? error.message.trim().split('\n').at(-1) : String(error)
    return `\`${program} ${args.join(' ')}\` failed: ${message}`
  }
}

import { execFile } from 'node:child_process'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

/** @param tool its file below `node_modules` @returns what the tool printed; empty when it found nothing */
async function complaintsOf(tool: string, ...options: string[]): Promise<string> {
  const run = promisify(execFile)(process.execPath, [join(root, 'node_modules', tool), ...options], {
    cwd: root,
    maxBuffer: 1 << 26,
  })
  return run.then(
    () => '',
    (error: { stdout?: string; stderr?: string }) => `${error.stdout ?? ''}${error.stderr ?? ''}`,
  )
}

describe('sources', () => {
  it('compile under the strict settings of tsconfig.json', async () => {
    expect(await complaintsOf('typescript-native/bin/tsc', '-p', '.')).toBe('')
  })

  // If you are here because files are listed: `npx oxfmt` formats them.
  it('are formatted', async () => {
    expect(await complaintsOf('oxfmt/bin/oxfmt', '--check')).toBe('')
  })
})

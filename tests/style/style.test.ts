import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { sourceFiles } from '../../scripts/workspaces.ts'

const root = resolve(import.meta.dirname, '../..')
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<'typecheck' | 'typecheck:console', string>
}

/**
 * @param tool its file below `node_modules`
 * @returns the output of the tool; empty without findings
 */
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
    // As `npm run typecheck`: incremental, which takes a fifth of the time.
    for (const script of [scripts.typecheck, scripts['typecheck:console']]) {
      const [, tool = '', ...options] = script.replace('node node_modules/', 'node ').split(' ')
      expect(await complaintsOf(tool, ...options)).toBe('')
    }
  })

  it('components of the console have at most 200 lines', () => {
    const files = sourceFiles(['console/src'], ['ts', 'tsx'])
    expect(files.length).toBeGreaterThan(20)
    expect(files.filter((file) => readFileSync(join(root, file), 'utf8').split('\n').length > 201)).toEqual([])
  })

  // If you are here because files are listed: `npx oxfmt` formats them.
  it('are formatted', async () => {
    expect(await complaintsOf('oxfmt/bin/oxfmt', '--check')).toBe('')
  })
})

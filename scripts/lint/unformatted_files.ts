/** Finds YAML that the formatter would change. */

import { execFile } from 'node:child_process'
import { dirname, join, resolve } from 'node:path'
import { nameOf, projectRoot } from '../generate/files.ts'
import type { Problem } from './problem.ts'

const OXFMT = join(projectRoot, 'node_modules/oxfmt/bin/oxfmt')

/** The unformatted files beside and below a root file. */
export async function unformattedFiles(root: string): Promise<Problem[]> {
  const listed = await new Promise<string>((done, failed) => {
    execFile(
      process.execPath,
      [
        OXFMT,
        '--list-different',
        '--config',
        join(projectRoot, '.oxfmtrc.json'),
        '--no-error-on-unmatched-pattern',
        dirname(root),
      ],
      { cwd: projectRoot },
      // The exit code is 1 if files are listed.
      (error, stdout, stderr) => (error && stdout === '' ? failed(new Error(stderr || error.message)) : done(stdout)),
    )
  })
  const files = listed.split('\n').filter((line) => line.endsWith('.yaml'))
  return files.map((path) => {
    const file = nameOf(resolve(projectRoot, path))
    return { tool: 'format', rule: 'format', severity: 'error', message: `npx oxfmt ${file} formats it`, file, location: '' }
  })
}

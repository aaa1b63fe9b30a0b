/**
 * Runs the examples of the guide to testing that need external tools, in a user's setup: the built package in a separate folder, jest from
 * the registry, and pytest, Go and JUnit against the test service if their toolchains are installed. Installed packages are kept outside of
 * the tree. `npm test` runs the examples for vitest and Node's own runner. `npm run test:runners` runs all, and with a word, such as `--
 * Go`, only those with it in their heading.
 */

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { install } from '../clients/install.ts'
import { guideExample } from './guide_example.ts'
import { recipes, type Recipe } from './recipes.ts'
import { parseCommandLine } from '../../scripts/parse_command_line.ts'

const root = resolve(import.meta.dirname, '../..')
const cache = join(root, 'node_modules/.cache/runners')
const JEST = { package: 'jest', version: '30.5.2', beside: {} }
const JEST_HEADING = 'With jest'

const [word = ''] = parseCommandLine(import.meta.filename, { allowPositionals: true }).positionals
const project = await mkdtemp(join(tmpdir(), 'service-runners-'))
const outcomes: (readonly [heading: string, outcome: 'passed' | 'failed' | 'skipped'])[] = []
try {
  const built = join(project, 'node_modules/workspace-service')
  run(process.execPath, [join(root, 'scripts/build.ts'), '--out', built, '--docs', project], root)
  await mkdir(join(project, 'node_modules/.bin'))
  await symlink('../workspace-service/bin/workspace-service.cjs', join(project, 'node_modules/.bin/workspace-service'))
  if (JEST_HEADING.includes(word)) outcomes.push([JEST_HEADING, await runJest()])
  for (const recipe of recipes.filter(({ heading }) => heading.includes(word)))
    outcomes.push([recipe.heading, await runRecipe(recipe)])
} finally {
  await rm(project, { recursive: true })
}
for (const [heading, outcome] of outcomes) console.log(`${heading}: ${outcome}`)
if (outcomes.some(([, outcome]) => outcome === 'failed')) process.exitCode = 1

async function runJest(): Promise<'passed' | 'failed'> {
  const { folder } = await install(JEST)
  await writeFile(join(project, 'package.json'), JSON.stringify({ type: 'module', private: true }))
  await writeFile(join(project, 'tide.test.js'), await guideExample(JEST_HEADING))
  const jest = [join(folder, 'node_modules/jest/bin/jest.js'), '--rootDir', project]
  return run(process.execPath, ['--experimental-vm-modules', ...jest], project) ? 'passed' : 'failed'
}

async function runRecipe({ heading, needs, file, beside, ...steps }: Recipe): Promise<'passed' | 'failed' | 'skipped'> {
  const missing = needs.filter((name) => !isThere(name))
  if (missing.length > 0) {
    console.log(`${heading}: skipped, since this machine has no ${missing.join(' and ')}.`)
    return 'skipped'
  }
  const folder = join(cache, heading.replaceAll(' ', '-'))
  for (const [name, text] of Object.entries({ ...beside, [file]: await guideExample(heading) })) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  await rm(join(folder, 'node_modules'), { force: true })
  await symlink(join(project, 'node_modules'), join(folder, 'node_modules'))
  const installed = join(folder, 'installed')
  if (!existsSync(installed)) {
    if (!run('sh', ['-c', steps.install], folder)) return 'failed'
    await writeFile(installed, '')
  }
  return run('sh', ['-c', steps.run], folder) ? 'passed' : 'failed'
}

function isThere(command: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, command)))
}

/** @returns whether it succeeded */
function run(command: string, args: readonly string[], cwd: string): boolean {
  return spawnSync(command, args, { cwd, stdio: 'inherit' }).status === 0
}

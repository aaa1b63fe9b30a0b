/**
 * Runs the packed package on several releases of Node.js, as users do: `npx` of the tarball in an empty folder, every reading operation,
 * SIGTERM, and the test kit. The releases come from the package registry, and are stored outside the tree; unavailable ones are listed.
 *
 *     npm run test:node [-- 22]
 *
 * The exit code is 1 if a release failed, 2 if there was none to test.
 */

import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { checkRefusal, checkRelease, type Packed } from './checks.ts'
import { releases, takeRelease, type Runtime, type WantedRelease } from './releases.ts'
import { parseCommandLine } from '../../scripts/parse_command_line.ts'

type Outcome = 'passed' | 'failed' | 'missing'

const root = resolve(import.meta.dirname, '../..')
const [word = ''] = parseCommandLine(import.meta.filename, { allowPositionals: true }).positionals
const folder = await mkdtemp(join(tmpdir(), 'service-node-'))
try {
  const packed = await pack()
  const outcomes: Outcome[] = []
  // One after the other: each needs the processor.
  for (const release of releases.filter(({ wanted }) => wanted.startsWith(word))) outcomes.push(await tryRelease(release, packed))
  const tried = outcomes.filter((outcome) => outcome !== 'missing')
  process.exitCode = tried.length === 0 ? 2 : tried.every((outcome) => outcome === 'passed') ? 0 : 1
} finally {
  await rm(folder, { recursive: true, force: true })
}

/** Builds and packs the package, and installs it in a project, without fetching anything. */
async function pack(): Promise<Packed> {
  const [built, docs, project] = ['built', 'docs', 'project'].map((name) => join(folder, name)) as [string, string, string]
  await mkdir(project)
  await promisify(execFile)(process.execPath, [join(root, 'scripts/build.ts'), '--out', built, '--docs', docs])
  const { stdout } = await promisify(execFile)('npm', ['pack', '--silent', '--pack-destination', folder, built])
  const tarball = join(folder, stdout.trim())
  await writeFile(join(project, 'package.json'), JSON.stringify({ type: 'module', private: true }))
  await promisify(execFile)('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: project })
  return { folder, tarball, project }
}

async function tryRelease(release: WantedRelease, packed: Packed): Promise<Outcome> {
  let runtime: Runtime
  try {
    runtime = await takeRelease(release)
  } catch (error) {
    console.log(`Node.js ${release.wanted}: missing, since ${messageOf(error)}`)
    return 'missing'
  }
  try {
    const report = await (release.isRefused ? checkRefusal(runtime, packed) : checkRelease(runtime, packed))
    console.log(`Node.js ${runtime.version}: passed; ${report}`)
    return 'passed'
  } catch (error) {
    console.log(`Node.js ${runtime.version}: failed; ${messageOf(error)}`)
    return 'failed'
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

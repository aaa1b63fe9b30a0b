import { execFile, execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { linkModules } from '../../scripts/workspaces.ts'
import { pathOf, plant, type Fault } from './fault.ts'

/** The outcome of a fault. */
export type Outcome = { readonly by: 'tests' | 'all tests' | 'compiler'; readonly first: string } | { readonly by: 'nobody' }

/**
 * Run if the fault's own tests detect nothing: tests that take up to a minute. Tests that start or kill processes, or use browsers, are
 * excluded.
 */
const ALL_TESTS = [
  ...['operations', 'protocol', 'access', 'oauth', 'versions', 'limits', 'store'],
  ...['client', 'completeness.test.ts', 'domain', 'formulas', 'kernel', 'markdown', 'rollups', 'workflows', 'files'],
]
/** Excluded, because it starts and kills processes. */
const EXCEPT = '--exclude=tests/limits/shared_rate_limits.test.ts'
/** A fault can make a test hang, which also counts as detected. */
const RUN_MILLISECONDS_MAX = 15 * 60_000

/** A copy of the tree in which faults are planted one after another. */
export class Lane {
  readonly #source: string
  readonly #root: string
  readonly #isNear: boolean

  /**
   * @param root the tree that is copied; it stays unchanged
   * @param isNear runs only the tests that a fault names, which takes seconds
   */
  constructor(root: string, isNear: boolean) {
    this.#source = root
    this.#isNear = isNear
    this.#root = mkdtempSync(join(tmpdir(), 'workspace-faults-'))
    for (const file of filesOf(root)) cpSync(join(root, file), join(this.#root, file))
    cpSync(join(root, 'generated'), join(this.#root, 'generated'), { recursive: true })
    linkModules(this.#root)
  }

  /** @returns what detected the fault first */
  async judge(fault: Fault): Promise<Outcome> {
    const path = join(this.#root, pathOf(fault))
    const sound = readFileSync(path, 'utf8')
    writeFileSync(path, plant(sound, fault))
    try {
      const refused = fault.isInContract && (await this.#run('scripts/generate.ts', []))
      if (refused) return { by: 'compiler', first: firstLine(refused) }
      const near = await this.#test(below(fault.tests), fault.engine)
      if (near !== undefined) return { by: 'tests', first: near.title }
      if (this.#isNear) return { by: 'nobody' }
      const far = await this.#test(below(ALL_TESTS))
      // A test that fails twice in the same file fails because of the fault, not because the machine is busy.
      if (far !== undefined && (await this.#test(far.files)) !== undefined) return { by: 'all tests', first: far.title }
      const compiler = await this.#run('node_modules/typescript-native/bin/tsc', ['-p', '.'])
      return compiler === undefined ? { by: 'nobody' } : { by: 'compiler', first: firstLine(compiler) }
    } finally {
      writeFileSync(path, sound)
      if (fault.isInContract) cpSync(join(this.#source, 'generated'), join(this.#root, 'generated'), { recursive: true })
    }
  }

  /** @returns the first failed test; undefined if all passed */
  async #test(files: readonly string[], engine = 'sqlite'): Promise<Failure | undefined> {
    const report = join(this.#root, 'outcome.json')
    rmSync(report, { force: true })
    const options = [
      'run',
      '--mode=all',
      '--bail=1',
      `--project=${engine}`,
      '--project=once',
      '--project=tools',
      '--reporter=json',
      `--outputFile=${report}`,
    ]
    const output = await this.#run('node_modules/vitest/vitest.mjs', [...options, EXCEPT, ...files])
    if (output === undefined) return undefined
    return firstFailure(report) ?? { title: output.trim().slice(0, 300), files }
  }

  /** @returns the output of a script if it failed */
  async #run(script: string, options: readonly string[]): Promise<string | undefined> {
    return new Promise((resolve) => {
      const limits = { cwd: this.#root, maxBuffer: 1 << 28, timeout: RUN_MILLISECONDS_MAX }
      execFile(process.execPath, [script, ...options], limits, (error, stdout, stderr) =>
        resolve(error ? `${stdout}${stderr}` || error.message : undefined),
      )
    })
  }

  close(): void {
    rmSync(this.#root, { recursive: true, force: true })
  }
}

function filesOf(root: string): string[] {
  const options = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  return execFileSync('git', options, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 })
    .split('\0')
    .filter((name) => name !== '')
}

interface Failure {
  readonly title: string
  /** Test files that reproduce the failure. */
  readonly files: readonly string[]
}

interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[]
  }[]
}

/** @returns undefined if Vitest failed before it wrote a report */
function firstFailure(report: string): Failure | undefined {
  if (!existsSync(report)) return undefined
  const { testResults }: Report = JSON.parse(readFileSync(report, 'utf8'))
  const file = testResults.find(({ status }) => status === 'failed')
  if (file === undefined) return undefined
  const test = file.assertionResults.find(({ status }) => status === 'failed')
  return { title: test?.fullName ?? 'a file of tests that could not be loaded', files: [file.name] }
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? ''
}

function below(tests: readonly string[]): string[] {
  return tests.map((name) => `tests/${name}`)
}

/**
 * Runs Schemathesis, which generates requests from the contract and checks the responses, against the real service.
 *
 *     node tests/schemathesis/main.ts [--examples 8] [--cases 200] [--as owner|reader|stranger] [--only <operationId>]… [--report <folder>]
 *
 * `--examples` is the number of random requests for an operation, `--cases` the number of valid and of invalid bodies taken from the
 * enumeration of a schema. The seed is fixed. A longer run: `--examples 100 --cases 5000`. `--report` stores every request and response.
 * The exit code is 1 if a check failed.
 */

import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { operations, type Operation } from '../../generated/operations.ts'
import type { OperationId } from '../../server/contract/operation.ts'
import { newestRelease, releaseDates } from '../../server/versions/index.ts'
import { writeDocument } from './document.ts'
import { schemathesisCommand } from './schemathesis_command.ts'
import { roles, startTestedService, type Role } from './service.ts'
import { parseCommandLine } from '../../scripts/parse_command_line.ts'

/** The phases of one line run one after another, the lines in parallel: each keeps one core busy. */
const PHASES = ['examples,coverage', 'fuzzing,stateful']

const { values } = parseCommandLine(import.meta.filename, {
  options: {
    examples: { type: 'string', default: '8' },
    cases: { type: 'string', default: '200' },
    as: { type: 'string', default: 'owner' },
    only: { type: 'string', multiple: true },
    report: { type: 'string' },
  },
})

const command = await schemathesisCommand()
if (command === undefined) console.log('Skipped: Schemathesis needs Python 3.10 or newer, which is not installed.')
else await main(command, requireRole(values.as))

async function main(command: string, role: Role): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'schemathesis-'))
  try {
    await writeDocument(join(folder, 'openapi.json'))
    const results = await Promise.all(PHASES.map((phases) => run(command, role, phases, folder)))
    const generated = results.reduce((sum, result) => sum + result.generated, 0)
    const failed = results.reduce((sum, result) => sum + result.failed, 0)
    console.log(`${served().length} operations, ${generated} requests: ${generated - failed} passed, ${failed} failed`)
    if (failed > 0 || results.some(({ isComplete }) => !isComplete)) process.exitCode = 1
  } finally {
    await rm(folder, { recursive: true })
  }
}

interface Result {
  readonly generated: number
  /** Requests whose response failed a check, and operations without any generated request. */
  readonly failed: number
  readonly isComplete: boolean
}

/** One run against a separate service. Its output is shown at the end, and only after a failure. */
async function run(command: string, role: Role, phases: string, folder: string): Promise<Result> {
  const service = await startTestedService(role)
  try {
    const report = join(folder, `${phases}.json`)
    const requests = join(values.report ?? folder, `${phases}.ndjson`)
    const output = await outputOf(
      folder,
      command,
      [
        `--config-file=${join(import.meta.dirname, 'schemathesis.toml')}`,
        'run',
        join(folder, 'openapi.json'),
        `--url=${service.url}`,
        `--phases=${phases}`,
        `--max-examples=${values.examples}`,
        '--no-color',
        '--report=json,ndjson',
        `--report-json-path=${report}`,
        `--report-ndjson-path=${requests}`,
        ...served().map((id) => `--include-operation-id=${id}`),
      ],
      {
        SCHEMATHESIS_HOOKS: join(import.meta.dirname, 'hooks.py'),
        SCHEMATHESIS_TOKEN: service.token,
        SCHEMATHESIS_CLIENT_ID: service.clientId,
        SCHEMATHESIS_CLIENT_SECRET: service.clientSecret,
        SCHEMATHESIS_ROLE: role,
        SCHEMATHESIS_VERSION: newestRelease,
        SCHEMATHESIS_RELEASES: releaseDates.join(','),
        SCHEMATHESIS_COVERAGE_CASES_MAX: values.cases,
        PYTHONDONTWRITEBYTECODE: '1',
      },
    )
    const result = await readResult(report)
    if (result.failed > 0 || !result.isComplete) console.log(output)
    return result
  } finally {
    await service.stop()
  }
}

/** The output of a command, stdout and stderr. It writes its files to the folder. */
function outputOf(
  folder: string,
  command: string,
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<string> {
  const child = spawn(command, args, { cwd: folder, env: { ...process.env, ...settings } })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', () => resolve(output))
  })
}

interface Report {
  readonly complete: boolean
  readonly test_cases: { readonly generated: number; readonly with_failures: number; readonly errored: number }
  readonly errors: readonly unknown[]
}

async function readResult(path: string): Promise<Result> {
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text === undefined) return { generated: 0, failed: 0, isComplete: false }
  const { complete, test_cases, errors } = JSON.parse(text) as Report
  return { generated: test_cases.generated, failed: test_cases.with_failures + errors.length, isComplete: complete }
}

/** The operations of the newest release date that this service has. */
function served(): readonly OperationId[] {
  const chosen = Object.values(operations).filter(({ available }: Operation) => {
    const { from = '', before } = available
    return newestRelease >= from && (before === undefined || newestRelease < before)
  })
  const ids = chosen.map(({ id }) => id)
  return values.only === undefined ? ids : ids.filter((id) => values.only?.includes(id))
}

function requireRole(text: string): Role {
  const role = (Object.keys(roles) as Role[]).find((name) => name === text)
  if (role === undefined)
    throw new Error(
      `--as takes ${Object.entries(roles)
        .map(([name, words]) => `${name} (${words})`)
        .join(', ')}`,
    )
  return role
}

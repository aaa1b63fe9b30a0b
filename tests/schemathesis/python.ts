import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { access, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const requirements = join(import.meta.dirname, 'requirements.txt')
const NEW_ENOUGH = 'import sys; sys.exit(sys.version_info < (3, 10))'

/**
 * The command `schemathesis` of the release that requirements.txt pins, in a virtual environment outside the tree that is made once.
 * @returns undefined where no Python from 3.10 on is found
 */
export async function schemathesisCommand(): Promise<string | undefined> {
  const python = await findPython()
  if (python === undefined) return undefined
  const digest = createHash('sha256')
    .update(await readFile(requirements))
    .digest('hex')
  const folder = join(tmpdir(), `workspace-service-schemathesis-${digest.slice(0, 12)}`)
  const command = join(folder, 'bin/schemathesis')
  if (!(await exists(command))) await makeEnvironment(python, folder)
  return command
}

async function findPython(): Promise<string | undefined> {
  for (const name of ['python3', 'python']) {
    const found = await run(name, ['-c', NEW_ENOUGH]).then(
      () => true,
      () => false,
    )
    if (found) return name
  }
  return undefined
}

/** The commands are what is put there last: without them, an environment is made again. */
async function makeEnvironment(python: string, folder: string): Promise<void> {
  await run(python, ['-m', 'venv', folder])
  await run(join(folder, 'bin/python'), ['-m', 'pip', 'install', '--quiet', '--requirement', requirements])
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

import { createHash } from 'node:crypto'
import { access, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runProgram } from './run.ts'

const NEW_ENOUGH = 'import sys; sys.exit(sys.version_info < (3, 10))'

/**
 * A command from the packages in a requirements file, in a virtual environment outside the tree that is created once.
 * @param name part of the name of the environment's folder
 * @returns its path, or undefined if there is no Python 3.10 or newer
 */
export async function pythonCommand(name: string, requirements: string): Promise<string | undefined> {
  const python = await findPython()
  if (python === undefined) return undefined
  const digest = createHash('sha256')
    .update(await readFile(requirements))
    .digest('hex')
  const folder = join(tmpdir(), `workspace-service-${name}-${digest.slice(0, 12)}`)
  const command = join(folder, 'bin', name)
  if (!(await exists(command))) await makeEnvironment(python, folder, requirements)
  return command
}

async function findPython(): Promise<string | undefined> {
  for (const name of ['python3', 'python']) if ((await runProgram(name, ['-c', NEW_ENOUGH]))?.code === 0) return name
  return undefined
}

/** Creates the environment. The commands are installed last: without them, it is created again. */
async function makeEnvironment(python: string, folder: string, requirements: string): Promise<void> {
  await succeed(python, ['-m', 'venv', folder])
  await succeed(join(folder, 'bin/python'), ['-m', 'pip', 'install', '--quiet', '--requirement', requirements])
}

async function succeed(program: string, words: readonly string[]): Promise<void> {
  const output = await runProgram(program, words)
  if (output?.code !== 0) throw new Error(`${program} ${words.join(' ')} failed: ${output?.stderr ?? 'no such program'}`)
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

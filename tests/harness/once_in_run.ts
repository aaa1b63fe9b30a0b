import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { inject } from 'vitest'

const TIMEOUT_MS = 150_000

/**
 * Fills a folder once in a run: the first worker that needs it does, while the others wait.
 * @param name of the folder
 * @param fill receives the path, and creates the folder
 * @returns the path of the folder
 */
export async function onceInRun(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(inject('scratchFolder'), name)
  if (existsSync(folder)) return folder
  mkdirSync(dirname(folder), { recursive: true })
  if (isTaken(`${folder}.begun`)) return appearing(folder)
  await fill(`${folder}.new`)
  renameSync(`${folder}.new`, folder)
  return folder
}

function isTaken(folder: string): boolean {
  try {
    mkdirSync(folder)
    return false
  } catch {
    return true
  }
}

async function appearing(path: string): Promise<string> {
  for (const end = performance.now() + TIMEOUT_MS; !existsSync(path);) {
    if (performance.now() > end) throw new Error(`${path} was not made in time`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return path
}

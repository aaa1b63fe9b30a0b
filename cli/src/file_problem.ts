import { stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { CommandError } from './exit_codes.ts'

const PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  ENOTDIR: 'no such file or folder',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left',
  ENAMETOOLONG: 'the name is too long',
}

/** Why a file cannot be read or written, as `<file>: no such file or folder`; undefined for any other error. */
export function fileProblem(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('path' in error)) return undefined
  const problem = Object.hasOwn(PROBLEMS, String(error.code)) ? PROBLEMS[String(error.code)] : undefined
  return problem && `${String(error.path)}: ${problem}`
}

/** @throws CommandError if a file to be read does not exist */
export async function requireExistingFile(path: string): Promise<void> {
  await requireExists(path, path, 'no such file or folder')
}

/**
 * To be called before a long command begins.
 * @throws CommandError if the folder of its output file does not exist
 */
export async function requireFolderOf(path: string | undefined): Promise<void> {
  if (path !== undefined) await requireExists(dirname(resolve(path)), path, 'no such folder')
}

async function requireExists(wanted: string, shown: string, problem: string): Promise<void> {
  const found = await stat(wanted).catch(() => undefined)
  if (!found) throw new CommandError(`${shown}: ${problem}`)
}

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { CommandError } from './exit_codes.ts'

/** The checksum of a file is in a file beside it, in the format of `sha256sum --check`. */
export const checksumPath = (path: string): string => `${path}.sha256`

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) hash.update(chunk)
  return hash.digest('hex')
}

export async function removeChecksum(path: string): Promise<void> {
  await rm(checksumPath(path), { force: true })
}

/** @returns the checksum */
export async function writeChecksum(path: string): Promise<string> {
  const sha256 = await sha256Of(path)
  await writeFile(checksumPath(path), `${sha256}  ${basename(path)}\n`, { mode: 0o600, flush: true })
  return sha256
}

const CHECKSUM_LENGTH_MAX = 4_096

/** @throws CommandError if there is no checksum, or it does not match */
export async function requireChecksum(path: string): Promise<void> {
  const place = checksumPath(path)
  const text = await readFile(place, 'utf8').catch(() => undefined)
  if (text === undefined)
    throw new CommandError(
      `${place} does not exist, so the backup cannot be verified. Add --without-checksum to restore it anyway.`,
    )
  const expected = /^([0-9a-f]{64}) [ *]/.exec(text.slice(0, CHECKSUM_LENGTH_MAX))?.[1]
  if (expected === undefined)
    throw new CommandError(`${place}: expected a SHA-256 in hexadecimal and a name, found something else.`)
  const found = await sha256Of(path)
  if (found !== expected)
    throw new CommandError(
      `The backup cannot be used: its checksum differs. ${place} contains ${expected}, the file has ${found}. Use another backup.`,
    )
}

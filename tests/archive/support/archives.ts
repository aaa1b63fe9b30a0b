import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ZipFile } from 'yazl'
import { ZipReader } from '../../../archive/src/zip_reader.ts'
import { scratchFolder } from '../../harness/databases.ts'
import { parseObject, textAt, type JsonObject } from '../../harness/json.ts'

/** Writes a zip file. @returns its path */
export async function makeZip(entries: Readonly<Record<string, string | Buffer>>, mode = 0o100644): Promise<string> {
  const zip = new ZipFile()
  for (const [path, content] of Object.entries(entries)) zip.addBuffer(Buffer.from(content), path, { mode })
  zip.end()
  const chunks: Buffer[] = []
  for await (const chunk of zip.outputStream) chunks.push(Buffer.from(chunk))
  return saved(Buffer.concat(chunks))
}

/** Writes a zip file with a name that ordinary programs do not write. */
export async function makeZipNamed(name: string, written: string): Promise<string> {
  const path = await makeZip({ [name]: 'x' })
  const bytes = readFileSync(path).toString('latin1').replaceAll(name, written)
  return saved(Buffer.from(bytes, 'latin1'))
}

export function saved(bytes: Buffer): string {
  const path = join(scratchFolder('archive-'), 'made.zip')
  writeFileSync(path, bytes)
  return path
}

export function newPath(): string {
  return join(scratchFolder('archive-'), 'export.zip')
}

/** The files of an archive by path, without ids and losses. Bytes are in Base64. */
export async function filesOf(path: string): Promise<Record<string, unknown>> {
  const zip = await ZipReader.open(path)
  const files: Record<string, unknown> = {}
  for (const name of zip.paths.toSorted()) {
    if (name === 'workspace.json') files[name] = withoutIds(parseObject(await zip.text(name, 10_000_000)))
    else if (/\.(?:md|csv)$/.test(name)) files[name] = await zip.text(name, 10_000_000)
    else files[name] = (await Array.fromAsync(await zip.read(name))).map((chunk: Buffer) => chunk.toString('base64')).join('')
  }
  zip.close()
  return files
}

const IDS: ReadonlySet<string> = new Set([
  'id',
  'option_ids',
  'data_source_id',
  'database_id',
  'synced_property_id',
  'rollup_property_id',
  'relation_property_id',
  'left_out',
  'workspace',
])

function withoutIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutIds)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value as JsonObject).flatMap(([key, member]) => (IDS.has(key) ? [] : [[key, withoutIds(member)]])),
  )
}

/** The losses of an export or import, with reasons. */
export function lossesOf({ left_out: list }: JsonObject): string[] {
  return Array.isArray(list) ? list.map((entry) => `${textAt(entry, 'what')}: ${textAt(entry, 'reason')}`) : []
}

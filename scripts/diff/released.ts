/** Reads the contract to compare with: the last release, a commit or a file. */

import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'
import { parse } from 'yaml'
import { walkObjects, type Document } from '../generate/document.ts'
import { isObject } from '../../server/kernel/is_object.ts'

const projectRoot = resolve(import.meta.dirname, '../..')
const maxBuffer = 256 * 1024 * 1024

/** Committed, so that clones without tags, history or network have it. */
export const releasedFile = join(projectRoot, 'spec/released/openapi.json.gz')

/** The released contract, a file (JSON or YAML), or the bundle of a commit. Throws a readable error when there is none. */
export async function readBase(base: string | undefined): Promise<Document> {
  if (base === undefined) return readRelease(releasedFile)
  return readDocument(existsSync(base) ? await readFile(base, 'utf8') : await committedBundle(base))
}

/** A contract as `writeReleased` stores it. */
export async function readRelease(file: string): Promise<Document> {
  return readDocument(gunzipSync(await readFile(file)).toString())
}

function readDocument(text: string): Document {
  const value: unknown = text.startsWith('{') ? JSON.parse(text) : parse(text, { maxAliasCount: -1 })
  if (!isObject(value) || !isObject(value['paths']) || !isObject(value['info']))
    throw new Error('The base is not an OpenAPI document')
  return { components: {}, ...value } as Document // made by npm run generate, whose output lint has checked
}

async function committedBundle(revision: string): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)('git', ['show', `${revision}:generated/openapi.yaml`], {
      cwd: projectRoot,
      maxBuffer,
    })
    return stdout
  } catch {
    throw new Error(`${revision} is neither a file nor a commit with generated/openapi.yaml`)
  }
}

/** Stores the contract for later comparisons, without examples, which promise nothing. */
export async function writeReleased(document: Document): Promise<void> {
  await writeFile(releasedFile, gzipSync(JSON.stringify(asReleased(document)), { level: 9 }))
}

/** The stored form of a release: a copy without examples. */
export function asReleased(document: Document): Document {
  const copy = structuredClone(document)
  delete copy.components.examples
  walkObjects(copy, (object) => {
    // Under `properties`, `examples` is the name of a property with a schema.
    const examples = object['examples']
    if (isObject(examples) && !('type' in examples) && !('$ref' in examples)) delete object['examples']
  })
  return copy
}

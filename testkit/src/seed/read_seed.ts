import { readFile } from 'node:fs/promises'
import { SeedError, type Seed } from './seed.ts'
import { isObject } from '@workspace-service/server/kernel/is_object.ts'

const LISTS = ['people', 'tokens', 'pages', 'databases', 'agents'] as const

/**
 * Reads a seed from a JSON or YAML file and checks its outline. Its content is validated when it is loaded.
 * @throws SeedError if the file cannot be parsed or has unknown keys
 */
export async function readSeed(source: string | URL | Seed): Promise<Seed> {
  const isFile = typeof source === 'string' || source instanceof URL
  const value = isFile ? await parseFile(source) : source
  if (!isObject(value)) throw new SeedError('seed', `should be an object with ${LISTS.join(', ')}.`)
  for (const [key, list] of Object.entries(value)) {
    if (!LISTS.some((name) => name === key)) throw new SeedError(key, `is not a key of a seed. The keys are ${LISTS.join(', ')}.`)
    if (!Array.isArray(list)) throw new SeedError(key, 'should be a list.')
    const invalidIndex = list.findIndex((item) => !isObject(item))
    if (invalidIndex !== -1) throw new SeedError(`${key}[${invalidIndex}]`, 'should be an object.')
  }
  return value
}

async function parseFile(file: string | URL): Promise<unknown> {
  const text = await readFile(file, 'utf8')
  // Loaded on demand, because nothing else in the kit needs it. YAML is a superset of JSON.
  const { parse } = await import('yaml')
  try {
    return parse(text)
  } catch (error) {
    throw new SeedError(String(file), error instanceof Error ? error.message : String(error))
  }
}

import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'

const published = resolve(import.meta.dirname, '../../generated/openapi.json')
const nestedBlock = JSON.stringify('#/components/schemas/BlockRequestOneLevel')
const nestedParagraph = JSON.stringify('#/components/schemas/ParagraphBlockRequestLeaf')

/**
 * Writes the contract in a form for Schemathesis. It differs from the published one in two ways:
 * - children of new blocks are paragraphs. Schemathesis enumerates all alternatives of a body, and three levels of 28 types of blocks,
 *   each with rich text, have a quarter of a million alternatives;
 * - an optional `type` that `dependentSchemas` tie to the key beside it is left out, with these `dependentSchemas`. Schemathesis cannot turn
 *   twenty of them into its own form, and then makes no request at all.
 */
export async function writeDocument(path: string): Promise<void> {
  const text = (await readFile(published, 'utf8')).replaceAll(nestedBlock, nestedParagraph)
  await writeFile(path, JSON.stringify(JSON.parse(text, (_key, value: unknown) => withoutTiedType(value))))
}

function withoutTiedType(value: unknown): unknown {
  if (!isObject(value)) return value
  const { dependentSchemas, properties, ...schema } = value
  if (!isObject(dependentSchemas) || !isObject(properties)) return value
  if (!Object.entries(dependentSchemas).every(([key, tied]) => JSON.stringify(tied) === tiedTo(key))) return value
  const { type: _type, ...others } = properties
  return { ...schema, properties: others }
}

function tiedTo(key: string): string {
  return JSON.stringify({ properties: { type: { const: key } } })
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

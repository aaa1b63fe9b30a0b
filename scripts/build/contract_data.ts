import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { seedSchema } from './seed_schema.ts'
import { jsonSchema, readContract, type OpenApiDocument } from '../../server/package/contract.ts'

const COMPONENT = '#/components/schemas/'

/** Writes the JSON Schemas of responses and webhook bodies, the examples, each as one file by name, and the schema of seeds. */
export async function writeContractData(folder: string): Promise<void> {
  const contract = await readContract()
  const schemas = responseSchemas(contract).map((name) => [name, jsonSchema(contract, name)] as const)
  await mkdir(folder, { recursive: true })
  const examples = Object.entries(contract.components.examples).map(([name, { value }]) => [name, value] as const)
  const files = {
    schemas: Object.fromEntries(schemas),
    examples: Object.fromEntries(examples),
    'seed.schema': await seedSchema(contract),
  }
  for (const [name, value] of Object.entries(files)) await writeFile(join(folder, `${name}.json`), JSON.stringify(value))
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: { readonly $ref?: string } }>>
}
interface Described {
  readonly responses?: Readonly<Record<string, Content>>
  readonly requestBody?: Content
}

function responseSchemas({ paths, webhooks }: OpenApiDocument): string[] {
  const operations = Object.values(paths).flatMap((path) => Object.values(path) as Described[])
  const events = Object.values((webhooks ?? {}) as Record<string, { readonly post: Described }>)
  const contents = [
    ...operations.flatMap(({ responses = {} }) =>
      Object.entries(responses).flatMap(([status, response]) => (status.startsWith('2') ? [response] : [])),
    ),
    ...events.flatMap(({ post: { requestBody } }) => (requestBody === undefined ? [] : [requestBody])),
  ]
  const references = contents.flatMap(({ content = {} }) => Object.values(content).map(({ schema }) => schema?.$ref ?? ''))
  const names = references.filter((ref) => ref.startsWith(COMPONENT)).map((ref) => ref.slice(COMPONENT.length))
  return [...new Set(names)].toSorted()
}

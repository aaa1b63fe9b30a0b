import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { projectRoot } from '../generate/files.ts'
import { jsonSchema, type OpenApiDocument } from '../../server/package/contract.ts'

type Schema = OpenApiDocument['components']['schemas'][string]

const COMPONENT = '#/components/schemas/'
const name: Schema = { type: 'string', minLength: 1, description: 'The name. The result contains the id under this name.' }
const listOf = (schema: string): Schema => ({ type: 'array', items: { $ref: COMPONENT + schema } })
const closed = (properties: Readonly<Record<string, Schema>>, required: readonly string[] = []): Schema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

/**
 * The JSON Schema of the test kit's seeds, for editors: pages, rows and databases as in requests of the contract, agents as in the control
 * API.
 */
export async function seedSchema(contract: OpenApiDocument): Promise<Schema> {
  const control = JSON.parse(await readFile(join(projectRoot, 'generated/control.json'), 'utf8')) as OpenApiDocument
  const { schemas } = contract.components
  const page = bodyOf(schemas['CreatePageRequest'], ['parent', 'allow_async'])
  const database = bodyOf(schemas['DatabaseCreateRequest'], ['parent'])
  const agents = Object.fromEntries(
    Object.entries(control.components.schemas).filter(([key]) =>
      /^(?:SeedAgent|ScriptedTurn|ScriptStep|\w+Step)Request$/.test(key),
    ),
  )
  const own = {
    ...agents,
    Seed: closed({
      people: listOf('SeedPerson'),
      tokens: listOf('SeedToken'),
      pages: listOf('SeedPage'),
      databases: listOf('SeedDatabase'),
      agents: listOf('SeedAgentRequest'),
    }),
    SeedPerson: closed({ name, email: { type: 'string' }, role: { enum: ['owner', 'member', 'restricted', 'guest'] } }, [
      'name',
      'email',
    ]),
    SeedToken: closed(
      {
        name,
        person: { type: 'string', description: 'The email address of a person whom the seed adds.' },
        capabilities: { type: 'array', items: { type: 'string' } },
        pages: { type: 'array', items: { type: 'string' } },
      },
      ['name'],
    ),
    SeedPage: extended(page, { name, pages: listOf('SeedPage') }),
    SeedRow: extended(page, { name }),
    SeedDatabase: extended(database, { name, page: { type: 'string' }, rows: listOf('SeedRow') }, ['page']),
  }
  const schema = jsonSchema({ ...contract, components: { ...contract.components, schemas: { ...schemas, ...own } } }, 'Seed')
  if (schema === undefined) throw new Error('the contract has no schema of seeds')
  return schema
}

/**
 * A request body without the members that the seed itself provides.
 * @throws Error if the contract lacks the request, or has a name that the seed also uses
 */
function bodyOf(schema: Schema | undefined, without: readonly string[]): Schema & { properties: Record<string, Schema> } {
  const { properties, dependentSchemas, required: _parent, ...rest } = (schema ?? {}) as Record<string, Record<string, Schema>>
  if (properties === undefined) throw new Error('the contract does not have this request')
  for (const own of ['name', 'pages', 'rows', 'page'])
    if (own in properties) throw new Error(`the contract's request has a key "${own}", which seeds have, too`)
  const kept = (all: Record<string, Schema> = {}): Record<string, Schema> =>
    Object.fromEntries(Object.entries(all).filter(([key]) => !without.includes(key)))
  // The outline of the seed determines the parent and position of a page.
  const { position: _position, ...conditions } = kept(dependentSchemas)
  return { ...rest, properties: kept(properties), dependentSchemas: conditions }
}

function extended(
  body: ReturnType<typeof bodyOf>,
  own: Readonly<Record<string, Schema>>,
  required: readonly string[] = [],
): Schema {
  return { ...body, properties: { ...own, ...body.properties }, required }
}

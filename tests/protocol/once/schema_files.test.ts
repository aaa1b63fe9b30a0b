import addFormats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { releaseDates } from '../../../server/versions/index.ts'
import { publicContract, resolve, type DeclaredBody, type PublicContract } from '../../harness/contract.ts'
import type { JsonObject } from '../../harness/json.ts'
import { someRows } from '../../harness/long_runs.ts'
import { serverOfFile } from '../../harness/server.ts'

const server = await serverOfFile()

/** A file of JSON Schema, as used without OpenAPI. */
async function fileOf(path: string): Promise<JsonObject> {
  const { status, headers, text } = await server.owner.page(`/schemas/${path}`)
  expect([path, status, headers['content-type']]).toEqual([path, 200, 'application/schema+json; charset=utf-8'])
  return JSON.parse(text)
}

/** The errors of a stock validator in strict mode. */
function complaints(schema: JsonObject, values: readonly unknown[]): unknown[] {
  // Optimizing the code takes longer than it saves.
  const ajv = new Ajv2020({ logger: false, code: { optimize: false } })
  addFormats.default(ajv)
  const validate = ajv.compile(schema)
  return values.flatMap((value) => (validate(value) ? [] : [{ value, errors: validate.errors }]))
}

/** Examples by the name of their schema: bodies of requests and responses of all operations. */
function examplesBySchema({ paths, components }: PublicContract): Map<string, unknown[]> {
  const found = new Map<string, unknown[]>()
  const collect = (content: Readonly<Record<string, DeclaredBody>> = {}): void => {
    const { schema, examples = {} } = content['application/json'] ?? {}
    if (schema === undefined || !('$ref' in schema)) return
    const name = String(schema.$ref).split('/').at(-1) ?? ''
    const values = Object.values(examples).map((example) => resolve(example, components.examples).value)
    found.set(name, [...(found.get(name) ?? []), ...values])
  }
  for (const { requestBody, responses = {} } of Object.values(paths).flatMap((item) => Object.values(item))) {
    collect(requestBody?.content)
    for (const response of Object.values(responses)) collect(resolve(response, components.responses).content)
  }
  return found
}

describe('files of JSON Schema', () => {
  it("validate the contract's examples in a stock validator, for the bodies of every operation", async () => {
    const examples = examplesBySchema(publicContract())
    expect(examples.size).toBeGreaterThan(80)
    for (const [name, values] of someRows([...examples], 10))
      expect({ name, complaints: complaints(await fileOf(`${name}.json`), values) }).toEqual({ name, complaints: [] })
  })

  it('refuse bodies that the contract refuses', async () => {
    const schema = await fileOf('User.json')
    const [user] = examplesBySchema(publicContract()).get('User') ?? []
    expect(complaints(schema, [user])).toEqual([])
    expect(complaints(schema, [{ ...Object(user), id: 'Ines' }])).toHaveLength(1)
  })

  it.each(someRows(releaseDates, 2))('as of %s have separate addresses, and are self-contained', async (date) => {
    const { text } = await server.owner.page(`/schemas/${date}/index.json`)
    expect(JSON.parse(text)).toMatchObject({ Block: `${server.url}/schemas/${date}/Block.json` })
    const schema = await fileOf(`${date}/Block.json`)
    expect(schema).toMatchObject({ $id: `${server.url}/schemas/${date}/Block.json`, title: 'Block' })
    const references = [...JSON.stringify(schema).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref ?? '')
    const inside = new Set(['#', ...Object.keys(Object(schema['$defs'])).map((name) => `#/$defs/${name}`)])
    expect(references.filter((ref) => !inside.has(ref))).toEqual([])
  })

  it.each(['/schemas/Nothing.json', '/schemas/constructor.json', '/schemas/1999-01-01/Block.json', '/schemas/Block'])(
    'do not exist at %s: 400 invalid_request_url',
    async (path) => {
      const { status, text } = await server.owner.page(path)
      expect(status).toBe(400)
      expect(JSON.parse(text)).toMatchObject({ code: 'invalid_request_url' })
    },
  )

  it('match their release date', async () => {
    const before = await fileOf('2025-09-03/PageObject.json')
    const now = await fileOf('PageObject.json')
    expect(before['properties']).toHaveProperty('archived')
    expect(now['properties']).not.toHaveProperty('archived')
  })
})

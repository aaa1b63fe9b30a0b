import { describe, expect, it } from 'vitest'
import { operations } from '../../../generated/operations.ts'
import { limitsOf, requestSpots, valueAt, type Spot } from '../../harness/request_values.ts'
import { basic, makeClient } from '../../harness/oauth.ts'
import { markSeen } from '../../harness/seen.ts'
import { serverOfFile } from '../../harness/server.ts'
import type { Limit } from '../../completeness/values.ts'

/** Every limit of the contract on requests, tested on both sides, and every word of its enumerations. */

const server = await serverOfFile()
const client = await makeClient(server)
const ID = '00000000-0000-4000-8000-000000000000'
const ATTEMPTS_MAX = 300

/** The error of a refused request: all others end with 404, because they name missing records. */
async function refusal({ operation, request }: Spot, value: unknown): Promise<string> {
  const { path = {}, ...parts } = request(value)
  const anywhere = Object.fromEntries(operations[operation].pathParameters.map((name) => [name, ID]))
  const isClient = operations[operation].credentials === 'client'
  const headers = isClient ? { ...parts.headers, Authorization: basic(client.clientId, client.clientSecret) } : parts.headers
  const response = await server.owner.call(operation, { ...parts, ...(headers && { headers }), path: { ...anywhere, ...path } })
  return response.status === 400 ? String(response.body['message'] ?? response.body['error_description']) : ''
}

/** The error at a path: the values beside it are generated again until they are valid. */
async function errorAt(spot: Spot, value: unknown): Promise<string | undefined> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const message = (await refusal(spot, value)).split(`${spot.location}`)[1]
    if (message !== undefined) return message
  }
  return undefined
}

interface Case {
  readonly title: string
  readonly spot: Spot
  readonly limit: Limit
}

function casesOf(spots: Iterable<Spot>): Case[] {
  const cases = new Map<string, Case>()
  for (const spot of spots)
    for (const limit of limitsOf(spot.schema)) {
      const title = `${spot.name} ${limit.keyword} ${limit.value}`
      if (canBeSent(spot, limit)) cases.set(title, cases.get(title) ?? { title, spot, limit })
    }
  return [...cases.values()]
}

/**
 * Whether a value at the limit can be sent. A URL cannot contain an empty list, and a body may exceed its own limit before a text in it
 * does.
 */
function canBeSent({ operation, location }: Spot, { keyword, value }: Limit): boolean {
  const { credentials, bodyLimit } = operations[operation]
  return (
    credentials !== 'none' &&
    !(keyword === 'minItems' && location.startsWith('query')) &&
    !(keyword === 'maxLength' && value >= bodyLimit)
  )
}

const spots = [...requestSpots()]
const cases = casesOf(spots)
const isPlain = ({ spot: { schema } }: Case): boolean =>
  !['pattern', 'format', 'x-expectation'].some((keyword) => keyword in schema)

describe('a value beyond a limit', () => {
  it.each(cases)('400 for $title ($spot.operation)', async ({ spot, limit }) => {
    expect(await errorAt(spot, valueAt(spot.schema, limit, 1))).toBeDefined()
  })
})

describe('a value at a limit', () => {
  it.each(cases.filter(isPlain))('is accepted for $title ($spot.operation)', async ({ spot, limit }) => {
    expect((await refusal(spot, valueAt(spot.schema, limit, 0))).split(spot.location)[1] ?? '').not.toMatch(
      new RegExp(String.raw`^(?:\.\w+)? should[^,]*\x60${limit.value}\x60`),
    )
  })
})

/** Words by the names of their properties. */
const words = new Map<string, Spot>()
for (const spot of spots)
  for (const word of [spot.schema['enum'], spot.schema['const']].flat())
    if (typeof word === 'string' && operations[spot.operation].credentials !== 'none')
      words.set(`${spot.name} ${word}`, words.get(`${spot.name} ${word}`) ?? spot)

describe('a value of an enumeration', () => {
  it.each([...words])('is accepted for %s', async (name, spot) => {
    const word = name.slice(spot.name.length + 1)
    await expect.poll(async () => (await refusal(spot, word)).includes(`${spot.location} `), { interval: 0 }).toBe(false)
    markSeen(`request ${spot.name}`, word)
  })
})

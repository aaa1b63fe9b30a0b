import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { seedSchema } from '../../scripts/build/seed_schema.ts'
import { readContract } from '../../server/package/contract.ts'

const guide = await readFile(join(import.meta.dirname, '../../spec/guides/07-testing.md'), 'utf8')
const isSeed = new Ajv2020({ strict: false, validateFormats: false }).compile(await seedSchema(await readContract()))

describe('the schema of seeds', () => {
  it('accepts the seed of the guide', () => {
    isSeed(parse(/```yaml\n(.+?)```/s.exec(guide)?.[1] ?? ''))
    expect(isSeed.errors).toBeNull()
  })

  it.each([
    { boats: [] },
    { pages: [{ color: 'red' }] },
    { pages: [{ pages: [{ parent: { workspace: true } }] }] },
    { pages: [{ icon: { emoji: 7 } }] },
    { databases: [{ title: [] }] },
    { databases: [{ page: 'one', rows: [{ pages: [] }] }] },
    { people: [{ name: 'Ada' }] },
    { agents: [{ name: 'Tide Watch', role: 'captain' }] },
    { agents: [{ name: 'Tide Watch', turns: [{ steps: [{ type: 'dance' }] }] }] },
    { tokens: [{ person: 'ada@example.org' }] },
  ])('refuses %j', (seed) => {
    expect(isSeed(seed)).toBe(false)
  })
})

import { readFile } from 'node:fs/promises'
import { cruise, type ICruiseResult, type IFlattenedRuleSet } from 'dependency-cruiser'
import { describe, expect, it } from 'vitest'

/** The rooms and who may import whom: .dependency-cruiser.json holds the table of docs in CONTRIBUTING. */
describe('imports', () => {
  it('run one way, from the socket to the row', async () => {
    const { forbidden, options } = JSON.parse(await readFile('.dependency-cruiser.json', 'utf8')) as IFlattenedRuleSet & {
      options: object
    }
    const { output } = await cruise(['server', 'client/src', 'scripts'], {
      ...options,
      validate: true,
      ruleSet: { ...(forbidden ? { forbidden } : {}) },
    })
    const { summary, modules } = output as ICruiseResult
    expect(modules.length).toBeGreaterThan(60)
    // If you are here because an import is listed: move what is imported to a room that both may know, or hand it in. The table
    // of rooms is in CONTRIBUTING.md.
    expect(summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`)).toEqual([])
  })
})

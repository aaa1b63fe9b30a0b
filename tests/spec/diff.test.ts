/** The report of `npm run diff` about changes of the contract. */

import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { worstOf, type ContractChange } from '../../scripts/diff/change.ts'
import { compareContracts } from '../../scripts/diff/contracts.ts'
import { readBase, asReleased } from '../../scripts/diff/released.ts'
import { changelogEntry, markdownReport, terminalReport, unnamedBreaks } from '../../scripts/diff/report.ts'
import { bundle } from '../../scripts/generate/bundle.ts'
import type { Document } from '../../scripts/generate/document.ts'
import { publicDocument } from '../../scripts/generate/public.ts'
import { allowed } from './support/allowed_changes.ts'
import { breaking } from './support/breaking_changes.ts'
import { property } from './support/contract_edits.ts'
import { projectRoot } from './support/files.ts'
import { isObject } from '../../server/kernel/is_object.ts'

// tests/spec/generated.test.ts ensures that the file is up to date.
const contract = asReleased(await readBase(join(projectRoot, 'generated/openapi.json')))

function changesBy(change: (document: Document) => void): ContractChange[] {
  const changed = structuredClone(contract)
  change(changed)
  return compareContracts(contract, changed)
}

test.each(breaking)('the diff reports a breaking change: $title', ({ change, word, line }) => {
  const changes = changesBy(change)
  expect(terminalReport(changes, 'the base')).toContain(line)
  expect(worstOf(changes)).toBe(word)
})

test.each(allowed)('the diff allows a change: $title', ({ change, word, line }) => {
  const changes = changesBy(change)
  expect(terminalReport(changes, 'the base', true)).toContain(line)
  expect(worstOf(changes)).toBe(word)
})

test('the diff reports when nothing changed', () => {
  expect(
    terminalReport(
      changesBy(() => {}),
      'the base',
    ),
  ).toBe('No changes since the base.')
})

test('the diff ignores the order of keys and of allowed values', () => {
  const inOtherOrder = (map: object = {}): object => Object.fromEntries(Object.entries(map).toReversed())
  const changes = changesBy((document) => {
    const { QuickFilterCondition: condition = {} } = document.components.schemas ?? {}
    const keys = ['properties', 'dependentSchemas'] as const
    for (const key of keys) Object.assign(condition, { [key]: inOtherOrder(condition[key]) })
    property(document, 'QuickFilterCondition', 'type').enum?.reverse()
  })
  expect(terminalReport(changes, 'the base', true)).toBe('No changes since the base.')
})

test('the diff reports a change of several operations once, with their names, for the terminal and for a pull request', () => {
  const changes = changesBy((document) => delete document.components.schemas?.['SearchRequest']?.properties?.['query'])
  expect(terminalReport(changes, 'the base')).toBe(
    'Breaking\n  `search`\n    `SearchRequest.query`: no longer accepted\n\nSince the base: major (1 major, 0 minor, 0 patch)',
  )
  expect(markdownReport(changes, 'the base')).toBe(
    '## Contract: major\n\n1 major, 0 minor, 0 patch since the base.\n\n### Breaking\n\n' +
      '- `search`\n  - `SearchRequest.query`: no longer accepted\n',
  )
  const many = changesBy((document) => Object.assign(document.components.schemas?.['StringRequest'] ?? {}, { maxLength: 50 }))
  expect(many).toHaveLength(1)
  expect(many[0]?.operations.length).toBeGreaterThan(6)
})

test('the diff counts changes of wording, and lists them on request', () => {
  const changes = changesBy((document) =>
    Object.assign(document.components.schemas?.['SearchRequest'] ?? {}, { description: 'Other words.' }),
  )
  expect(terminalReport(changes, 'the base')).toBe(
    'Since the base: patch (0 major, 0 minor, 1 patch); --wording lists the changes of wording',
  )
  expect(terminalReport(changes, 'the base', true)).toMatch(/^Wording\n {2}`search`\n/)
  expect(markdownReport(changes, 'the base')).not.toContain('Wording')
  expect(markdownReport(changes, 'the base', true)).toContain('<summary>Wording</summary>')
})

test('the diff allows a breaking change if the changelog has its line', () => {
  const changes = changesBy((document) => delete document.components.schemas?.['SearchRequest']?.properties?.['query'])
  const entry = changelogEntry(changes)
  expect(entry).toBe('### Breaking\n\n- `search`: `SearchRequest.query`: no longer accepted\n')
  expect(unnamedBreaks(changes, `# Changelog\n\n## Unreleased\n\n${entry}`)).toEqual([])
  expect(unnamedBreaks(changes, `# Changelog\n\n## Unreleased\n\n## 1.0\n\n${entry}`)).toEqual(changes)
})

test('the diff command reads the current files, and fails for a break that is not allowed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'diff-test-'))
  try {
    await cp(join(import.meta.dirname, 'fixtures/contract'), folder, { recursive: true })
    const [root, base] = [join(folder, 'openapi.yaml'), join(folder, 'base.json')]
    await writeFile(base, JSON.stringify(publicDocument(await bundle(root))))
    const color = join(folder, 'shared/schemas/Color.yaml')
    await writeFile(color, (await readFile(color, 'utf8')).replace(', blue', ''))
    const run = (...options: string[]) =>
      promisify(execFile)(process.execPath, ['scripts/diff.ts', '--root', root, '--base', base, ...options], { cwd: projectRoot })
    await expect(run()).rejects.toMatchObject({ code: 1, stdout: expect.stringContaining('`Color`: `blue` no longer accepted') })
    await expect(run('--markdown', '--allow')).resolves.toMatchObject({ stdout: expect.stringContaining('## Contract: major') })
  } finally {
    await rm(folder, { recursive: true })
  }
})

// If you are here because a change is listed: `npm run diff` shows it; if it is intended, put the line of `npm run diff -- --changelog`
// into CHANGELOG.md.
test('the contract breaks callers of the last release only where the changelog states it', async () => {
  const changes = compareContracts(await readBase(undefined), contract)
  expect(unnamedBreaks(changes, await readFile(join(projectRoot, 'CHANGELOG.md'), 'utf8'))).toEqual([])
})

test('x-may-grow names existing schemas, and the introduction lists them', () => {
  const grows = isObject(contract.info['x-may-grow']) ? contract.info['x-may-grow'] : {}
  const paragraph = String(contract.info['description']).match(/\*\*Some things may change at any time\*\*.*?\n\n/s)?.[0] ?? ''
  for (const [what, names] of Object.entries(grows)) {
    expect(paragraph).toContain(what.replace('kinds of ', ''))
    for (const name of [names].flat()) expect(contract.components.schemas).toHaveProperty([String(name)])
  }
  expect(Object.keys(grows).length).toBeGreaterThan(0)
})

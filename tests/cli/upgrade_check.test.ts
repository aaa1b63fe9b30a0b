import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { textAt, type JsonObject } from '../harness/json.ts'
import { classClient, oldScript, ownClient } from './code_bases.ts'
import { InProcessCommandLine } from './support.ts'

const cli = new InProcessCommandLine('sqlite::memory:')
const folders: string[] = []
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))))

async function folderOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'code-base-'))
  folders.push(folder)
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  return folder
}

/** The changes at each line, as the comments in the code name them. */
function expectedLines(files: Readonly<Record<string, string>>): string[] {
  const lines = Object.entries(files).flatMap(([file, text]) =>
    text.split('\n').map((line, index) => ({ at: `${file}:${index + 1}`, line })),
  )
  const marks = lines.flatMap(({ at, line }) =>
    [...line.matchAll(/\/\/([!?])([ \w]+)/g)].map(([, mark, ids = '']) => ({ at, mark, ids })),
  )
  return marks
    .flatMap(({ at, mark, ids }) =>
      ids
        .trim()
        .split(' ')
        .map((id) => `${at} ${mark === '!' ? 'change' : 'check'} ${id}`),
    )
    .toSorted()
}

function foundLines(report: JsonObject): string[] {
  const lines = (report['findings'] as JsonObject[]).map((finding) => {
    const change = finding['change'] === null ? 'deprecated' : textAt(finding, 'change', 'id')
    return `${String(finding['file'])}:${String(finding['line'])} ${finding['certain'] === true ? 'change' : 'check'} ${change}`
  })
  return [...new Set(lines)].toSorted()
}

describe('upgrade-check', () => {
  it.each([
    ['a client with classes and helpers', classClient, '2022-06-28', '2026-03-11'],
    ["this service's client", ownClient, '2025-09-03', '2026-03-11'],
    ['an old script', oldScript, '2021-08-16', '2022-02-22'],
  ])('lists the changed calls and fields of a code base: %s', async (_, files, from, to) => {
    const { code, output, errors } = await cli.run(['upgrade-check', await folderOf(files), '--from', from, '--to', to, '--json'])
    expect({ code, errors }).toEqual({ code: 1, errors: '' })
    expect(foundLines(JSON.parse(output) as JsonObject)).toEqual(expectedLines(files))
  })

  it('prints the file and line of each finding, what changed, since which version, and what to do', async () => {
    const folder = await folderOf({ 'a.ts': "api.pages.update({ page_id: '', archived: true })\nconst version = '2025-09-03'\n" })
    const { code, output } = await cli.run(['upgrade-check', folder])
    expect(code).toBe(1)
    expect(output).toMatch(/^a\.ts:1:33: archived of updatePage \[F2, 2026-03-11\]\n {4}`in_trash` replaces `archived`\./)
    expect(output).toContain('a.ts:2: names 2025-09-03. Change it last, to 2026-03-11.')
    expect(output).toMatch(/1 files with 1 calls, from 2025-09-03 to 2026-03-11: 1 to change, 0 to check\.\n$/)
  })

  it('exits with 0 when nothing changes, and names files that are not code', async () => {
    const folder = await folderOf({ 'a.ts': "api.pages.update({ page_id: '', in_trash: true })\n", 'b.js': 'const = 1' })
    const { code, output, errors } = await cli.run(['upgrade-check', folder])
    expect({ code, output }).toEqual({
      code: 0,
      output: '1 files with 1 calls, from 2025-09-03 to 2026-03-11: 0 to change, 0 to check.\n',
    })
    expect(errors).toMatch(/^Not read: b\.js: Unexpected token/)
  })

  it('starts from the oldest date that the code names', async () => {
    const folder = await folderOf({ 'a.ts': "export const dates = ['2022-06-28', '2025-09-03']\n" })
    expect(JSON.parse((await cli.run(['upgrade-check', folder, '--json'])).output)).toMatchObject({
      from: '2022-06-28',
      to: '2026-03-11',
    })
  })

  it.each([
    [['--from', '2022-01-01'], '--from: expected a release date, one of 2021-05-11'],
    [['--from', '2026-03-11'], '--from: expected a release date before 2026-03-11, got 2026-03-11'],
    [['--to', 'tomorrow'], '--to: expected a release date, one of'],
  ])('refuses %j', async (options, message) => {
    expect(await cli.refusal(['upgrade-check', await folderOf({}), ...options], 2)).toContain(message)
  })

  it('fails for a folder without code', async () => {
    const { code, errors } = await cli.run(['upgrade-check', await folderOf({ 'notes.txt': '' })])
    expect({ code, errors }).toEqual({
      code: 1,
      errors: expect.stringContaining('contains no TypeScript or JavaScript.') as string,
    })
  })
})

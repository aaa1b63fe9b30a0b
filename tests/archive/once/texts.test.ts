import { Readable } from 'node:stream'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FolderNames, pathOfAddress, relativeAddress, safeName } from '../../../archive/src/archive_names.ts'
import { CsvProblem, csvRecord, readCsv } from '../../../archive/src/csv.ts'
import { frontMatter, splitFrontMatter } from '../../../archive/src/front_matter.ts'
import { TypeInference } from '../../../archive/src/import/infer_types.ts'

const anyText = fc.string({ unit: 'grapheme', maxLength: 120 })

describe('file names of exported pages', () => {
  it('are safe and unique within a folder, whatever the titles', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(anyText, fc.constantFrom('Notes', 'notes', '..', 'CON', 'files', 'a/b', 'a\\b', ''))),
        (titles) => {
          const names = new FolderNames()
          const given = titles.map((title) => names.take(title))
          expect(new Set(given.map((name) => name.toLowerCase())).size).toBe(given.length)
          for (const name of given) expect(name).not.toMatch(/^\.|[. ]$|[/\\:*?"<>|\p{Cc}]|^(?:con|files)$|^$/iu)
        },
      ),
    )
  })

  it('do not change when made safe a second time', () => {
    fc.assert(fc.property(anyText, (title) => void expect(safeName(safeName(title))).toBe(safeName(title))))
  })

  it('give relative addresses that lead back to the same file', () => {
    const path = fc
      .array(
        anyText.map((title) => safeName(title)),
        { minLength: 1, maxLength: 4 },
      )
      .map((parts) => parts.join('/'))
    fc.assert(
      fc.property(path, path, (from, to) => {
        const address = relativeAddress(`${from}.md`, `${to}.csv`)
        expect(address).toMatch(/^[A-Za-z0-9._~%/-]+$/)
        expect(pathOfAddress(`${from}.md`, address)).toBe(`${to}.csv`)
      }),
    )
  })

  it.each(['/etc/passwd', 'https://example.org/a.md', 'mailto:a@b.example', '../../a.md', '#part', ''])(
    'are not derived from an address outside the archive: %s',
    (address) => expect(pathOfAddress('Folder/Page.md', address)).toBeUndefined(),
  )
})

const read = (...chunks: (string | Uint8Array)[]): Promise<(readonly string[])[]> =>
  Array.fromAsync(readCsv(Readable.from(chunks.map((chunk) => Buffer.from(chunk)))))

describe('CSV', () => {
  it('keeps every cell, formulas included', async () => {
    const cell = fc.oneof(anyText, fc.constantFrom('=1+1', '-3', '@x', '"', '""', ',', '\n', '\r\n', ' a ', ''))
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 5 }),
        async (records) => {
          expect(await read(records.map(csvRecord).join(''))).toEqual(records)
        },
      ),
      { numRuns: 50 },
    )
  })

  it('is read in chunks that split characters, with a byte order mark and with ragged records', async () => {
    const bytes = Buffer.from('\uFEFFName,Ö\r\nä,1,2\r\n"b\nc"\r\n')
    expect(await read(...[...bytes].map((byte) => Uint8Array.of(byte)))).toEqual([['Name', 'Ö'], ['ä', '1', '2'], ['b\nc']])
  })

  it('is read only as far as its records are consumed', async () => {
    let pulled = 0
    const lines = function* (): Generator<Buffer> {
      for (; pulled < 10_000; pulled += 1) yield Buffer.from(`Row ${pulled},${'x'.repeat(1_000)}\r\n`)
    }
    let taken = 0
    for await (const record of readCsv(Readable.from(lines()))) {
      expect(record[0]).toBe(`Row ${taken}`)
      taken += 1
      if (taken === 10) break
    }
    expect(pulled).toBeLessThan(1_000)
  })

  it.each([
    ['Name\r\n"open', /not valid CSV/],
    [Buffer.from('Name\r\n\xff\xfe', 'latin1'), /not valid UTF-8/],
  ])('fails with an error that names the fault of the table', async (bytes, expected) => {
    const problem = await read(bytes).catch((error: unknown) => error)
    expect(problem).toBeInstanceOf(CsvProblem)
    expect(String(problem)).toMatch(expected)
  })
})

describe('inferred column types of a table without a manifest', () => {
  it('fit all values of the column, and are text if none does', () => {
    const inference = new TypeInference(8, { relatedIn: () => undefined, filesIn: () => undefined })
    inference.see(['1', '1.5', 'yes', '2026-05-01', '007', 'a@b.example', 'https://example.org', ''])
    inference.see(['2', '-3', 'No', '2026-05-01T09:00Z', '12', 'c@d.example', 'http://example.org/x', ' '])
    expect(inference.types).toEqual(['title', 'number', 'checkbox', 'date', 'rich_text', 'email', 'url', 'rich_text'])
    inference.see(['3', 'n/a', 'maybe', 'May', '1', 'x', 'y', ''])
    expect(new Set(inference.types.slice(1))).toEqual(new Set(['rich_text']))
  })
})

describe('front matter', () => {
  it('preserves icon and cover, and text that resembles front matter stays text', () => {
    const values = { icon: ':a: "b"', cover: 'files/c%20d.png' }
    expect(splitFrontMatter(`${frontMatter(values)}# Title\n`)).toEqual({ values, text: '# Title\n' })
    expect(frontMatter({ icon: null, cover: null })).toBe('')
    for (const text of ['---\nLow water\n---\nText', '---\n', 'Text\n---\na: b\n---\n'])
      expect(splitFrontMatter(text)).toEqual({ values: {}, text })
  })
})
